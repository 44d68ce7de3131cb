"""Who may import whom: in each folder, the floors of `FLOORS`."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from wire import BASIC, did_open, notification, request

PACKAGE = Path(__file__).parent.parent / "server" / "llmblocks"
FLOORS = {
    "": "lazy < core < facts < contract < json5 < code < gadget request stf tags < compose contents < settings"
    " < discovery languages < workspace hosts < rules < sessions < refactors < features < report lsp < cli < __main__",
    "gadget": "rules < syntax < reading < running < schemas graph < editor writing",
    "stf": "rules < syntax < values < reading convert < editor writing",
    "request": "syntax < reading < editor",
    "tags": "rules < syntax < reading < editor pipeline",
    "settings": "globs rules named_file schema < rule_names < values < given excludes < places anchors "
    "content_schemas < caret ignoring nearest gadgets layers model < validation git < llmist check < file < sources "
    "< effective",
    "code": "grammar < script",
    "discovery": "tags < find < offer",
    "contents": "kind < judging < answers < content",
    "languages": "language < ask registry",
    "refactors": "selected < promises < refactoring < calls messages < comments dialect escape inline json_value"
    " new_message renumber wrap < registry",
    "features": "completion ignoring folding formatting hints hover lenses links outline paint received refactoring "
    "search selection streams < values < fixes graph hierarchy linked_editing settings_file signature on_type"
    " < navigation",
    "hosts": "embedded < markdown datasets literals < json_row code < json_data < hosted",
    "workspace": "files_beside log_place names steps outcomes < files_index results < session live_session < log_folder"
    " < disk",
    "rules": "fix region severities < chats surroundings < values removal narrowing languages_in_blocks < "
    "blocks_as_host fixes as_json name_findings reaches < silenced_codes < silences < checker < "
    "host_findings settings < project < check fixing < proven < feedback",
    "report": "bounds intervals < summary < as_json uses < arrow of_session of_text",
    "lsp": "wire < documents < client < answers < session < connection < stdio port listen < extension < extensible",
}
"""The floors of each folder, ground first: a room imports only from lower floors."""
LOADED_LATE = ("pydantic", "pathspec", "json5", "jsonschema", "rich", "markdown_it")
"""What must not be loaded on the way to a keystroke."""

NOT_FOR_FINDINGS = (
    *LOADED_LATE,
    "asyncio",
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
    "llmblocks.gadget.reading",
    "llmblocks.gadget.running",
    "llmblocks.gadget.writing",
    "llmblocks.tags.reading",
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
    "llmblocks.cli.report.reported",
    "llmblocks.contract.caret",
    "llmblocks.facts.finding",
    "llmblocks.contract.hint",
    "llmblocks.contract.link",
    "llmblocks.facts.silence",
    "llmblocks.contract.subject",
    "llmblocks.gadget.editor.open_calls",
    "llmblocks.gadget.editor.open_values",
    "llmblocks.tags.editor.problems",
    "llmblocks.tags.editor.view",
)
"""What a file without mistakes, tags and comments does not need besides."""


def _floors(folder: str) -> dict[str, int]:
    floors = FLOORS[folder].split(" < ")
    return {room: level for level, floor in enumerate(floors) for room in floor.split()}


@pytest.mark.parametrize("folder", FLOORS)
def test_every_room_has_its_floor(folder: str) -> None:
    inside = [path for path in (PACKAGE / folder).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert {path.stem for path in inside} - {"__init__"} == set(_floors(folder))


@pytest.mark.parametrize("folder", FLOORS)
def test_nothing_imports_what_is_above_it(folder: str) -> None:
    floors = _floors(folder)
    inside = (*folder.split("/"),) if folder else ()
    wrong = []
    for path, line, target in _imports():
        source = (*path.relative_to(PACKAGE).with_suffix("").parts,)
        if source[: len(inside)] != inside or target[: len(inside)] != inside:
            continue
        here, there = source[len(inside)], (target[len(inside) :] or ("__init__",))[0]
        if here in floors and there in floors and here != there and floors[there] >= floors[here]:
            wrong.append(f"{path.relative_to(PACKAGE)}:{line} imports {'.'.join(target)}")
    assert wrong == []


def test_features_and_the_server_know_no_format() -> None:
    formats = ("gadget", "request", "stf", "tags")
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {'.'.join(target)}"
        for path, line, target in _imports()
        if _part(path) in ("features", "lsp") and target[0] in formats
    ]
    assert wrong == []


def test_cli_and_lsp_meet_in_one_place() -> None:
    meeting = {path.name for path, _, target in _imports() if target[0] == "lsp" and _part(path) == "cli"}
    assert meeting == {"server.py"}


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
    assert "llmblocks.gadget.editor.scanner" in loaded
    assert _below(loaded, *NOT_FOR_FINDINGS, *NOT_FOR_A_CLEAN_FILE) == set()


def test_checking_a_file_with_a_mistake_loads_no_dataclasses(tmp_path: Path) -> None:
    twice = tmp_path / "twice.gadget"
    twice.write_text("!!!GADGET_START:Search:s1\n!!!ARG:limit\n3\n!!!ARG:limit\n4\n!!!GADGET_END\n", "utf-8")
    loaded = _loaded(["check", str(twice)])
    assert _below(loaded, *NOT_FOR_FINDINGS, *NOT_FOR_A_CLEAN_FILE) == {
        "llmblocks.facts.finding",
        "llmblocks.cli.report.reported",
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
    assert _below(loaded, *NOT_FOR_FINDINGS, "pygls", "lsprotocol", "argparse", "shutil", "difflib") == set()


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


def test_only_the_server_that_is_extended_and_the_demo_know_pygls() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)} imports {name}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in _names(node)
        if name.split(".")[0] in ("pygls", "lsprotocol", "cattrs")
        and not path.relative_to(PACKAGE).as_posix().startswith(("lsp/extension/", "lsp/extensible.py", "cli/demo/"))
    ]
    assert wrong == []


def _part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def _imports() -> list[tuple[Path, int, tuple[str, ...]]]:
    return [
        (path, getattr(node, "lineno", 0), (*target,))
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for first, *target in (name.split(".") for name in _names(node))
        if first == "llmblocks" and target
    ]


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []
