"""The tree-sitter grammars, built with the C compiler of this machine and loaded into this process."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tree_sitter import Language, Node, Parser

from editors.debian import ROOT, UnavailableError, only_one

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
    """Return a grammar as tree-sitter loads it. Raises `UnavailableError` without a C compiler."""
    function = getattr(ctypes.CDLL(str(library(name))), f"tree_sitter_{symbol(name)}")
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


def shape(node: Node) -> str:
    """Return a tree as text: everything that can differ between two of them."""
    inside = "".join(f" {shape(child)}" for child in node.children)
    return f"({node.type} {node.start_byte}-{node.end_byte}{inside})"
