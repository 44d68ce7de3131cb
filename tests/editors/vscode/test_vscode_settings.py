"""The files of settings in real VS Code, without an extension for TOML: completion, hover, findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.vscode.samples import semantic_tokens, text_at
from editors.vscode.studio import Studio

TOML = """\
[stf]
dialect = ";"

[rules]
ignore = ["G102", ]

# [rules] is above
[diagnostics]
maxPerDocument = 5000

"""
PYPROJECT = """\
[project]
name = "x"

[tool.llmblocks.gadget]

"""


@pytest.fixture
def project(request: pytest.FixtureRequest, studio: Studio, folder: Path) -> Iterator[Path]:
    """A settings file in the workspace, only while it is tested, and of another folder each time.

    VS Code keeps the text of a file for a while after it was closed.
    """
    path = folder.parent / "other" / request.node.name / "llmblocks.toml"
    path.parent.mkdir()
    studio.opened(path, TOML)
    yield path
    path.unlink()


def offered(studio: Studio, file: Path, position: tuple[int, int]) -> set[str]:
    """Return the labels at a place."""
    return set(studio.probe("completions", file=str(file), position=position))


def test_a_key_that_is_chosen_is_typed_with_its_value(studio: Studio, project: Path) -> None:
    studio.probe("cursor", file=str(project), position=(TOML.count("\n"), 0))
    studio.browser("type", text="deli")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row.focused")
    studio.browser("press", key="Tab")
    # the values come by themselves
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row:has-text('push')")
    studio.browser("type", text="push")
    studio.browser("press", key="Tab")
    studio.probe("textBecomes", file=str(project), text=f'{TOML}delivery = "push"')


def test_the_table_of_pyproject_is_completed_and_no_other(studio: Studio, folder: Path) -> None:
    path = folder / "pyproject.toml"
    studio.opened(path, PYPROJECT)
    line = PYPROJECT.count("\n")
    assert offered(studio, path, (line, 0)) >= {"markers", "markersFrom", "schemas"}
    assert "[tool.llmblocks.rules]" in offered(studio, path, (3, 1))
    assert studio.probe("now", file=str(path), position=(2, 0)) == []
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
    path.unlink()


def test_settings_are_coloured(studio: Studio, project: Path) -> None:
    # the server has them, as VS Code has no grammar for TOML
    assert semantic_tokens(studio.probe("semanticTokens", file=str(project)))
    assert "semantic token type\tproperty" in studio.inspect(project, text_at(TOML, "maxPerDocument"))


def test_a_wrong_setting_gets_a_squiggle_as_it_is_typed(studio: Studio, project: Path) -> None:
    studio.probe("cursor", file=str(project), position=(TOML.count("\n"), 0))
    studio.browser("type", text="maxPerDokument = 3\n")
    studio.browser("press", key="Escape")
    [finding] = studio.probe("diagnostics", file=str(project), codes=["C002"])
    assert finding["text"] == "maxPerDokument"
    assert "maxPerDocument" in finding["message"]
