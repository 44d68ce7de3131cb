"""Imports: the modules that they load, and the packages of people. pyproject.toml has the allowed ones."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import llmblocks
from wire import BASIC, did_open, notification, request

LOADED_LATE = ("pydantic", "pathspec", "json5", "jsonschema", "rich", "markdown_it")
"""Modules that must not be loaded on the path of a keystroke."""
PACKAGES = ("llmblocks", "llmblocks.gadget", "llmblocks.report", "llmblocks.stf", "llmblocks.tags")
BELOW = ("compose", "gadget", "stf", "tags")


def run(code: str) -> None:
    """Run a program in a new interpreter: what an earlier test imported is an attribute already."""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_there_and_listed_and_loaded_when_it_is_asked_for(package: str) -> None:
    run(f"""
import sys, {package} as p
before = set(sys.modules)
listed = dir(p)
assert set(sys.modules) == before
assert listed == sorted(set(listed))
assert len(p.__all__) == len(set(p.__all__))
assert set(p.__all__) <= set(listed)
assert [name for name in listed if not hasattr(p, name)] == []
""")
    run(f"from {package} import *; import {package} as p; assert set(p.__all__) <= set(globals())")


@pytest.mark.parametrize("name", BELOW)
def test_a_package_below_is_an_attribute(name: str) -> None:
    run(f"import llmblocks; assert '{name}' in dir(llmblocks); assert llmblocks.{name}.__name__ == 'llmblocks.{name}'")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_is_not_there_is_an_attribute_error(package: str) -> None:
    module = import_module(package)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        _ = module.nothing
    assert not hasattr(module, "__wrapped__")


@pytest.mark.parametrize(
    "module", ["llmblocks", *(f"llmblocks.{name}" for name in ("gadget", "request", "stf", "tags"))]
)
def test_importing_a_format_loads_nothing_heavy(module: str) -> None:
    run(f"import {module}, sys; assert [name for name in {LOADED_LATE!r} if name in sys.modules] == []")


@pytest.mark.parametrize("arguments", [["--version"], ["check", "a.gadget"]], ids=" ".join)
def test_a_command_loads_nothing_heavy(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.gadget").write_text("!!!GADGET_START:Search:s1\n!!!ARG:limit\n3\n!!!GADGET_END\n", "utf-8")
    assert _loaded(arguments).isdisjoint(LOADED_LATE)


def test_a_server_has_found_the_first_mistake_before_it_loads_anything_else(tmp_path: Path) -> None:
    text = "!!!GADGET_START:Search:s1\n!!!ARG:limit\n3\n!!!ARG:limit\n4\n!!!GADGET_END\n"
    # a file: its end is there as soon as its last message, so that the server is never idle
    sent, told = tmp_path / "sent", tmp_path / "told"
    sent.write_bytes(
        request(1, "initialize", BASIC) + notification("initialized", {}) + did_open("file:///a.gadget", text)
    )
    loaded = _loaded(["server", "--stdio"], sent, told)
    assert b"G101" in told.read_bytes()
    assert loaded.isdisjoint(LOADED_LATE)


def _loaded(arguments: list[str], stdin: Path | None = None, stdout: Path | None = None) -> set[str]:
    """Return the modules that a run of the command line has loaded when it is over."""
    code = (
        "import sys\nsys.argv[1:] = " + repr(arguments) + "\nfrom llmblocks.__main__ import main\n"
        "try:\n    main()\nfinally:\n    print('LOADED', *sys.modules, file=sys.stderr)"
    )
    with open(stdin or os.devnull, "rb") as read, open(stdout or os.devnull, "wb") as written:
        done = subprocess.run(
            [sys.executable, "-c", code], stdin=read, stdout=written, stderr=subprocess.PIPE, text=True
        )
    return set(done.stderr.rpartition("LOADED ")[2].split())


def test_two_classes_share_a_name_only_where_both_are_public() -> None:
    package = Path(llmblocks.__file__).parent
    public = {
        tuple(line.split()[1:4:2])
        for stub in package.rglob("__init__.pyi")
        for line in stub.read_text("utf-8").splitlines()
        if line.startswith("from ")
    }
    modules: dict[str, set[str]] = {}
    for file in package.rglob("*.py"):
        module = ".".join(file.relative_to(package.parent).with_suffix("").parts)
        for name in re.findall(r"^class (\w+)", file.read_text("utf-8"), re.MULTILINE):
            modules.setdefault(name, set()).add(module)
    assert {
        name: found
        for name, found in modules.items()
        if len(found) > 1 and not all((module, name) in public for module in found)
    } == {}
