"""Diagnostics as a client gets them: messages, embedded files, a baseline, and after edits that concern far places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llmblocks.cli.commands import main
from llmblocks.lsp.documents.places import Encoding
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import Settings
from lsp.log_editor import TWICE, Editor
from lsp.test_workspace import asked
from oracle import percent
from oracle.places import Places

Json = Any
TEXT = '!!!GADGET_START:G\n!!!ARG:a_*<b>`\n1\n!!!ARG:a_*<b>`\n2\n!!!ARG:x\n\\"message\\":"a"\n!!!GADGET_END\n'
LINES = (
    "Duplicate pointer: a_*<b>`\n"
    "note: llmist rejects the whole call\n"
    "help: rename or remove one of them; first given 2 lines above"
)
MARKDOWN = "**Duplicate pointer: a\\_\\*\\<b\\>\\`**" + LINES[LINES.index("\n") :].replace("\n", "\n\n")
MARKUP: Json = {"diagnostic": {"markupMessageSupport": True}}


def told(folder: Path, features: Json, text: str) -> list[Any]:
    editor = Editor(folder, textDocument=features)
    editor.open("a.gadget", text)
    if "diagnostic" in features:
        return [*editor.of("diagnostic", "a.gadget")["items"]]
    return editor.told[editor.uri("a.gadget")]


@pytest.mark.parametrize("features", [{}, {"diagnostic": {}}, {"diagnostic": {"markupMessageSupport": "yes"}}])
def test_a_message_is_three_lines_and_links_to_its_page(features: Json, tmp_path: Path) -> None:
    (found,) = told(tmp_path, features, TEXT)
    assert (found["code"], found["message"]) == ("G101", LINES)
    assert found["codeDescription"]["href"].endswith("/docs/rules/G101.md")


def test_a_client_that_announces_markup_gets_markdown(tmp_path: Path) -> None:
    (found,) = told(tmp_path, MARKUP, TEXT)
    assert found["message"] == {"kind": "markdown", "value": MARKDOWN}
    assert found["relatedInformation"][0]["message"] == "first given here"
    # code stays code
    (found,) = told(tmp_path, MARKUP, "!!!GADGET_END\n")
    assert found["message"]["value"].startswith("**`!!!GADGET_END` outside any call**\n\nnote: ")


TAGGED = '!!!GADGET_START:G\nignored: \\"tags\\":[1], "tags":[1],\n!!!ARG:a\n1\n!!!GADGET_END\n'


@pytest.mark.parametrize("features", [{"diagnostic": {}}, {"publishDiagnostics": {}}])
def test_an_unnecessary_text_has_its_tag(features: Json, tmp_path: Path) -> None:
    assert [(each["code"], each["tags"]) for each in told(tmp_path, features, TAGGED)] == [("G011", [1])]


CHAT = "@user\n@embed type=image\n{}\n"


@pytest.mark.parametrize("pulls", [False, True])
def test_a_finding_goes_when_its_file_comes_and_returns_when_it_goes(tmp_path: Path, pulls: bool) -> None:
    editor = Editor(tmp_path, pulls=pulls)

    def codes() -> list[str]:
        editor.wait()
        return editor.pull("chat.stf") if pulls else editor.codes("chat.stf")

    editor.open("chat.stf", CHAT.format("a.png"), "stf")
    assert codes() == ["S205"]
    editor.write("a.png", "")
    editor.touch("a.png", kind=1)
    assert codes() == []
    (tmp_path / "a.png").unlink()
    editor.touch("other.png", kind=1)
    assert codes() == []
    editor.touch("a.png", kind=3)
    assert codes() == ["S205"]
    assert len(editor.requests("workspace/diagnostic/refresh")) == 2 * pulls


def test_an_edited_path_is_looked_for_at_once_and_a_saved_document_looks_again(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.write("b.png", "")
    editor.open("chat.stf", CHAT.format("a.png"), "stf")
    editor.replace("chat.stf", 2, 0, 1, "b")
    assert editor.codes("chat.stf") == []
    editor.replace("chat.stf", 2, 0, 1, "sub/c")
    assert editor.codes("chat.stf") == ["S205"]
    editor.write("sub/c.png", "")
    editor.did_save("chat.stf")
    assert editor.codes("chat.stf") == []
    # a document without a folder embeds what it likes
    editor.open("untitled:chat.stf", CHAT.format("a.png"), "stf")
    assert editor.codes("untitled:chat.stf") == []


def test_a_path_is_a_link_where_its_command_is_in_the_wrong_case(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open("chat.stf", "@user\n@EMBED type=image\na.png\n", "stf")
    (link,) = editor.of("documentLink", "chat.stf")
    assert (link["range"]["start"], link["target"]) == ({"line": 2, "character": 0}, editor.uri("a.png"))


BASELINE = "llmblocks-baseline.json"
TOML = f'[rules]\nbaseline = "{BASELINE}"\n[diagnostics]\nworkspace = true\n'
_HINT, _UNNECESSARY = 4, 1


@pytest.fixture
def adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Return a client of a project whose one finding is in its baseline."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "llmblocks.toml").write_text(TOML, "utf-8")
    (tmp_path / "a.gadget").write_bytes(TWICE.encode())
    assert main(["check", "--write-baseline", "--quiet"]) == 0
    return Editor(tmp_path, workspace=True, textDocument={"publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}}})


def greyed(items: list[Json]) -> list[bool]:
    assert not any("data" in each for each in items)
    return [each["severity"] == _HINT and each.get("tags") == [_UNNECESSARY] for each in items]


def shown(editor: Editor, name: str) -> list[bool]:
    editor.wait()
    return greyed(editor.told[editor.uri(name)])


def test_old_findings_are_greyed_out_and_new_ones_are_not(adopted: Editor) -> None:
    adopted.open("a.gadget")
    assert shown(adopted, "a.gadget") == [True]
    # a line above, then a copy, and a mistake of another kind
    adopted.replace("a.gadget", 0, 0, 0, "Text\n")
    assert shown(adopted, "a.gadget") == [True]
    adopted.replace("a.gadget", 7, 0, 0, "Text\n" + TWICE.replace("2", "3") + "!!!GADGET_END\n")
    assert shown(adopted, "a.gadget") == [True, False, False]
    assert adopted.told[adopted.uri("a.gadget")][1]["severity"] == 1


def test_a_changed_baseline_counts_at_once(adopted: Editor) -> None:
    adopted.open("a.gadget")
    assert shown(adopted, "a.gadget") == [True]
    for text, codes in ((json.dumps({"version": 1, "findings": {}}), []), ("{", ["C001"])):
        adopted.save(BASELINE, text)
        assert shown(adopted, "a.gadget") == [False]
        assert [each["code"] for each in adopted.told.get(adopted.uri("llmblocks.toml"), [])] == codes


def test_a_file_that_is_renamed_or_not_open_keeps_its_old_findings(adopted: Editor) -> None:
    [report] = asked(Editor(adopted.folder, workspace=True, pulls=True))["items"]
    assert [each["severity"] for each in report["items"]] == [_HINT]
    (adopted.folder / "a.gadget").rename(adopted.folder / "b.gadget")
    adopted.open("b.gadget")
    assert shown(adopted, "b.gadget") == [True]


WORDS = "some words of prose "
LONG = WORDS * 2000
ATTRIBUTES = "<think a=1 a=2></think>\n"
BLANK = "\n" * 1000
PLAIN = "!!!GADGET_START:A\n!!!GADGET_END\n"
SAME = "!!!GADGET_START:A:a\n!!!GADGET_END\n"
UNNAMED = "!!!GADGET_START:\n!!!GADGET_END\n"
OF_FILE = "<!-- llmblocks: ignore-file[T002] -->"
SILENCED = f"{OF_FILE}\n</think>\n{ATTRIBUTES}{ATTRIBUTES}x\n"
PERCENT = "!!!GADGET_START:%\n!!!GADGET_END\nx«»\n!!!GADGET_START:%\n"
OUTSIDE = "see !!!GADGET_START:Search\r\n!!!GADGET_END\n"
REPEATED = "!!!ARG:a\n!!!ARG:a\n!!!GADGET_END\n"
EDITS = {
    "a line in front": ("gadget", "x«»\n!!!GADGET_START:\n", "\n"),
    "the same long line": ("gadget", f"«»{LONG}!!!GADGET_START:\n", "y"),
    "a place in the same long line that a finding names": ("gadget", f"«»{LONG}{SAME}{SAME}", "y"),
    "all in front of a place that a finding names": ("gadget", f"«{WORDS}»{SAME}{60 * PLAIN}{SAME}", ""),
    "a call that another waits for": (
        *("gadget", "!!!GADGET_START:A:a:b\n!!!GADGET_END\nx\n!!!GADGET_START:B:«c»\n!!!GADGET_END\n", "b"),
    ),
    "the first use of a comment": ("custom-blocks", f"{OF_FILE}\nx\n<think></think>\n«»\n", "</think>"),
    # one finding for another, of which a comment silences one alone
    "the number of those that are not shown": ("custom-blocks", f"{SILENCED}«</think>»\n", "<THINK>"),
    "the end of a comment to silence": (
        "custom-blocks",
        f"<!-- llmblocks: ignore -->\n{BLANK}«»{BLANK}{ATTRIBUTES}",
        "x",
    ),
    "the message that a comment silences": ("stf", f"@# llmblocks: ignore\n@ai\n«»{PLAIN}x\n{UNNAMED}", "@user\n"),
    "a message after it": ("stf", f"@# llmblocks: ignore\n@ai\n{PLAIN}«»x\n{UNNAMED}", "@user\n"),
    "a comment for the file": ("custom-blocks", f"«{OF_FILE}»\n</think>\n\n</think>\n", ""),
    "a comment for the file before another": (
        *("custom-blocks", f"«{OF_FILE}»\n</think>\n\n<!-- llmblocks: ignore[T001] -->\n<think>x\n</think>\n", ""),
    ),
    "a comment whose finding becomes another": (
        "stf",
        "@# llmblocks: ignore\nx\n@# llmblocks: ignore\n@ai\n!!!GADGET_«S»TART:\n",
        "x",
    ),
    "after the limit of one": ("percent", PERCENT, "\n"),
    "after the limit of two": ("percent", PERCENT, "\n"),
    "before the limit": ("percent", "!!!GADGET_START:%\n!!!GADGET_START:%\n!!!GADGET_END\n«»x", "\n"),
    **{
        f"a line outside of messages, {text!r} at {at}": ("outside", f"{OUTSIDE[:at]}«»{OUTSIDE[at:]}", text)
        for at, text in ((0, "s"), (4, "\U0001f600"), (24, "y"), (24, "\r"), (4, "\n"), (0, "@user\n"))
    },
    "the last lone return before a finding": ("gadget", f"«\r»x\n!!!GADGET_START:A\n{REPEATED}", "y"),
    "the last lone return": ("custom-blocks", "«\r»\r\n<think>", ""),
    "the first of two equal ids": ("gadget", f"«»{SAME}x\n{SAME}", "\n"),
    "between two equal ids": ("gadget", f"{SAME}x\n«»{SAME}", "\n"),
    **{
        f"the line of the first of two equal ids, by {text!r}": ("gadget", f"a«b» {SAME}{SAME}", text)
        for text in ("", "xy", "\U0001f600")
    },
}
STAY = {"a comment whose finding becomes another", "after the limit of one", "before the limit"}
"""The rows whose diagnostics are the same after the edit."""
MOST = {"the number of those that are not shown": 1, "after the limit of one": 1, "after the limit of two": 2}


def analysed(text: str, language_id: str, most: int = 2000, encoding: Encoding = "utf-16") -> AnalysedText:
    given = Settings(max_diagnostics=most)
    if language_id == "outside":
        language_id, given = "stf", Settings(select=("S009",))
    with pytest.MonkeyPatch.context() as patch:
        if language_id == "percent":
            language_id = "gadget"
            percent.installed(patch)
        found = Languages(given).open(text, language_id, "file:///a%20b", encoding)
    assert found is not None
    return found


# the oracle compares after random edits; these it seldom makes
@pytest.mark.parametrize("name", EDITS)
def test_an_edit_changes_what_is_reported_of_text_that_it_does_not_touch(name: str) -> None:
    language_id, marked, new = EDITS[name]
    most = MOST.get(name, 1 if language_id == "percent" else 2000)
    before, edited, after = marked.replace("»", "«").split("«")
    text = analysed(before + edited + after, language_id, most)
    told = text.diagnostics()
    places = Places(before + edited + after, "utf-16").range(len(before), len(before + edited))
    first, last = places["start"], places["end"]
    text.apply(LspChange(LspRange(first["line"], first["character"], last["line"], last["character"]), new))
    fresh = analysed(before + new + after, language_id, most).diagnostics()
    assert text.diagnostics() == fresh
    assert (fresh == told) == (name in STAY)


def test_a_line_outside_of_messages_is_marked_as_a_whole() -> None:
    (told,) = analysed(OUTSIDE, "outside").diagnostics()
    assert told["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 26}}


@pytest.mark.parametrize("most", [1, 2])
def test_what_is_silenced_before_a_comment_at_the_end_is_counted_once(most: int) -> None:
    text = "<!-- llmblocks: ignore -->\n</think></think>\n</think>\n<!-- llmblocks: ignore -->\n"
    told = analysed(text, "custom-blocks", most).diagnostics()
    assert [each.get("code") for each in told].count("T002") == 1
    assert any("1 more finding" in each["message"] for each in told) is (most == 1)


def test_a_return_that_is_typed_ends_the_line() -> None:
    text = analysed("ab\n", "gadget")
    for place, new in (((0, 0), "x"), ((0, 2), "\r"), ((0, 3), "y")):
        text.apply(LspChange(LspRange(*place, *place), new))
    assert text.document.text == "xay\rb\n"


@pytest.mark.parametrize(
    ("encoding", "text", "place", "offset"),
    [
        ("utf-16", "ab\ncd", (0, 99), 2),
        ("utf-16", "ab\r\ncd", (0, 99), 2),
        ("utf-16", "ab\rcd", (1, 1 << 31), 5),
        ("utf-16", "ab\u2028\x85\n", (0, 4), 4),
        ("utf-16", "ab\n", (1, 0), 3),
        ("utf-16", "ab\ncd", (2, 0), 5),
        ("utf-16", "\U0001f600x", (0, 1), 0),
        ("utf-16", "\U0001f600x", (0, 2), 1),
        ("utf-8", "éx", (0, 1), 0),
        ("utf-8", "\ud83dx", (0, 3), 1),
        ("utf-32", "\U0001f600x", (0, 1), 1),
    ],
)
def test_a_place_past_the_end_or_inside_a_character_is_before_it(
    encoding: Encoding, text: str, place: tuple[int, int], offset: int
) -> None:
    assert analysed(text, "gadget", encoding=encoding).offset(*place) == offset
