"""The types of the npm package, and the functions in JavaScript that ask Python, written from its one description.

The description is `llmblocks.cli.javascript`: its functions and classes, and the types of what they take and give.
"""

from __future__ import annotations

import inspect
import json
import types
import typing
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from llmblocks.cli import javascript
from llmblocks.cli.javascript import CLASSES, FUNCTIONS, SettingsTable, camel, js_name
from llmblocks.gadget import GadgetCall
from llmblocks.languages.registry import host_ids, language_ids

PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
NAMES_OF_EVENTS = ("GadgetEvent", "TagDelta")


def texts() -> dict[str, str]:
    """Return the files of the package that are written from the description."""
    return {"npm/index.d.ts": declarations(), "npm/src/library.mjs": functions()}


class Writer:
    """Writes types of Python in TypeScript, and keeps in `interfaces` those that need a declaration."""

    def __init__(self) -> None:
        self.interfaces: dict[str, str] = {}

    def of(self, kind: Any) -> str:
        """Return a type in TypeScript."""
        if kind in PLAIN:
            return PLAIN[kind]
        if kind == SettingsTable:
            return "Record<string, unknown>"
        for name in NAMES_OF_EVENTS:
            if kind == getattr(javascript, name):
                self.declare(name, f"export type {name} = {' | '.join(map(self.of, get_args(kind)))};\n")
                return name
        origin, inside = get_origin(kind), get_args(kind)
        if origin in (typing.NotRequired, typing.Required):
            return self.of(inside[0])
        if origin is Literal:
            return " | ".join(map(json.dumps, inside))
        if origin in (typing.Union, types.UnionType):
            return " | ".join(map(self.of, inside))
        if origin is dict:
            return f"Record<{self.of(inside[0])}, {self.of(inside[1])}>"
        if origin in (list, tuple) or origin is Sequence:
            item = self.of(inside[0])
            return f"readonly {f'({item})' if '|' in item else item}[]"
        if kind is GadgetCall:
            return self.of(javascript.JsGadgetCall)
        return self.shape(kind)

    def shape(self, kind: Any) -> str:
        """Return a class with fields, by its name."""
        name = js_name(kind)
        if name in self.interfaces:
            return name
        self.interfaces[name] = ""
        lines = []
        if is_dataclass(kind):
            hints = get_type_hints(kind, localns={"GadgetCall": GadgetCall})
            members = {each.name: hints[each.name] for each in fields(kind)}
            lines.append(f"  readonly event: {json.dumps(name)};\n")
        elif typing.is_typeddict(kind):
            members = get_type_hints(kind, include_extras=True)
        else:
            raise TypeError(f"{kind!r} has no words in TypeScript: say them in Writer.of")
        for member, hint in members.items():
            optional = "?" if get_origin(hint) is typing.NotRequired else ""
            key = camel(member) if is_dataclass(kind) else member
            lines.append(f"  readonly {key}{optional}: {self.of(hint)};\n")
        del self.interfaces[name]
        self.declare(name, f"{comment(kind)}export interface {name} {{\n{''.join(lines)}}}\n")
        return name

    def declare(self, name: str, text: str) -> None:
        """Keep a declaration."""
        self.interfaces[name] = text


def declarations() -> str:
    """index.d.ts."""
    writer = Writer()
    made = [function(writer, each) for each in FUNCTIONS]
    made += [class_(writer, each) for each in CLASSES]
    ids = " | ".join(map(json.dumps, (*language_ids(), *host_ids())))
    head = (
        "// Written by tools/generate/editors/npm.py.\n\n"
        "/** The version of llmblocks. */\nexport const version: string;\n\n"
        f"/** The languages; of a host, such as Markdown, the texts inside. */\nexport type Language = {ids};\n"
    )
    return "\n".join([head, *writer.interfaces.values(), *made])


def function(writer: Writer, each: Any) -> str:
    """Return a function's declaration."""
    result = writer.of(get_type_hints(each)["return"])
    return f"{comment(each)}export function {camel(each.__name__)}({parameters(writer, each)}): {result};\n"


def class_(writer: Writer, each: Any) -> str:
    """Return a class's declaration."""
    lines = [f"  constructor({parameters(writer, each.__init__)});\n"]
    for name, method in methods(each):
        result = writer.of(get_type_hints(method)["return"])
        lines.append(f"{comment(method, '  ')}  {camel(name)}({parameters(writer, method)}): {result};\n")
    return f"{comment(each)}export class {js_name(each)} {{\n{''.join(lines)}}}\n"


def parameters(writer: Writer, function: Any) -> str:
    """Return the parameters of a function: those with keywords are the properties of the last one."""
    hints = get_type_hints(function)
    positional, options = split(function)
    written = [f"{camel(name)}: {'Language' if name == 'language' else writer.of(hints[name])}" for name in positional]
    if options:
        inside = [f"{camel(name)}?: {writer.of(hints[name])}".replace(" | null", "") for name in options]
        written.append(f"options?: {{ {'; '.join(inside)} }}")
    return ", ".join(written)


def split(function: Any) -> tuple[list[str], list[str]]:
    """Return the names of the positional parameters, and of the others."""
    given = inspect.signature(function).parameters.values()
    named = [each.name for each in given if each.kind is each.KEYWORD_ONLY]
    return [each.name for each in given if each.kind is not each.KEYWORD_ONLY and each.name != "self"], named


def methods(each: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public methods of a class."""
    yield from ((name, found) for name, found in vars(each).items() if not name.startswith("_"))


def comment(thing: Any, indent: str = "") -> str:
    """Return the docstring as a comment; that of a class of the library, only its sentence."""
    words = inspect.cleandoc(thing.__doc__ or "").partition("\n\n")[0].replace("\n", f"\n{indent} * ")
    return f"{indent}/** {words} */\n"


def functions() -> str:
    """Return the functions and classes, which ask Python by `call` and `create`."""
    lines = ["// Written by tools/generate/editors/npm.py.\n", 'import { call, create } from "./asking.mjs";\n\n']
    lines.append("export const version = VERSION;\n")
    for each in FUNCTIONS:
        name, (positional, options) = camel(each.__name__), split(each)
        given = ", ".join(map(camel, positional))
        more = ", options" if options else ""
        lines.append(f'export const {name} = ({given}{more}) => call("{name}", [{given}]{more});\n')
    for kind in CLASSES:
        positional, options = split(kind.__init__)
        given, more = ", ".join(map(camel, positional)), "options" if options else ""
        lines.append(f"\nexport class {js_name(kind)} {{\n  #ask;\n")
        taken = ", ".join(filter(None, (given, more)))
        lines.append(f"  constructor({taken}) {{\n")
        asked = ", ".join(filter(None, (f'"{js_name(kind)}"', f"[{given}]", more)))
        lines.append(f"    this.#ask = create({asked});\n  }}\n")
        for name, method in methods(kind):
            taken = ", ".join(map(camel, split(method)[0]))
            lines.append(f'  {camel(name)}({taken}) {{\n    return this.#ask("{name}", [{taken}]);\n  }}\n')
        lines.append("}\n")
    return "".join(lines)
