"""Simple Text Format, both dialects: the first line that is a command or a comment of one of them decides."""

from __future__ import annotations

from tools.generate.editors.shared import DIALECTS, Dialect
from tools.generate.syntaxes.host import either
from tools.generate.syntaxes.rule import Captures, Rule, grammar, group, include, lines, match, region

SCOPE = "source.stf"
JSON5 = "source.json5.llmblocks"
LINE: Rule = {"name": "meta.embedded.line.json5", "patterns": [include(JSON5)]}
# what is after a command's name, told apart here: within a capture, "\\G" does not match
REST = r"(?:[ \t]*(\{.*)|(.*))$"
KEYS = {"at": "[a-z][a-z0-9_]+", "semicolon": "[A-Za-z][A-Za-z0-9_]*"}
KEY: Captures = {1: "entity.other.attribute-name.stf", 2: "punctuation.separator.key-value.stf"}


def stf() -> Rule:
    """Return the grammar of Simple Text Format."""
    repository: dict[str, Rule] = {"string-escape": match(r"\\(?:u\h{4}|x\h{2}|.)", "constant.character.escape.stf")}
    rules: list[Rule] = []
    for dialect in DIALECTS:
        repository |= _dialect(dialect)
        decides = rf"^(?={dialect.header}[ \t]*(?:#|//|/\*|\*/|{either(dialect.commands)}))"
        rules.append(
            region(decides, r"(?!)", name=f"meta.dialect.{dialect.key}.stf", inside=[include(f"#{dialect.key}")])
        )
    # lines before the first command: read as the `@` dialect, and `default-role` may give them to a message
    rules += [include("#at-escape"), include("#at-other")]
    rules += [include("source.gadget#calls-at"), include("source.gadget#fences-at"), include("source.gadget#text")]
    return grammar(SCOPE, "Simple Text Format", rules, repository)


def _dialect(dialect: Dialect) -> dict[str, Rule]:
    key, header = dialect.key, dialect.header
    mark = "punctuation.definition.command.stf"
    arguments = include(f"#{key}-arguments")
    line = [f"{key}-{name}" for name in ("comments", "escape", *dialect.lines)]
    ends = [f"{key}-{name}" for name in ("message", *dialect.flush)]
    return {
        key: group(
            *(include(f"#{name}") for name in (*line, f"{key}-block", *ends, f"{key}-other")),
            include(f"source.gadget#calls-{key}"),
            include(f"source.gadget#fences-{key}"),
            include("source.gadget#text"),
        ),
        # what may stand in the middle of a gadget call without ending it
        f"{key}-lines": group(*(include(f"#{name}") for name in (*line, f"{key}-block", f"{key}-other"))),
        f"{key}-comments": group(
            match(rf"^({header})[ \t]*(?:(#)|(//)).*$", "comment.line.stf", {1: "punctuation.definition.comment.stf"}),
            include(f"#{key}-comment-block"),
            match(
                rf"^({header})[ \t]*(\*/)(.*)$",
                None,
                {1: mark, 2: "invalid.illegal.comment-end.stf", 3: "comment.line.ignored.stf"},
            ),
        ),
        f"{key}-comment-block": region(
            rf"^{header}[ \t]*/\*.*$",
            rf"^{header}[ \t]*\*/.*$",
            name="comment.block.stf",
            inside=[include(f"#{key}-comment-block")],
        ),
        f"{key}-escape": match(rf"^{header}(?={header})", "constant.character.escape.stf"),
        f"{key}-message": _command(dialect, "message", dialect.messages),
        # a block's body is its own region, so that what is unclosed in its JSON5 ends with it
        f"{key}-block": region(
            rf"^({header})[ \t]*({either(dialect.blocks)}){REST}",
            rf"^({header})[ \t]*(end)(?![A-Za-z0-9])(.*)$|^(?={header}[ \t]*{either((*dialect.messages, 'raw'))})",
            name="meta.command.block.stf",
            opened={1: mark, 2: "keyword.other.command.stf", 3: LINE, 4: {"patterns": [arguments]}},
            closed={1: mark, 2: "keyword.other.end.stf", 3: "comment.line.ignored.stf"},
            inside=[
                include(f"#{key}-comments"),
                match(rf"^({header})(?={header})(.*)$", None, {1: "constant.character.escape.stf", 2: LINE}),
                include(f"#{key}-other"),
                lines(
                    rf"^(?!{header})", rf"^(?!{header})", content="meta.embedded.block.json5", inside=[include(JSON5)]
                ),
            ],
        ),
        **{f"{key}-{name}": _line_command(dialect, name) for name in dialect.lines},
        **{f"{key}-{name}": _command(dialect, name, (name,)) for name in dialect.flush},
        f"{key}-other": group(
            match(
                rf"^({header})[ \t]*([A-Za-z][A-Za-z0-9]*).*$",
                "meta.command.unknown.stf",
                {1: mark, 2: "invalid.illegal.command.stf"},
            ),
            match(rf"^{header}.*$", "invalid.illegal.command-line.stf"),
        ),
        f"{key}-arguments": group(
            match(r"\G\s*(\{.*)$", None, {1: LINE}),
            _quoted(dialect, '"', "double"),
            _quoted(dialect, "'", "single"),
            match(rf"{_key(dialect)}(?:([^ \t\"'][^ \t]*))?", "meta.argument.stf", {**KEY, 3: "string.unquoted.stf"}),
            match(r"[^ \t]+", "invalid.illegal.argument.stf"),
        ),
    }


def _key(dialect: Dialect) -> str:
    """Return a key and its equals sign. It does not begin inside a word: looking for one takes linear time."""
    return rf"(?<![A-Za-z0-9_])({KEYS[dialect.key]}+)[ \t]*+(=)[ \t]*+"


def _quoted(dialect: Dialect, quote: str, kind: str) -> Rule:
    """Return an argument with a quoted value, which ends at its line's end at the latest."""
    name = f"string.quoted.{kind}.stf"
    return region(
        rf"{_key(dialect)}({quote})",
        rf"({quote})|$",
        name="meta.argument.stf",
        content=name,
        opened={**KEY, 3: name},
        closed={1: name},
        inside=[include("#string-escape")],
    )


def _command(dialect: Dialect, kind: str, names: tuple[str, ...]) -> Rule:
    """Return a command that is one line."""
    return region(
        rf"^({dialect.header})[ \t]*({either(names)})",
        "$",
        name=f"meta.command.{kind}.stf",
        opened={1: "punctuation.definition.command.stf", 2: "keyword.control.message.stf"},
        inside=[include(f"#{dialect.key}-arguments")],
    )


def _line_command(dialect: Dialect, name: str) -> Rule:
    """Return a command whose next data line is its own; comments and lines that are nothing may stand between."""
    key, header = dialect.key, dialect.header
    return region(
        rf"^({header})[ \t]*({either((name,))}){REST}",
        # the data line is what ends the command, unless another command comes first
        rf"^(?!{header}(?!{header}))({header}(?={header}))?(.*)$|^(?={header}[ \t]*[A-Za-z])",
        name=f"meta.command.{name}.stf",
        opened={
            1: "punctuation.definition.command.stf",
            2: "keyword.other.command.stf",
            3: LINE,
            4: {"patterns": [include(f"#{key}-arguments")]},
        },
        closed={1: "constant.character.escape.stf", 2: LINE if name == "call" else "markup.underline.link.stf"},
        inside=[include(f"#{key}-comments"), include(f"#{key}-other")],
    )
