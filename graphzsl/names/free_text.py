"""Phrases in which an answer says what an image shows: the frame around it, hedges, what is denied,
and the phrases that name the thing. ``graphzsl.names.answers`` finds their classes.

An answer is read as English, without a parser: by the words that begin and end a phrase in answers
of vision–language models.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.reading.json_text import parsed_json

#: Keys of JSON whose value is the answer, in the order in which they are taken.
_KEYS = ("label", "object", "answer", "class", "name", "prediction", "category", "species")
_TAG = re.compile(r"<(answer|label|class|object|response)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
#: Reasoning before an answer; what is cut off within it has none.
_THOUGHT = re.compile(r".*</think(?:ing)?>|<think(?:ing)?>.*", re.IGNORECASE | re.DOTALL)
_FENCE = re.compile(r"```(?:\w+)?\s*(.*?)```", re.DOTALL)
_MARKS = re.compile(r"[*`#\"“”]+|\b_+|_+\b|(?<=\s)'|'(?=\s|$)|^'")
_LABEL = re.compile(
    r"^\s*(?:the\s+)?(?:final\s+|correct\s+)?(?:answer|label|class|object|caption|prediction)"
    r"(?:\s+is)?\s*(?:[:=]\s*|$)",
    re.IGNORECASE,
)
_OPTION = re.compile(r"^\s*\(?[A-J](?:\)|[.:](?=\s))\s*")
#: Where one statement ends.
_ENDS = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:St|Dr|Mt))[.!?]+(?=\s|$)|;|\n+"
    r"|,?\s+\b(?:but|however|although|though)\b\s*",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"[a-j]|yes|no|none|n/a|na|null|nil|unknown|unclear|nothing|unsure")
#: Statements that name nothing.
_REFUSALS = re.compile(
    r"\b(?:sorry|can ?not|can['’]t|could ?n['’]t|unable|not (?:sure|certain|clear|possible|able)"
    r"|do(?:es)? ?n['’]t know|do not know|no idea|hard to|difficult to|impossible|too \w+"
    r"|not enough|as an ai|without more)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\bnot\b.*?\bbut\s+(?:rather\s+|instead\s+)?(.+)", re.IGNORECASE)
_DENIED = re.compile(
    r"^(?:.*(?:\b(?:is|are|was)|['’]s)\s+)?(?:\w+ly\s+)?(?:not|no|never|neither)\b|n['’]t\b",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"^\s*(?:well|okay|ok|sure|certainly|hmm|so|i (?:think|believe|guess|would say)(?: that)?"
    r"|(?:here )?(?:i|we|you) (?:can |are )?(?:see|have|looking at)|in my opinion"
    r"|(?:i|we) (?:would|can) (?:classify|identify|describe|label) (?:this|that|it) as"
    r"|i(?: would|['’]d) (?:go with|say)|could be"
    r"|(?:(?:it|(?:the|this|that) [\w-]+) )?(?:looks? (?:more )?like|(?:seems?|appears?) to be)"
    r"|(?:in|at|on) [^,]*\b(?:image|photo|photograph|picture|scene|center|centre)\b[^,]*(?=,)"
    r"|possibly|probably|perhaps|maybe|most likely|likely|apparently|definitely|clearly|either"
    r"|alternatively|or else|or|yes|here (?:is|are)|there (?:is|are))\b[,:]?\s*",
    re.IGNORECASE,
)
_IS = (
    r"(?:(?:is|are|was|were)(?: (?:likely|probably|possibly|most likely|clearly|definitely))?"
    r"|['’](?:s|re)|appears? to (?:be|show)|seems? to be|looks? (?:like|to be)|resembles?"
    r"|(?:might|may|could|must|would|can)(?: also)? be(?: (?:classifi|identifi|describ)ed as)?"
    r"|shows?|depicts?|features?|contains?|displays?|captures?|portrays?|presents?|is called)"
)
#: Subjects that stand for the thing itself, or for the picture.
_SUBJECT = (
    r"(?:it|this|that|these|those|they|what you are seeing|what (?:i|we|you) see|what is shown"
    r"|there|my (?:best )?guess|(?:the|this|that) (?:[\w-]+ ){0,2}?"
    r"(?:object|subject|thing|item|image|photo|photograph|picture|scene|answer|class|label|creature)"
    r"(?: [\w-]+){0,5}?"
    r"|(?:the|this|that) [\w-]+ (?:(?:shown |depicted )?in (?:the|this) (?:image|photo|picture)"
    r"|shown|depicted)"
    r"|this [\w-]+|the [\w-]+(?=(?:\s+is|['’]s)\s+(?:(?:most )?\w+ly\s+)?(?:an?|the|some)\s))"
)
_STATED = re.compile(rf"\b{_SUBJECT}\s*{_IS}\s+(.+)", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:or|maybe|perhaps|alternatively|could also be)\b", re.IGNORECASE)
_WIDER = re.compile(
    r",?\s*\b(?:other than"
    r"|(?:or|and)\s+(?:some\s+)?(?:another|other|similar|any other|something))\b.*",
    re.IGNORECASE,
)
_OR = re.compile(
    r",?\s+or(?:\s+else|\s+maybe|\s+possibly|\s+perhaps)?\s+|,\s*(?:maybe|perhaps|possibly)\s+",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r",?\s*\b(?:also )?(?:called|known as|aka|a\.k\.a\.|i\.e\.,?|or more specifically)\s+",
    re.IGNORECASE,
)
#: Words that describe, which a comma or "and" joins to the next one.
_DESCRIBES = re.compile(
    r"\b(black|white|brown|gr[ae]y|red|orange|yellow|green|blue|tan|silver|gold|golden|pink|purple"
    r"|dark|light|bright|large|small|big|tiny|little|huge|tall|short|long|old|young|new|vintage"
    r"|modern|round|square|soft|fluffy|furry|shiny|wet|dirty|cute|beautiful|colou?rful|striped"
    r"|spotted|wooden|metal|plastic)(?:,|,?\s+and)\s+(?=[\w-]+\s)",
    re.IGNORECASE,
)
#: Between two things; of one with something of its own the first counts.
_AND = re.compile(
    r"\b(\w+),?\s+and\s+(?!(?:her|his|its|their)\b)(?:an?\s+|the\s+)?(\w+)",
    re.IGNORECASE,
)
#: Words before what somebody holds, and before what is with somebody.
_HOLDS = (
    re.compile(
        r"\b(?:holds?|holding|carries|carrying)(?: up)?\b(?!\s+(?:no|not|neither|nothing)\b)",
        re.IGNORECASE,
    ),
    re.compile(r"\bwith\b(?!\s+(?:no|neither|nothing)\b)", re.IGNORECASE),
)
_COMMA = re.compile(r",(?![^(]*\))")
_WORD = re.compile(r"[^\W_]+(?:['’.\-/&][^\W_]+)*['’]?")
_PARTICIPLE = re.compile(r"[^-]*[aeiouy][^-]*(?:ing|(?<!e)ed)")
_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_ARTICLES = re.compile(
    r"a|an|the|some|what|this|that|these|those|of|one|two|three|four|five|six|several|many|"
    r"few|his|her|its|their|my|your|our|another|single"
)
#: Tags that say nothing of the thing beside others.
_TAGS = re.compile(r"animal|pet|nature|wildlife|outdoors|outdoor|indoor|object|photo|photography")
#: Words at which a phrase ends.
_STOPS = re.compile(
    r"in|on|at|with|without|next|beside|near|under|over|above|below|behind|through|against|"
    r"from|by|for|to|into|onto|inside|outside|around|across|along|between|among|during|after|"
    r"before|because|outdoors|here|like|that|which|who|whose|where|while|as|and|is|are|was|were|"
    r"has|have|had|can|made|"
    r"identifiable|recognisable|recognizable|surrounded|atop|upon|up|down|out|off|full|wearing"
)
#: Words before "of" that measure, or say of what kind the next one is.
_MEASURES = re.compile(
    r"(?:"
    r"cup|glass|mug|bottle|bowl|plate|slice|piece|pair|bunch|group|pile|stack|basket|box|bag|"
    r"can|jar|herd|flock|school|pack|lot|variety|kind|type|sort|species|breed|form|item|"
    r"example|image|photo|picture|photograph|painting|drawing|close-up|closeup|view|shot|pint|"
    r"loaf|head|sprig|stalk|couple|handful|bouquet|portrait|variation|member"
    r")(?:e?s)?\Z"
)


@dataclass(frozen=True)
class Said:
    """The things that an answer leaves open, or the one that it names.

    Args:
        things: for each the names that the answer has for it, the first one first.
        is_list: the things are tags of one picture; else the answer hedges between them.
        held: the names of each thing that one of these holds, then of each that is with it.
    """

    things: list[list[str]]
    is_list: bool = False
    held: list[list[str]] = field(default_factory=list)


def read_answer(text: str, is_name: Callable[[str], bool]) -> Said:
    """Find the phrases that say what an image shows.

    Args:
        text: the answer.
        is_name: whether a text is a name, which no phrase ends within or before; of words such as
            building those that are usual nouns.

    Returns:
        The things; none for an answer that names nothing.
    """
    body = _unwrapped(text)
    whole = body.strip().strip(".!").strip()
    if _NOTHING.fullmatch(whole.casefold()):
        return Said([])
    if is_name(whole):
        return Said([[whole]])
    things: list[list[str]] = []
    held: list[list[str]] = []
    is_list = False
    for statement in filter(str.strip, _ENDS.split(body)):
        goes_on = bool(things) and bool(_ALSO.search(statement))
        if things and not goes_on:
            break
        parts = [part for part in statement.split(",") if not _is_refused(part.strip())]
        stated = _stated(",".join(parts), is_name)
        if not stated or _NOTHING.fullmatch(stated.strip(" .()").casefold()):
            continue
        found, listed = _things(stated, is_name)
        things += found
        behind = [part for words in _HOLDS for part in words.split(stated)[1:]]
        held += [names for part in behind if (names := _names(part, is_name))]
        is_list = is_list or listed
    return Said(things, is_list, held)


def _is_refused(statement: str) -> bool:
    """True for a statement that names nothing, or says only what the thing is not."""
    if _INSTEAD.search(statement):
        return False
    return bool(_REFUSALS.search(statement) or _DENIED.search(statement))


def _unwrapped(text: str) -> str:
    """An answer without tags, JSON, marks and the letter of an option."""
    text = _THOUGHT.sub("", text)
    if tag := list(_TAG.finditer(text)):
        text = tag[-1][2]
    if fence := _FENCE.search(text):
        text = fence[1]
    text = _of_json(text)
    text = "\n".join(_LABEL.sub("", _MARKS.sub("", line)) for line in text.splitlines())
    text = re.sub(r"(?<=\w)_(?=\w)|\s*\([A-J]\)\s+", " ", text.strip())
    text = re.sub(r"(?i)\bclose up of\b", "close-up of", text.strip())
    return _DESCRIBES.sub(r"\1 ", _OPTION.sub("", text))


def _of_json(text: str) -> str:
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        found: Any = parsed_json(text, "the answer")
    except DataError:
        return text
    while isinstance(found, dict | list) and found:
        if isinstance(found, list):
            if all(isinstance(each, str) for each in found):
                return ", ".join(found)
            found = found[0]
        else:
            keys = {str(key).casefold(): key for key in found}
            known = next((keys[key] for key in _KEYS if key in keys), None)
            found = found[known] if known is not None else next(iter(found.values()))
    return str(found)


def _stated(statement: str, is_name: Callable[[str], bool]) -> str:
    """The part of a statement behind its subject, where that is the picture or the thing in it."""
    if instead := _INSTEAD.search(statement):
        statement = instead[1]
    before = None
    while before != statement:
        before, statement = statement, _HEDGES.sub("", statement)
    if found := _STATED.search(statement):
        behind = found[1]
        is_state = re.match(r"(?:\w+ing|in|on|at|near)\b", behind, re.IGNORECASE)
        if not is_state or is_name(" ".join(behind.split()[:2])):
            return _stated(behind, is_name)
    return statement.strip()


def _things(text: str, is_name: Callable[[str], bool]) -> tuple[list[list[str]], bool]:
    """(the things of a statement, each by its names; whether they are a list of tags)."""
    text = _WIDER.sub("", text)
    alternatives = [part for part in _OR.split(text) if part.strip()]
    if len(alternatives) > 1:
        return [names for part in alternatives if (names := _names(_first(part), is_name))], False
    parts = _listed(text, is_name)
    if len(parts) > 1:
        return [names for part in parts if (names := _names(part, is_name))], True
    return [names] if (names := _names(text, is_name)) else [], False


def _listed(text: str, is_name: Callable[[str], bool]) -> list[str]:
    """The items of a list of things, of which the last alone goes on; one where it is none."""

    def split(found: re.Match[str]) -> str:
        return found[0] if is_name(f"{found[1]} and {found[2]}") else f"{found[1]}, {found[2]}"

    text = _AND.sub(split, text)
    parts = [part.strip() for part in _COMMA.split(text) if part.strip()]
    if _CALLED.search(text) or not parts:
        return parts[:1]
    *items, last = (_phrase(part, is_name) for part in parts)
    if any(is_cut or not phrase for phrase, is_cut in items):
        return parts[:1]
    if not last[0] or (last[1] and re.match(r"\w+(?:ing|ed)\b", parts[-1])):
        return parts[:1]
    return [part for part in parts if not _TAGS.fullmatch(part.casefold())] or parts


def _first(text: str) -> str:
    return _COMMA.split(text)[0]


def _names(text: str, is_name: Callable[[str], bool]) -> list[str]:
    """The names that a text has for one thing: before brackets and in them, and what it is also
    called."""
    parts = _CALLED.split(text)
    inner = [inside for part in parts for inside in _BRACKETS.findall(part)]
    outer = [_BRACKETS.sub(" ", part) for part in parts]
    found = [_phrase(_first(part), is_name)[0] for part in (*outer, *inner)]
    return [name for name in dict.fromkeys(found) if name]


def _phrase(text: str, is_name: Callable[[str], bool]) -> tuple[str, bool]:
    """(the noun phrase that a text begins with; whether the text goes on behind it)."""
    words = _WORD.findall(text)
    kept: list[str] = []
    for at, word in enumerate(words):
        low = word.casefold()
        if not kept and (_ARTICLES.fullmatch(low) or low.isdecimal()):
            continue
        if low == "of" and kept:
            behind, is_cut = _phrase(" ".join(words[at + 1 :]), is_name)
            if _MEASURES.match(kept[-1].casefold()):
                return behind, is_cut
            # the keyboard of a typewriter is a typewriter keyboard
            turned = f"{behind} {kept[-1]}"
            return (turned if is_name(turned) else " ".join(kept)), True
        is_participle = kept and word == low and _PARTICIPLE.fullmatch(low) and not is_name(low)
        if (_STOPS.fullmatch(low) or is_participle) and not _goes_on(words, at, kept, is_name):
            return " ".join(kept), True
        kept.append(word)
    return " ".join(kept), False


def _goes_on(
    words: Sequence[str], at: int, kept: Sequence[str], is_name: Callable[[str], bool]
) -> bool:
    """True if a word that phrases end at stands within a name: washing machine, jack-in-the-box."""
    return any(
        is_name(" ".join(words[start:end]))
        for start in range(max(0, at - min(2, len(kept))), at + 1)
        for end in range(at + 2 - (start < at), min(len(words), at + 4) + 1)
    )
