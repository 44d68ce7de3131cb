"""Kate: a syntax file for each language, and the servers of its LSP client."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape

from tools.generate.editors.shared import DIALECTS, IDS, TITLES, Dialect, wildcards
from tools.generate.generated import BEGIN
from tools.generate.syntaxes.completion import signs

_STYLES = {
    "Text": "Normal",
    "Keyword": "Keyword",
    "Name": "Function",
    "Id": "Variable",
    "Key": "Attribute",
    "Number": "DecVal",
    "Value": "String",
    "Escape": "SpecialChar",
    "Comment": "Comment",
    "Error": "Error",
}


def texts() -> dict[str, str]:
    """Return the generated files."""
    found = contexts()
    servers = {language: _server(language) for language in IDS}
    return {
        "kate/settings.json": json.dumps({"servers": servers}, indent=2) + "\n",
        **{f"kate/{language}.xml": _language(language, found[language]) for language in IDS},
    }


def contexts() -> dict[str, list[str]]:
    """Return the rules of each language."""
    return {
        "gadget": [_text(), *_calls("Text", "", [])],
        "request": list(_messages()),
        "stf": list(_chat()),
        "custom-blocks": list(_blocks()),
        "completion": [_context("Text", "Text", _rule("Keyword", signs()))],
    }


def _server(language: str) -> object:
    return {
        "command": ["llmblocks", "server"],
        "url": "https://github.com/llmblocks/llmblocks",
        "highlightingModeRegex": f"^{TITLES[language]}$",
        "rootIndicationFileNames": ["llmblocks.toml"],
    }


def _language(language: str, contexts: Iterable[str]) -> str:
    styles = "".join(f'      <itemData name="{name}" defStyleNum="ds{style}"/>\n' for name, style in _STYLES.items())
    comment = '    <comments>\n      <comment name="singleLine" start="@#" position="startOfLine"/>\n    </comments>\n'
    general = f"  <general>\n{comment}  </general>\n" if language == "stf" else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE language>\n<!-- {BEGIN} -->\n'
        f'<language name="{TITLES[language]}" section="Markup" version="1" kateversion="5.79" '
        f'extensions="{";".join(wildcards(language))}" license="MIT" author="The authors of llmblocks">\n'
        f"  <highlighting>\n    <contexts>\n{''.join(contexts)}    </contexts>\n"
        f"    <itemDatas>\n{styles}    </itemDatas>\n  </highlighting>\n{general}</language>\n"
    )


def _context(name: str, style: str, *rules: str, end: str = "#stay") -> str:
    inside = "".join(f"        {rule}\n" for rule in rules)
    return f'      <context name="{name}" attribute="{style}" lineEndContext="{end}">\n{inside}      </context>\n'


def _rule(style: str, pattern: str, context: str = "#stay", *, ahead: bool = False, **more: str) -> str:
    options = {"column": "0"} if pattern.startswith("^") else {}
    options |= ({"lookAhead": "true"} if ahead else {}) | more
    written = "".join(f' {name}="{value}"' for name, value in options.items())
    return f'<RegExpr attribute="{style}" context="{context}" String="{escape(pattern)}"{written}/>'


def _include(context: str) -> str:
    return f'<IncludeRules context="{context}"/>'


def _start(key: str) -> str:
    return _rule("Keyword", "!!!GADGET_START:", f"{key} header", beginRegion="call")


def _text() -> str:
    stray = _rule("Error", "!!!(ARG:|GADGET_END)")
    return _context("Text", "Text", _start("Text"), stray, _include("##Custom Blocks"))


def _messages() -> Iterable[str]:
    """Calls have their colours in each message, as `Text`: what runs is a matter of the server."""
    header = r"^=== (SYSTEM|USER|ASSISTANT) ===\s*$"
    yield _context(
        "Text",
        "Text",
        _rule("Keyword", header),
        _rule("Keyword", r"^Result \((?=[^():]+\): )", "Result"),
        _rule("Comment", r"^\[Media: .*$"),
        _start("Text"),
        _rule("Keyword", "!!!(ARG:|GADGET_END)"),
        _include("##Custom Blocks"),
    )
    yield _context("Result", "Id", _rule("Keyword", r"\): ", "#pop"), end="#pop")
    yield from _calls("Text", header, [])


def _calls(key: str, stop: str, around: list[str]) -> Iterable[str]:
    """Yield the contexts of a call.

    `stop` is a pattern that ends it, `around` are rules of the text around it.
    """
    stops = [_rule("Text", stop, "#pop", ahead=True, endRegion="call")] if stop else []
    yield _context(f"{key} header", "Name", _rule("Id", ":[^:]*"), end=f"#pop!{key} call")
    yield _context(
        f"{key} call",
        "Comment",
        *stops,
        *around,
        _rule("Keyword", "!!!GADGET_END", "#pop", endRegion="call"),
        _rule("Keyword", "!!!GADGET_START:", "#pop", ahead=True, endRegion="call"),
        _rule("Keyword", "!!!ARG:", f"{key} pointer"),
    )
    yield _context(f"{key} pointer", "Key", _rule("Number", r"\b[0-9]+(?=\s*(/|$))"), end=f"#pop!{key} value")
    ends = "!!!(ARG:|GADGET_START:|GADGET_END)"
    values = [_rule("Text", stop, "#pop", ahead=True)] if stop else []
    yield _context(f"{key} value", "Value", *values, *around, _rule("Text", ends, "#pop", ahead=True))


def _blocks() -> Iterable[str]:
    # no tag begins after a letter
    tag = r"(</|(?<!\w)<)[A-Za-z_][\w\-]*(?=(\s[^<>]*)?/?>)"
    yield _context("Text", "Text", _rule("Keyword", tag, "Attributes"))
    value = _rule("Value", "\"[^\"]*\"|'[^']*'")
    yield _context("Attributes", "Text", _rule("Keyword", "/?>", "#pop"), _rule("Key", r"[\w\-]+(?=\s*=)"), value)


def _chat() -> Iterable[str]:
    comment = r"(#|//|/\*|\*/)"
    yield _context(
        "Start",
        "Text",
        *(
            _rule("Text", pattern, dialect.key.title(), ahead=True)
            for dialect in DIALECTS
            for pattern in (rf"^{dialect.header}[ \t]*{comment}", _command(dialect, dialect.commands))
        ),
    )
    for dialect in DIALECTS:
        yield from _dialect(dialect, dialect.key.title())
    yield _context(
        "Arguments",
        "Text",
        _rule("Key", r"[A-Za-z_][\w$]*(?=\s*[=:])"),
        _rule("Value", r'"([^"\\]|\\.)*"' + r"|'([^'\\]|\\.)*'"),
        _rule("Number", r"[\-+]?\b(0x[0-9A-Fa-f]+|[0-9]+(\.[0-9]*)?)\b"),
        end="#pop",
    )


def _command(dialect: Dialect, words: Iterable[str]) -> str:
    return rf"^{dialect.header}[ \t]*({'|'.join(words)})(?![A-Za-z0-9])"


def _dialect(dialect: Dialect, key: str) -> Iterable[str]:
    header, block = dialect.header, f"{key} block comment"
    opened, closed = rf"^{header}[ \t]*/\*.*$", rf"^{header}[ \t]*\*/.*$"
    comments = [_rule("Comment", opened, block, beginRegion="comment"), _rule("Comment", rf"^{header}[ \t]*(#|//).*$")]
    yield _context(
        key,
        "Text",
        *comments,
        _rule("Escape", rf"^{header}(?={header})"),
        _rule("Keyword", _command(dialect, dialect.commands), "Arguments"),
        _rule("Error", rf"^{header}(?!{header}).*$"),
        _start(key),
        _include("##Custom Blocks"),
    )
    nested = _rule("Comment", opened, block, beginRegion="comment")
    yield _context(block, "Comment", nested, _rule("Comment", closed, "#pop", endRegion="comment"))
    yield from _calls(key, _command(dialect, (*dialect.messages, "raw")), comments)
