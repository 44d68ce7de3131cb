"""The static grammars and our scanners see the same tokens.

Not compared: white space; a header that no newline ends (the scanner takes it back, a grammar cannot); custom markers
and tags that settings register (a static grammar cannot know them).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.grammars.textmate import ROOT, tokenize
from editors.treesitter.grammars import scanned
from laws.completions import GOOD
from llmblocks.completions.machine import machine_of, regions_of
from llmblocks.completions.shipped import find_template
from llmblocks.core.scan import Kind, Scanner
from llmblocks.gadget import kinds as gadget
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from llmblocks.stf import kinds as stf
from llmblocks.tags import kinds as tags

Scopes = frozenset[str]
Expectation = Callable[[Scopes], bool]
Expectations = dict[Kind, tuple[Expectation, ...]]


def has(*prefixes: str) -> Expectation:
    """Return one of the scopes begins like one of these."""
    return lambda scopes: any(scope.startswith(prefixes) for scope in scopes)


def without(*prefixes: str) -> Expectation:
    """None of the scopes begins like any of these."""
    return lambda scopes: not any(scope.startswith(prefixes) for scope in scopes)


# what ends a line in editors; U+2028 does not
LINE_END = re.compile(r"\r\n|\r|\n")
MARKERS = ("keyword.control.start.gadget", "keyword.control.argument.gadget", "keyword.control.end.gadget")
IN_CALL = without(*MARKERS, "entity.other.attribute-name.pointer", "comment.block.ignored", "invalid.illegal.stray")

TAG_SCOPES = {
    "punctuation.definition.tag.begin": (tags.OPENING, tags.CLOSING),
    "punctuation.definition.tag.end": (tags.OPENED, tags.SELF_CLOSED, tags.CLOSED),
    "entity.name.tag.custom-blocks": (tags.NAME,),
    "entity.other.attribute-name.custom-blocks": (tags.ATTRIBUTE,),
    "punctuation.separator.key-value": (tags.EQUALS,),
    "punctuation.definition.string": (tags.QUOTE,),
    "string.quoted.custom-blocks": (tags.VALUE,),
}
# what is not a registered tag may still look like one; tags in a code fence are coloured as that code
TAGS: Expectations = dict.fromkeys((tags.TEXT, tags.CONTENT, tags.GAP), ()) | {
    kind: (has(scope, "markup.fenced_code"),) for scope, kinds in TAG_SCOPES.items() for kind in kinds
}
GADGET: Expectations = {
    **TAGS,
    **dict.fromkeys((tags.TEXT, tags.CONTENT), (without("meta.call.gadget", "invalid.illegal.stray", *MARKERS),)),
    gadget.STRAY: (has("invalid.illegal.stray-marker.gadget"),),
    gadget.START: (has("keyword.control.start.gadget"),),
    gadget.HEADER: (
        has("meta.call.gadget"),
        has("entity.name.function", "variable.other.constant.invocation", "variable.other.readwrite", "punctuation"),
    ),
    gadget.IGNORED: (has("comment.block.ignored.gadget"),),
    gadget.ARG: (has("keyword.control.argument.gadget"),),
    gadget.POINTER: (
        has("entity.other.attribute-name.pointer", "constant.numeric.index", "punctuation.separator.pointer"),
        without(*MARKERS),
    ),
    gadget.VALUE: (has("meta.call.gadget"), IN_CALL),
    gadget.END: (has("keyword.control.end.gadget"),),
}

GADGET_PIECES = (
    "!!!GADGET_START:", "!!!GADGET_START:Name\n", "!!!GADGET_START:Name:id:a, b\n", "!!!GADGET_START:WriteFile\n",
    "!!!ARG:", "!!!ARG:a/0/b\n", "!!!ARG:filePath\nsrc/a.ts\n", "!!!ARG:path\nb.py\n", "!!!ARG:content\n",
    "!!!ARG:language\n", "!!!GADGET_END", "!!!GADGET_END\n", "!!!GADGET", "!!!gadget_end\n", "!!!!ARG:x\n",
    "\n", "\n", "\n\n", "text", " 42\n", "true\n", "3 < 4 ", "```ts\n", "```\n", "````\n", "`", '"', "/*", "{ [",
    "const a = `x\n", "<think a=1>", "</think>", "def f():\n", "python\n", ":", ",", "/", "=== USER ===\n", "\r\n",
    "é😀\u2028", "!!!ARG:a\n!!!GADGET_START:B\n", "!!!ARG:content\n<think>```\n", "````md\n```ts\n```\n````\n",
    "<answer><think>", "</think></answer>\n", "!!!ARG:a/!!!ARG:b\n", "1e5\n", "-3.5\n", "1.5e3",
)  # fmt: skip

COMMENT = has("comment.line.stf", "comment.block.stf", "comment.line.ignored.stf")
COMMAND = without("comment.line.stf", "comment.block.stf")
STF: Expectations = GADGET | {
    **dict.fromkeys(
        (tags.TEXT, tags.CONTENT), (*GADGET[tags.TEXT], COMMAND, without("meta.command", "invalid.illegal.comm"))
    ),
    stf.PLAIN_TEXT: (),  # with a default role, which settings say, it would be a message
    stf.BYTE_ORDER_MARK: (),  # editors take it away before a grammar sees the line
    stf.ESCAPE: (has("constant.character.escape.stf"),),
    stf.BODY: (has("meta.command.block.stf", "meta.command.call.stf"), COMMAND),
    stf.PATH: (has("meta.command.embed.stf"), COMMAND),
    stf.HEADER: (has("punctuation.definition", "comment.block.stf", "invalid.illegal.command-line.stf"),),
    stf.MESSAGE_NAME: (has("keyword.control.message.stf"), COMMAND),
    stf.RAW_NAME: (has("keyword.other.command.stf"), COMMAND),
    stf.BLOCK_NAME: (has("keyword.other.command.stf"), COMMAND),
    stf.LINE_NAME: (has("keyword.other.command.stf"), COMMAND),
    stf.END_NAME: (has("keyword.other.end.stf"), COMMAND),
    stf.FLUSH_NAME: (has("keyword.control.message.stf"), COMMAND),
    stf.STRAY_END: (has("invalid.illegal.command.stf"), COMMAND),
    stf.UNKNOWN_NAME: (has("invalid.illegal.command.stf"), COMMAND),
    stf.ARGUMENTS: (has("meta.command"), without("comment.line.stf", "comment.block.stf")),
    stf.MALFORMED: (has("invalid.illegal.command-line.stf"),),
    stf.COMMENT_LINE: (COMMENT,),
    stf.COMMENT_OPEN: (has("comment.block.stf"),),
    stf.COMMENT_CLOSE: (has("comment.block.stf"),),
    stf.STRAY_CLOSE: (has("invalid.illegal.comment-end.stf"),),
    stf.COMMENT: (COMMENT,),
}

# "H" stands for the header of the dialect
STF_PIECES = (
    "Huser\n", "H ai name=x\n", "H\tmsg {role:'tool', /* c */ id:\"1\"} // c\n", 'Hmessage role="a b" bad\n', "HUser\n",
    "Hraw\n", "Hend\n", "Hend of it\n", "Hcall name=a\n", "Hembed type=image\n", "Hmeta\n", "Hextra x\n", "Hflush\n",
    "H# c\n", "H // c\n", "H/* c\n", "H*/\n", "H */ c\n", "HHx\n", "H!\n", "H\n", "Hbogus a=1\n", "Huserx\n",
    "@user\n", ";ai\n",
    "{a: 'b', // c\n", '"open: /* \n', "}\n", "text\n", "x ", "\n", "https://example.org\n", "\r\n", "HH@;\n",
    "!!!GADGET_START:Name:id\n", "!!!ARG:path\nsrc/a.ts\n", "!!!ARG:content\n", "!!!ARG:x\n", "!!!GADGET_END\n",
    "!!!GADGET_END", "```py\n", "```\n", "const a = `x\n", "<think>", "H/* a\nH/* b\nH# c\nH*/\nstill\n",
    "Huser\n!!!GADGET_START:A\nH# c\n!!!ARG:x\nH/*\n!!!ARG:y\nH*/\n!!!GADGET_END\n", "H@\n", "HHend\n",
    "Hmeta\n{a: 'b', // c\nH# c\nb: 2}\nHend\n", "Hextra x='1'\n[\nH/*\n]\nH*/\n", "H end\n", "H\tflush x\n",
    "Hraw\n{role: 'ai',\nHHx\n!!!ARG:a\n", "Hcall {a: 1}\nH# c\n", "Hembed\nHHa.png\n", "<think><answer>a</answer>\n",
)  # fmt: skip

TAG_PIECES = (
    "<think>", "</think>", "<answer>", "</answer>", '<think a="1" b=\'two words\' c>', '<think\n\ta="1"\n b=2\n>',
    "<tool/>", "<tool />", "<tool x=1/>", '<think a="<b">', "<think AbC = x-y_z.9>", "<think a='it' b>", "<<think>",
    "<<", "<b>", "<", "</think >", "3 < 4 ", "text", "\n", "\n\n", "é😀\u2028", ">", '"', "<br/>", "<thinking>",
    "</thinking>", "<Think>", "<think><answer>a</answer></think>", '<answer a="<think>">',
    "<think>\n<answer>\n</think>\n", "<answer a='<b>'/>",
)  # fmt: skip


def documents(pieces: tuple[str, ...], count: int) -> Iterator[str]:
    """Texts of marker pieces, the same ones in every run; each ends its last line."""
    chance = random.Random(7)
    for _ in range(count):
        yield "".join(chance.choices(pieces, k=chance.randrange(1, 30))) + "\n"


def examples(suffix: str) -> list[str]:
    """Return the example documents that people get to see, and the fixtures of this folder."""
    folders = (ROOT / "docs" / "examples", Path(__file__).parent / "snapshots")
    found = sorted(path for folder in folders for path in folder.rglob(f"*{suffix}"))
    return [path.read_bytes().decode() for path in found]


def disagreements(scanner: Scanner, scope: str, kinds: Expectations, texts: list[str]) -> list[str]:
    """The differences between scanner and grammar, by text, token kind and scopes."""
    found = []
    for text, scoped in zip(texts, tokenize(scope, texts), strict=True):
        starts = [0, *(end.end() for end in LINE_END.finditer(text))]
        scopes = {
            starts[line] + at: frozenset(names)
            for line, start, end, names in scoped
            for at in range(*(code_points(text, starts[line], column) for column in (start, end)))
        }
        at = 0
        for kind, width in scanned(scanner, text):
            for place in range(at, at + width):
                seen = scopes.get(place, frozenset())
                if not text[place].isspace() and not all(right(seen) for right in kinds[kind]):
                    found.append(f"{text!r} at {place}: {kind} {text[at : at + width]!r} has {sorted(seen)}")
                    break
            at += width
    return found


def code_points(text: str, start: int, column_utf16: int) -> int:
    """Count the code points from `start` on that make this many UTF-16 units."""
    return len(text[start : start + column_utf16].encode("utf-16-le")[: 2 * column_utf16].decode("utf-16-le"))


def agree(language_id: str, kinds: Expectations, texts: list[str], **settings: Any) -> None:
    """A grammar sees the tokens of the scanner of its language."""
    scanner = find_language(language_id).scanner(DEFAULTS._replace(**settings))
    found = disagreements(scanner, f"source.{language_id}", kinds, texts)
    assert not found, "\n".join(found[:10])


def test_the_gadget_grammar_agrees_with_the_scanner() -> None:
    # a last header that nothing follows is text to the scanner
    agree("gadget", GADGET, [*documents(GADGET_PIECES, 400), *examples(".gadget")])


@pytest.mark.parametrize("header", ["@", ";"])
def test_the_stf_grammar_agrees_with_the_scanners(header: str) -> None:
    # the first line decides the dialect
    texts = [f"{header}# first\n" + text.replace("H", header) for text in documents(STF_PIECES, 500)]
    agree("stf", STF, texts + examples(".stf"), default_role="user")


def test_the_custom_blocks_grammar_agrees_with_the_scanner() -> None:
    agree("custom-blocks", TAGS, [*documents(TAG_PIECES, 400), *examples(".blocks")])


@pytest.mark.parametrize("name", GOOD)
def test_the_grammar_of_completions_colours_the_delimiters_of_every_template(name: str) -> None:
    machine = machine_of(find_template(name).template)
    for text, scoped in zip(GOOD[name], tokenize("source.completion", GOOD[name]), strict=True):
        starts = [0, *(end.end() for end in LINE_END.finditer(text))]
        signs = [
            range(starts[line] + start, starts[line] + end)
            for line, start, end, scopes in scoped
            if "keyword.control.delimiter.completion" in scopes
        ]
        for region in regions_of(machine, text):
            if region.field is None or not region.field.open:
                continue
            for start, end in ((region.start, region.content), (region.content_end, region.end)):
                is_coloured = any(start <= sign.start < end for sign in signs)
                assert start == end or is_coloured, (text[start:end], signs)
