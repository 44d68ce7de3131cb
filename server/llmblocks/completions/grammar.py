"""The grammar of completions in which every region and every call is correct, by a response template."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple, TypeVar

from llmblocks.completions.calls import path_of, paths_of
from llmblocks.completions.template import PLACEHOLDER, Template, TemplateField
from llmblocks.grammars import expression as ex
from llmblocks.grammars.automaton import after, may_end, moves_of
from llmblocks.grammars.json_text import JsonForm, JsonTexts
from llmblocks.grammars.schema import SchemaReader, ValueKind, json_of

T = TypeVar("T")
_START: Final = ex.RuleName("^")
_VALUE: Final = ex.RuleName("value")
_TEXT: Final = ex.Repeat(ex.ANY, 0, None)
_END_TAG: Final = re.compile(r"<(\w+)[=\s]")
_JSON_SCALAR: Final = r"(?:true|false|null|NaN|-?Infinity|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?)"
_JSON_BEGUN: Final = re.compile(rf'["{{\[]|{_JSON_SCALAR}\Z')
_SCALARS: Final = ("integer", "number", "boolean", "null")
_SPACES: Final = ex.Repeat(ex.chars(" \t\n\r"), 0, None)
_ALL_SPACES: Final = ex.Repeat(ex.chars("".join(filter(str.isspace, map(chr, range(0x3001))))), 0, None)


class _Way(NamedTuple):
    """A way to begin or end a region. A `literal`, and then the `rest`; if it `looks`, the literal stays."""

    literal: str
    rest: ex.Expression = ex.NOTHING
    looks: bool = False


def grammar_of(template: Template, tools: Mapping[str, Mapping[str, Any] | None]) -> ex.Grammar:
    """Return the grammar of completions with calls of some tools. `tools` are JSON Schemas of arguments, by name.

    Raises `ValueError` for a template that a grammar cannot express.
    """
    return _CompletionGrammar(template, tools).grammar()


class _CompletionGrammar:
    def __init__(self, template: Template, tools: Mapping[str, Mapping[str, Any] | None]) -> None:
        self._template = template
        self._tools = tools
        self._rules: dict[str, ex.Expression] = {"root": ex.NOTHING}
        self._notes: dict[str, None] = {}
        self._explicit = sorted([each for each in template.fields if each.open is not None], key=lambda each: each.name)
        self._closes = {field.number: _ways(field, opens=False) for field in template.fields if field.close is not None}
        self._opens = {field.number: [*self._openings(field)] for field in self._explicit}
        implicit = template.implicit
        self._ends = [way.literal for way in self._closes.get(implicit.number, ())] if implicit is not None else []
        ways = chain(*self._closes.values(), *[[way for way, _ in each] for each in self._opens.values()])
        self._delimiters = [*dict.fromkeys([way.literal for way in ways if way.literal])]
        self._stop = ex.texts(*self._delimiters)

    def grammar(self) -> ex.Grammar:
        """See `grammar_of`."""
        waiting = [frozenset[str]()]
        for used in waiting:
            found = dict.fromkeys([self._after(used, field) for field in self._explicit])
            waiting += [each for each in found if each not in waiting]
        for used in waiting:
            self._rules[_state(used)] = self._outside(used)
        begun = [region for way, region in self._regions(waiting[0]) if not way.literal]
        self._rules["root"] = (
            ex.choice([*begun, self._outside(waiting[0], first=True)]) if begun else ex.RuleName(_state(waiting[0]))
        )
        return ex.Grammar(self._rules, (*self._notes,))

    def _regions(self, used: frozenset[str]) -> Iterator[tuple[_Way, ex.Expression]]:
        """Yield the regions that may begin: how each opens, and all after the literal that it opens with."""
        for place, field in enumerate(self._explicit, 1):
            for number, (way, content) in enumerate(self._opens[field.number], 1):
                name = f"region-{place}-{number}-{_state(used)}"
                if field.repeats or field.name not in used:
                    if name not in self._rules:
                        self._rules[name] = ex.NOTHING
                        self._rules[name] = self._ended(field, content, self._after(used, field))
                    yield way, ex.sequence(way.rest, ex.RuleName(name))

    def _after(self, used: frozenset[str], field: TemplateField) -> frozenset[str]:
        return used if field.repeats and field.optional else used | {field.name}

    def _outside(self, used: frozenset[str], *, first: bool = False) -> ex.Expression:
        """Return all that may follow where no region is open. A `first` text does not open a region."""
        regions = [(way.literal, region) for way, region in self._regions(used) if way.literal]
        may_end = all(field.optional or field.name in used for field in self._template.fields)
        if self._template.implicit is None:
            anchors = [ex.optional(ex.texts(*self._template.anchors)), ex.BLANKS] if self._template.anchors else []
            before = ex.sequence(ex.BLANKS, *anchors)
            found = [ex.sequence(before, ex.Literal(literal), region) for literal, region in regions]
            return ex.choice([*found, *([ex.BLANKS] if may_end else [])])
        refused, found = [*self._at_start()] if first else [], []
        for literal in dict.fromkeys([literal for literal, _ in regions]):
            begun = ex.choice([region for each, region in regions if each == literal])
            found.append(ex.sequence(_refusing(ex.until(ex.Literal(literal), self._stop), refused), begun))
        if may_end:
            cut = [literal[:size] for literal in self._delimiters for size in range(2, len(literal))]
            final = [ex.anywhere(self._stop), *([ex.sequence(ex.ALL, ex.texts(*cut))] if cut else []), *refused]
            found.append(ex.Except(_TEXT, ex.choice(final)))
            found += [_refusing(ex.until(ex.Literal(literal), self._stop), refused) for literal in self._ends]
        return ex.choice(found)

    def _at_start(self) -> Iterator[ex.Expression]:
        """Yield the texts that open a region at the start of a completion."""
        for field in self._explicit:
            if field.open is not None and field.open.at_start:
                read = ex.read(field.open.source, ahead=lambda part: part, start=_START)
                for each in read.parts if isinstance(read, ex.Choice) else (read,):
                    if isinstance(each, ex.Sequence) and each.parts[0] == _START:
                        # the grammar has fewer white space than the pattern
                        wide = [_ALL_SPACES if part == ex.BLANKS else part for part in each.parts[1:]]
                        yield ex.sequence(*wide, ex.ALL)

    def _ended(self, field: TemplateField, content: ex.Expression | None, used: frozenset[str]) -> ex.Expression:
        """Return the content of a region, its close, and what follows. Text ends at the first delimiter."""
        found: list[ex.Expression] = []
        for way in self._closes.get(field.number, [_Way("")]):
            close = ex.Literal(way.literal)
            closed = ex.until(close, self._stop) if content is None else ex.sequence(content, close)
            if way.literal in self._ends or not way.literal:
                # the end of a turn is a token, not a text, so that it may be missing
                found += [closed, ex.Except(_TEXT, ex.anywhere(self._stop)) if content is None else content]
            elif not way.looks:
                rest = way.rest
                if rest != ex.NOTHING:
                    # its own rule: a lexer that takes the longest match decides about it apart
                    self._rules[f"close-{field.number}"], rest = rest, ex.RuleName(f"close-{field.number}")
                found.append(ex.sequence(closed, rest, ex.RuleName(_state(used))))
            else:
                found += [
                    ex.sequence(closed, each) for begin, each in self._regions(used) if begin.literal == way.literal
                ]
        return ex.choice(found)

    def _openings(self, field: TemplateField) -> Iterator[tuple[_Way, ex.Expression | None]]:
        """Yield the ways to open a region, each with its content."""
        function = field.transform.get("function") if isinstance(field.transform, dict) else None
        if function is None:
            if field.content != "text":
                raise ValueError(f"a grammar cannot write {field.name}, whose content is {field.content}")
            yield from [(way, None) for way in _ways(field, opens=True)]
            return
        if field.each or not (group := _group(function, field)):
            contents = self._json_calls(field)
            yield from [(way, contents) for way in _ways(field, opens=True)] if contents else ()
            return
        for ways, content in self._of_tools(partial(self._opening, field, group)):
            yield from [(way, content) for way in ways]

    def _of_tools(self, make: Callable[[str, Mapping[str, Any], int], T]) -> Iterator[T]:
        """Yield the parts that can be made of the tools."""
        for number, (name, schema) in enumerate(self._tools.items(), 1):
            try:
                yield make(name, schema or {}, number)
            except ValueError as error:
                self._notes.setdefault(f"{name}: left out: {error}")

    def _opening(
        self, field: TemplateField, group: str, name: str, schema: Mapping[str, Any], number: int
    ) -> tuple[list[_Way], ex.Expression]:
        """Return the ways to open a call of a tool, whose name is a group of the delimiter, and its arguments."""
        # not joined with the literal before it, which is the same for all tools
        made = ex.Choice((ex.Literal(name),))
        longer: list[ex.Choice] = []

        def named(inner: ex.Expression) -> ex.Expression:
            longer.append(_longer(inner, name))
            return made

        ways = _ways(field, opens=True, groups={group: named})
        content = self._arguments(field, name, schema, number)
        return [_named_once(way, made, longer) for way in ways], content

    def _form(self, field: TemplateField, *more: str) -> JsonForm:
        stops = [*more, *[way.literal for way in self._closes.get(field.number, ())]]
        pairs = field.args.get("string_delims") or []
        quotes = (pairs[0][0], pairs[0][1]) if pairs else ('"', '"')
        return JsonForm(quotes, bool(field.args.get("unquoted_keys")), ex.texts(*stops) if stops else None)

    def _json_calls(self, field: TemplateField) -> ex.Expression | None:
        """JSON texts that have the names of the tools in them."""
        calls = [*self._of_tools(partial(self._json_call, field))]
        if not calls:
            return None
        found = ex.choice(calls)
        if field.each:
            found = JsonTexts(self._rules, SchemaReader({}, {}), "list", self._form(field)).array(found, 1, None)
        return ex.sequence(ex.BLANKS, found, ex.BLANKS)

    def _json_call(self, field: TemplateField, name: str, schema: Mapping[str, Any], number: int) -> ex.Expression:
        json = JsonTexts(self._rules, SchemaReader(schema, self._notes), f"tool-{number}", self._form(field))
        arguments = json.value(schema or {"type": "object"}, name)
        to_name, to_arguments = paths_of(field)
        placed = {to_name: ex.Literal(json_of(name)), to_arguments: arguments}
        for found in PLACEHOLDER.finditer(json_of(field.transform)):
            if (path := path_of(found[0], field)) and path not in placed:
                placed[path] = json.value({}, name)
        return _nested(json, [(path, value) for path, value in placed.items() if path is not None])

    def _arguments(self, field: TemplateField, name: str, schema: Mapping[str, Any], number: int) -> ex.Expression:
        """Return the arguments of a tool whose name is in the delimiter."""
        if field.content == "json":
            return ex.sequence(ex.BLANKS, self._json_call(field, name, schema, number), ex.BLANKS)
        if field.content != "xml-inline":
            raise ValueError(f"a grammar cannot write arguments as {field.content}")
        schemas = SchemaReader(schema, self._notes)
        line = ex.optional(ex.Literal("\n"))
        ends = [
            each
            for each in _END_TAG.findall(field.open.source if field.open else "")
            if f"</{each}" not in str(field.close and field.close.source)
        ]
        found: ex.Expression = ex.sequence(*[ex.sequence(ex.Literal(f"</{each}>"), line) for each in ends])
        objects = [kind for kind in schemas.kinds(schema or {"type": "object"}, name) if kind.type == "object"]
        if not objects:
            raise ValueError("its arguments are not an object")
        for key, each, required in reversed(schemas.properties(objects[0])):
            tag = self._tag(field, schemas, key, each, f"tool-{number}", f"{name}/{key}")
            if tag is None:
                if required:
                    raise ValueError(f"the required {key} has no value")
                continue
            rule = f"tool-{number}-{len(self._rules)}"
            self._rules[rule] = ex.sequence(tag, line)
            found = ex.sequence(ex.RuleName(rule) if required else ex.optional(ex.RuleName(rule)), found)
        return ex.sequence(line, found)

    def _tag(
        self, field: TemplateField, schemas: SchemaReader, key: str, schema: Any, rule: str, path: str
    ) -> ex.Expression | None:
        """Return the tag of an argument; None if it can have no value."""
        read = ex.read(field.args["tag_pattern"], {"key": lambda _: ex.Literal(key), "value": lambda _: _VALUE})
        parts = read.parts if isinstance(read, ex.Sequence) else (read,)
        if _VALUE not in parts or not isinstance(parts[-1], ex.Literal):
            raise ValueError("the tag pattern has no value between literals")
        at = parts.index(_VALUE)
        before, after = ex.sequence(*parts[:at]), ex.sequence(*parts[at + 1 :])
        form = self._form(field, parts[-1].text)
        is_json = (field.args.get("value_parser") or {}).get("name") == "json"
        json = JsonTexts(self._rules, schemas, rule, JsonForm(stop=form.stop))
        stop = form.stop or parts[-1]
        found: list[ex.Expression] = []
        for kind in schemas.kinds(schema, path):
            if kind.type == "string":
                found.append(self._raw(schemas, kind, after, stop, is_json=is_json))
            elif kind.type == "choice":
                for each in kind.values:
                    raw = isinstance(each, str) and not (is_json and _JSON_BEGUN.match(each.strip()))
                    found.append(ex.sequence(ex.Literal(each if raw else json_of(each)), after))
            elif kind.type in _SCALARS:
                # as one part with its end: a lexer that takes the longest match would read on, as a text
                words = ex.texts("null") if kind.type == "null" else ex.texts("true", "false")
                found.append(ex.sequence(schemas.number(kind) if kind.type in ("integer", "number") else words, after))
            else:
                found.append(ex.sequence(json.value({**kind.schema, "type": kind.type}, path), after))
        return ex.sequence(before, ex.choice(found)) if found else None

    def _raw(
        self, schemas: SchemaReader, kind: ValueKind, after: ex.Expression, stop: ex.Expression, *, is_json: bool
    ) -> ex.Expression:
        """Return a text without quotes. If values are JSON where they can be, it is not one."""
        body = schemas.text(kind) or ex.Repeat(ex.ANY, *schemas.counts(kind, "minLength", "maxLength"))
        found = ex.until(after, stop, body)
        if not is_json:
            return found
        refused = [
            ex.sequence(_SPACES, ex.chars('"{['), ex.ALL),
            ex.sequence(_SPACES, ex.read(_JSON_SCALAR), _SPACES, after),
        ]
        return _refusing(found, refused)


def _refusing(part: ex.Except, refused: Iterable[ex.Expression]) -> ex.Except:
    return ex.Except(part.part, ex.choice((part.excluded, *refused)))


def _state(used: frozenset[str]) -> str:
    return "-".join(["after", *sorted(re.sub("[^a-z]", "-", name.lower()) for name in used)])


def _group(function: Any, field: TemplateField) -> str:
    """Return the group of the delimiter that has the name of a tool; empty if the content has it."""
    name = function.get("name") if isinstance(function, dict) else None
    found = PLACEHOLDER.fullmatch(name) if isinstance(name, str) else None
    return found[1] if found and field.open is not None and found[1] in field.open.groups else ""


def _ways(field: TemplateField, *, opens: bool, groups: Mapping[str, Any] | None = None) -> list[_Way]:
    """Return the ways to open or close a region. Raises `ValueError` for a pattern that begins with no literal."""
    pattern = field.open if opens else field.close
    if pattern is None:
        return []
    if pattern.literals:
        return [_Way(each) for each in pattern.literals]
    ahead = (lambda _: ex.NOTHING) if opens else (lambda part: ex.RuleName(f"={part.text}"))
    return [*_heads(ex.read(pattern.source, groups or {}, ahead, _START))]


def _heads(part: ex.Expression) -> Iterator[_Way]:
    match part:
        case ex.Literal(text):
            yield _Way(text)
        case ex.RuleName(name):
            yield _Way("" if part == _START else name[1:], looks=part != _START)
        case ex.Choice(parts):
            yield from chain(*map(_heads, parts))
        case ex.Sequence((ex.Repeat(inner, 0, 1), *rest)):
            yield from _heads(ex.sequence(inner, *rest))
            yield from _heads(ex.sequence(*rest))
        case ex.Sequence((first, *rest)):
            yield from [way._replace(rest=ex.sequence(way.rest, *rest)) for way in _heads(first)]
        case _:
            raise ValueError("a delimiter begins with no literal")


def _nested(json: JsonTexts, placed: list[tuple[tuple[str | int, ...], ex.Expression]]) -> ex.Expression:
    """JSON that has values at the ends of paths."""
    for path, value in placed:
        if not path:
            return value
    below: dict[str, list[tuple[tuple[str | int, ...], ex.Expression]]] = {}
    for path, value in placed:
        below.setdefault(str(path[0]), []).append((path[1:], value))
    return json.object([(key, _nested(json, inner), True) for key, inner in below.items()])


def _longer(part: ex.Expression, name: str) -> ex.Choice:
    """Return the characters that may follow a name in a longer one. Raises `ValueError` if it is not a name."""
    state = frozenset([part])
    for sign in name:
        state = after(state, ord(sign))
    if not may_end(state):
        raise ValueError("the template has no place for this name")
    return ex.Choice(tuple([signs for each in state for signs, _ in moves_of(each)]))


def _named_once(way: _Way, made: ex.Choice, longer: list[ex.Choice]) -> _Way:
    """Return a delimiter after whose name nothing can make that longer."""
    parts = way.rest.parts if isinstance(way.rest, ex.Sequence) else (way.rest,)
    at = parts.index(made)
    after = ex.sequence(*parts[at + 1 :])
    if after != ex.NOTHING:
        after = ex.Except(after, ex.sequence(ex.Choice((*longer,)), ex.ALL))
    return way._replace(rest=ex.sequence(*parts[:at], *made.parts, after))
