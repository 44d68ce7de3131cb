"""The machine of a response template: the places of its regions and their delimiters, also of misspelt ones.

The stream and the scanner both read its steps. A decision depends only on the text, not on the chunks: a place at which
a longer delimiter may still follow waits for more text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from llmblocks.completions.pattern import Pattern
from llmblocks.completions.template import Template, TemplateField
from llmblocks.core.distance import distance

OUTSIDE: Final = -1
"""Instead of a field's index: no region is open, or that of the implicit field."""
_BEGIN = re.compile(r"(?:[^\\\[\](){}.*+?|^$\s]|\\[^A-Za-z0-9])+")
_WORDS = re.compile(r"<[^<>\n]{1,48}>|\[/?[A-Za-z_ -]{2,24}\]")
_LETTERS = re.compile(r"[^a-z0-9]+")
_SHORT: Final = 4
StepKind = Literal["text", "open", "close", "end", "hold"]


class Step(NamedTuple):
    kind: StepKind
    """Text of the region, a delimiter that opens or closes one, a delimiter that `end`s the text of the implicit field,
    or text held back.
    """
    start: int
    end: int
    field: int
    """The index of the region that is open, or that the delimiter opens or closes."""
    match: re.Match[str] | None = None


class Mark(NamedTuple):
    kind: StepKind
    field: int
    pattern: Pattern


class Watch:
    """The delimiters that count in one state. Of equally long ones, the first counts."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks: Final = marks
        firsts = frozenset().union(*[mark.pattern.firsts for mark in marks])
        known = "|".join(sorted(firsts)) or "(?!)"
        self.sign: Final = re.compile(known).search
        """Finds their first characters."""
        # halves of characters wait for the other half
        self.plain: Final = re.compile(f"{known}|[\ud800-\udfff]").search
        """Finds nothing in chunks without any."""
        whole = "|".join([mark.pattern.whole for mark in marks])
        begun = "|".join([mark.pattern.begun for mark in marks])
        self._whole = re.compile(whole, re.DOTALL).match
        self._any = re.compile(f"{whole}|{begun}", re.DOTALL).match
        self._at_start = any(mark.pattern.at_start for mark in marks)

    def next(self, text: str, at: int, stop: int, final: bool = True, fresh: bool = False) -> Step | None:
        """Return the first delimiter, or the place that may become one. `fresh` if the text begins at `at`."""
        if fresh and self._at_start and (found := self._decided(text, at, stop, final, True)):
            return found
        look = self._whole if final else self._any
        while sign := self.sign(text, at, stop):
            at = sign.start()
            if look(text, at, stop):
                return self._decided(text, at, stop, final, False)
            at += 1
        return None

    def _decided(self, text: str, at: int, stop: int, final: bool, fresh: bool) -> Step | None:
        best: Step | None = None
        for kind, field, pattern in self._marks:
            if not final and (pattern.begins_first if fresh else pattern.begins)(text, at, stop):
                return Step("hold", at, stop, field)
            match = (pattern.match_first if fresh else pattern.match)(text, at, stop)
            if match and (best is None or match.end() > best.end):
                best = Step(kind, at, match.end(), field, match)
        return best


class Machine:
    """The states of a template: the delimiters that count `outside` of regions, and those that `closes` has."""

    def __init__(self, template: Template) -> None:
        self.template: Final = template
        explicit = sorted([field for field in template.fields if field.open is not None], key=lambda each: each.name)
        opens = [Mark("open", field.number, field.open) for field in explicit if field.open]
        closes = {field.number: Mark("close", field.number, field.close) for field in explicit if field.close}
        if template.implicit is not None and template.implicit.close is not None:
            opens.append(Mark("end", OUTSIDE, template.implicit.close))
        self.outside: Final = Watch(opens) if opens else None
        self.closes: Final = Watch([*closes.values()]) if closes else None
        self._inside: Final = {number: Watch([mark]) for number, mark in closes.items()}

    def watch(self, field: int) -> Watch | None:
        """Return the delimiters that count in a region; None if its text continues to the end."""
        return self.outside if field == OUTSIDE else self._inside.get(field)

    def steps(self, text: str, at: int, stop: int, field: int, final: bool, fresh: bool = False) -> Iterator[Step]:
        """Read a text in which a region is open.

        The stretches cover the text from `at` to `stop`. Unless `final`, the last one may be held back.
        """
        while True:
            watch = self.watch(field)
            found = watch.next(text, at, stop, final, fresh) if watch is not None else None
            end = found.start if found else stop
            if end > at:
                yield Step("text", at, end, field)
            if found is None:
                return
            yield found
            if found.kind == "hold":
                return
            field = found.field if found.kind == "open" else OUTSIDE
            at, fresh = found.end, False


class TextRegion(NamedTuple):
    """A region. Places are code points from the start of the text."""

    field: TemplateField | None
    """None for text that belongs to no field."""
    start: int
    content: int
    """The end of the opening delimiter, which may be empty."""
    content_end: int
    """The start of the closing delimiter."""
    end: int
    captures: Mapping[str, str]
    """The groups of the opening delimiter."""
    closed: bool


def regions_of(machine: Machine, text: str, *, fresh: bool = True) -> Iterator[TextRegion]:
    """Yield the regions of a text in which none is open at the start. `fresh` if no text precedes it."""
    fields, implicit = machine.template.fields, machine.template.implicit
    field: TemplateField | None = None
    start = content = at = 0
    captures: Mapping[str, str] = {}
    for kind, begin, end, number, match in machine.steps(text, 0, len(text), OUTSIDE, True, fresh):
        if field is None and kind != "text" and begin > at:
            closed = kind == "end"
            yield TextRegion(implicit, at, at, begin, end if closed else begin, {}, closed)
        if kind == "open":
            field, start, content = fields[number], begin, end
            captures = {key: each for key, each in match.groupdict().items() if each is not None} if match else {}
        elif kind == "close":
            yield TextRegion(field, start, content, begin, end, captures, True)
            field = None
        at = end if kind != "text" else at
    if field is not None:
        yield TextRegion(field, start, content, len(text), len(text), captures, False)
    elif at < len(text):
        yield TextRegion(implicit, at, at, len(text), len(text), {}, False)


@lru_cache(maxsize=64)
def machine_of(template: Template) -> Machine:
    """Return the cached machine of a template."""
    return Machine(template)


class NearDelimiter(NamedTuple):
    start: int
    end: int
    better: str
    """The delimiter of the field."""
    field: str
    opens: bool


def near_in(template: Template, text: str, start: int, end: int) -> Iterator[NearDelimiter]:
    """Yield the misspelt delimiters of a template between two places."""
    literals = _literals(template)
    for found in _WORDS.finditer(text, start, end) if literals else ():
        near = None if found[0] in literals else _nearest(found[0], literals)
        if near is not None:
            yield NearDelimiter(*found.span(), near, *literals[near])


@lru_cache(maxsize=64)
def _literals(template: Template) -> Mapping[str, tuple[str, bool]]:
    """Return the words that are delimiters, each with its field, and whether it opens that."""
    found: dict[str, tuple[str, bool]] = {}
    for field in template.fields:
        for opens in (True, False):
            for literal in texts_of(field, opens=opens):
                if _WORDS.fullmatch(literal):
                    found.setdefault(literal, (field.name, opens))
    return found


def _nearest(word: str, literals: Iterable[str]) -> str | None:
    letters = _LETTERS.sub("", word.lower())
    for literal in literals:
        if ("/" in word[:3]) != ("/" in literal[:3]):
            continue
        wanted = _LETTERS.sub("", literal.lower())
        longer = "/" in word[:3] and letters.startswith(wanted) and len(letters) - len(wanted) < _SHORT
        if letters == wanted or (longer and len(wanted) >= _SHORT):
            return literal
        most = 2 if len(wanted) > 2 * _SHORT else 1
        if len(wanted) > _SHORT and distance(letters, wanted, most) <= most and word[0] == literal[0]:
            return literal
    return None


def texts_of(field: TemplateField, *, opens: bool) -> tuple[str, ...]:
    """Return the literals that open or close a field, or the literal beginning of its pattern."""
    pattern = field.open if opens else field.close
    if pattern is None:
        return ()
    if pattern.literals:
        return pattern.literals
    begin = _BEGIN.match(pattern.source)
    text = re.sub(r"\\(.)", r"\1", begin[0]) if begin else ""
    word = _WORDS.match(text)
    return (word[0],) if word else ()
