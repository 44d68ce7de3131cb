"""A folder that nobody trusts yet, and a machine without Python."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.vscode.install import Tools
from editors.vscode.studio import Studio
from folders import written

CALL = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nBob\n!!!GADGET_END\n"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The only folder on PATH: one Python, which a test takes away."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "python3").symlink_to(Path(sys.executable).resolve())
    return folder


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with programs to run: each would leave a file."""
    folder = tmp_path_factory.mktemp("stranger")
    evil = written(folder / "python3", f"#!/bin/sh\n: >'{folder}/ran'\n")
    evil.chmod(0o755)
    for module in ("llmblocks", "pygls", "sitecustomize", "json"):
        written(folder / f"{module}.py", f"open({str(folder / 'ran')!r}, 'w').close()\n")
    named = {"command": [str(evil), "server"], "interpreter": str(evil), "importStrategy": "fromEnvironment"}
    settings = {f"llmblocks.server.{key}": value for key, value in named.items()}
    written(folder / ".vscode" / "settings.json", json.dumps(settings))
    written(folder / "call.gadget", CALL)
    return folder


class WithTomlGrammar(Studio):
    """A window with an extension that has a grammar for TOML, as Even Better TOML has."""

    def _install(self, vsix: Path) -> None:
        super()._install(vsix)
        [other] = (self.home / "extensions").glob("ms-python.python-*")
        package = json.loads((other / "package.json").read_text())
        grammar = {"language": "toml", "scopeName": "source.toml", "path": "./toml.json"}
        (other / "package.json").write_text(json.dumps({**package, "contributes": {"grammars": [grammar]}}))
        (other / "toml.json").write_text(json.dumps({"scopeName": "source.toml", "patterns": []}))


@pytest.fixture(scope="module")
def studio(tools: Tools, vsix: Path, trap: Path, programs: Path) -> Iterator[Studio]:
    # what code-server itself calls must be there; a Python must not
    for name in ("sh", "uname", "sed", "cat", "ps", "getconf"):
        for folder in os.environ["PATH"].split(os.pathsep):
            if (Path(folder) / name).exists() and not (programs / name).exists():
                (programs / name).symlink_to(Path(folder) / name)
    with WithTomlGrammar(tools, vsix, trap, path=str(programs), trust_asked=True) as studio:
        yield studio


def test_the_server_waits_for_a_text_of_ours_or_for_settings_that_name_some(studio: Studio, trap: Path) -> None:
    text = 'const gadget = "llmblocks";\n'
    files = [trap / "plain.ts", trap / "plain.py", written(trap / "named.ts", text)]
    for each in files[:2]:
        studio.opened(each, text)
        assert studio.probe("activated")["kind"] == "off"
    settings = written(trap / "llmblocks.toml", '[files.code]\n"*.ts" = { gadget = "gadget" }\n')
    studio.probe("open", file=str(files[2]))
    studio.probe("running")
    for each in (*files, settings):
        each.unlink()
    studio.probe("closeAll")
    # a new window, whose server does not run
    studio.visit(trap)
    notes = studio.opened(trap / "notes.md", "# Notes\n\nA gadget, and ```code``` of another language.\n")
    assert studio.probe("activated")["kind"] == "off"
    studio.focus(notes, (1, 0))
    studio.browser("type", text="```gadget\n")
    studio.probe("running")
    studio.probe("closeAll")
    Path(notes).unlink()


def test_in_restricted_mode_files_are_checked_and_nothing_of_the_workspace_runs(studio: Studio, trap: Path) -> None:
    assert "Restricted Mode" in studio.browser("text", selector=".part.banner")
    file = str(trap / "call.gadget")
    assert studio.probe("trusted") is False
    assert studio.probe("open", file=file)["language"] == "gadget"
    studio.probe("diagnostics", file=file, codes=["G101"])
    assert studio.probe("running")["origin"].startswith("bundled server")
    assert not (trap / "ran").exists()


def test_without_python_the_server_runs_in_webassembly(studio: Studio, trap: Path, programs: Path) -> None:
    file = str(trap / "call.gadget")
    # the worker sees the folders of the workspace
    (trap / "llmblocks.toml").write_text('[rules]\nseverity.G101 = "hint"\n')
    (programs / "python3").unlink()
    studio.probe("command", name="llmblocks.restartServer")
    running = studio.probe("running")
    assert running["origin"] == "bundled server in WebAssembly"
    assert "no usable Python: none is on PATH" in running["because"]
    studio.probe("open", file=str(trap / "llmblocks.toml"))
    # the grammar of another extension is not painted over
    assert studio.probe("semanticTokens", file=str(trap / "llmblocks.toml"))["data"] == []
    marked = studio.opened(trap / "marked.py", "pass\n# llmblocks: stf\nCHAT = '@user'\n")
    [notice] = studio.probe("anyDiagnostics", file=marked)
    assert (notice["severity"], notice["range"][0]) == ("Information", 1)
    Path(marked).unlink()
    studio.probe("open", file=file)
    [finding] = studio.probe("diagnostics", file=file, codes=["G101"])
    assert (finding["severity"], finding["text"]) == ("Hint", "name")
    assert "Greet" in "".join(studio.probe("hover", file=file, position=(0, 20)))
    assert studio.probe("fixes", file=file, range=finding["range"])
    assert "WebAssembly (no usable Python" in studio.status()
    studio.probe("command", name="llmblocks.restartServer")
    studio.probe("running", unlike=running["pid"])
    (trap / "llmblocks.toml").unlink()
    assert not (trap / "ran").exists()


def test_a_worker_that_cannot_live_is_restarted_and_given_up(studio: Studio) -> None:
    worker = studio.extension / "bundled" / "webassembly" / "worker.mjs"
    kept = worker.read_bytes()
    worker.write_text('console.error("no luck"); process.exit(3);')
    studio.probe("watch")
    studio.probe("command", name="llmblocks.restartServer")
    stopped = studio.probe("running", kind="stopped")
    assert stopped["why"] == "ended with status 3"
    assert stopped["lastWords"] == ["no luck"]
    assert sum(state["kind"] == "waiting" for state in studio.probe("watched")) == 4
    worker.write_bytes(kept)
    studio.probe("command", name="notifications.clearAll")
    studio.probe("command", name="llmblocks.restartServer")
    studio.probe("running")


def test_where_python_is_asked_for_one_message_says_what_to_do_and_colours_stay(
    studio: Studio, trap: Path, programs: Path
) -> None:
    file = trap / "call.gadget"
    studio.probe("configure", section="llmblocks.server.runtime", value="python")
    studio.probe("running", kind="no-python")
    text = studio.browser("text", selector=".notification-toast")
    assert "llmblocks needs Python 3.11 to 3.14" in text
    assert "Colours work without it" in text
    assert studio.browser("count", selector=".notification-toast") == 1
    for button in ("Choose Interpreter…", "Run Without Python", "Show Log"):
        assert studio.browser("count", selector=f".notification-toast .monaco-button:has-text('{button}')") == 1
    studio.probe("open", file=str(file))
    assert "keyword.control.start.gadget" in studio.inspect(file, (0, 3))
    # and once there is one, a restart is all it takes
    (programs / "python3").symlink_to(Path(sys.executable).resolve())
    studio.probe("command", name="llmblocks.restartServer")
    studio.probe("diagnostics", file=str(file), codes=["G101"])
    assert "Python 3." in studio.probe("running")["origin"]


def test_once_the_folder_is_trusted_its_settings_count(studio: Studio, trap: Path) -> None:
    # which also shows that the trap would have snapped
    studio.probe("command", name="workbench.trust.manage")
    studio.browser("click", selector=".workspace-trust-editor .monaco-button:has-text('Trust')")
    studio.probe("running", kind="stopped")
    assert (trap / "ran").exists()
