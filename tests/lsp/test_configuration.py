"""Settings of a client and of files, while they change: odd ones are findings, and open documents follow at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import TWICE, Editor

Json = Any
NAME = "llmblocks.toml"
CUSTOM = "<<G\n--a\n1\n--a\n2\n>>\n"
MARKERS = {"gadget": {"markers": {"start": "<<", "end": ">>", "arg": "--"}}}
ASKS: Json = {"configuration": True}
NONE: tuple[Json, ...] = ([None], [{}], None, [], [{"stf": None}])
ODD: tuple[Json, ...] = ("odd", 5, [[]], ["odd"], [{"diagnostics": "odd"}], [{"files": {"maxSizeMB": "big"}}])


def asking(folder: Path, answer: Json, **more: Json) -> Editor:
    """Return a client that answers requests for settings."""
    return Editor(folder, of_workspace=ASKS, answers={"workspace/configuration": answer}, **more)


@pytest.mark.parametrize(
    ("answer", "odd"),
    [*((each, []) for each in NONE), *((each, ["C001"]) for each in ODD)],
)
def test_odd_settings_are_a_finding_and_the_defaults_hold(tmp_path: Path, answer: Json, odd: list[str]) -> None:
    editor = asking(tmp_path, answer)
    editor.open("a.gadget", TWICE)
    assert editor.codes("a.gadget") == [*odd, "G101"]
    editor.answers["workspace/configuration"] = [None]
    editor.tell("workspace/didChangeConfiguration", {"settings": None})
    editor.replace("a.gadget", 4, 1, 1, "x")
    assert editor.codes("a.gadget") == ["G101"]


def test_a_settings_file_of_the_project_decides_and_its_mistakes_are_findings_in_it(tmp_path: Path) -> None:
    editor = Editor(tmp_path, workspace=True, options={"gadget.markers.start": "%%"})
    markers = "[gadget.markers]\nstart='<<'\nend='>>'\narg='--'\n"
    editor.save(NAME, f"{markers}[difnostics]\nmaxPerDocument = 3\n")
    editor.open("chats/a.gadget", CUSTOM)
    assert editor.codes("chats/a.gadget") == ["G101"]
    assert [(each["code"], each["range"]["start"]["line"]) for each in editor.told[editor.uri(NAME)]] == [("C002", 4)]
    editor.save(NAME, f"rules.ignore = ['G101']\n{markers}")
    assert (editor.codes("chats/a.gadget"), editor.codes(NAME)) == ([], [])
    (tmp_path / NAME).write_bytes(b"\xff\xff")
    editor.touch(NAME)
    assert (editor.codes("chats/a.gadget"), editor.codes(NAME)) == ([], ["C001"])


def test_settings_are_asked_for_each_folder(tmp_path: Path) -> None:
    first, second = "custom/a.gadget", "plain/a.gadget"
    folders = (tmp_path / "custom", tmp_path / "plain")
    editor = asking(tmp_path, [{}, MARKERS, {}], folders=folders)
    whole = [{"section": "llmblocks"}, *({"scopeUri": each.as_uri(), "section": "llmblocks"} for each in folders)]
    asked = editor.requests("workspace/configuration")
    assert [each["params"]["items"] for each in asked] == [whole]
    for name in (first, second):
        editor.open(name, CUSTOM)
    assert (editor.codes(first), editor.codes(second)) == (["G101"], [])
    ignores = {"rules": {"ignore": ["G101"]}, **MARKERS}
    editor.answers["workspace/configuration"] = [{}, ignores, MARKERS]
    editor.tell("workspace/didChangeConfiguration", {"settings": None})
    assert (editor.codes(first), editor.codes(second)) == ([], ["G101"])


def test_settings_that_come_later_are_taken(tmp_path: Path) -> None:
    editor = Editor(tmp_path, of_workspace=ASKS)
    editor.open("a.gadget", CUSTOM)
    assert editor.codes("a.gadget") == []
    editor.answer(editor.requests("workspace/configuration")[-1], result=[MARKERS])
    assert editor.codes("a.gadget") == ["G101"]


def test_a_change_of_any_settings_file_shows_at_once_in_every_document(tmp_path: Path) -> None:
    roots = (tmp_path / "one", tmp_path / "two")
    registers: Json = {"didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True}}
    base, own, other = "base.toml", "one/pyproject.toml", "two/llmblocks.toml"
    extends = {base: "", own: "[tool.llmblocks]\nextend = '../base.toml'\n", other: "extend = '../base.toml'\n"}
    for name, given in extends.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(given)
    answers = {"client/registerCapability": None, "client/unregisterCapability": None}
    editor = Editor(tmp_path, folders=roots, of_workspace=registers, answers=answers)
    for name in ("one/a.gadget", "two/a.gadget"):
        editor.open(name, TWICE)
    registered = [each["params"]["registrations"][0] for each in editor.requests("client/registerCapability")]
    (named,) = [each for each in registered if "named" in each["id"]]
    watched = {"baseUri": tmp_path.as_uri(), "pattern": base}
    assert named["registerOptions"]["watchers"] == [{"globPattern": watched}]
    rows: list[tuple[str, str | None, Json]] = [
        (base, "", [["G101"], ["G101"]]),
        (base, "rules.ignore = ['G1']\n", [[], []]),
        (own, "[tool.llmblocks]\nextend = '../base.toml'\nrules.ignore = []\n", [["G101"], []]),
        (own, "[tool.x]\n", [["G101"], []]),
        ("one/llmblocks.toml", "rules.ignore = ['G101']\n", [[], []]),
        (base, None, [[], ["G101"]]),
        # a file that is named is awaited
        (base, "rules.ignore = ['G1']\n", [[], []]),
    ]
    for name, text, codes in rows:
        if text is None:
            editor.remove(name)
            (found,) = editor.told[editor.uri(other)]
            assert (found["code"], found["range"]["start"]["line"]) == ("C001", 0)
        else:
            editor.save(name, text)
        assert [editor.codes(f"{each}/a.gadget") for each in ("one", "two")] == codes


STRINGS: Json = {"files": {"strings": {"**": {"said": "gadget"}}}}
CODE: Json = {"files": {"code": {"**": {"SAID": "gadget"}}}}
LANGUAGE: Json = {"files": {"languages": {"**": "gadget"}}}


@pytest.mark.parametrize("pulls", [False, True])
@pytest.mark.parametrize(
    ("name", "language_id", "text", "settings"),
    [
        ("h.json", "json", json.dumps({"said": TWICE}), STRINGS),
        ("h.jsonl", "jsonl", json.dumps({"said": TWICE}), STRINGS),
        ("h.py", "python", f'SAID = """{TWICE}"""\n', CODE),
        ("h.txt", "plaintext", TWICE, LANGUAGE),
        ("h.md", "markdown", TWICE, LANGUAGE),
    ],
)
def test_settings_decide_at_once_how_an_open_document_is_read(
    tmp_path: Path, name: str, language_id: str, text: str, settings: Json, pulls: bool
) -> None:
    editor = Editor(tmp_path, workspace=True, pulls=pulls)
    codes = editor.pull if pulls else editor.codes
    editor.open(name, text, language_id)
    # a string that looks like ours is a hint
    unread = ["D004"] if language_id == "python" else []
    for given, expected in (({}, unread), (settings, ["G101"]), ({}, unread)):
        editor.configure(given)
        assert codes(name) == expected


LARGE: Json = {"files": {"maxSizeMB": 0.001}}


def shown(editor: Editor, name: str) -> list[str]:
    return [each.partition(":")[0] for each in editor.codes(name)]


@pytest.mark.parametrize(
    ("name", "language_id"), [("a.md", "markdown"), ("a.gadget", "gadget"), ("llmblocks.toml", "toml")]
)
def test_a_document_is_analysed_while_its_bytes_are_within_the_limit(
    tmp_path: Path, name: str, language_id: str
) -> None:
    editor = Editor(tmp_path, workspace=True)
    editor.configure(LARGE)
    editor.open(name, "\n", language_id)
    assert shown(editor, name) == []
    for more, notices in ((400, []), (400, ["not analysed"])):
        editor.replace(name, 0, 0, 0, "é" * more)
        assert [each for each in shown(editor, name) if each == "not analysed"] == notices
    editor.replace(name, 0, 0, 100, "e" * 99)
    assert shown(editor, name) == ["not analysed"]
    editor.replace(name, 0, 0, 500, "")
    assert "not analysed" not in shown(editor, name)
    editor.replace(name, 0, 0, 0, "é" * 600)
    # what is replaced does not count, once the whole text is known
    editor.rewrite(name, "\n")
    assert shown(editor, name) == []
    editor.rewrite(name, "#" + "é" * 600)
    assert shown(editor, name) == ["not analysed"]
    editor.configure({})
    assert "not analysed" not in shown(editor, name)


@pytest.mark.parametrize(
    ("name", "language_id", "text", "notices"),
    [
        ("a.json", "json", f'["{"x" * 2000}"]', 0),
        ("a.jsonl", "jsonl", f'["{"x" * 2000}"]\n', 0),
        ("a.py", "python", f'x = "{"x" * 2000}"\n', 0),
        ("a.py", "python", f'# llmblocks: gadget\nx = "{"x" * 2000}"\n', 1),
        ("a.txt", "plaintext", "x" * 2000, 0),
        ("a.stf", "stf", "x" * 2000, 1),
    ],
)
def test_only_a_large_document_of_ours_gets_a_notice(
    tmp_path: Path, name: str, language_id: str, text: str, notices: int
) -> None:
    editor = Editor(tmp_path, workspace=True)
    editor.configure(LARGE)
    editor.open(name, text, language_id)
    assert shown(editor, name) == ["not analysed"] * notices


WRONG, RIGHT = "[stf]\ndialct = ';'\n", "[stf]\ndialect = ';'\n"


def opened(folder: Path, text: str = WRONG, name: str = NAME, *, pulls: bool = False) -> Editor:
    (folder / name).write_text(text, encoding="utf-8", newline="")
    editor = Editor(folder, workspace=True, pulls=pulls)
    editor.open(name, language_id="toml")
    return editor


def labels(editor: Editor, marked: str, name: str = NAME) -> list[str]:
    found = editor.at("completion", name, marked)
    return [each["label"] for each in (found or {"items": []})["items"]]


def test_an_open_settings_file_is_judged_as_it_is_written(tmp_path: Path) -> None:
    editor = opened(tmp_path)
    rows: Json = ((6, "dialect", []), (7, "[", ["C001"]), (1, "dialect", []))
    assert editor.codes(NAME) == ["C002"]
    for size, text, codes in rows:
        editor.replace(NAME, 1, 0, size, text)
        assert editor.codes(NAME) == codes
    editor.write(NAME, RIGHT)
    editor.did_save(NAME)
    assert editor.codes(NAME) == []
    # what it names is looked for
    editor.rewrite(NAME, 'extend = "more.toml"')
    assert editor.codes(NAME) == ["C001"]
    editor.write("more.toml", RIGHT)
    editor.replace(NAME, 0, 19, 19, " ")
    editor.replace(NAME, 0, 19, 20, "")
    assert editor.codes(NAME) == []


def test_edits_that_are_not_saved_are_in_force_nowhere(tmp_path: Path) -> None:
    editor = opened(tmp_path, "[rules]\nignore = ['S002']\n")
    editor.open("a.stf", "@user\nHi\n@usr\n", language_id="stf")
    before = editor.codes("a.stf")
    editor.replace(NAME, 1, 11, 15, "S003")
    assert (editor.codes("a.stf"), editor.codes(NAME)) == (before, [])
    assert "S003" in before
    editor.write(NAME, "[rules]\nignore = ['S003']\n")
    editor.did_save(NAME)
    assert "S003" not in editor.codes("a.stf")


@pytest.mark.parametrize("pulls", [False, True])
def test_a_file_that_is_closed_is_judged_as_it_was_saved(tmp_path: Path, pulls: bool) -> None:
    editor = opened(tmp_path, pulls=pulls)
    editor.replace(NAME, 1, 0, 6, "dialect")
    assert editor.codes(NAME) == []
    editor.close(NAME)
    assert editor.codes(NAME) == ["C002"]
    editor.save(NAME, RIGHT)
    assert editor.codes(NAME) == []


def test_settings_are_completed_and_explained_as_they_are_written(tmp_path: Path) -> None:
    editor = opened(tmp_path, "[stf]\r\n\r\n")
    editor.replace(NAME, 1, 0, 0, "dia")
    [dialect, *_] = editor.at("completion", NAME, "[stf]\r\ndia$0")["items"]
    span = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}}
    assert (dialect["label"], dialect["textEdit"]) == ("dialect", {"range": span, "newText": "dialect = "})
    editor.replace(NAME, 1, 0, 3, "'😀' = 1\ndialect =")
    assert labels(editor, "[stf]\n'😀' = 1\ndialect =$0") == ['"auto"', '"@"', '";"']
    found = editor.at("hover", NAME, "[stf]\n'😀' = 1\ndia$0")
    assert "The dialect of STF files" in found["contents"]["value"]
    assert found["range"] == {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 7}}


def test_of_a_pyproject_file_only_our_table_is_judged_and_completed(tmp_path: Path) -> None:
    for name in ("other.toml", "pyproject.toml"):
        editor = opened(tmp_path, WRONG, name)
        assert editor.codes(name) == labels(editor, "[stf]\n$0", name) == []
        assert editor.at("hover", name, "[s$0tf]") is None
    text = "[project]\n$0\n[tool.llmblocks.stf]\ndialct = 1\n"
    editor = opened(tmp_path, text.replace("$0", ""), "pyproject.toml")
    assert editor.codes("pyproject.toml") == ["C002"]
    assert labels(editor, text, "pyproject.toml") == []
    assert labels(editor, text.replace("$0", "").replace("dialct", "dia$0lct"), "pyproject.toml")[0] == "dialect"


def test_a_rule_is_offered_with_its_name_beside_it(tmp_path: Path) -> None:
    editor = opened(tmp_path, "rules.ignore = ['\n")
    offered = editor.at("completion", NAME, "rules.ignore = ['$0")["items"]
    [rule] = [each for each in offered if each["label"] == '"G101"']
    assert rule["detail"] == rule["labelDetails"]["description"]
    assert rule["detail"].startswith("duplicate-pointer: Two")
    assert "G101.md" in rule["documentation"]["value"]


@pytest.mark.parametrize(
    ("method", "more"),
    [
        *((each, {}) for each in ("foldingRange", "documentSymbol", "semanticTokens/full")),
        ("formatting", {"options": {}}),
        ("codeAction", {"range": {}, "context": {"diagnostics": []}}),
        ("inlayHint", {"range": {}}),
        ("selectionRange", {"positions": []}),
        ("rename", {"position": {}, "newName": "x"}),
    ],
)
def test_other_questions_about_settings_have_no_answer(tmp_path: Path, method: str, more: Json) -> None:
    found = opened(tmp_path).of(method, NAME, **more)
    assert not (found or {}) or found == {"data": []}
