"""The tree-sitter grammars, built with the C compiler of this machine and loaded into this process; trees as tokens.

`kinds` of `Leaves` names the nodes that are one token each, with their parent where that matters; what is below them is
not read. `gaps` names the kinds of the text of a node that no child covers: the newlines that end a pointer and a value
have no nodes. The last kind takes the rest of that text, each one before it a character. A node in neither table is
read through. Together, the tokens cover the text, as those of a scanner do.
"""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tree_sitter import Language, Node, Parser, Point, Tree

from editors.debian import ROOT, UnavailableError, only_one
from editors.programs import available
from llmblocks.core.scan import Kind, Scanner, Token, canonical
from llmblocks.gadget import kinds as gadget
from llmblocks.request import scanner as request
from llmblocks.stf import kinds as stf
from llmblocks.tags import kinds as tags

HOME = ROOT / "editors" / "tree-sitter"
CACHE = ROOT / ".cache" / "tree-sitter"
NAMES = ("gadget", "request", "stf", "custom-blocks")


def library(name: str) -> Path:
    """Return the shared library of a grammar, built once for each state of its sources.

    Raises `UnavailableError` without a C compiler.
    """
    compiler = shutil.which("cc")
    if not compiler:
        raise UnavailableError("no C compiler to build the grammars with: apt-get install gcc libc6-dev")
    source = HOME / name / "src"
    files = [source / "parser.c", source / "scanner.c"]
    state = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
    built = CACHE / "built" / state / f"{symbol(name)}.so"
    with only_one(CACHE):
        if not built.exists():
            built.parent.mkdir(parents=True, exist_ok=True)
            command = [compiler, "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]
            command += ["-shared", "-fPIC", "-I", str(source), "-o", str(built), *map(str, files)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            assert done.returncode == 0, done.stderr
    return built


def symbol(name: str) -> str:
    """Return the name of a grammar where only words are names."""
    return name.replace("-", "_")


@cache
def language(name: str) -> Language:
    """Return a grammar as tree-sitter loads it. Without a C compiler, the test is skipped."""
    function = getattr(ctypes.CDLL(str(available(lambda: library(name)))), f"tree_sitter_{symbol(name)}")
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(capsule(function(), b"tree_sitter.Language", None))


def parser(name: str) -> Parser:
    """Return a parser of a grammar."""
    return Parser(language(name))


def nodes(node: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the text."""
    yield node
    for child in node.children:
        yield from nodes(child)


def point(source: bytes, at: int) -> Point:
    """Return the place of a byte."""
    return Point(source.count(b"\n", 0, at), at - (source.rfind(b"\n", 0, at) + 1))


def shape(node: Node) -> str:
    """Return a tree as text: everything that can differ between two of them."""
    inside = "".join(f" {shape(child)}" for child in node.children)
    return f"({node.type} {node.start_byte}-{node.end_byte}{inside})"


class Leaves(NamedTuple):
    """The correspondence of a grammar with a scanner."""

    kinds: Mapping[str, Kind]
    gaps: Mapping[str, tuple[Kind, ...]]


GADGET = Leaves(
    kinds={
        "text": gadget.TEXT,
        "stray_marker": gadget.STRAY,
        "start_marker": gadget.START,
        "header": gadget.HEADER,
        "ignored": gadget.IGNORED,
        "argument_marker": gadget.ARG,
        "pointer": gadget.POINTER,
        "string": gadget.VALUE,
        "number": gadget.VALUE,
        "boolean": gadget.VALUE,
        "end_marker": gadget.END,
    },
    gaps={"call": (gadget.HEADER_END,), "argument": (gadget.POINTER_END, gadget.VALUE)},
)
REQUEST = Leaves(
    kinds={
        "sign": request.SIGN,
        "role": request.ROLE,
        "\n": request.LINE_END,
        "response": request.TEXT,
        "marker": request.EXAMPLE,
        "example_header": request.EXAMPLE_HEADER,
        "example_pointer": request.EXAMPLE_POINTER,
        "Result (": request.RESULT,
        "invocation_id": request.RESULT_ID,
        "): ": request.RESULT_END,
        "output": request.OUTPUT,
        "media": request.MEDIA,
    },
    gaps={"prompt": (request.PROMPT,)},
)
COMMANDS = {
    "message_command": stf.MESSAGE_NAME,
    "raw_command": stf.RAW_NAME,
    "block_command": stf.BLOCK_NAME,
    "line_command": stf.LINE_NAME,
    "flush_command": stf.FLUSH_NAME,
    "end_command": stf.END_NAME,
    "stray_end_command": stf.STRAY_END,
    "unknown_command": stf.UNKNOWN_NAME,
}
LINES = ("malformed_line", "stray_comment_end", "comment", "block_comment")
STF = Leaves(
    kinds={
        "escape": stf.ESCAPE,
        "body": stf.BODY,
        "sign": stf.HEADER,
        **{f"{command} command_name": kind for command, kind in COMMANDS.items()},
        "arguments": stf.ARGUMENTS,
        "\n": stf.LINE_END,
        "malformed_line invalid": stf.MALFORMED,
        "comment comment_text": stf.COMMENT_LINE,
        "/*": stf.COMMENT_OPEN,
        "*/": stf.COMMENT_CLOSE,
        "comment_text": stf.COMMENT,
        "stray_comment_end invalid": stf.STRAY_CLOSE,
    },
    gaps={"content": (stf.TEXT,)} | dict.fromkeys((*COMMANDS, *LINES), (stf.BLANK,)),
)
TAGS = Leaves(
    kinds={
        "text": tags.TEXT,
        "<": tags.OPENING,
        "tag_name": tags.NAME,
        "attribute_name": tags.ATTRIBUTE,
        "=": tags.EQUALS,
        "quote": tags.QUOTE,
        "attribute_value": tags.VALUE,
        ">": tags.OPENED,
        "/>": tags.SELF_CLOSED,
        "content": tags.CONTENT,
        "</": tags.CLOSING,
        "end_tag >": tags.CLOSED,
    },
    gaps=dict.fromkeys(("start_tag", "self_closing_tag", "unfinished_tag", "attribute"), (tags.GAP,)),
)


def tokens_of_tree(tree: Tree, text: str, leaves: Leaves) -> list[Token]:
    """Return the tokens that a tree says, joined as `canonical` joins them."""
    source = text.encode()
    found, at = [], 0
    for kind, start, end in spans(tree.root_node, leaves):
        assert start == at, f"{text!r}: nothing covers the bytes {at} to {start} in {tree.root_node}"
        found.append(Token(kind, len(source[start:end].decode())))
        at = end
    assert at == len(source), f"{text!r}: nothing covers the end from byte {at} on in {tree.root_node}"
    return canonical(found)


def scanned(scanner: Scanner, text: str) -> Iterator[Token]:
    """Yield the tokens of a whole text."""
    at, state = 0, scanner.initial
    while at < len(text):
        found = scanner.scan(text, at, len(text), state, True)
        yield from found.tokens
        assert found.end > at
        at, state = found.end, found.state


def tokens_of_scanner(scanner: Scanner, text: str) -> list[Token]:
    """Return the tokens of a whole text as a tree can have them: there, the path of a resource is data as any other."""
    return canonical([stf.BODY.of[each.width] if each.kind is stf.PATH else each for each in scanned(scanner, text)])


def spans(node: Node, leaves: Leaves) -> Iterator[tuple[Kind, int, int]]:
    """Yield the tokens of a node, with their places in bytes."""
    parent = node.parent.type if node.parent else ""
    kind = leaves.kinds.get(f"{parent} {node.type}") or leaves.kinds.get(node.type)
    if kind is not None:
        yield kind, node.start_byte, node.end_byte
        return
    gaps, at = list(leaves.gaps.get(node.type, ())), node.start_byte
    for child in node.children:
        yield from _gap(gaps, at, child.start_byte)
        yield from spans(child, leaves)
        at = child.end_byte
    yield from _gap(gaps, at, node.end_byte)


def _gap(gaps: list[Kind], start: int, end: int) -> Iterator[tuple[Kind, int, int]]:
    while gaps and start < end:
        if len(gaps) == 1:
            yield gaps[0], start, end
            return
        yield gaps.pop(0), start, start + 1
        start += 1
