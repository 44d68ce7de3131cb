"""The JSON texts that a schema allows, as rules of a grammar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from llmblocks.grammars.expression import (
    ANY,
    BLANKS,
    NOTHING,
    Except,
    Expression,
    ExpressionReader,
    Literal,
    Repeat,
    RuleName,
    anywhere,
    chars,
    choice,
    optional,
    others,
    sequence,
    texts,
    until,
)
from llmblocks.grammars.schema import TYPES, SchemaReader, ValueKind, json_of

_DEEPEST: Final = 8
_SIGN: Final = choice((others(ANY, chars('"\\\n\t')), sequence(Literal("\\"), chars('"\\/bfnrt'))))


class JsonForm(NamedTuple):
    """The liberties of a notation.

    Strings are between `quotes`, with escapes if these are quotation marks; a `bare` key has none. `stop` is in no
    string.
    """

    quotes: tuple[str, str] = ('"', '"')
    bare: bool = False
    stop: Expression | None = None


class JsonTexts:
    """Writes the values that schemas allow. The rules that it makes go to `rules`; `name` begins their names."""

    def __init__(self, rules: dict[str, Expression], schemas: SchemaReader, name: str, form: JsonForm) -> None:
        self._rules = rules
        self._schemas = schemas
        self._name = name
        self._form = form
        self._named: dict[Expression, str] = {}
        self._depth = 0
        self._referred: dict[tuple[str, int], Expression] = {}
        # a template with bare keys reads them next to the sign before them
        self._blank = NOTHING if form.bare else BLANKS

    def value(self, schema: Any, path: str) -> Expression:
        """Return the values of a schema. Raises `ValueError` if it allows no value."""
        if self._depth == _DEEPEST:
            raise ValueError(f"{path} is nested too deeply")
        # a schema that refers to itself is written once for each depth
        key = (schema["$ref"], self._depth) if isinstance(schema, Mapping) and "$ref" in schema else None
        if key is None or not isinstance(key[0], str):
            return self._value(schema, path)
        if key not in self._referred:
            self._referred[key] = self._value(schema, path)
        return self._referred[key]

    def _value(self, schema: Any, path: str) -> Expression:
        kinds = self._schemas.kinds(schema, path)
        if {kind.type for kind in kinds} >= {*TYPES}:
            return self._anything()
        self._depth += 1
        try:
            return choice(self._values(kinds))
        finally:
            self._depth -= 1

    def object(self, members: Iterable[tuple[str, Expression, bool]]) -> Expression:
        """Return an object with members in this order: name, value, and whether it must be there."""
        blank, listed = self._blank, [*members]
        end = sequence(blank, Literal("}"))
        rest: Expression = end
        first: Expression = end
        for name, value, required in reversed(listed):
            after = self._rule(rest) if rest != end else end
            key = sequence(blank, Literal(name if self._form.bare else json_of(name)), blank, Literal(":"), blank)
            with_member = sequence(key, value, after)
            first = with_member if required else choice((with_member, first))
            more = sequence(blank, Literal(","), with_member)
            rest = more if required else choice((more, rest))
        return sequence(Literal("{"), first)

    def array(self, first: list[Expression], item: Expression | None, least: int, most: int | None) -> Expression:
        """Return an array: its first items, and others."""
        blank = self._blank
        comma, end = sequence(blank, Literal(","), blank), sequence(blank, Literal("]"))
        if first:
            items: Expression = NOTHING
            for each in reversed(first[1:]):
                items = sequence(comma, each, items)
            return sequence(Literal("["), blank, first[0], items, end)
        if item is None or most == 0:
            return sequence(Literal("["), end)
        others_left = None if most is None else most - 1
        some = sequence(item, Repeat(sequence(comma, item), max(least - 1, 0), others_left))
        return sequence(Literal("["), blank, some if least else optional(some), end)

    def _values(self, kinds: list[ValueKind]) -> list[Expression]:
        found: list[Expression] = []
        for kind in kinds:
            match kind.type:
                case "choice":
                    found += [Literal(written) for each in kind.values if (written := self._literal(each)) is not None]
                case "string":
                    found.append(self._rule(self._string(kind)))
                case "integer" | "number":
                    found.append(self._rule(self._schemas.number(kind)))
                case "boolean":
                    found += [Literal("true"), Literal("false")]
                case "null":
                    found.append(Literal("null"))
                case "array":
                    found += self._array_of(kind)
                case _:
                    found += self._object_of(kind)
        return found

    def _array_of(self, kind: ValueKind) -> list[Expression]:
        least, most = self._schemas.counts(kind, "minItems", "maxItems")
        first, rest = self._schemas.items(kind)
        if rest == {}:
            item: Expression | None = self._anything()
        else:
            try:
                item = self._rule(self.value(rest, f"{kind.path}/items"))
            except ValueError:
                item = None
        if item is None and least > len(first):
            return []
        made = [self._rule(self.value(each, f"{kind.path}/{place}")) for place, each in enumerate(first)]
        return [self.array(made, item, least, most)]

    def _object_of(self, kind: ValueKind) -> list[Expression]:
        properties = self._schemas.properties(kind)
        if not properties and kind.schema.get("additionalProperties") is not False:
            self._anything()
            return [RuleName(f"{self._name}-object")]
        members: list[tuple[str, Expression, bool]] = []
        for name, schema, required in properties:
            try:
                members.append((name, self._rule(self.value(schema, f"{kind.path}/{name}")), required))
            except ValueError:
                if required:
                    return []
        return [self.object(members)]

    def _string(self, kind: ValueKind) -> Expression:
        opening, closing = self._form.quotes
        escaped = opening == '"'
        body = self._schemas.text(kind)
        refused: list[Expression] = []
        if body is None:
            body = Repeat(_SIGN if escaped else ANY, *self._schemas.counts(kind, "minLength", "maxLength"))
        elif escaped:
            # what a pattern allows, JSON may have to escape
            refused.append(sequence(Literal('"'), anywhere(chars('"\\\n\t')), Literal('"')))
        stop = self._form.stop
        if not escaped:
            stops = (Literal(closing), *(() if stop is None else (stop,)))
            return sequence(Literal(opening), until(Literal(closing), choice(stops), body))
        refused += () if stop is None else (anywhere(stop),)
        written = sequence(Literal(opening), body, Literal(closing))
        return Except(written, choice(refused)) if refused else written

    def _literal(self, value: Any) -> str | None:
        if self._form.quotes[0] == '"':
            return json_of(value)
        if isinstance(value, str):
            return value.join(self._form.quotes) if self._form.quotes[1] not in value else None
        return None if isinstance(value, list | dict) else json_of(value)

    def _rule(self, part: Expression) -> Expression:
        """Return a part as its own rule, which makes a grammar shorter, and keeps what is around it apart."""
        if isinstance(part, RuleName):
            return part
        if part not in self._named:
            self._named[part] = f"{self._name}-{len(self._rules)}"
            self._rules[self._named[part]] = part
        return RuleName(self._named[part])

    def _anything(self) -> Expression:
        """Return any value: JSON without a schema."""
        name, blank = f"{self._name}-any", self._blank
        if name not in self._rules:
            self._rules[name] = NOTHING
            any_kind = ValueKind("string", {}, "")
            number = self._schemas.number(ValueKind("number", {}, ""))
            string, value = self._rule(self._string(any_kind)), RuleName(name)
            key = ExpressionReader().read("[A-Za-z_][A-Za-z0-9_]*") if self._form.bare else string
            member = sequence(self._rule(key), blank, Literal(":"), blank, value)
            comma = sequence(blank, Literal(","), blank)
            members = optional(sequence(member, Repeat(sequence(comma, member), 0, None)))
            self._rules[f"{self._name}-object"] = sequence(Literal("{"), blank, members, blank, Literal("}"))
            scalars = [string, self._rule(number), texts("true", "false", "null")]
            self._rules[name] = choice([*scalars, RuleName(f"{self._name}-object"), self.array([], value, 0, None)])
        return RuleName(name)
