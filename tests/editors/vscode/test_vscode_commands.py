"""The commands in real VS Code: values and graphs are shown beside the text."""

from __future__ import annotations

import json
from pathlib import Path

from editors.vscode.studio import Studio

CALLS = (
    "!!!GADGET_START:Read:one\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
    "!!!GADGET_START:Write:two:one\n!!!ARG:path\nb.txt\n!!!ARG:path\nc.txt\n!!!GADGET_END\n"
)


def opened(studio: Studio, folder: Path, line: int) -> str:
    file = folder / "shown.gadget"
    file.write_text(CALLS)
    studio.probe("open", file=str(file))
    studio.probe("diagnostics", file=str(file), codes=["G101"])
    studio.probe("cursor", file=str(file), position=[line, 0])
    return str(file)


def test_values_are_opened_beside_the_text(studio: Studio, folder: Path) -> None:
    opened(studio, folder, 2)
    studio.probe("command", name="llmblocks.showParameters")
    assert json.loads(studio.probe("beside", language="json", part="a.txt")) == {"path": "a.txt"}
    studio.probe("command", name="llmblocks.showTranscript")
    transcript = json.loads(studio.probe("beside", language="json", part='"items"'))
    assert [each["id"] for each in transcript["items"] if each["type"] == "call"] == ["one", "two"]
    studio.screenshot("transcript")
    studio.probe("command", name="llmblocks.showSettings")
    # VS Code has no language for other TOML files than ours
    settings = studio.probe("beside", language="plaintext", part="diagnostics.maxPerDocument = 2000")
    assert 'gadget.markers.arg = "!!!ARG:"  # default' in settings
    studio.probe("command", name="workbench.action.closeAllEditors")


def test_a_graph_is_drawn_beside_the_text(studio: Studio, folder: Path) -> None:
    opened(studio, folder, 0)
    studio.probe("command", name="llmblocks.showGraph")
    studio.probe("tab", label="Graph of shown.gadget")
    # an SVG that cannot be read has no size
    width, height, said = studio.browser("picture")
    assert min(width, height) > 20
    assert "shown.gadget" in said
    studio.screenshot("graph")
    studio.probe("command", name="workbench.action.closeAllEditors")


def test_a_lens_says_that_the_runtime_rejects_a_call(studio: Studio, folder: Path) -> None:
    file = opened(studio, folder, 0)
    assert any("rejects this call" in title for title in studio.probe("lenses", file=file))
    studio.screenshot("lenses")
    studio.probe("command", name="workbench.action.closeAllEditors")


def test_a_lens_opens_the_values_of_its_call(studio: Studio, folder: Path) -> None:
    opened(studio, folder, 0)
    studio.browser("click", selector=".codelens-decoration a:has-text('parameters as JSON')")
    assert json.loads(studio.probe("beside", language="json", part="a.txt")) == {"path": "a.txt"}
    studio.probe("command", name="workbench.action.closeAllEditors")
