"""Completion in Simple Text Format: commands, arguments, the JSON5 of messages, and the ends of blocks."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import chain, count, islice, takewhile
from typing import Final

from llmblocks.contract.caret import Caret, Suggestion, choice, escaped, quoted_value
from llmblocks.core.section import Section
from llmblocks.json5.containers import open_containers
from llmblocks.stf import kinds
from llmblocks.stf.editor.command_lines import CALL, CommandLine, command_lines, open_block
from llmblocks.stf.syntax import ARGUMENTS, DIALECTS, EMBED_TYPES, NAME, Command, Dialect, parse_arguments
from llmblocks.stf.values.messages import EmbedPart, Message, TextPart, ToolCall
from llmblocks.stf.values.shape import KEYS

_KEYS: Final = {
    "": KEYS[Message],
    "tool_calls": KEYS[ToolCall],
    **dict.fromkeys(("content", "reasoning", "refusal"), KEYS[TextPart] | KEYS[EmbedPart]),
}
"""The keys of objects with their descriptions, by the key around them."""
_OF_ROLE: Final = {"call_id": "tool", "tool_calls": "assistant", "reasoning": "assistant", "refusal": "assistant"}
"""The keys for messages of one role."""
_WORD = re.compile(r"[\w$]*")


def _keys_at(text: str, after: str, roles: Sequence[str]) -> Iterator[Suggestion]:
    """Yield the possible next keys, or roles, after the text of a message in JSON5."""
    stack, written = open_containers(text)
    if not stack or not stack[-1].is_object:
        return
    around, quote = stack[-1], written[:1] if written[:1] in ("'", '"') else ""
    over = len(after) - len(_WORD.sub("", after, count=1))
    over += bool(quote) and after.startswith(quote, over)
    owner = next((each for each in reversed(around.pointer.split("/")) if not each.isdigit()), "")
    if around.key is not None:
        sign, values = quote or '"', roles if around.inside == "role" else ()
        if around.key == "type" and "text" in _KEYS.get(owner, ()):
            values = ("text", *EMBED_TYPES)
        for value in values:
            yield Suggestion(f"{sign}{value}{sign}", len(written), f"A {around.key}", "value", over=over, label=value)
        return
    # if the value exists, only the key is replaced
    colon = "" if after[over:].lstrip(" \t").startswith(":") else ": "
    role = stack[0].members.get("role", "")
    for name, detail in _KEYS.get(owner, {}).items():
        is_other = role in roles and not owner and _OF_ROLE.get(name, role) != role
        if name not in around.members and not is_other:
            made, goes_on = f"{quote}{name}{quote}{colon}", name in ("role", "type")
            yield Suggestion(made, len(written), detail, "key", over=over, label=name, goes_on=goes_on)


_ANSWERS: Final = {"user": "assistant", "tool": "assistant"}
_TOOLS: Final = ("call", "tool")
"""The commands whose `name` names a tool."""
_MOST = 50
"""The most command lines, in each direction, and calls that are read for suggestions."""
_WITH_VALUES = ("role", "type", "name", "call_id")
_COMMAND = re.compile(r"\ufeff?([@;])[ \t]*([A-Za-z0-9]*)")
_LINE = re.compile(rf"\ufeff?([@;])[ \t]*({NAME})([ \t].*)")
_VALUE = re.compile(r"(?:^|[ \t,{])([A-Za-z][A-Za-z0-9_]*)[ \t]*[=:][ \t]*('[^']*|\"[^\"]*|[^ \t'\"]*)$")
_KEY = re.compile(r"(?:^|[ \t])([A-Za-z0-9_]*)$")
_KEY5 = re.compile(r"[{,][ \t]*([A-Za-z0-9_]*)$")
_STRINGS = re.compile(r"'[^']*'|\"[^\"]*\"")
_AHEAD = re.compile(r"([A-Za-z0-9_]*)([ \t]*[=:])?")
_LONGEST = 1024
_ESCAPED: Final = frozenset('"\\\n')
"""Characters with escapes in double quotes."""


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
        yield from _keys_at(block.text, caret.after, _roles(_likely(caret, DIALECTS[block.header])))
    if block.name and not line:
        yield Suggestion(f"{block.header}end", 0, f"Ends the `{block.header}{block.name}` above")


def _commands(caret: Caret, dialect: Dialect, typed: str) -> Iterator[Suggestion]:
    block = open_block(caret)
    over, _ = _ahead(caret)
    alone = not caret.after.strip()
    if block.name:
        yield Suggestion("end", len(typed), f"Ends the `{dialect.header}{block.name}` above", over=over)
        return
    calls = {name: done for name, done in _calls(caret).items() if _ESCAPED.isdisjoint(name)} if alone else {}
    commands = _likely(caret, dialect)
    for command in commands:
        detail, aside = command.detail, ""
        if command.canonical != command.name:
            detail = f"Another name of `{dialect.header}{command.canonical}`. {detail}"
            aside = f"alias of {command.canonical}"
        text, snippet = _written(command, dialect, calls, _roles(commands)) if alone else (command.name, "")
        yield Suggestion(text, len(typed), detail, "keyword", snippet, over, command.name, aside=aside)
    if not typed:
        yield Suggestion("/*", 0, "Begins a comment block", "keyword", f"/*\n$0\n{dialect.header}*/")
        yield Suggestion("#", 0, "Begins a comment line", "keyword")


def _written(command: Command, dialect: Dialect, calls: dict[str, bool], roles: list[str]) -> tuple[str, str]:
    """Return a command up to its first value, whose quote opens the list of values; and its snippet."""
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


def _fresh(calls: Container[str]) -> str:
    """Return an unused id."""
    return next(each for each in map("c{}".format, count(1)) if each not in calls)


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
    over, has_value = _ahead(caret)
    for name in command.arguments:
        if name in given or not name.startswith(key[1]):
            continue
        detail = ARGUMENTS.get(name, f"An argument of `{command.name}`")
        if has_value:
            # if the value exists, only the key is replaced
            yield Suggestion(name, len(key[1]), detail, "key", over=over)
        else:
            # without placeholders, the quote that the user types next opens the list of values
            text, snippet, goes_on = f"{name}{sign}", f'{name}{sign}"$1"', name in _WITH_VALUES
            if name == "id" and command.canonical == "call":
                fresh = _fresh(_calls(caret))
                text, snippet = f'{name}{sign}"{fresh}"', f'{name}{sign}"${{1:{fresh}}}"'
            yield Suggestion(text, len(key[1]), detail, "key", snippet, over, name, goes_on=goes_on)


def _ahead(caret: Caret) -> tuple[int, bool]:
    """Return the length of the word after the caret, and whether a value follows it."""
    found = _AHEAD.match(caret.after)
    assert found is not None, "nothing need be there"
    return found.end(1), found[2] is not None


def _closed(written: str) -> str:
    """Return a text of the same length with all quoted text blanked."""
    return _STRINGS.sub(lambda found: "x" * len(found[0]), written)


def _values(caret: Caret, dialect: Dialect, command: Command, key: str, typed: str) -> Iterator[Suggestion]:
    if key == "role":
        roles, used = _roles(_likely(caret, dialect)), _used(caret, "role", command.canonical)
        values = dict.fromkeys(roles, "A role") | dict.fromkeys(used, "A role in this file")
    elif key == "type" and command.canonical == "embed":
        values = dict.fromkeys(EMBED_TYPES, "A kind of resource")
    elif key == "name":
        values = dict.fromkeys(_used(caret, "name", command.canonical), "A name in this file")
    elif key == "id" and command.canonical == "call":
        values = {_fresh(_calls(caret)): "An id that no call nearby has"}
    elif key == "call_id":
        values = dict.fromkeys(_calls(caret), "The id of a call above")
    else:
        return
    sign, over = quoted_value(typed, caret.after, " \t,}'\"")
    inner = typed.removeprefix(sign)
    if (sign in inner and inner != typed) or (inner in values and not over):
        return  # after the value, or it is complete
    values.pop(inner + caret.after[:over].removesuffix(sign), None)
    for value, detail in values.items():
        if sign not in value and "\\" not in value and "\n" not in value:
            yield Suggestion(f"{sign}{value}{sign}", len(typed), detail, "value", over=over, label=value)


def _likely(caret: Caret, dialect: Dialect) -> list[Command]:
    """Return all commands but `end`: the role that answers the last message, those that the file uses, then the others.

    Commands that belong to a message come last without one.
    """
    above = [*_lines_above(caret)]
    used = [line.name for line in above if line.kind is kinds.MESSAGE_NAME]
    is_called = any(line.name == "call" for line in takewhile(lambda line: line.kind is not kinds.MESSAGE_NAME, above))
    last = dialect.commands.get(used[0]) if used else None
    expected = "tool" if is_called else _ANSWERS.get(last.canonical if last else "", "user")

    def rank(each: Command) -> tuple[int, int]:
        place = used.index(each.name) if each.name in used else len(used)
        if each.canonical == expected:
            return 0, place
        if each.mode == "message":
            return (1 if each.name in used else 2 if each.role else 3), place
        return (4 if last is not None or each.canonical in ("raw", "meta") else 5), place

    return sorted([each for each in dialect.commands.values() if each.mode != "end"], key=rank)


def _roles(commands: list[Command]) -> list[str]:
    """Return the roles of the messages that commands begin, without repeats."""
    return [*dict.fromkeys(each.role for each in commands if each.role)]


def _lines(section: Section) -> Sequence[CommandLine]:
    return (*command_lines(section).values(),)


def _lines_above(caret: Caret) -> Iterator[CommandLine]:
    """Yield the command lines above that of the caret, nearest first."""
    return islice((line for far, line in caret.stated_back(_lines) if far > len(caret.before)), _MOST)


def _used(caret: Caret, key: str, command: str) -> list[str]:
    """Return the values of an argument of tools, or of authors, on lines near the caret, nearest first."""
    below = islice((line for _, line in caret.stated_ahead(_lines)), _MOST)
    near = (line for line in chain(_lines_above(caret), below) if (line.name in _TOOLS) == (command in _TOOLS))
    given = (each for line in near for each in line.arguments.items if each.key == key)
    return [*dict.fromkeys(each.value for each in given if each.value and isinstance(each.value, str))]


def _calls(caret: Caret) -> dict[str, bool]:
    """Return the ids of calls near the caret, with whether they are answered: unanswered first, then nearest."""
    names = chain(caret.stated_back(caret.symbols), caret.stated_ahead(caret.symbols))
    near = [each for _, each in names if each.kind == CALL]
    found = dict.fromkeys(each.name for each in near if each.role == "definition")
    answered = {each.name for each in near if each.role == "reference"}
    return {name: name in answered for name in sorted(found, key=answered.__contains__)[:_MOST]}
