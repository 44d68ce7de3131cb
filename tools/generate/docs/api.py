"""The public names in the pages of the library: each as a stub has it, with its docstring."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import reduce
from typing import Final

from tools.generate.generated import BEGIN, ROOT, between, read

_MARK: Final = re.compile(rf"{BEGIN}: (llmblocks[\w.]*)\.(\w+) ")
_CUT: Final = "# the next name"
_MARKDOWN: Final = (
    (re.compile(r"\n+(Args|Raises|Attributes):\n"), r"\n\n**\1:**\n\n"),
    (re.compile(r"\n+(Returns|Yields|Source):\s+"), r"\n\n**\1:** "),
    (re.compile(r"\n {4}(\w+(?:, \w+)*): "), r"\n- `\1`: "),
    (re.compile(r"\n +"), "\n"),
)
"""From a docstring to Markdown, in this order."""
_DECORATORS: Final = ("property", "cached_property", "classmethod", "staticmethod", "overload", "dataclass")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def texts() -> dict[str, str]:
    """Return the pages of the library."""
    pages = {f"docs/api/{path.name}": "" for path in sorted((ROOT / "docs" / "api").glob("*.md"))}
    found = [(page, module, name) for page in pages for module, name in _MARK.findall(read(page))]
    names = [_stub_and_doc(module, name) for _, module, name in found]
    stubs = _formatted([stub for stub, _ in names])
    for (page, module, name), stub, (_, doc) in zip(found, stubs, names, strict=True):
        text = reduce(lambda text, step: step[0].sub(step[1], text), _MARKDOWN, doc).strip()
        made = f"\n### {name}\n\n```pyi\n{stub.strip()}\n```\n\n{text}\n\n"
        pages[page] = between(pages[page] or read(page), made, f"{module}.{name}")
    return pages


def _stub_and_doc(module: str, name: str) -> tuple[str, str]:
    """Find what defines a name. Raises `SystemExit` for one that is not there."""
    body = _body(module)
    for at, node in enumerate(body):
        if isinstance(node, ast.ImportFrom) and any(name in (each.asname, each.name) for each in node.names):
            return _stub_and_doc(str(node.module), name)
        if isinstance(node, ast.ClassDef) and node.name == name:
            doc, members = _class(node, module)
            node.body, node.decorator_list = [*_members(members)] or [_rest()], _kept(node)
            return ast.unparse(node), doc
        if isinstance(node, _Function) and node.name == name:
            doc, node.body = ast.get_docstring(node) or "", [_rest()]
            return ast.unparse(node), doc
        if isinstance(node, ast.Assign | ast.AnnAssign) and name in _targets(node):
            return ast.unparse(node), _text(body, at + 1)
    raise SystemExit(f"{module} has no {name}")


def _body(module: str) -> list[ast.stmt]:
    path = ROOT.joinpath("server", *module.split("."))
    files = (path / "__init__.pyi", path / "__init__.py", path.with_suffix(".py"))
    return ast.parse(next(each for each in files if each.exists()).read_text("utf-8")).body


def _class(node: ast.ClassDef, module: str) -> tuple[str, list[ast.stmt]]:
    """Return the docstring and the members of a class, with those of its private base."""
    doc = ast.get_docstring(node) or ""
    members = node.body[bool(doc) :]
    for base in _body(module):
        if isinstance(base, ast.ClassDef) and base.name.startswith("_") and base.name in map(ast.unparse, node.bases):
            doc, members = doc or ast.get_docstring(base) or "", [*base.body, *members]
            node.bases = base.bases
    return doc, members


def _members(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the public members: fields with their docstrings, and methods without their code."""
    for at, node in enumerate(body):
        if isinstance(node, _Function) and (not node.name.startswith("_") or node.name in ("__init__", "__new__")):
            if node.name == "__init__" and len(node.args.args + node.args.kwonlyargs) == 1 and not node.args.vararg:
                continue
            node.decorator_list = _kept(node)
            node.body = node.body[:1] if ast.get_docstring(node) else [_rest()]
            yield node
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not re.match("_|model_config$", _targets(node)[0]):
            yield node
            if text := _text(body, at + 1):
                yield ast.Expr(ast.Constant(" ".join(text.split())))


def _kept(node: ast.ClassDef | _Function) -> list[ast.expr]:
    names = [ast.unparse(each).partition("(")[0] for each in node.decorator_list]
    return [ast.Name(name) for name in names if name in _DECORATORS]


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    return [ast.unparse(each) for each in (node.targets if isinstance(node, ast.Assign) else [node.target])]


def _text(body: list[ast.stmt], at: int) -> str:
    """Return the docstring at a place of a body, or empty."""
    node = body[at] if at < len(body) else None
    return str(node.value.value) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else ""


def _rest() -> ast.stmt:
    return ast.Expr(ast.Constant(...))


def _formatted(stubs: list[str]) -> list[str]:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length=100", "--stdin-filename=a.pyi", "-"]
    text = f"\n{_CUT}\n".join(stubs)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.split(_CUT)
