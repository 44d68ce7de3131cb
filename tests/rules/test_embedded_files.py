"""S205: embedded files that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks import check


def found(text: str, folder: Path) -> list[str]:
    findings = check(text, "stf", name=str(folder / "chat.stf"))
    return [text[each.start : each.end] for each in findings if each.code == "S205"]


def test_a_path_that_leads_nowhere_is_marked_without_the_spaces_around_it(tmp_path: Path) -> None:
    text = "@user\n@embed type=image\n \tpictures/a.png \r\n@embed\nb.png"
    (finding, other) = [each for each in check(text, "stf", name=str(tmp_path / "chat.stf")) if each.code == "S205"]
    assert (text[finding.start : finding.end], text[other.start : other.end]) == ("pictures/a.png", "b.png")
    assert str(finding.message).startswith("File not found: pictures/a.png — ")
    (tmp_path / "b.png").mkdir()
    assert found(text, tmp_path) == ["pictures/a.png"]


@pytest.mark.parametrize(
    "path",
    [
        "a.png",
        "./a.png",
        "sub/../a.png",
        "sub\\b c.png",
        "sub/b c.png",
        "sub/b%20c.png",
        "https://example.com/x.png",
        "data:image/png;base64,AAAA",
        "C:\\pictures\\x.png",
        "~/x.png",
        "//host/share/x.png",
        "\\\\host\\share\\x.png",
        "@@at.png",
        "",
        "x" * 5000,
    ],
)
def test_a_path_that_leads_somewhere_or_cannot_be_followed_is_not_marked(path: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("a.png", "sub/b c.png", "@at.png"):
        (tmp_path / name).touch()
    assert found(f"@user\n@embed type=image\n{path}\n", tmp_path) == []


def test_a_file_url_is_followed(tmp_path: Path) -> None:
    (tmp_path / "b c.png").touch()
    there, missing = ((tmp_path / name).as_uri() for name in ("b c.png", "d.png"))
    assert found(f"@user\n@embed\n{there}\n@embed\n{missing}\n", tmp_path) == [missing]


@pytest.mark.parametrize("path", ["\0", "x" * 4000, "a.png/b", "\ud800"])
def test_a_path_that_no_system_can_have_leads_nowhere(path: str, tmp_path: Path) -> None:
    (tmp_path / "a.png").touch()
    assert found(f"@user\n@embed\n{path}\n", tmp_path) == [path]


@pytest.mark.parametrize(
    "text",
    [
        *("@user\n@call name=x\n{a: 'x.png'}\n", "@user\n@@embed\nx.png\n", "@user\n@embed\n@user\nx.png\n"),
        *("@raw\n@Embed\n{role: 'user', content: ''}\n@end\n", ";user\n@embed\nx.png"),
        *("@/*\n@embed\n@*/\nx.png\n", "@user\n@embed\n@usr\nx.png\n"),
    ],
)
def test_lines_that_are_not_those_of_an_embed_are_no_paths(text: str, tmp_path: Path) -> None:
    assert found(text, tmp_path) == []


def test_the_folder_of_a_bare_text_is_not_known() -> None:
    assert check("@user\n@embed\nnowhere.png\n", "stf") == ()
