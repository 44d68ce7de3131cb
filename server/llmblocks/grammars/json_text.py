"""The JSON texts that a schema allows, as rules of a grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from llmblocks.grammars import expression as ex
from llmblocks.grammars.schema import TYPES, SchemaReader, ValueKind, json_of

_DEEPEST: Final = 8
_BARE: Final = re.compile(r"\w+")
_SIGN: Final = ex.choice((ex.others(ex.ANY, ex.chars('"\\\n\t')), ex.sequence(ex.Literal("\\"), ex.chars('"\\/bfnrt'))))


class JsonForm(NamedTuple):
    """The liberties of a notation.

    Strings are between `quotes`, with escapes if these are quotation marks; a `bare` key has none. `stop` is in no
    string.
    """

    quotes: tuple[str, str] = ('"', '"')
    bare: bool = False
    stop: ex.Expression | None = None


class JsonTexts:
    """Writes the values that schemas allow. The rules that it makes go to `rules`; `name` begins their names."""

    def __init__(self, rules: dict[str, ex.Expression], schemas: SchemaReader, name: str, form: JsonForm) -> None:
        self._rules = rules
        self._schemas = schemas
        self._name = name
        self._form = form
        self._named: dict[ex.Expression, str] = {}
        self._depth = 0
        self._referred: dict[tuple[str, int] | None, ex.Expression] = {}
        # a template with bare keys reads them next to the sign before them
        self._blank = ex.NOTHING if form.bare else ex.BLANKS

    def value(self, schema: Any, path: str) -> ex.Expression:
        """Return the values of a schema. Raises `ValueError` if it allows no value."""
        if self._depth == _DEEPEST:
            raise ValueError(f"{path} is nested too deeply")
        # a schema that refers to itself is written once for each depth
        refers = isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str)
        key = (schema["$ref"], self._depth) if refers else None
        if key in self._referred:
            return self._referred[key]
        kinds = self._schemas.kinds(schema, path)
        if {kind.type for kind in kinds} >= {*TYPES}:
            return self._anything()
        self._depth += 1
        try:
            found = ex.choice([each for kind in kinds for each in self._of_kind(kind)])
        finally:
            self._depth -= 1
        if key is not None:
            self._referred[key] = found
        return found

    def object(self, members: Iterable[tuple[str, ex.Expression, bool]]) -> ex.Expression:
        """Return an object with members in this order: name, value, and whether it must be there."""
        blank, listed = self._blank, [*members]
        end = ex.sequence(blank, ex.Literal("}"))
        rest: ex.Expression = end
        first: ex.Expression = end
        for name, value, required in reversed(listed):
            after = self._rule(rest) if rest != end else end
            written = name if self._form.bare and _BARE.fullmatch(name) else json_of(name)
            key = ex.sequence(blank, ex.Literal(written), blank, ex.Literal(":"), blank)
            with_member = ex.sequence(key, value, after)
            first = with_member if required else ex.choice((with_member, first))
            more = ex.sequence(blank, ex.Literal(","), with_member)
            rest = more if required else ex.choice((more, rest))
        return ex.sequence(ex.Literal("{"), first)

    def array(self, item: ex.Expression | None, least: int, most: int | None) -> ex.Expression:
        """Return an array of items."""
        blank = self._blank
        comma, end = ex.sequence(blank, ex.Literal(","), blank), ex.sequence(blank, ex.Literal("]"))
        if item is None or most == 0:
            return ex.sequence(ex.Literal("["), end)
        others_left = None if most is None else most - 1
        some = ex.sequence(item, ex.Repeat(ex.sequence(comma, item), max(least - 1, 0), others_left))
        return ex.sequence(ex.Literal("["), blank, some if least else ex.optional(some), end)

    def _of_kind(self, kind: ValueKind) -> Iterator[ex.Expression]:
        match kind.type:
            case "choice":
                yield from [ex.Literal(each) for each in map(self._literal, kind.values) if each is not None]
            case "string":
                yield self._rule(self._string(kind))
            case "integer" | "number":
                yield self._rule(self._schemas.number(kind))
            case "boolean":
                yield from (ex.Literal("true"), ex.Literal("false"))
            case "null":
                yield ex.Literal("null")
            case "array":
                with suppress(ValueError):
                    yield self._array_of(kind)
            case _:
                with suppress(ValueError):
                    yield self._object_of(kind)

    def _array_of(self, kind: ValueKind) -> ex.Expression:
        least, most = self._schemas.counts(kind, "minItems", "maxItems")
        item: ex.Expression | None = None
        try:
            item = self._rule(self.value(kind.schema.get("items", {}), f"{kind.path}/items"))
        except ValueError:
            if least:
                raise
        return self.array(item, least, most)

    def _object_of(self, kind: ValueKind) -> ex.Expression:
        properties = self._schemas.properties(kind)
        if not properties and kind.schema.get("additionalProperties") is not False:
            self._anything()
            return ex.RuleName(f"{self._name}-object")
        members: list[tuple[str, ex.Expression, bool]] = []
        for name, schema, required in properties:
            try:
                members.append((name, self._rule(self.value(schema, f"{kind.path}/{name}")), required))
            except ValueError:
                if required:
                    raise
        return self.object(members)

    def _string(self, kind: ValueKind) -> ex.Expression:
        opening, closing = self._form.quotes
        escaped = opening == '"'
        body = self._schemas.text(kind)
        refused: list[ex.Expression] = []
        if body is None:
            body = ex.Repeat(_SIGN if escaped else ex.ANY, *self._schemas.counts(kind, "minLength", "maxLength"))
        elif escaped:
            # what a pattern allows, JSON may have to escape
            refused.append(ex.sequence(ex.Literal('"'), ex.anywhere(ex.chars('"\\\n\t')), ex.Literal('"')))
        stop = self._form.stop
        if not escaped:
            stops = (ex.Literal(closing), *(() if stop is None else (stop,)))
            return ex.sequence(ex.Literal(opening), ex.until(ex.Literal(closing), ex.choice(stops), body))
        refused += () if stop is None else (ex.anywhere(stop),)
        written = ex.sequence(ex.Literal(opening), body, ex.Literal(closing))
        return ex.Except(written, ex.choice(refused)) if refused else written

    def _literal(self, value: Any) -> str | None:
        if self._form.quotes[0] == '"':
            return json_of(value)
        if isinstance(value, str):
            return value.join(self._form.quotes) if self._form.quotes[1] not in value else None
        return None if isinstance(value, list | dict) else json_of(value)

    def _rule(self, part: ex.Expression) -> ex.Expression:
        """Return a part as its own rule, which makes a grammar shorter, and keeps what is around it apart."""
        if isinstance(part, ex.RuleName):
            return part
        if part not in self._named:
            self._named[part] = f"{self._name}-{len(self._rules)}"
            self._rules[self._named[part]] = part
        return ex.RuleName(self._named[part])

    def _anything(self) -> ex.Expression:
        """Return any value: JSON without a schema."""
        name, blank = f"{self._name}-any", self._blank
        if name not in self._rules:
            self._rules[name] = ex.NOTHING
            any_kind = ValueKind("string", {}, "")
            number = self._schemas.number(ValueKind("number", {}, ""))
            string, value = self._rule(self._string(any_kind)), ex.RuleName(name)
            key = ex.read("[A-Za-z_][A-Za-z0-9_]*") if self._form.bare else string
            member = ex.sequence(self._rule(key), blank, ex.Literal(":"), blank, value)
            comma = ex.sequence(blank, ex.Literal(","), blank)
            members = ex.optional(ex.sequence(member, ex.Repeat(ex.sequence(comma, member), 0, None)))
            self._rules[f"{self._name}-object"] = ex.sequence(ex.Literal("{"), blank, members, blank, ex.Literal("}"))
            scalars = [string, self._rule(number), ex.texts("true", "false", "null")]
            self._rules[name] = ex.choice([*scalars, ex.RuleName(f"{self._name}-object"), self.array(value, 0, None)])
        return ex.RuleName(name)
