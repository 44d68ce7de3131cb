"""The extension for browsers in the worker of one, as in VS Code for the Web: nothing of a machine is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editors.vscode.studio import Studio
from folders import written

CALL = "!!!GADGET_START:Count\n!!!ARG:n\nmany\n!!!GADGET_END\n"
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}, "unit": {"type": "string"}}, "required": ["n"]}


@pytest.fixture
def in_worker(studio: Studio, web_build: tuple[Path, str], tmp_path: Path) -> Path:
    """A folder that the window shows while the extension runs in its worker."""
    written(tmp_path / "call.gadget", CALL)
    written(tmp_path / "llmblocks.toml", '[gadget]\nschemas."**" = ["tools/*.json"]\n')
    written(tmp_path / "tools" / "count.json", json.dumps({"name": "Count", "parameters": SCHEMA}))
    studio.replace_extension(web_build[0])
    studio.visit(tmp_path)
    return tmp_path


def test_it_works_in_the_worker_of_a_browser(studio: Studio, in_worker: Path) -> None:
    file = str(in_worker / "call.gadget")
    studio.probe("open", file=file)
    # the probe is in another extension host: it sees what the editor shows, but no exports
    assert studio.probe("state") is None
    # the settings and the schema that they name are those of the workspace
    [finding] = studio.probe("diagnostics", file=file, codes=["G204"])
    assert finding["text"] == "many"
    studio.browser("text", selector=".view-overlays .squiggly-error")
    assert "expected number" in "".join(studio.probe("hover", file=file, position=(0, 18)))
    # settings that are saved are the server's at once
    settings = str(in_worker / "llmblocks.toml")
    studio.probe("open", file=settings)
    studio.probe("cursor", file=settings, position=(2, 0))
    studio.browser("type", text='[rules]\nignore = ["G204"]')
    studio.browser("press", key="Control+s")
    studio.probe("diagnostics", file=file, codes=[])
    studio.probe("cursor", file=file, position=(3, 0))
    studio.browser("type", text="!!!ARG:")
    assert "unit" in studio.probe("completions", file=file, position=(3, 7))
    studio.browser("press", key="Escape")
    studio.probe("command", name="llmblocks.showTranscript")
    studio.probe("beside", language="json", part='"items"')
    assert "bundled server in WebAssembly" in studio.status()
