"""Texts of ours in Markdown, code and JSON Lines, in real VS Code, beside its own servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.embedded_texts import CODE, NOTES
from editors.vscode.samples import semantic_tokens, text_at
from editors.vscode.studio import Studio

NAME, SCRIPT = CODE["typescript"]


@pytest.fixture
def notes(studio: Studio, folder: Path) -> str:
    return studio.opened(folder / "embedded.md", NOTES)


@pytest.fixture
def script(studio: Studio, folder: Path) -> str:
    return studio.opened(folder / NAME, SCRIPT)


@pytest.mark.parametrize(("name", "text"), [("mistake.md", NOTES), *CODE.values()])
def test_a_mistake_in_a_fence_and_in_a_string_has_its_place_its_hover_its_fix_and_its_squiggle(
    studio: Studio, folder: Path, name: str, text: str
) -> None:
    file = studio.opened(folder / name, text)
    [found] = studio.probe("diagnostics", file=file, codes=["G102"])
    line, col = text_at(text, "/2")
    assert found["range"] == [line, col + 1, line, col + 2]
    assert "Array index gap" in "".join(studio.probe("hover", file=file, position=(line, col + 1)))
    assert studio.probe("fixes", file=file, range=found["range"])
    studio.browser("text", selector=".view-overlays .squiggly-error")


def test_colours_are_in_fences_only(studio: Studio, notes: str) -> None:
    places = {(line, col) for line, col, _, _ in semantic_tokens(studio.probe("semanticTokens", file=notes))}
    assert {text_at(NOTES, "!!!GADGET_START"), text_at(NOTES, "!!!ARG:", 1)} <= places
    assert text_at(NOTES, "!!!ARG:", 2) not in places
    assert "keyword.control.start.gadget" in studio.inspect(Path(notes), text_at(NOTES, "!!!GADGET_START"))


def renamed(studio: Studio, file: str, place: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the places that a renaming changes in its own file."""
    [[_, places]] = studio.probe("renamed", file=file, position=place, name="first")
    return [(line, col) for line, col, *_ in places]


def test_an_id_is_renamed_in_its_fence_and_a_heading_by_the_server_for_markdown(studio: Studio, notes: str) -> None:
    assert renamed(studio, notes, text_at(NOTES, "r1")) == [text_at(NOTES, "r1")]
    assert [line for line, _ in renamed(studio, notes, (0, 4))] == [0]


def test_both_servers_outline_and_ours_formats_nothing(studio: Studio, notes: str) -> None:
    outlined = str(studio.probe("provided", provider="DocumentSymbolProvider", shape="outline", file=notes))
    assert "# Notes" in outlined
    assert "Read" in outlined
    # a second formatter would have VS Code ask which one to use
    assert studio.probe("formatted", file=notes) == 0


def test_an_end_is_written_in_a_fence_as_in_a_file(studio: Studio, folder: Path) -> None:
    before = "# Prompts\n\n```gadget\n!!!GADGET_START:Read:r1"
    file = studio.opened(folder / "ends.md", f"{before}\n```\n")
    studio.focus(file, (3, len("!!!GADGET_START:Read:r1")))
    studio.browser("type", text="\n")
    studio.probe("holds", file=file, part=f"{before}\n\n!!!GADGET_END\n```\n")


def test_lists_open_in_fences_and_nowhere_else(studio: Studio, notes: str) -> None:
    line, col = text_at(NOTES, "!!!GADGET_START:Read:r1", 1)
    studio.focus(notes, (line, col + len("!!!GADGET_START:Read:r1")))
    studio.browser("type", text="\n!")
    studio.probe("holds", file=notes, part="r1\n!\n")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row")

    def offered(place: tuple[int, int]) -> bool:
        return any(each.startswith("!!!ARG:") for each in studio.probe("now", file=notes, position=place))

    assert offered((line + 1, 1))
    studio.browser("press", key="Escape")
    assert not offered((text_at(NOTES, "in prose")[0], 0))


def test_the_server_for_typescript_continues_beside_ours(studio: Studio, script: str) -> None:
    prose, ours = text_at(SCRIPT, "prose"), text_at(SCRIPT, "r1")
    assert "const prose" in "".join(studio.probe("hover", file=script, position=prose))
    assert renamed(studio, script, prose) == [prose]
    assert renamed(studio, script, ours) == [ours]


def test_the_colours_of_a_string_are_those_of_its_grammar_and_all_others_are_of_typescript(
    studio: Studio, script: str
) -> None:
    # those of the one provider that VS Code asks
    tokens = semantic_tokens(studio.probe("semanticTokens", file=script))
    marker = text_at(SCRIPT, "!!!GADGET_START", 1)
    assert tokens
    assert [each for each in tokens if each[0] >= marker[0]] == []
    assert "keyword.control.start.gadget" in studio.inspect(Path(script), marker)
    assert "storage.type.ts" in studio.inspect(Path(script), text_at(SCRIPT, "const prose"))
