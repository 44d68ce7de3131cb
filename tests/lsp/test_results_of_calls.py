"""Findings of a response from the results of its calls in the next request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor, call

Json = Any
ERROR = "Error: Gadget 'Read' not found."
FAILED = f"r1): {ERROR}"
LOG = "0001.response"


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path, workspace=True)


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
