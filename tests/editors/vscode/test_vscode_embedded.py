"""Texts of ours in Markdown, in real VS Code, beside its own server for Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.vscode.samples import semantic_tokens, text_at
from editors.vscode.studio import Studio

TEXT = """\
# Prompts

An answer, as in [Prompts](#prompts):

> ```llmblocks gadget
> !!!GADGET_START:Read:r1
> !!!ARG:path
> a.py
> !!!ARG:path
> b.py
> !!!GADGET_END
> !!!GADGET_START:Show:s1:r1
> !!!GADGET_END
> ```

And !!!GADGET_START:Read in prose, twice.

```stf
@user
Hi
```
"""


@pytest.fixture(scope="module")
def notes(studio: Studio, folder: Path) -> Iterator[str]:
    file = folder / "prompts.md"
    file.write_text(TEXT)
    studio.probe("open", file=str(file))
    yield str(file)
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
    file.unlink()


def test_a_mistake_in_a_fence_has_its_place_its_hover_and_its_fix(studio: Studio, notes: str) -> None:
    [found] = studio.probe("diagnostics", file=notes, codes=["G101"])
    line = text_at(TEXT, "path", 1)[0]
    assert found["range"] == [line, 9, line, 13]
    assert "Duplicate pointer: path" in "".join(studio.probe("hover", file=notes, position=(line, 10)))
    assert studio.probe("fixes", file=notes, range=found["range"])
    studio.browser("text", selector=".view-overlays .squiggly-error")
    studio.screenshot("markdown")


def test_colours_are_in_fences_only(studio: Studio, notes: str) -> None:
    places = {(line, col) for line, col, _, _ in semantic_tokens(studio.probe("semanticTokens", file=notes))}
    assert text_at(TEXT, "!!!GADGET_START") in places
    assert text_at(TEXT, "!!!GADGET_START", 2) not in places
    assert "keyword.control.start.gadget" in studio.inspect(Path(notes), text_at(TEXT, "!!!GADGET_START"))


def test_an_id_is_renamed_in_its_fence_and_a_heading_by_the_server_for_markdown(studio: Studio, notes: str) -> None:
    uses = [text_at(TEXT, "r1", number) for number in range(2)]
    changed = [[line, col, line, col + 2] for line, col in uses]
    assert studio.probe("renamed", file=notes, position=uses[0], name="first") == [["prompts.md", changed]]
    [[_, places]] = studio.probe("renamed", file=notes, position=(0, 4), name="Answers")
    assert sorted(line for line, *_ in places) == [0, 2]


def test_both_servers_outline_and_ours_formats_nothing(studio: Studio, notes: str) -> None:
    outlined = str(studio.probe("provided", provider="DocumentSymbolProvider", shape="outline", file=notes))
    assert "# Prompts" in outlined
    assert "Read" in outlined
    # a second formatter would have VS Code ask which one to use
    assert studio.probe("formatted", file=notes) == 0


def test_lists_open_in_fences_and_nowhere_else(studio: Studio, notes: str) -> None:
    end = text_at(TEXT, "@user")
    studio.probe("cursor", file=notes, position=(end[0] + 1, 2))
    studio.browser("type", text="\n@")
    studio.probe("holds", file=notes, part="Hi\n@")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row")
    assert "assistant" in studio.probe("now", file=notes, position=(end[0] + 2, 1))
    studio.browser("press", key="Escape")
    assert "assistant" not in studio.probe("now", file=notes, position=(2, 0))
