"""The files of the workspace: their findings, fetched by `workspace/diagnostic` or sent, and their names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor, call

Json = Any
ON = "[diagnostics]\nworkspace = true\n"
BAD = "!!!GADGET_END\n"
"""A text with one finding, G005."""
METHOD = "workspace/diagnostic"
FILE = "a.gadget"


def written(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


def editor_of(folder: Path, files: dict[str, str], *, pulls: bool = True, toml: str = ON) -> Editor:
    written(folder, {"llmblocks.toml": toml, **files})
    return Editor(folder, workspace=True, pulls=pulls)


def begun(editor: Editor, known: Json = None) -> int:
    """Ask for what is not known from an earlier answer. Returns the id of the request."""
    reports = known["items"] if known else []
    ids = [{"uri": each["uri"], "value": each["resultId"]} for each in reports]
    request_id = editor.begin(METHOD, {"previousResultIds": ids})
    editor.wait()
    return request_id


def asked(editor: Editor, known: Json = None) -> Json:
    """Return the answer to a request, or None."""
    return editor.answered(begun(editor, known))


def name_in(editor: Editor, uri: str) -> str:
    return os.path.relpath(uri.removeprefix("file://"), editor.folder)


def told(editor: Editor, answer: Json) -> dict[str, Json]:
    """Return the codes of the findings of each file, or the word for one that has not changed."""
    return {
        name_in(editor, each["uri"]): [item["code"] for item in each["items"]]
        if each["kind"] == "full"
        else each["kind"]
        for each in answer["items"]
    }


def test_all_files_of_the_workspace_are_reported(tmp_path: Path) -> None:
    files = {FILE: BAD, "b.stf": "@user\nhi\n", "c.txt": BAD, "d.blocks": "<think>"}
    editor = editor_of(tmp_path, {**files, "logs/0001.response": BAD, "node_modules/a.gadget": BAD})
    assert editor.capabilities["diagnosticProvider"]["workspaceDiagnostics"] is True
    expected = {FILE: ["G005"], "b.stf": [], "d.blocks": ["T001"], "logs/0001.response": ["G005"]}
    assert told(editor, asked(editor)) == expected


def test_the_setting_is_off_by_default(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD}, toml="")
    assert editor.capabilities["diagnosticProvider"]["workspaceDiagnostics"] is False
    assert asked(editor) == {"items": []}


def test_an_open_document_counts_instead_of_its_file(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD})
    editor.open(FILE, "fine\n")
    (report,) = asked(editor)["items"]
    assert (report["version"], report["items"]) == (0, [])
    editor.close(FILE)
    (report,) = asked(editor)["items"]
    assert (report["version"], report["items"][0]["code"]) == (None, "G005")


def test_what_has_not_changed_costs_its_result_id(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD, "b.gadget": "fine\n"})
    known = asked(editor)
    editor.save("b.gadget", BAD)
    assert told(editor, asked(editor, known)) == {"b.gadget": ["G005"], FILE: "unchanged"}


def test_a_request_is_answered_once_there_is_news(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD})
    request_id = begun(editor, asked(editor))
    assert editor.answered(request_id) is None
    # a change without other findings is not a news
    editor.save(FILE, BAD + "\n")
    editor.wait()
    assert editor.answered(request_id) is None
    editor.save(FILE, "fine\n")
    editor.wait()
    assert told(editor, editor.answered(request_id)) == {FILE: []}


@pytest.mark.parametrize("gone", [FILE, "b.gadget"])
def test_a_file_that_is_gone_has_no_findings(gone: str, tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD, "b.gadget": BAD})
    known = asked(editor)
    editor.remove(gone)
    answer = asked(editor, known)
    assert told(editor, answer)[gone] == []
    assert all("resultId" in each for each in answer["items"] if each["uri"] != editor.uri(gone))


def test_a_request_that_waits_can_be_cancelled(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD})
    request_id = begun(editor, asked(editor))
    editor.tell("$/cancelRequest", {"id": request_id})
    assert editor.answered(request_id)["code"] == -32800
    editor.save(FILE, "fine\n")
    editor.wait()
    assert editor.answered(request_id) is None


def test_a_second_request_or_shutdown_ends_the_first(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD})
    first = editor.begin(METHOD, {"previousResultIds": []})
    assert told(editor, asked(editor)) == {FILE: ["G005"]}
    assert editor.answered(first) == {"items": []}
    waiting = editor.begin(METHOD, {"previousResultIds": []})
    assert editor.ask("shutdown", None) is None
    assert editor.answered(waiting) == {"items": []}


@pytest.mark.parametrize("ids", [1, [1], [{"uri": 1, "value": "x"}], [{"uri": "file:///x"}]])
def test_ids_of_another_form_are_refused(ids: Json, tmp_path: Path) -> None:
    assert editor_of(tmp_path, {}).refused(METHOD, {"previousResultIds": ids})["code"] == -32602


def test_the_logs_of_a_session_depend_on_each_other(tmp_path: Path) -> None:
    first, second = "logs/0001.response", "logs/0002.response"
    editor = editor_of(tmp_path, {first: call("a"), second: call("b", "a")})
    known = asked(editor)
    assert told(editor, known) == {first: [], second: []}
    editor.save(first, call("c"))
    assert told(editor, asked(editor, known))[second] == ["G111"]


def test_a_change_asks_a_client_to_fetch_again(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD})
    asked(editor)
    before = len(editor.requests("workspace/diagnostic/refresh"))
    editor.save(FILE, "fine\n")
    assert len(editor.requests("workspace/diagnostic/refresh")) == before + 1


def test_a_client_that_does_not_fetch_is_sent_them(tmp_path: Path) -> None:
    editor = editor_of(tmp_path, {FILE: BAD, "b.gadget": "fine\n"}, pulls=False)
    assert editor.codes(FILE) == ["G005"]
    assert editor.uri("b.gadget") not in editor.told
    editor.save("b.gadget", BAD)
    editor.wait()
    assert editor.codes("b.gadget") == ["G005"]
    editor.remove(FILE)
    editor.wait()
    assert editor.codes(FILE) == []


def found(editor: Editor, query: str) -> list[tuple[str, str, str, Json]]:
    """Return the name, its kind in words, the file and the place of each symbol."""
    return [
        (
            each["name"],
            each["containerName"],
            name_in(editor, each["location"]["uri"]),
            (each["location"]["range"]["start"]["line"], each["location"]["range"]["start"]["character"]),
        )
        for each in editor.ask("workspace/symbol", {"query": query})
    ]


def files_of(editor: Editor, query: str) -> list[str]:
    return [file for _, _, file, _ in found(editor, query)]


def test_names_of_closed_files_and_of_open_documents_are_found(tmp_path: Path) -> None:
    files = {
        FILE: "é🎉 " + call("report"),
        "deep/er/b.stf": "@user id=repo\nhi\n@ai\n<think>x</think>\n",
        "c.blocks": "<think>reports</think>",
        "logs/0001.response": call("report2") + "<answer>1</answer>",
        "logs/0001.request": call("report3"),
        "d.txt": call("report4"),
    }
    editor = editor_of(tmp_path, files, toml="")
    assert found(editor, "repo") == [
        ("repo", "message id", "deep/er/b.stf", (0, 9)),
        ("report", "invocation id", FILE, (0, 25)),
        ("report2", "invocation id", "logs/0001.response", (0, 21)),
    ]
    assert files_of(editor, "think") == ["c.blocks", "deep/er/b.stf"]
    assert files_of(editor, "answer") == ["logs/0001.response"]
    editor.open(FILE, "\n" + call("open_report") + call("b"))
    assert [each[2:] for each in found(editor, "open_report")] == [(FILE, (1, 21))]
    assert [each[0] for each in found(editor, "report")] == ["report2", "open_report"]
    # an edit is found at once
    editor.replace(FILE, 5, 21, 22, "longer")
    assert found(editor, "longer") == [("longer", "invocation id", FILE, (5, 21))]
    assert "b" not in [each[0] for each in found(editor, "b")]
    editor.close(FILE)
    assert files_of(editor, "open_report") == []
    assert files_of(editor, "report") == [FILE, "logs/0001.response"]


def test_what_settings_exclude_is_not_read(tmp_path: Path) -> None:
    passed = ("old/deep/a.gadget", "out/a.gadget", "node_modules/a.gadget", ".git/a.gadget")
    files = {**dict.fromkeys(passed, call("old")), "old/0001.response": call("older"), "a.txt": call("gold")}
    excluded = 'files.extendExclude = ["old", "out/", "!out/a.gadget"]\nfiles.languages."*.txt" = "gadget"\n'
    editor = editor_of(tmp_path, files, toml=excluded)
    assert files_of(editor, "old") == ["a.txt"]
    # as in git, no file of a folder that is passed over is read
    editor.touch(*passed)
    editor.wait()
    assert files_of(editor, "old") == ["a.txt"]
    editor.save("llmblocks.toml", "")
    editor.wait()
    assert files_of(editor, "old") == ["old/deep/a.gadget", "out/a.gadget", "old/0001.response"]


def test_folders_of_the_workspace_are_added_and_removed(tmp_path: Path) -> None:
    written(tmp_path, {"w/a.gadget": call("a"), "v/b.gadget": call("b")})
    editor = Editor(tmp_path / "w", workspace=True)
    folder = {"uri": (tmp_path / "v").as_uri(), "name": "v"}
    for added, removed, names in (([folder], [], ["b"]), ([], [folder], [])):
        editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": removed}})
        editor.wait()
        assert [each[0] for each in found(editor, "b")] == names
    assert [each[0] for each in found(editor, "a")][:1] == ["a"]


@pytest.mark.parametrize("is_open", [True, False])
def test_a_search_can_be_cancelled(tmp_path: Path, is_open: bool) -> None:
    files = {} if is_open else {f"{number}.gadget": call(f"a{number}") for number in range(60)}
    editor = editor_of(tmp_path, files, toml="")
    if is_open:
        editor.open(FILE, "text\n" * 3000 + call("a5") + call("a50"))
    assert editor.interrupted("workspace/symbol", {"query": "a5"}, "$/cancelRequest")["code"] == -32800
    assert [each[0] for each in found(editor, "a5")][:2] == ["a5", "a50"]


def test_the_places_of_one_name_do_not_hide_the_other_names(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open(FILE, "".join(call(f"x{number}") for number in range(300)) + call("Readers"))
    assert [each[0] for each in found(editor, "Read")] == ["Read"] * 20 + ["Readers"]
