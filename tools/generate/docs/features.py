"""The features of the language server by format, each with a sample.

`make generate` makes a page of them, and a test asks for each.
"""

from __future__ import annotations

from typing import Final, NamedTuple

FORMATS: Final = {
    "gadget": "gadget calls",
    "stf": "Simple Text Format",
    "custom-blocks": "custom blocks",
    "completion": "raw completions",
}
"""The language ids, with the headings of their columns."""

CALLS: Final = """\
!!!GADGET_START:Read:r1
!!!ARG:path
007
!!!GADGET_END
!!!GADGET_START:Read:r2:r1
!!!ARG:all
tr
"""
CHAT: Final = """\
@user id=q1 name=Ada
hello
@ai
@call id=c1 name=f
{a: 1}
@tool call_id=c1
done
"""
BLOCKS: Final = "a <think depth=2>\nx\n</think>\n<think>y</think>\n"
RAW: Final = """\
<think>
where
</think>
<tool_call>
{"name": "Read", "arguments": {"path": "a", "all": true}}
</tool_call>
"""
SAMPLES: Final = {"gadget": CALLS, "stf": CHAT, "custom-blocks": BLOCKS, "completion": RAW}
"""A sample of each format. A feature that a format lacks gives nothing there."""


class Feature(NamedTuple):
    """A feature."""

    name: str
    method: str
    about: tuple[str, ...]
    """Whether in each format what it is about, empty where the format lacks it.

    A sample has a `$0` where the position is; without one, that of the format counts.
    """
    samples: tuple[str, ...] = ("", "", "")
    more: tuple[tuple[str, object], ...] = ()
    """Further parameters."""
    nests: bool = True
    """Whether what it does for calls and blocks it does inside other formats too."""


def _at(sample: str, place: str) -> str:
    """Return a sample with the position inside a part of it."""
    found = place.replace("$0", "")
    assert found in sample, place
    return sample.replace(found, place, 1)


def _each(calls: str, chat: str, blocks: str) -> tuple[str, str, str]:
    return (_at(CALLS, calls), _at(CHAT, chat), _at(BLOCKS, blocks))


_ANYWHERE: Final = _each("007$0", "hel$0lo", "x$0")
_IDS: Final = _each("Read:r$01", "call_id=c$01", "</thi$0nk")
_CALL: Final = (_at(CALLS, "Re$0ad:r1"), *_ANYWHERE[1:])
_MISTAKES: Final = (CALLS.replace("all", "path\n1\n!!!ARG:path"), CHAT + "@*/\n")
_TAB: Final = (("options", {"tabSize": 2, "insertSpaces": True}),)
_ABOUT_IDS: Final = ("ids", "ids", "tags of a block")
_FEATURES: Final = (
    Feature(
        "Diagnostics",
        "textDocument/diagnostic",
        ("rules G…", "rules S…", "rules T…"),
        (*_MISTAKES, BLOCKS + "<think>"),
    ),
    Feature(
        "Hover",
        "textDocument/hover",
        ("markers, headers, pointers, values", "commands, arguments, JSON5, comments", "tags, attributes"),
        _each("Re$0ad:r1", "@u$0ser", "<thi$0nk"),
    ),
    Feature(
        "Completion",
        "textDocument/completion",
        (
            "calls, gadgets, pointers, values, ids",
            "commands, arguments, roles, names, keys",
            "tags, attributes, values",
        ),
        (_at(CALLS, "tr$0"), f"{CHAT}@us$0\n", f"{BLOCKS}<thi$0"),
    ),
    Feature(
        "Signature help",
        "textDocument/signatureHelp",
        ("parameters of the gadget", "", ""),
        (_at(CALLS, "tr$0"), *_ANYWHERE[1:]),
    ),
    Feature(
        "Folding",
        "textDocument/foldingRange",
        ("calls, arguments", "messages, blocks, comments, runs of comment lines", "blocks"),
    ),
    Feature(
        "Outline", "textDocument/documentSymbol", ("calls, arguments", "messages, blocks, calls of tools", "blocks")
    ),
    Feature(
        "Search in the workspace",
        "workspace/symbol",
        ("gadgets, ids", "message ids, call ids", "blocks"),
        more=(("query", ""),),
    ),
    Feature(
        "Definition",
        "textDocument/definition",
        ("ids; gadgets and parameters in schema files", "ids", "tags of a block"),
        _each("r2:r$01", "call_id=c$01", "</thi$0nk"),
    ),
    Feature("References", "textDocument/references", _ABOUT_IDS, _IDS, (("context", {"includeDeclaration": True}),)),
    Feature("Highlight", "textDocument/documentHighlight", _ABOUT_IDS, _IDS),
    Feature("Rename", "textDocument/rename", _ABOUT_IDS, _IDS, (("newName", "answer"),)),
    Feature(
        "Linked editing",
        "textDocument/linkedEditingRange",
        ("", "", "tags of a block"),
        (*_ANYWHERE[:2], _at(BLOCKS, "<thi$0nk")),
    ),
    Feature(
        "Call hierarchy",
        "textDocument/prepareCallHierarchy",
        ("which call waits for which", "", ""),
        (_at(CALLS, "Read:r$02"), *_ANYWHERE[1:]),
    ),
    Feature(
        "Semantic tokens",
        "textDocument/semanticTokens/full",
        ("markers, names, ids, pointers", "commands, arguments, JSON5, comments", "tags, attributes"),
    ),
    Feature("Inlay hints", "textDocument/inlayHint", ("values that change on arrival, waves, implicit ends", "", "")),
    Feature("Code lenses", "textDocument/codeLens", ("run order, obstacles, parameters", "", "")),
    Feature(
        "Links",
        "textDocument/documentLink",
        ("schema files of gadgets", "embedded resources", ""),
        ("", f"{CHAT}@ai\n@embed type=image\nhttps://example.com/a.png\n", ""),
    ),
    Feature(
        "Growing selection",
        "textDocument/selectionRange",
        ("value, argument, call", "word, argument, command, message", "tag, content, block"),
    ),
    Feature(
        "Formatting",
        "textDocument/formatting",
        ("headers, indices, end markers, blank lines", "quotes, also in JSON5", "spaces between attributes"),
        ("!!!GADGET_START:A:a:b:c\n!!!GADGET_END\n", "@user id=\"a\" name='b'\nhi\n", "<think  a=1>x</think>\n"),
        _TAB,
        nests=False,
    ),
    Feature(
        "Formatting while typing",
        "textDocument/onTypeFormatting",
        ("end markers", "ends of blocks and comments", "closing tags"),
        ("!!!GADGET_START:A\n$0", "@/*\n$0", "<think>$0\n"),
        _TAB,
    ),
    Feature(
        "Code actions",
        "textDocument/codeAction",
        ("fixes, refactorings", "fixes, refactorings", "fixes"),
        (*_MISTAKES, BLOCKS + "</think>\n"),
        (("context", {"diagnostics": []}),),
    ),
    Feature("Parameters as JSON", "llmblocks.showParameters", ("as the gadget receives them", "", ""), _CALL),
    Feature("Transcript as JSON", "llmblocks.showTranscript", ("calls, blocks, text", "messages", "blocks, text")),
    Feature("Stream, chunk by chunk", "llmblocks.showStream", ("events, held text",) * 3),
    Feature("Graph of calls", "llmblocks.showGraph", ("as Mermaid or SVG", "", "")),
)
_IN_VALUE: Final = _at(RAW, "tr$0ue")
_OF_COMPLETIONS: Final = {
    "Diagnostics": ("rules M…", RAW.replace('"Read",', '"Read"')),
    "Hover": ("delimiters, contents, values", _at(RAW, "<tool_$0call>")),
    "Completion": ("delimiters, tools, arguments", f"{RAW}<tool$0"),
    "Signature help": ("parameters of the tool", _IN_VALUE),
    "Folding": ("regions", ""),
    "Outline": ("regions, calls", ""),
    "Semantic tokens": ("delimiters, reasoning, JSON, arguments", ""),
    "Growing selection": ("region", _IN_VALUE),
    "Code actions": ("fixes", f"{RAW}</think>"),
    "Transcript as JSON": ("message", ""),
    "Stream, chunk by chunk": ("events, held text", ""),
}
"""The subject of each feature in raw completions, and a sample."""
FEATURES: Final = tuple(
    each._replace(about=(*each.about, about), samples=(*each.samples, sample or _IN_VALUE))
    for each in _FEATURES
    for about, sample in (_OF_COMPLETIONS.get(each.name, ("", "")),)
)


def features_page() -> str:
    """Return the page of all features."""
    lines = [
        "# Features\n",
        "What the language server does in each format. Formats nest: every feature also works for the calls and blocks",
        "in the messages of a chat, and for blocks around calls. The exception is formatting: the text of a message is",
        "a value, which formatting never changes. Tests request each feature in each format, alone and nested; where",
        "the table has `—`, the answer is empty.\n",
        f"| feature | {' | '.join(FORMATS.values())} |",
        f"|{'---|' * (1 + len(FORMATS))}",
        *[f"| {each.name} | {' | '.join(about or '—' for about in each.about)} |" for each in FEATURES],
    ]
    return "\n".join(lines) + "\n"
