"""Order of a list of class names: that of its set, or another known order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.published import class_lists


@dataclass(frozen=True, eq=False)
class Orders:
    """The orders that a set of classes is known in.

    Args:
        lexicon: WordNet's nouns.
        positions: the classes in the order of the set.
        names: wnid -> name of each.
    """

    lexicon: Lexicon
    positions: Sequence[int]
    names: Mapping[str, str]

    def of_positions(self, given: Sequence[int]) -> tuple[int, str] | None:
        """(the first place at which classes stand otherwise than in the set, what is to be said of
        it); None where they stand in its order. ``given`` may lack some classes."""
        there, stands = set(given), list(given)
        expected = [each for each in self.positions if each in there]
        if stands == expected:
            return None
        pairs = list(zip(given, expected, strict=True))
        at = next(at for at, (one, other) in enumerate(pairs) if one != other)
        wnids = self.lexicon.wnids
        said = (
            f"{sum(one != other for one, other in pairs):,} of {len(given):,} classes stand"
            f" elsewhere; the first is {wnids[given[at]]} where the set has {wnids[expected[at]]}"
        )
        for order, positions in self.others():
            if [each for each in positions if each in there] == stands:
                return at, f"{said}. It is {order}"
        return at, said

    def of_meanings(
        self, given: Sequence[int], meant: Sequence[set[int]]
    ) -> tuple[int, str] | None:
        """Position and description of the first name out of order, by meanings: ``meant`` are the
        synsets that each name may mean, ``given`` the classes at their places. None if no more
        names mean another class of the set than mean their own."""
        in_set = set(self.positions)
        own = sum(position in senses for position, senses in zip(given, meant, strict=True))
        elsewhere = [
            at
            for at, (position, senses) in enumerate(zip(given, meant, strict=True))
            if position not in senses and senses & in_set
        ]
        if len(elsewhere) <= own:
            return None
        fits = {
            said: sum(each in senses for each, senses in zip(order, meant, strict=True))
            for said, order in self.others()
            if len(order) == len(meant)
        }
        best = max(fits, key=lambda said: fits[said])
        other = f"; {fits[best]:,} fit {best}" if fits[best] > own else ""
        return elsewhere[0], (
            f"{own:,} of {len(meant):,} names are words of the class at their place, and"
            f" {len(elsewhere):,} are words of another class of the set{other}"
        )

    def others(self) -> Iterable[tuple[str, list[int]]]:
        """Orders beside the set's own, and what they are called."""
        positions, wnids = list(self.positions), self.lexicon.wnids
        yield "the order of the wnids", sorted(positions)
        yield "the reverse of the set's order", positions[::-1]
        yield (
            "the alphabet's order of names",
            sorted(positions, key=lambda each: (self.names[wnids[each]].casefold(), each)),
        )
        there = set(positions)
        for name, data in class_lists().items():
            if data.rows >= len(positions):
                order = [self.lexicon.index.get(each) for each in shipped_classes(name)]
                if there <= {*order}:
                    kept = [each for each in order if each is not None and each in there]
                    yield f"the order of the list {name}", kept
