"""Completion in Simple Text Format: commands, arguments, JSON5 keys, and the ends of blocks and comments."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import count

from llmblocks.contract.caret import Caret, Suggestion, choice, escaped, quoted_value
from llmblocks.stf.editor.json5_keys import QUOTED_AHEAD, keys_at
from llmblocks.stf.editor.likely_commands import likely_commands, roles_of
from llmblocks.stf.editor.nearby_values import calls_nearby, values_nearby
from llmblocks.stf.editor.open_block import header_nearby, is_in_comment_block, open_block
from llmblocks.stf.syntax.arguments import parse_arguments
from llmblocks.stf.syntax.commands import ARGUMENTS, EMBED_TYPES, Command
from llmblocks.stf.syntax.dialect import DIALECTS, NAME, Dialect

_WITH_VALUES = ("role", "type", "name", "call_id")
"""The arguments whose values are completed."""
_COMMAND = re.compile(r"\ufeff?([@;])[ \t]*([A-Za-z0-9]*)")
_LINE = re.compile(rf"\ufeff?([@;])[ \t]*({NAME})([ \t].*)")
_VALUE = re.compile(r"(?:^|[ \t,{])([A-Za-z][A-Za-z0-9_]*)[ \t]*[=:][ \t]*('[^']*|\"[^\"]*|[^ \t'\"]*)$")
_KEY = re.compile(r"(?:^|[ \t])([A-Za-z0-9_]*)$")
_KEY5 = re.compile(r"[{,][ \t]*([A-Za-z0-9_]*)$")
_STRINGS = re.compile(r"'[^']*'|\"[^\"]*\"")
_AHEAD = re.compile(r"([A-Za-z0-9_]*)([ \t]*[=:])?")
_LONGEST = 1024


def suggest(caret: Caret, dialect: str) -> Iterator[Suggestion]:
    """Yield the suggestions at a place. `dialect` is "@", ";" or "auto", which uses the typed character."""
    line = caret.before
    if found := _COMMAND.fullmatch(line):
        if dialect in ("auto", found[1]):
            yield from _commands(caret, DIALECTS[found[1]], found[2])
        return
    if (found := _LINE.fullmatch(line)) and dialect in ("auto", found[1]) and len(line) < _LONGEST:
        command = DIALECTS[found[1]].commands.get(found[2])
        if command is not None and open_block(caret).name != "raw":
            yield from _arguments(caret, DIALECTS[found[1]], command, found[3])
        return
    block = open_block(caret)
    if block.name == "raw":
        roles = roles_of(likely_commands(caret, DIALECTS[block.header]))
        yield from keys_at(block.text, caret.after, roles)
    if block.name and not line:
        end = f"{block.header}end"
        yield Suggestion(end, 0, f"Ends the `{block.header}{block.name}` above")


def close_comment(caret: Caret, dialect: str) -> Iterator[Suggestion]:
    """Yield the end of the comment block around a place, at the start of a line."""
    if not caret.before:
        header = header_nearby(caret) if is_in_comment_block(caret) else ""
    else:
        signs = (sign for sign in DIALECTS if dialect in ("auto", sign))
        header = next((sign for sign in signs if f"{sign}*/".startswith(caret.before)), "")
    if header:
        yield Suggestion(f"{header}*/", len(caret.before), "Ends the comment block above")


def _commands(caret: Caret, dialect: Dialect, typed: str) -> Iterator[Suggestion]:
    block = open_block(caret)
    over = 0
    while over < len(caret.after) and caret.after[over].isascii() and caret.after[over].isalnum():
        over += 1
    alone = not caret.after.strip()
    if block.name:
        yield Suggestion("end", len(typed), f"Ends the `{dialect.header}{block.name}` above", over=over)
        return
    calls = {name: done for name, done in calls_nearby(caret).items() if _fits(name)} if alone else {}
    commands = likely_commands(caret, dialect)
    for command in commands:
        detail, aside = command.detail, ""
        if command.canonical != command.name:
            detail = f"Another name of `{dialect.header}{command.canonical}`. {detail}"
            aside = f"alias of {command.canonical}"
        text, snippet = _written(command, dialect, calls, roles_of(commands)) if alone else (command.name, "")
        yield Suggestion(text, len(typed), detail, "keyword", snippet, over, command.name, aside=aside)
    if not typed:
        yield Suggestion("/*", 0, "Begins a comment block", "keyword", f"/*\n$0\n{dialect.header}*/")
        yield Suggestion("#", 0, "Begins a comment line", "keyword")


def _written(command: Command, dialect: Dialect, calls: dict[str, bool], roles: list[str]) -> tuple[str, str]:
    """Return a command up to its first value, and its snippet.

    The user then types a quote, which opens the list of values.
    """
    name, end = escaped(command.name), f"\n{dialect.header}end\n"
    match command.canonical:
        case "raw":
            return f"{name}\n{{role: ", f'{name}\n{{role: "${{1|{",".join(roles)}|}}", content: "$2"\\}}{end}$0'
        case "call":
            return f"{name} name=", f'{name} name="$1" id="${{2:{_fresh(calls)}}}"\n{{$0\\}}'
        case "tool" if [*calls.values()].count(False) == 1:
            # the only unanswered call comes first
            call = next(iter(calls))
            return f'{name} call_id="{call}"\n', f'{name} call_id="{escaped(call)}"\n$0'
        case "tool" if calls:
            return f"{name} call_id=", f'{name} call_id="${{1|{",".join(map(choice, calls))}|}}"\n$0'
        case "embed":
            return f"{name} type=", f'{name} type="${{1|{",".join(EMBED_TYPES)}|}}"\n$0'
    return name, f"{name}\n{{$1\\}}{end}$0" if command.mode == "block" else ""


def _fits(value: str) -> bool:
    """Return whether a value needs no escapes in double quotes."""
    return {'"', "\\", "\n"}.isdisjoint(value)


def _fresh(calls: Container[str]) -> str:
    """Return an unused id."""
    return next(each for number in count(1) if (each := f"c{number}") not in calls)


def _arguments(caret: Caret, dialect: Dialect, command: Command, written: str) -> Iterator[Suggestion]:
    """Yield the keys and values of a command line. `written` is the text between its name and the caret."""
    braces = written.lstrip().startswith("{")
    value = _VALUE.search(_closed(written))
    if value is not None:
        yield from _values(caret, dialect, command, value[1], written[value.start(2) :])
        return
    if not braces and caret.after.lstrip().startswith("{"):
        return  # arguments are pairs or an object
    key = (_KEY5 if braces else _KEY).search(_closed(written))
    if key is None:
        return
    rest = written[: key.start(1)] + caret.after
    given = {each.key for each in parse_arguments(rest, 0, len(rest), dialect).items}
    sign = ": " if braces else "="
    ahead = _AHEAD.match(caret.after)
    over = ahead.end(1) if ahead else 0
    for name in command.arguments:
        if name in given or not name.startswith(key[1]):
            continue
        detail = ARGUMENTS.get(name, f"An argument of `{command.name}`")
        if ahead and ahead[2]:
            # if the value exists, only the key is replaced
            yield Suggestion(name, len(key[1]), detail, "key", over=over)
        else:
            # without placeholders, the quote that the user types next opens the list of values
            text, snippet, goes_on = f"{name}{sign}", f'{name}{sign}"$1"', name in _WITH_VALUES
            if name == "id" and command.canonical == "call":
                fresh = _fresh(calls_nearby(caret))
                text, snippet = f'{name}{sign}"{fresh}"', f'{name}{sign}"${{1:{fresh}}}"'
            yield Suggestion(text, len(key[1]), detail, "key", snippet, over, name, goes_on=goes_on)


def _closed(written: str) -> str:
    """Return a text of the same length with all quoted text blanked."""
    return _STRINGS.sub(lambda found: "x" * len(found[0]), written)


def _values(caret: Caret, dialect: Dialect, command: Command, key: str, typed: str) -> Iterator[Suggestion]:
    if key == "role":
        roles, used = roles_of(likely_commands(caret, dialect)), values_nearby(caret, "role", command.canonical)
        values = dict.fromkeys(roles, "A role") | dict.fromkeys(used, "A role in this file")
    elif key == "type" and command.canonical == "embed":
        values = dict.fromkeys(EMBED_TYPES, "A kind of resource")
    elif key == "name":
        values = dict.fromkeys(values_nearby(caret, "name", command.canonical), "A name in this file")
    elif key == "id" and command.canonical == "call":
        values = {_fresh(calls_nearby(caret)): "An id that no call nearby has"}
    elif key == "call_id":
        values = dict.fromkeys(calls_nearby(caret), "The id of a call above")
    else:
        return
    sign, over = quoted_value(typed, caret.after, " \t,}'\"")
    inner = typed.removeprefix(sign)
    if (sign in inner and inner != typed) or (inner in values and not over):
        return  # after the value, or it is complete
    there = None if typed else QUOTED_AHEAD.match(caret.after)
    if there is not None:
        over = there.end()
        values.pop(there[1] or there[2] or "", None)
    values.pop(inner + caret.after[:over].removesuffix(sign), None)
    for value, detail in values.items():
        if sign not in value and "\\" not in value and "\n" not in value:
            yield Suggestion(f"{sign}{value}{sign}", len(typed), detail, "value", over=over, label=value)
