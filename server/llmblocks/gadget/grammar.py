"""The grammar of responses in which every gadget call is correct."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.syntax.markers import Markers, markers_or_default, split_header
from llmblocks.gadget.syntax.values import FENCE, SPACE
from llmblocks.gadget.writing import RenderError, pointer_of
from llmblocks.grammars.expression import (
    ANY,
    DIGIT,
    EVERY,
    Except,
    Expression,
    Grammar,
    Literal,
    Repeat,
    RuleName,
    anywhere,
    chars,
    chars_in,
    choice,
    optional,
    others,
    sequence,
    texts,
    until,
)
from llmblocks.grammars.schema import SchemaReader, ValueKind, json_of

_MOST_ITEMS: Final = 12
_DEEPEST: Final = 6
_MOST_RULES: Final = 3000
_LETTERS: Final = chars_in((ord("A"), ord("Z")), (ord("a"), ord("z")))
_BASIC: Final = others(ANY, chars_in((0x10000, 0x10FFFF)))
"""The characters that count as one wherever lengths are counted."""
_SPACES: Final = Repeat(chars(SPACE), 0, None)
_NUMBER: Final = sequence(
    optional(Literal("-")), Repeat(DIGIT, 1, None), optional(sequence(Literal("."), Repeat(DIGIT, 1, None)))
)
_COERCED: Final = sequence(Literal("\n"), _SPACES, choice((_NUMBER, texts("true", "false"))), _SPACES, Literal("\n"))
_FENCED: Final = sequence(choice((texts(FENCE), chars(SPACE))), Literal("\n"))


class _Position(NamedTuple):
    """A place between arguments. `more` are those that may follow, or None; `ends` if the call may end."""

    more: Expression | None
    ends: bool


def grammar_of(gadgets: Iterable[GadgetSchema], markers: Markers | None = None, ids: Iterable[str] = ()) -> Grammar:
    """Return the grammar of texts with calls of some gadgets, with none of the `ids` or the next one.

    Raises:
        ValueError: No gadget can be called.
    """
    return _CallGrammar(markers_or_default(markers), (*ids,)).grammar(gadgets)


class _CallGrammar:
    def __init__(self, markers: Markers, ids: tuple[str, ...]) -> None:
        self._markers = markers
        self._ids = ids
        self._rules: dict[str, Expression] = {}
        self._values: dict[Expression, str] = {}
        self._notes: dict[str, None] = {}
        near = [*_near(markers)]
        self._stop = choice((texts(*markers), *[sequence(Literal("\n"), each) for each in near]))
        self._first = [sequence(each, Repeat(EVERY, 0, None)) for each in near]

    def grammar(self, gadgets: Iterable[GadgetSchema]) -> Grammar:
        """See `grammar_of`."""
        start = "\n" + self._markers.start
        text = Repeat(ANY, 0, None)
        # the newline before a text is part of it: a marker that is misspelt at its start is refused, too
        before = until(Literal(start), self._stop, sequence(Literal("\n"), text))
        final = Except(sequence(Literal("\n"), text), anywhere(self._stop))
        self._rules["root"] = RuleName("root")
        called = [(name, f"call-{number}") for number, name in enumerate(self._bodies(gadgets), 1)]
        if not called:
            raise ValueError(f"no gadget can be called: {'; '.join(self._notes) or 'there is none'}")
        for number in range(len(self._ids) + 1):
            self._rules[f"rest-{number}"] = optional(
                choice((sequence(choice((Literal(start), before)), RuleName(f"header-{number}")), final))
            )
            self._rules[f"header-{number}"] = choice(self._headers(called, number))
        at_start = Except(sequence(text, Literal(start)), choice((before.excluded, *self._first)))
        alone = Except(text, choice((anywhere(self._stop), *self._first)))
        header = RuleName("header-0")
        self._rules["root"] = choice((sequence(choice((Literal(self._markers.start), at_start)), header), alone))
        return Grammar(self._rules, (*self._notes,))

    def _headers(self, called: list[tuple[str, str]], number: int) -> Iterator[Expression]:
        """Yield the rest of a header, the body, and what follows, with the ids that are left."""
        for name, body in called:
            yield sequence(Literal(f"{name}\n"), RuleName(body), RuleName(f"rest-{number}"))
        if number < len(self._ids):
            earlier, own = self._ids[:number], self._ids[number]
            after = RuleName(f"rest-{number + 1}")
            for name, body in called:
                yield sequence(
                    Literal(f"{name}:{own}"), self._dependencies(earlier), Literal("\n"), RuleName(body), after
                )

    def _dependencies(self, earlier: tuple[str, ...]) -> Expression:
        """Return the ids of earlier calls, each at most once, in their order."""
        more: Expression = Literal("")
        first: list[Expression] = []
        for each in reversed(earlier):
            first.insert(0, sequence(Literal(each), more))
            more = sequence(optional(Literal(f",{each}")), more)
        return optional(sequence(Literal(":"), choice(first))) if first else Literal("")

    def _bodies(self, gadgets: Iterable[GadgetSchema]) -> Iterator[str]:
        """Write the bodies of the calls of all gadgets that can be called."""
        number = 1
        for gadget in gadgets:
            self._schemas = schemas = SchemaReader(gadget.parameters or {}, self._notes)
            self._name = f"arguments-{number}"
            kinds = [each for each in schemas.kinds(gadget.parameters or {}, gadget.name) if each.type == "object"]
            if split_header(gadget.name)[:2] != (gadget.name, None) or not self._may_hold(gadget.name):
                kinds = []
            found: list[Expression] = []
            for kind in kinds:
                at = self._members(kind, "", _Position(None, ends=True))
                if at is not None:
                    found += [sequence(Literal(self._markers.arg), at.more)] if at.more is not None else []
                    found += [Literal(self._markers.end)] if at.ends else []
            if found:
                self._rules[f"call-{number}"] = choice(found)
                number += 1
                yield gadget.name
            else:
                schemas.note(f"{gadget.name}: left out: the format cannot carry its name or a required parameter")

    def _members(self, kind: ValueKind, pointer: str, after: _Position, *, some: bool = False) -> _Position | None:
        """Return the position before the properties of an object, `some` or none; None if one cannot be written."""
        at, own = after, list[Expression]()
        for key, schema, required in reversed(self._schemas.properties(kind)):
            path = f"{pointer}/{key}" if pointer else key
            may_lead = self._may_lead(key, path)
            begun = self._begun(schema, f"{kind.path}/{key}", path, at) if may_lead else []
            if not begun:
                if required:
                    return None
                self._schemas.note(f"{kind.path}/{key}: left out: the format cannot carry it")
                continue
            own = begun if required else [*begun, *own]
            skipped = [] if required or at.more is None else [at.more]
            at = self._position([*begun, *skipped], at.ends and not required)
        if not some:
            return at
        return self._position(own, ends=False) if own else None

    def _begun(self, schema: Any, path: str, pointer: str, after: _Position) -> list[Expression]:
        """Return the ways to begin a value. Each continues to the end of the call."""
        kinds = self._schemas.kinds(schema, path)
        if pointer.count("/") >= _DEEPEST:
            return []
        found: list[Expression] = []
        scalars: list[Expression] = []
        for kind in kinds:
            if kind.type == "object":
                at = self._members(kind, pointer, after, some=True)
                found += [at.more] if at is not None and at.more is not None else []
            elif kind.type == "array":
                found += self._items(kind, pointer, after)
            else:
                scalars += self._scalars(kind)
        if scalars:
            body, is_text = choice(scalars), any(kind.type == "string" for kind in kinds)
            if after.more is not None:
                value = self._value(body, self._markers.arg, is_text=is_text, last=False)
                found.append(sequence(Literal(pointer), value, after.more))
            if after.ends:
                value = self._value(body, self._markers.end, is_text=is_text, last=True)
                found.append(sequence(Literal(pointer), value))
        return found

    def _items(self, kind: ValueKind, pointer: str, after: _Position) -> list[Expression]:
        least, most = self._schemas.counts(kind, "minItems", "maxItems")
        first, rest = self._schemas.items(kind)
        count = min(most if most is not None else max(_MOST_ITEMS >> 2 * pointer.count("/"), 2, least), 64)
        at, begun = after, list[Expression]()
        for number in reversed(range(count)):
            schema = first[number] if number < len(first) else rest
            begun = self._begun(schema, f"{kind.path}/items", f"{pointer}/{number}", at)
            if not begun and number < least:
                return []
            # an array that ends here has as many items as the number of this one
            may_end = number >= max(least, 1)
            more = [*begun, *([after.more] if may_end and after.more is not None else [])]
            at = self._position(more, ends=may_end and after.ends)
        return begun

    def _scalars(self, kind: ValueKind) -> Iterator[Expression]:
        match kind.type:
            case "choice":
                for each in kind.values:
                    if isinstance(each, str) and self._may_hold(each):
                        yield Literal(each)
                    elif isinstance(each, bool | int | float):
                        yield Literal(json_of(each))
            case "string":
                least, most = self._schemas.counts(kind, "minLength", "maxLength")
                body = self._schemas.text(kind)
                yield body or Repeat(ANY if most is None and not least else _BASIC, least, most)
            case "integer" | "number":
                yield self._schemas.number(kind)
            case "boolean":
                yield texts("true", "false")

    def _may_lead(self, key: str, path: str) -> bool:
        """Return whether a key can be part of a pointer."""
        with suppress(RenderError):
            return not key.isdecimal() and bool(pointer_of((key,), self._markers)) and self._may_hold(path)
        return False

    def _may_hold(self, text: str) -> bool:
        return text == text.strip(SPACE) and "\n" not in text and not any(marker in text for marker in self._markers)

    def _value(self, body: Expression, marker: str, *, is_text: bool, last: bool) -> Expression:
        """Return a value with the newlines around it and the marker after it, as a rule: many arguments share it."""
        end = Literal(f"\n{marker}")
        made: Expression = sequence(Literal("\n"), body, end)
        # numbers and choices hold no marker
        if is_text:
            refused = [until(end, self._stop).excluded, sequence(_COERCED, Literal(marker))]
            if last:
                refused.append(sequence(Repeat(EVERY, 0, None), _FENCED, Literal(marker)))
            made = Except(made, choice(refused))
        name = self._values.setdefault(made, f"value-{len(self._values) + 1}")
        self._rules[name] = made
        return RuleName(name)

    def _position(self, more: list[Expression], ends: bool) -> _Position:
        if not more:
            return _Position(None, ends)
        made = choice(more)
        if len(self._rules) > _MOST_RULES:
            raise ValueError("the schemas need too large a grammar")
        if not isinstance(made, RuleName):
            rule = f"{self._name}-{len(self._rules)}"
            self._rules[rule] = made
            made = RuleName(rule)
        return _Position(made, ends)


def _near(markers: Markers) -> Iterator[Expression]:
    """Yield the beginnings of lines that are nearly markers: their common sign, and then no marker."""
    sign = markers.start
    while not all(marker.startswith(sign) for marker in markers):
        sign = sign[:-1]
    if len(sign) < 2:
        return
    tails = [each[len(sign) :] for each in markers]
    for begin in dict.fromkeys([tail[:size] for tail in tails for size in range(len(tail))]):
        known = chars("".join([tail[len(begin)] for tail in tails if tail.startswith(begin) and tail != begin]))
        yield sequence(Literal(sign + begin), others(ANY if begin else _LETTERS, known))
