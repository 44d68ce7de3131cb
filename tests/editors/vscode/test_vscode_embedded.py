"""Texts of ours in Markdown, code and JSON Lines, in real VS Code, beside its own servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.vscode.samples import semantic_tokens, text_at
from editors.vscode.studio import Studio
from editors.vscode.test_vscode_commands import CALLS

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


@pytest.fixture
def notes(studio: Studio, folder: Path) -> str:
    return studio.opened(folder / "prompts.md", TEXT)


def find_the_mistake(studio: Studio, file: str, text: str, col: int) -> None:
    """The second `path` has its place, its hover, its fix and its squiggle."""
    [found] = studio.probe("diagnostics", file=file, codes=["G101"])
    line = text_at(text, "path", 1)[0]
    assert found["range"] == [line, col, line, col + 4]
    assert "Duplicate pointer: path" in "".join(studio.probe("hover", file=file, position=(line, col + 1)))
    assert studio.probe("fixes", file=file, range=found["range"])
    studio.browser("text", selector=".view-overlays .squiggly-error")


def test_a_mistake_in_a_fence_has_its_place_its_hover_and_its_fix(studio: Studio, notes: str) -> None:
    find_the_mistake(studio, notes, TEXT, 9)


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


def test_an_end_is_written_in_a_fence_as_in_a_file(studio: Studio, folder: Path) -> None:
    before = "# Prompts\n\n```gadget\n!!!GADGET_START:Read:r1"
    file = studio.opened(folder / "ends.md", f"{before}\n```\n")
    studio.probe("cursor", file=file, position=(3, len("!!!GADGET_START:Read:r1")))
    studio.browser("type", text="\n")
    studio.probe("holds", file=file, part=f"{before}\n\n!!!GADGET_END\n```\n")


def test_lists_open_in_fences_and_nowhere_else(studio: Studio, notes: str) -> None:
    end = text_at(TEXT, "@user")
    studio.probe("cursor", file=notes, position=(end[0] + 1, 2))
    studio.browser("type", text="\n@")
    studio.probe("holds", file=notes, part="Hi\n@")
    studio.browser("text", selector=".suggest-widget.visible .monaco-list-row")
    assert "assistant" in studio.probe("now", file=notes, position=(end[0] + 2, 1))
    studio.browser("press", key="Escape")
    assert "assistant" not in studio.probe("now", file=notes, position=(2, 0))


SCRIPT = """\
interface Options { readonly deep: boolean }
export const options: Options = { deep: true };

// llmblocks: gadget
export const example: string = `!!!GADGET_START:Read:r1
!!!ARG:path
a.py
!!!ARG:path
b.py
!!!GADGET_END
!!!GADGET_START:Show:s1:r1
!!!GADGET_END`;

export const deep = options.deep;
"""


@pytest.fixture
def script(studio: Studio, folder: Path) -> str:
    return studio.opened(folder / "prompts.ts", SCRIPT)


def test_a_mistake_in_a_string_of_code_has_its_place_its_hover_and_its_fix(studio: Studio, script: str) -> None:
    find_the_mistake(studio, script, SCRIPT, 7)


def test_the_server_for_typescript_continues_beside_ours(studio: Studio, script: str) -> None:
    assert "const options: Options" in "".join(studio.probe("hover", file=script, position=text_at(SCRIPT, "options")))
    uses = [text_at(SCRIPT, "options", number) for number in range(2)]
    [[_, places]] = studio.probe("renamed", file=script, position=uses[0], name="given")
    assert [each[:2] for each in places] == [list(each) for each in uses]
    ours = [text_at(SCRIPT, "r1", number) for number in range(2)]
    [[_, places]] = studio.probe("renamed", file=script, position=ours[0], name="first")
    assert [each[:2] for each in places] == [list(each) for each in ours]


def test_the_colours_of_a_string_are_those_of_its_grammar_and_all_others_are_of_typescript(
    studio: Studio, script: str
) -> None:
    # those of the one provider that VS Code asks
    tokens = semantic_tokens(studio.probe("semanticTokens", file=script))
    start, end = (text_at(SCRIPT, part)[0] for part in ("!!!GADGET_START", "!!!GADGET_END`"))
    assert tokens
    assert [each for each in tokens if start < each[0] <= end] == []
    assert "keyword.control.start.gadget" in studio.inspect(Path(script), text_at(SCRIPT, "!!!GADGET_START"))
    assert "storage.type.ts" in studio.inspect(Path(script), text_at(SCRIPT, "const deep"))


ROW = '{"messages": [{"role": "assistant", "content": "Hi"}]}\n'


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("prompts.py", f'# llmblocks: gadget\nEXAMPLE = """{CALLS}"""\n', "G101"),
        ("rows.jsonl", ROW + ROW.replace("assistant", "assitant"), "D003"),
    ],
)
def test_python_and_rows_of_data_are_read(studio: Studio, folder: Path, name: str, text: str, code: str) -> None:
    studio.probe("diagnostics", file=studio.opened(folder / name, text), codes=[code])
