"""The sessions of open documents: names, results of calls, and files that another program is still writing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from llmblocks.lsp.client.client import read_client
from lsp.log_editor import ACTIONS, TWICE, Editor, call

Json = Any
FETCH = "workspace/diagnostic/refresh"
CREATE = "window/workDoneProgress/create"


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path)


def test_the_folder_of_a_log_is_read_without_a_workspace(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.write("0002.response", call("r2", "r1,r9"))
    editor.open("0002.response")
    # nothing is said before the files are known
    assert editor.codes("0002.response") == []
    editor.wait()
    assert editor.codes("0002.response") == ["G111"]
    assert '"r9"' in editor.told[editor.uri("0002.response")][0]["message"]


def test_a_client_is_asked_to_watch_settings_documents_logs_and_what_they_embed() -> None:
    dynamic = {"dynamicRegistration": True}
    watches = {"workspace": {"didChangeWatchedFiles": dynamic, "didChangeConfiguration": dynamic}}
    settings, files = read_client({"capabilities": watches}).registrations()
    assert settings["method"] == "workspace/didChangeConfiguration"
    assert files["method"] == "workspace/didChangeWatchedFiles"
    watchers = files["registerOptions"]["watchers"]
    patterns = {each["globPattern"] for each in watchers}
    assert {"**/llmblocks.toml", "**/*.stf", "**/[0-9]*.response", "**/[0-9]*.request"} <= patterns
    assert [each["kind"] for each in watchers if "png" in each["globPattern"]] == [5]


def test_a_file_that_cannot_be_read_makes_later_ones_silent(editor: Editor, caplog: pytest.LogCaptureFixture) -> None:
    editor.write("0002.response", call("r2", "r9"))
    (editor.folder / "0001.response").write_bytes(b"\xff")
    editor.open("0002.response")
    with caplog.at_level("INFO", "llmblocks"):
        editor.wait()
    assert editor.codes("0002.response") == []
    assert "0001.response are not known: it is too large, or not in UTF-8" in caplog.text


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 26), ("utf-16", 24), ("utf-32", 23)])
def test_a_place_in_another_file_counts_as_the_client_counts(tmp_path: Path, encoding: str, character: int) -> None:
    editor = Editor(tmp_path, general={"positionEncodings": [encoding]})
    editor.write("0001.response", call("r1", "r3"))
    editor.write("0002.response", "é\r\nx🎉\r" + call("r0") + "🎉 " + call("r3"))
    editor.open("0001.response")

    def where() -> Json:
        editor.wait()
        (found,) = editor.told[editor.uri("0001.response")]
        (related,) = found["relatedInformation"]
        assert related["message"] == "a later response gives this id"
        assert related["location"]["uri"] == editor.uri("0002.response")
        start, end = related["location"]["range"]["start"], related["location"]["range"]["end"]
        assert (end["line"], end["character"]) == (start["line"], start["character"] + 2)
        return start["line"], start["character"]

    assert where() == (6, character)
    # the same place in the open document, which moves with its text
    editor.open("0002.response")
    assert where() == (6, character)
    editor.replace("0002.response", 0, 0, 0, "\n\n")
    assert where() == (8, character)
    editor.replace("0002.response", 8, 0, 0, "ab")
    assert where() == (8, character + 2)
    editor.close("0002.response")
    assert where() == (6, character)


def test_a_client_that_fetches_is_asked_to_fetch_again(tmp_path: Path) -> None:
    editor = Editor(tmp_path, pulls=True)
    assert editor.capabilities["diagnosticProvider"]["interFileDependencies"] is True
    editor.write("0001.response", call("r1"))
    editor.write("0002.response", call("r2", "r1,r9"))
    editor.open("0002.response")
    assert editor.pull("0002.response") == []
    editor.wait()
    assert len(editor.requests(FETCH)) == 1
    assert editor.pull("0002.response") == ["G111"]
    editor.open("0001.response")
    editor.wait()
    assert len(editor.requests(FETCH)) == 1
    # what waits in another document is known to an answer
    editor.replace("0001.response", 0, 21, 23, "r9")
    assert editor.pull("0002.response") == ["G111"]
    editor.replace("0001.response", 0, 21, 23, "r1")
    editor.replace("0001.response", 0, 0, 0, call("r9"))
    assert editor.pull("0002.response") == []
    editor.wait()
    assert len(editor.requests(FETCH)) == 2


def reading(folder: Path, *, shows: bool = True) -> Editor:
    """Return a client that has opened the last of a hundred logs."""
    for each in range(1, 101):
        (folder / f"{each:04}.response").write_text(call(f"r{each}", "r1" if each > 1 else ""), "utf-8")
    editor = Editor(folder, window={"workDoneProgress": shows})
    editor.open("0100.response", call("r100", "r0"))
    while shows and not editor.requests(CREATE) and editor.step():
        pass
    return editor


def values_of(editor: Editor) -> list[Json]:
    (create,) = editor.requests(CREATE)
    assert {each["params"]["token"] for each in editor.requests("$/progress")} == {create["params"]["token"]}
    return [each["params"]["value"] for each in editor.requests("$/progress")]


def test_progress_is_shown_where_the_client_can(tmp_path: Path) -> None:
    editor = reading(tmp_path)
    editor.answer(editor.requests(CREATE)[0])
    editor.wait()
    begin, *reports, end = values_of(editor)
    assert begin == {"kind": "begin", "title": "llmblocks: reading logs", "cancellable": True, "percentage": 0}
    assert end == {"kind": "end"}
    percentages = [each["percentage"] for each in reports]
    assert percentages == sorted(set(percentages))
    assert percentages[-1] == 100
    assert editor.codes("0100.response") == ["G111"]


def test_reading_is_cancelled_by_its_progress(tmp_path: Path) -> None:
    editor = reading(tmp_path)
    (create,) = editor.requests(CREATE)
    editor.answer(create)
    editor.tell("window/workDoneProgress/cancel", {"token": "another"})
    assert editor.step()
    editor.tell("window/workDoneProgress/cancel", {"token": create["params"]["token"]})
    editor.wait()
    assert values_of(editor)[-1] == {"kind": "end"}
    # what was not read may have the id
    assert editor.codes("0100.response") == []


@pytest.mark.parametrize("shows", [True, False])
def test_no_progress_is_shown_without_leave(tmp_path: Path, shows: bool) -> None:
    editor = reading(tmp_path, shows=shows)
    for create in editor.requests(CREATE):
        editor.answer(create, error={"code": -32601, "message": "no"})
    editor.wait()
    assert editor.requests("$/progress") == []
    assert editor.codes("0100.response") == ["G111"]


def test_fixes_know_the_ids_of_the_other_files_of_a_session(tmp_path: Path) -> None:
    editor = Editor(tmp_path, textDocument=ACTIONS)
    editor.write("0001.response", call("r2") + call("readme"))
    editor.write("0002.response", call("r1") + call("r1").replace("a.txt", "b.txt") + call("m1", "readne"))
    editor.write("0003.response", call("r3") + call("m2", "r2"))
    editor.open("0002.response")
    editor.wait()
    titles = [
        (each["code"], editor.actions("0002.response", each["range"], "quickfix")[0]["title"])
        for each in editor.told[editor.uri("0002.response")]
    ]
    assert titles == [("G110", "Change this id to 'r4'"), ("G111", "Depend on 'readme'")]


OPEN = "!!!GADGET_START:Write:o\n!!!ARG:path\nb.t"
ARRIVING = ("still arriving", 4)
UNCLOSED = ("G008", 4)


def grow(editor: Editor, name: str, before: str, more: str, *, written: bool = True) -> None:
    """Append to a document, as an editor does that reads a file again, and to the file."""
    if written:
        editor.write(name, before + more)
    lines = before.split("\n")
    editor.replace(name, len(lines) - 1, len(lines[-1]), len(lines[-1]), more)


def told(editor: Editor, name: str) -> list[tuple[str, int]]:
    severities = [each["severity"] for each in editor.told[editor.uri(name)]]
    return [*zip(editor.codes(name), severities, strict=True)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_end_of_a_file_that_grows_is_still_arriving(editor: Editor, end: str) -> None:
    first, second, third = (text.replace("\n", end) for text in ("é Hi.\n", TWICE + OPEN, "xt\n!!!GADGET_END\n"))
    editor.write("a.gadget", first)
    editor.open("a.gadget")
    grow(editor, "a.gadget", first, second)
    # what is complete is judged
    assert [each for each in told(editor, "a.gadget") if each[0] != "G117"] == [("G101", 1), ARRIVING]
    grow(editor, "a.gadget", first + second, third)
    assert not {"still arriving", "G008"} & {*editor.codes("a.gadget")}


def test_what_somebody_edits_is_judged(editor: Editor) -> None:
    editor.write("a.gadget", "Hi.\n")
    editor.open("a.gadget")
    # typed or pasted: the file does not have it; then it grows; one key, and it is somebody's text again
    text = "Hi.\n"
    for more, written, expected in ((OPEN, False, UNCLOSED), ("xt\n", True, ARRIVING), ("x", False, UNCLOSED)):
        grow(editor, "a.gadget", text, more, written=written)
        assert told(editor, "a.gadget") == [expected]
        text += more


def test_a_file_that_is_opened_with_an_unfinished_end_is_judged(editor: Editor) -> None:
    editor.open("a.gadget", OPEN)
    assert told(editor, "a.gadget") == [UNCLOSED]


def test_a_response_is_complete_once_the_next_request_is_there(editor: Editor) -> None:
    editor.write("0001.response", "Hi.\n")
    editor.open("0001.response")
    grow(editor, "0001.response", "Hi.\n", OPEN)
    editor.wait()
    assert told(editor, "0001.response") == [ARRIVING]
    editor.save("0002.request", "=== USER ===\nbegin\n")
    editor.wait()
    assert told(editor, "0001.response") == [UNCLOSED]
    grow(editor, "0001.response", "Hi.\n" + OPEN, "xt\n")
    assert told(editor, "0001.response") == [UNCLOSED]


def test_a_call_of_a_growing_log_is_judged_once_it_is_complete(editor: Editor) -> None:
    editor.write("0001.response", call("r1"))
    editor.open("0001.response")
    editor.wait()
    begun = "!!!GADGET_START:Read:r1:no"
    grow(editor, "0001.response", call("r1"), begun)
    # the rest of the id is still to come
    assert told(editor, "0001.response") == [ARRIVING]
    grow(editor, "0001.response", call("r1") + begun, "ne\n!!!GADGET_END\n")
    assert told(editor, "0001.response") == [("G110", 1), ("G111", 2)]


ERROR = "Error: Gadget 'Read' not found."
FAILED = f"r1): {ERROR}"
LOG = "0001.response"


def request_of(*results: str) -> str:
    return "=== USER ===\nbegin\n" + "".join(f"\n=== USER ===\nResult ({each}\n" for each in results)


def codes_and_texts(editor: Editor, name: str, text: str) -> list[tuple[str, str]]:
    lines = text.split("\n")
    return [
        (each["code"], lines[(at := each["range"])["start"]["line"]][at["start"]["character"] : at["end"]["character"]])
        for each in editor.told[editor.uri(name)]
    ]


def test_what_became_of_calls_is_reported_once_their_session_is_known(editor: Editor) -> None:
    text = call("a2") + call("w2", "r1") + "!!!GADGET_START:Read\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
    editor.write(LOG, call("r1"))
    editor.write("0002.request", request_of(FAILED))
    editor.write("0002.response", text)
    editor.write("0003.request", request_of(FAILED, "a2): fine", f"gadget_1): {ERROR}"))
    editor.open("0002.response")
    assert editor.codes("0002.response") == []
    editor.wait()
    assert codes_and_texts(editor, "0002.response", text) == [("G302", "r1"), ("G301", "Read"), ("G303", "Read")]
    skipped, failed, again = editor.told[editor.uri("0002.response")]
    assert skipped["message"] == (
        "skipped: r1 is rejected\nnote: llmist did not run this call\nhelp: correct the call that stopped first"
    )
    assert [each["severity"] for each in (skipped, failed, again)] == [3, 3, 3]
    assert (
        failed["message"]
        == f"rejected, according to 0003.request\nnote: {ERROR}; the model saw the error\nhelp: correct the call"
    )
    assert [each["location"]["uri"] for each in failed["relatedInformation"]] == [editor.uri("0003.request")]
    assert "attempt 2" in again["message"]
    (related,) = again["relatedInformation"]
    start = {"line": 0, "character": len("!!!GADGET_START:Read:")}
    assert (related["location"]["uri"], related["location"]["range"]["start"]) == (editor.uri(LOG), start)


def test_a_request_that_comes_tells_of_the_open_response_before_it(editor: Editor) -> None:
    editor.write(LOG, call("r1"))
    editor.open(LOG)
    for result, codes in ((FAILED, ["G301"]), ("r1): all is well", []), (FAILED, ["G301"])):
        editor.save("0002.request", request_of(result))
        editor.wait()
        assert editor.codes(LOG) == codes
    editor.remove("0002.request")
    editor.wait()
    assert editor.codes(LOG) == []


def test_a_finding_follows_its_call_and_goes_with_its_id(editor: Editor) -> None:
    editor.write(LOG, call("r1"))
    editor.write("0002.request", request_of(FAILED))
    editor.open(LOG)
    editor.wait()
    other = call("r0").replace("Read", "Look")
    editor.replace(LOG, 0, 0, 0, "I read it.\n" + other)
    assert codes_and_texts(editor, LOG, f"I read it.\n{other}{call('r1')}") == [("G301", "r1")]
    for name, codes in (("r7", []), ("r1", ["G301"])):
        editor.replace(LOG, 1 + 4, 21, 23, name)
        assert editor.codes(LOG) == codes


def test_an_edit_of_a_call_without_an_id_moves_what_is_reported_of_the_others(editor: Editor) -> None:
    plain = "!!!GADGET_START:Look\n!!!GADGET_END\n"
    editor.write(LOG, plain * 2)
    editor.write("0002.request", request_of("gadget_1): fine", f"gadget_2): {ERROR}"))
    editor.open(LOG)
    editor.wait()
    for more in ("", plain):
        editor.replace(LOG, 0, 0, 0, more)
        assert editor.codes(LOG) == ["G301"]
        assert editor.told[editor.uri(LOG)][0]["range"]["start"]["line"] == 2
