"""The grammar of responses in which every gadget call is correct."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.syntax.markers import Markers, markers_or_default, split_header
from llmblocks.gadget.syntax.values import FENCE, SPACE
from llmblocks.gadget.writing import RenderError, pointer_of
from llmblocks.grammars import expression as ex
from llmblocks.grammars.schema import SchemaReader, ValueKind, json_of

_MOST_ITEMS: Final = 12
_DEEPEST: Final = 6
_MOST_RULES: Final = 3000
_LETTERS: Final = ex.chars_in((ord("A"), ord("Z")), (ord("a"), ord("z")))
_BASIC: Final = ex.others(ex.ANY, ex.chars_in((0x10000, 0x10FFFF)))
"""The characters that count as one wherever lengths are counted."""
_SPACES: Final = ex.Repeat(ex.chars(SPACE), 0, None)
_NO_TEXT: Final = ex.read(r"-?[0-9]+(?:\.[0-9]+)?|true|false")
_COERCED: Final = ex.sequence(ex.Literal("\n"), _SPACES, _NO_TEXT, _SPACES, ex.Literal("\n"))
_FENCED: Final = ex.sequence(ex.choice((ex.texts(FENCE), ex.chars(SPACE))), ex.Literal("\n"))


class _Position(NamedTuple):
    """A place between arguments. `more` is the rule of those that may follow, if any; `ends` if the call may end."""

    more: tuple[ex.Expression, ...]
    ends: bool


def grammar_of(gadgets: Iterable[GadgetSchema], markers: Markers | None = None, ids: Iterable[str] = ()) -> ex.Grammar:
    """Return the grammar of texts with calls of some gadgets, with none of the `ids` or the next one.

    Raises:
        ValueError: No gadget can be called.
    """
    return _CallGrammar(markers_or_default(markers), (*ids,)).grammar(gadgets)


class _CallGrammar:
    def __init__(self, markers: Markers, ids: tuple[str, ...]) -> None:
        self._markers = markers
        self._ids = ids
        self._rules: dict[str, ex.Expression] = {}
        self._values: dict[ex.Expression, str] = {}
        self._notes: dict[str, None] = {}
        near = [*_near(markers)]
        self._stop = ex.choice((ex.texts(*markers), *[ex.sequence(ex.Literal("\n"), each) for each in near]))
        self._first = [ex.sequence(each, ex.ALL) for each in near]

    def grammar(self, gadgets: Iterable[GadgetSchema]) -> ex.Grammar:
        """See `grammar_of`."""
        start = "\n" + self._markers.start
        text = ex.Repeat(ex.ANY, 0, None)
        # the newline before a text is part of it: a marker that is misspelt at its start is refused, too
        before = ex.until(ex.Literal(start), self._stop, ex.sequence(ex.Literal("\n"), text))
        final = ex.Except(ex.sequence(ex.Literal("\n"), text), ex.anywhere(self._stop))
        self._rules["root"] = ex.RuleName("root")
        called = [(name, f"call-{number}") for number, name in enumerate(self._bodies(gadgets), 1)]
        if not called:
            raise ValueError(f"no gadget can be called: {'; '.join(self._notes) or 'there is none'}")
        for number in range(len(self._ids) + 1):
            self._rules[f"rest-{number}"] = ex.optional(
                ex.choice((ex.sequence(ex.choice((ex.Literal(start), before)), ex.RuleName(f"header-{number}")), final))
            )
            self._rules[f"header-{number}"] = ex.choice(self._headers(called, number))
        at_start = ex.Except(ex.sequence(text, ex.Literal(start)), ex.choice((before.excluded, *self._first)))
        alone = ex.Except(text, ex.choice((ex.anywhere(self._stop), *self._first)))
        first = ex.choice((ex.Literal(self._markers.start), at_start))
        self._rules["root"] = ex.choice((ex.sequence(first, ex.RuleName("header-0")), alone))
        return ex.Grammar(self._rules, (*self._notes,))

    def _headers(self, called: list[tuple[str, str]], number: int) -> Iterator[ex.Expression]:
        """Yield the rest of a header, the body, and what follows, with the ids that are left."""
        for name, body in called:
            yield ex.sequence(ex.Literal(f"{name}\n"), ex.RuleName(body), ex.RuleName(f"rest-{number}"))
        if number < len(self._ids):
            earlier, own = self._ids[:number], self._ids[number]
            after = ex.RuleName(f"rest-{number + 1}")
            for name, body in called:
                yield ex.sequence(
                    ex.Literal(f"{name}:{own}"), self._dependencies(earlier), ex.Literal("\n"), ex.RuleName(body), after
                )

    def _dependencies(self, earlier: tuple[str, ...]) -> ex.Expression:
        """Return the ids of earlier calls, each at most once, in their order."""
        more: ex.Expression = ex.Literal("")
        first: list[ex.Expression] = []
        for each in reversed(earlier):
            first.insert(0, ex.sequence(ex.Literal(each), more))
            more = ex.sequence(ex.optional(ex.Literal(f",{each}")), more)
        return ex.optional(ex.sequence(ex.Literal(":"), ex.choice(first))) if first else ex.Literal("")

    def _bodies(self, gadgets: Iterable[GadgetSchema]) -> Iterator[str]:
        """Write the bodies of the calls of all gadgets that can be called."""
        number = 1
        for gadget in gadgets:
            self._schemas = schemas = SchemaReader(gadget.parameters or {}, self._notes)
            self._name = f"arguments-{number}"
            kinds = [each for each in schemas.kinds(gadget.parameters or {}, gadget.name) if each.type == "object"]
            if split_header(gadget.name)[:2] != (gadget.name, None) or not self._may_hold(gadget.name):
                kinds = []
            found: list[ex.Expression] = []
            for kind in kinds:
                at = self._members(kind, "", _Position((), ends=True))
                if at is not None:
                    found += [ex.sequence(ex.Literal(self._markers.arg), each) for each in at.more]
                    found += [ex.Literal(self._markers.end)] if at.ends else []
            if found:
                self._rules[f"call-{number}"] = ex.choice(found)
                number += 1
                yield gadget.name
            else:
                self._notes.setdefault(
                    f"{gadget.name}: left out: the format cannot carry its name or a required parameter"
                )

    def _members(self, kind: ValueKind, pointer: str, after: _Position, *, some: bool = False) -> _Position | None:
        """Return the position before the properties of an object, `some` or none; None if one cannot be written."""
        at, own = after, list[ex.Expression]()
        for key, schema, required in reversed(self._schemas.properties(kind)):
            path = f"{pointer}/{key}" if pointer else key
            may_lead = self._may_lead(key, path)
            begun = self._begun(schema, f"{kind.path}/{key}", path, at) if may_lead else []
            if not begun:
                if required:
                    return None
                self._notes.setdefault(f"{kind.path}/{key}: left out: the format cannot carry it")
                continue
            own = begun if required else [*begun, *own]
            at = self._position([*begun, *(() if required else at.more)], at.ends and not required)
        if not some:
            return at
        return self._position(own, ends=False) if own else None

    def _begun(self, schema: Any, path: str, pointer: str, after: _Position) -> list[ex.Expression]:
        """Return the ways to begin a value. Each continues to the end of the call."""
        kinds = self._schemas.kinds(schema, path)
        if pointer.count("/") >= _DEEPEST:
            return []
        found: list[ex.Expression] = []
        scalars: list[ex.Expression] = []
        for kind in kinds:
            if kind.type == "object":
                at = self._members(kind, pointer, after, some=True)
                found += at.more if at is not None else ()
            elif kind.type == "array":
                found += self._items(kind, pointer, after)
            else:
                scalars += self._scalars(kind)
        if scalars:
            body, is_text = ex.choice(scalars), any(kind.type == "string" for kind in kinds)
            for each in after.more:
                value = self._value(body, self._markers.arg, is_text=is_text, last=False)
                found.append(ex.sequence(ex.Literal(pointer), value, each))
            if after.ends:
                value = self._value(body, self._markers.end, is_text=is_text, last=True)
                found.append(ex.sequence(ex.Literal(pointer), value))
        return found

    def _items(self, kind: ValueKind, pointer: str, after: _Position) -> list[ex.Expression]:
        least, most = self._schemas.counts(kind, "minItems", "maxItems")
        count = min(most if most is not None else max(_MOST_ITEMS >> 2 * pointer.count("/"), 2, least), 64)
        at, begun = after, list[ex.Expression]()
        for number in reversed(range(count)):
            begun = self._begun(kind.schema.get("items", {}), f"{kind.path}/items", f"{pointer}/{number}", at)
            if not begun and number < least:
                return []
            # an array that ends here has as many items as the number of this one
            may_end = number >= max(least, 1)
            at = self._position([*begun, *(after.more if may_end else ())], ends=may_end and after.ends)
        return begun

    def _scalars(self, kind: ValueKind) -> Iterator[ex.Expression]:
        match kind.type:
            case "choice":
                for each in kind.values:
                    if isinstance(each, str) and self._may_hold(each):
                        yield ex.Literal(each)
                    elif isinstance(each, bool | int | float):
                        yield ex.Literal(json_of(each))
            case "string":
                least, most = self._schemas.counts(kind, "minLength", "maxLength")
                body = self._schemas.text(kind)
                yield body or ex.Repeat(ex.ANY if most is None and not least else _BASIC, least, most)
            case "integer" | "number":
                yield self._schemas.number(kind)
            case "boolean":
                yield ex.texts("true", "false")

    def _may_lead(self, key: str, path: str) -> bool:
        """Return whether a key can be part of a pointer."""
        with suppress(RenderError):
            return not key.isdecimal() and bool(pointer_of((key,), self._markers)) and self._may_hold(path)
        return False

    def _may_hold(self, text: str) -> bool:
        return text == text.strip(SPACE) and "\n" not in text and not any(marker in text for marker in self._markers)

    def _value(self, body: ex.Expression, marker: str, *, is_text: bool, last: bool) -> ex.Expression:
        """Return a value with the newlines around it and the marker after it, as a rule: many arguments share it."""
        end = ex.Literal(f"\n{marker}")
        made: ex.Expression = ex.sequence(ex.Literal("\n"), body, end)
        # numbers and choices hold no marker
        if is_text:
            refused = [ex.until(end, self._stop).excluded, ex.sequence(_COERCED, ex.Literal(marker))]
            if last:
                refused.append(ex.sequence(ex.ALL, _FENCED, ex.Literal(marker)))
            made = ex.Except(made, ex.choice(refused))
        name = self._values.setdefault(made, f"value-{len(self._values) + 1}")
        self._rules[name] = made
        return ex.RuleName(name)

    def _position(self, more: list[ex.Expression], ends: bool) -> _Position:
        if not more:
            return _Position((), ends)
        made = ex.choice(more)
        if len(self._rules) > _MOST_RULES:
            raise ValueError("the schemas need too large a grammar")
        if not isinstance(made, ex.RuleName):
            rule = f"{self._name}-{len(self._rules)}"
            self._rules[rule] = made
            made = ex.RuleName(rule)
        return _Position((made,), ends)


def _near(markers: Markers) -> Iterator[ex.Expression]:
    """Yield the beginnings of lines that are nearly markers: their common sign, and then no marker."""
    sign = markers.start
    while not all(marker.startswith(sign) for marker in markers):
        sign = sign[:-1]
    if len(sign) < 2:
        return
    tails = [each[len(sign) :] for each in markers]
    for begin in dict.fromkeys([tail[:size] for tail in tails for size in range(len(tail))]):
        known = ex.chars("".join([tail[len(begin)] for tail in tails if tail.startswith(begin) and tail != begin]))
        yield ex.sequence(ex.Literal(sign + begin), ex.others(ex.ANY if begin else _LETTERS, known))
