"""Completion and hover in a settings file, from the schema of the settings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from llmblocks.contract.caret import SuggestionKind, escaped
from llmblocks.features.completion import Completion
from llmblocks.features.hover import Hover
from llmblocks.languages.registry import LANGUAGES
from llmblocks.settings.rule_names import RuleTitle, titles
from llmblocks.settings.schema import Schema, SettingPath, setting
from llmblocks.settings.toml import named_at, written_at

Table = tuple[str, ...]
_TYPES: Final = {"array": "list", "integer": "whole number", "object": "table", "string": "text"}
_EMPTY: Final = {"array": "[$0]", "object": "{ $0 }", "string": '"$0"'}
_REST: Final = re.compile(r"[\w-]*")
_HAS_VALUE: Final = re.compile(r"""[\w-]*["']?[ \t]*[=.]""")


def complete(text: str, offset: int, table: Table = ()) -> list[Completion]:
    """Return the completions in a settings file with settings in `table`, most likely first. The text may be broken."""
    place = written_at(text, offset, table)
    if place is None:
        return []
    typed = text[place.start : offset]
    path = _within(place.path, table)
    if place.kind == "header":
        found = _headers(table) if typed[1:2] != "[" else iter(())
    elif path is None:
        return []
    elif place.kind == "key":
        found = _keys(path, typed[:1] if typed[:1] in "\"'" else "", _HAS_VALUE.match(text, offset) is not None)
    else:
        found = _values(path)
    sign = {"[": "]"}.get(typed[:1], typed[:1])
    # text that the editor inserted after the cursor is replaced, too, and the rest of a word
    is_closed = sign in ("]", '"', "'") and text.startswith(sign, offset)
    word = _REST.match(text, offset) if typed[:1].isalnum() else None
    end = offset + 1 if is_closed else word.end() if word else offset
    offered = [each._replace(start=place.start, end=end) for each in found]
    return [] if any(each.text == text[place.start : end] for each in offered) else offered


def hover(text: str, offset: int, table: Table = ()) -> Hover | None:
    """Explain the setting or the rule at a place of a settings file, whose settings are in `table`."""
    found = named_at(text, offset, table)
    path = found and _within(found.path, table)
    if not found or not path:
        return None
    schema = setting(path)
    if found.is_key and "description" in schema:
        return Hover(*found.span, f"`{'.'.join(map(str, path))}`\n\n{_words(schema)}")
    name = text[slice(*found.span)].strip("\"'")
    named = _named(setting(path[:-1]).get("propertyNames") if found.is_key else schema)
    title = named.get(name) or named.get(name.upper())
    return None if title is None else Hover(*found.span, f"`{name}`\n\n{title.text}{_page(title)}")


def _headers(table: Table) -> Iterator[Completion]:
    for path in [(), *_tables(())] if table else _tables(()):
        label = f"[{'.'.join((*table, *path))}]"
        yield _made(label, label, "tag", _words(setting(path)))


def _tables(above: Table) -> Iterator[Table]:
    """Yield the paths of the tables in a table, each before those inside it."""
    for name, schema in setting(above).get("properties", {}).items():
        if schema["type"] == "object":
            yield (*above, name)
            yield from _tables((*above, name))


def _keys(path: SettingPath, quote: str, has_value: bool) -> Iterator[Completion]:
    schema = setting(path)
    given = [(name, each, "", _words(each)) for name, each in schema.get("properties", {}).items()]
    for name, title in _named(schema.get("propertyNames")).items():
        given.append((name, schema["additionalProperties"], title.text, _page(title)))
    for name, each, aside, words in given:
        sign = quote or ("" if re.fullmatch(r"[\w-]+", name) else '"')
        key = f"{sign}{name}{sign}"
        behind = "" if has_value else "." if "properties" in each else " = "
        value = "" if behind != " = " or _choices(each) else _EMPTY.get(each["type"], "")
        snippet = f"{escaped(key)}{behind}{value}" if value else ""
        yield _made(key, key + behind, "key", words, aside, snippet, goes_on=bool(behind))


def _values(path: SettingPath) -> Iterator[Completion]:
    schema = setting(path)
    one = schema.get("items", schema)
    choices = _choices(one)
    default = json.dumps(schema["default"][0] if schema.get("format") == "content" else schema.get("default"))
    is_list = one is not schema and schema.get("format") != "content"
    for label in sorted(choices, key=default.__ne__):
        title = choices[label]
        yield _made(label, f"[{label}]" if is_list else label, "value", _page(title), title.text)


def _made(
    label: str, text: str, kind: SuggestionKind, words: str, aside: str = "", snippet: str = "", goes_on: bool = False
) -> Completion:
    return Completion(0, 0, text, words, kind, snippet, label, goes_on=goes_on, aside=aside)


def _within(path: SettingPath, table: Table) -> SettingPath | None:
    return path[len(table) :] if path[: len(table)] == table else None


def _choices(schema: Schema) -> dict[str, RuleTitle]:
    if schema.get("type") == "boolean":
        return dict.fromkeys(("true", "false"), RuleTitle("", ""))
    return {json.dumps(name): title for name, title in _named(schema).items()}


def _named(schema: Schema | None) -> dict[str, RuleTitle]:
    """Return the allowed names, with their meanings."""
    match (schema or {}).get("format"):
        case "rule":
            return titles()
        case "language":
            return {each.id: RuleTitle(each.title, "") for each in LANGUAGES}
        case "glob":
            kinds = {f"**/*{suffix}": RuleTitle(each.title, "") for each in LANGUAGES for suffix in each.suffixes}
            return {"**": RuleTitle("all files", ""), **kinds}
    return dict.fromkeys((schema or {}).get("enum", ()), RuleTitle("", ""))


def _page(title: RuleTitle) -> str:
    return f" [Page]({title.page})" if title.page else ""


def _words(schema: Schema) -> str:
    kind = "" if "title" in schema else f"\n\nA {_TYPES.get(schema['type'], schema['type'])}."
    several = schema.get("format") == "content"
    if values := (schema["items"] if several else schema).get("enum"):
        more = ", or a list of alternatives" if several else ""
        kind = f"\n\nOne of {', '.join(f'`{json.dumps(each)}`' for each in values)}{more}."
    default = ""
    if "default" in schema:
        default = f" Default: `{json.dumps(schema['default'][0] if several else schema['default'])}`."
    return f"{schema.get('description', schema.get('title', ''))}{kind}{default}"
