"""What is loaded when. Who may import whom is in pyproject.toml, for import-linter."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import llmblocks
from wire import BASIC, did_open, notification, request

LOADED_LATE = ("pydantic", "pathspec", "json5", "jsonschema", "rich", "markdown_it")
"""What must not be loaded on the way to a keystroke."""

NOT_FOR_FINDINGS = (
    *LOADED_LATE,
    "tomllib",
    "websockets",
    "llmblocks.stf",
    "llmblocks.compose",
    "llmblocks.features",
    "llmblocks.settings.rule_names",
    "llmblocks.rules.fixes",
    "llmblocks.settings.file",
    "llmblocks.settings.check",
    "llmblocks.settings.globs",
    "llmblocks.settings.anchors",
    "llmblocks.settings.layers",
    "llmblocks.settings.llmist",
    "llmblocks.settings.model",
    "llmblocks.settings.schema",
    "llmblocks.settings.validation",
    "llmblocks.settings.places",
    "llmblocks.settings.sources",
    "llmblocks.gadget.stream",
    "llmblocks.gadget.running",
    "llmblocks.gadget.writing",
    "llmblocks.tags.deltas",
    "llmblocks.tags.stream",
    "llmblocks.tags.pipeline",
    *(
        f"llmblocks.{layer}.editor.{name}"
        for layer in ("gadget", "tags")
        for name in ("hover", "colours", "completion")
    ),
)
"""What must not be loaded on the way to the first findings in a gadget file."""
NOT_FOR_A_CLEAN_FILE = (
    "copy",
    # with inspect, which it imports, it takes as long to load as Python takes to start
    "dataclasses",
    "difflib",
    "json",
    "multiprocessing",
    "pathlib",
    "shutil",
    "tempfile",
    "urllib",
    "llmblocks.lsp",
    "llmblocks.workspace",
    "llmblocks.cli.findings.reported",
    "llmblocks.contract.caret",
    "llmblocks.facts.finding",
    "llmblocks.contract.hint",
    "llmblocks.contract.link",
    "llmblocks.facts.silence",
    "llmblocks.contract.subject",
    "llmblocks.tags.editor.problems",
    "llmblocks.tags.editor.view",
)
"""What a file without mistakes, tags and comments does not need besides."""


@pytest.mark.parametrize(
    "module", ["llmblocks", "llmblocks.gadget", "llmblocks.request", "llmblocks.stf", "llmblocks.tags"]
)
def test_importing_a_format_loads_nothing_heavy(module: str) -> None:
    code = f"import {module}, sys; print([name for name in {LOADED_LATE!r} if name in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"


@pytest.mark.parametrize("module", ["languages.registry", "lsp.answers.table", "cli.files"])
def test_the_languages_are_known_without_their_layers(module: str) -> None:
    code = f"import llmblocks.{module}, sys; print([name for name in sys.modules if '.editor' in name])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"


def test_the_version_is_told_by_five_small_modules() -> None:
    loaded = _loaded(["--version"])
    ours = {name for name in loaded if name.partition(".")[0] == "llmblocks"}
    assert ours == {"llmblocks", "llmblocks.__main__", "llmblocks.cli", "llmblocks.cli.commands", "llmblocks.lazy"}
    assert not loaded & {"typing", "re", "enum", "dataclasses", "argparse", "importlib"}


def test_checking_a_clean_file_loads_its_scanners_and_rules_alone(tmp_path: Path) -> None:
    clean = tmp_path / "clean.gadget"
    clean.write_text("!!!GADGET_START:Search:s1\n!!!ARG:limit\n3\n!!!GADGET_END\n", "utf-8")
    loaded = _loaded(["check", str(clean)])
    assert "llmblocks.gadget.scanner" in loaded
    assert _below(loaded, *NOT_FOR_FINDINGS, *NOT_FOR_A_CLEAN_FILE) == set()


def test_checking_a_file_with_a_mistake_loads_no_dataclasses(tmp_path: Path) -> None:
    twice = tmp_path / "twice.gadget"
    twice.write_text("!!!GADGET_START:Search:s1\n!!!ARG:limit\n3\n!!!ARG:limit\n4\n!!!GADGET_END\n", "utf-8")
    loaded = _loaded(["check", str(twice)])
    assert _below(loaded, *NOT_FOR_FINDINGS, *NOT_FOR_A_CLEAN_FILE) == {
        "llmblocks.facts.finding",
        "llmblocks.cli.findings.reported",
    }


def test_a_server_has_found_the_first_mistake_before_it_loads_anything_else(tmp_path: Path) -> None:
    text = "!!!GADGET_START:Search:s1\n!!!ARG:limit\n3\n!!!ARG:limit\n4\n!!!GADGET_END\n"
    # a file: its end is there as soon as its last message, so that the server is never idle
    sent, told = tmp_path / "sent", tmp_path / "told"
    sent.write_bytes(
        request(1, "initialize", BASIC) + notification("initialized", {}) + did_open("file:///a.gadget", text)
    )
    loaded = _loaded(["server", "--stdio"], sent, told)
    assert b"G101" in told.read_bytes()
    assert _below(loaded, *NOT_FOR_FINDINGS) == set()


def _loaded(arguments: list[str], stdin: Path | None = None, stdout: Path | None = None) -> set[str]:
    """The modules that a run of the command line has loaded when it is over."""
    code = (
        "import sys\nsys.argv[1:] = " + repr(arguments) + "\nfrom llmblocks.__main__ import main\n"
        "try:\n    main()\nfinally:\n    print('LOADED', *sys.modules, file=sys.stderr)"
    )
    with open(stdin or os.devnull, "rb") as read, open(stdout or os.devnull, "wb") as written:
        done = subprocess.run(
            [sys.executable, "-c", code], stdin=read, stdout=written, stderr=subprocess.PIPE, text=True
        )
    return set(done.stderr.rpartition("LOADED ")[2].split())


def _below(loaded: set[str], *packages: str) -> set[str]:
    """Those of the modules that are one of some packages, or inside one."""
    return {name for name in loaded if any(f"{name}.".startswith(f"{package}.") for package in packages)}


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
    # `llmblocks.gadget.Problem` is one of a call, as a program reads it
    assert {
        name: found
        for name, found in modules.items()
        if len(found) > 1 and not all((module, name) in public for module in found)
    } == {"Problem": {"llmblocks.facts.problem", "llmblocks.gadget.call"}}
