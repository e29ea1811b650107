"""hCorrectSets (Frome et al. 2013, appendix A.3): a label's neighbourhood among the valid
labels."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from numbers import Integral
from typing import TYPE_CHECKING, Any

from graphzsl.common.errors import SplitError
from graphzsl.common.frames import Tabular
from graphzsl.common.wording import called
from graphzsl.hierarchy.search import Positions, label_shells

if TYPE_CHECKING:
    from graphzsl.hierarchy.nodes import Nodes


@dataclass(frozen=True)
class HCorrectSet(Tabular):
    """hCorrectSet of one label and one k.

    ``radius`` is the last shell added; ``exhausted``: the shells ran out short of k. ``name`` and
    ``member_names`` are those of the synsets, empty where the hierarchy has none.
    """

    wnid: str
    name: str
    k: int
    members: list[str]
    member_names: list[str]
    radius: int
    exhausted: bool

    def __repr__(self) -> str:
        short = ", exhausted" if self.exhausted else ""
        members = f"{len(self.members):,} member{'s' if len(self.members) != 1 else ''}"
        return f"<HCorrectSet {self.wnid}, k {self.k}: {members}, radius {self.radius}{short}>"

    def rows(self) -> list[dict[str, Any]]:
        """One row per member: wnid, name, k, member, member_name."""
        own = {"wnid": self.wnid, "name": self.name, "k": self.k}
        pairs = zip(self.members, self.member_names, strict=True)
        return [{**own, "member": wnid, "member_name": name} for wnid, name in pairs]


def hcorrect_sets(
    hierarchy: Nodes, labels: Sequence[str], valid: Sequence[str], ks: Sequence[int]
) -> Iterator[HCorrectSet]:
    """hCorrectSet(c, k) for every label c and every k, in the order of labels, then k.

    Whole shells of valid labels are added while fewer than k are there, so a set has at least k
    members, and exactly one at k = 1; when the shells run out it is flagged.

    SplitError for a label that is not valid, or a k that is not a whole number of at least 1;
    DataError for one that is not a node.
    """
    lengths = sorted(set(checked_lengths(ks)))
    for wnid, shells in zip(labels, shells_of(hierarchy, labels, valid, ks), strict=True):
        wnids = [hierarchy.wnids_at(shell) for shell in shells]
        yield from cut_shells(wnid, wnids, lengths, hierarchy.names)


def checked_lengths(k: int | Iterable[int]) -> list[int]:
    """The k of hCorrectSets, one or several; SplitError for one that is not a whole number of at
    least 1, and where there is none."""
    if isinstance(k, str) or not isinstance(k, Iterable | Integral):
        raise SplitError(f"k must be one whole number or several, such as [1, 5], not {k!r}.")
    found: list[Any] = list(k) if isinstance(k, Iterable) else [k]
    if not found:
        raise SplitError(
            "There is no k: hCorrectSets have at least k members, for a k of at least 1."
        )
    for each in found:
        if not isinstance(each, Integral) or isinstance(each, bool) or each < 1:
            raise SplitError(f"k must be a whole number of at least 1, not {each!r}.")
    return [int(each) for each in found]


def shells_of(
    hierarchy: Nodes, labels: Sequence[str], valid: Sequence[str], ks: Sequence[int]
) -> Iterator[list[Positions]]:
    """For each label its shells of valid labels, by position, as far as the largest k needs; errors
    as above."""
    longest = max(checked_lengths(ks))
    stray = sorted(set(labels) - set(valid))
    if stray:
        raise SplitError(
            f"{called(stray[0], hierarchy.names)} is not a valid label: hCorrectSets are of valid"
            " labels."
        )
    return label_shells(
        hierarchy.adjacency, hierarchy.positions(labels), hierarchy.positions(valid), longest
    )


def last_shells(sizes: Sequence[int], ks: Sequence[int]) -> list[int]:
    """For every k the shell that completes it, or the last one, of shells with these sizes."""
    totals = list(accumulate(sizes))
    return [min(bisect_left(totals, k), len(totals) - 1) for k in ks]


def cut_shells(
    wnid: str, shells: list[list[str]], ks: Sequence[int], names: Mapping[str, str]
) -> Iterator[HCorrectSet]:
    """hCorrectSets of one label from its shells: for every k whole shells while fewer than k are
    there. ``names`` says what the label and its members are called."""
    for k, radius in zip(ks, last_shells([len(shell) for shell in shells], ks), strict=True):
        members = [member for shell in shells[: radius + 1] for member in shell]
        called = [names.get(member, "") for member in members]
        short = len(members) < k
        yield HCorrectSet(wnid, names.get(wnid, ""), k, members, called, radius, short)
