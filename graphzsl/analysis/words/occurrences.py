"""Occurrences of forms of labels in a text: all of them counted in one pass over its words.

The text becomes an array of word numbers, each distinct word looked up once. A form of one word is
then a count of a number; forms of several are found word by word, at all places of the text at
once, in a trie that is a sorted array of (node, next word) pairs. Overlapping ones count too: "hot
dog" is an occurrence of ``hot dog`` and of ``dog``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int64]
#: Bits of a word's number in a pair of node and next word.
_WORD_BITS = 32


class FormCounter:
    """Counts forms: words that are separated by single spaces, each form once.

    A trie: node w < W is the first word w of forms, the nodes above are their further words.
    """

    def __init__(self, forms: Sequence[bytes]):
        split = [form.split(b" ") for form in forms]
        distinct = dict.fromkeys(word for words in split for word in words)
        self._numbers = {word: number for number, word in enumerate(distinct)}
        count = len(distinct)
        children: dict[int, int] = {}
        ends = np.empty(len(split), dtype=np.int64)
        for form, words in enumerate(split):
            node = self._numbers[words[0]]
            for word in words[1:]:
                pair = (node << _WORD_BITS) + self._numbers[word]
                node = children.setdefault(pair, count + len(children))
            ends[form] = node
        self._form = np.full(count + len(children), -1, dtype=np.int64)
        self._form[ends] = np.arange(len(split))
        # an entry for no pair stands last: whatever is searched for has a place
        pairs = np.fromiter((*children, np.iinfo(np.int64).max), dtype=np.int64)
        order = np.argsort(pairs)
        self._pairs, self._children = pairs[order], order + count  # children in their order
        # whether forms go on behind a node, and whether a word stands behind others; its last entry
        # is for words of no form
        self._opens = np.zeros(len(self._form), dtype=bool)
        self._opens[pairs[:-1] >> _WORD_BITS] = True
        self._follows = np.zeros(count + 1, dtype=bool)
        self._follows[pairs[:-1] & ((1 << _WORD_BITS) - 1)] = True

    def count(self, text: bytes, following: bytes = b"") -> tuple[Ints, Ints]:
        """([F'] numbers of the forms that occur in the text, [F'] how often).

        Both are words separated by spaces. An occurrence counts where it starts: ``following`` is
        what comes after the text, for those that go beyond its end.
        """
        words = self._words(text)
        # where forms may be, the nodes that are reached there, and how many words these are
        places, length = np.flatnonzero(words >= 0), 1
        nodes = words[places]
        words = np.concatenate([words, self._words(following)])
        times = np.zeros(len(self._form), dtype=np.int64)
        while len(places):
            times += np.bincount(nodes, minlength=len(times))
            goes_on = self._opens[nodes] & (places + length < len(words))
            places, nodes = places[goes_on], nodes[goes_on]
            after = words[places + length]
            goes_on = self._follows[after]
            pairs = (nodes[goes_on] << _WORD_BITS) + after[goes_on]
            at = np.searchsorted(self._pairs, pairs)
            is_form = self._pairs[at] == pairs
            places, nodes = places[goes_on][is_form], self._children[at[is_form]]
            length += 1
        occurring = np.flatnonzero((times > 0) & (self._form >= 0))
        return self._form[occurring], times[occurring]

    def _words(self, text: bytes) -> Ints:
        """[n] the numbers of the words of a text, -1 for one that is in no form."""
        text = text.strip(b" ") + b" "
        if text == b" ":
            return np.empty(0, dtype=np.int64)
        is_space = np.frombuffer(text, dtype=np.uint8) == ord(" ")
        ends = np.flatnonzero(is_space & ~np.append(is_space[1:], False)) + 1
        offsets = np.concatenate([[0], ends]).astype(np.int32)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text)]
        # each word with the spaces after it
        distinct = pa.BinaryArray.from_buffers(pa.binary(), len(ends), buffers).dictionary_encode()
        number = self._numbers.get
        numbers = [number(word.rstrip(b" "), -1) for word in distinct.dictionary.to_pylist()]
        found: Ints = np.array(numbers, dtype=np.int64)[distinct.indices.to_numpy()]
        return found
