"""After any changes in a session, its open files have the findings that a reader of all files finds."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from lsp.log_editor import Editor, call

NUMBERS = (1, 2, 3, 4)
TEXTS = st.lists(
    st.tuples(st.sampled_from(["r1", "r2", "r3"]), st.sampled_from(["", "r1", "r2", "r1,r3"])), max_size=3
).map(lambda calls: "".join(call(name, needs) for name, needs in calls))
STEPS = st.lists(
    st.tuples(st.sampled_from(NUMBERS), st.sampled_from(["write", "delete", "open", "change", "close"]), TEXTS),
    max_size=16,
)
_HEADER = re.compile("!!!GADGET_START:Read:(.*?):(.*)\n")


def unknown(texts: dict[int, str], number: int) -> list[str]:
    """The dependencies of a file that no call has, by reading all files: none where an earlier one is missing."""
    if not all(each in texts for each in range(1, number)):
        return []
    known = {name for each in range(1, number + 1) for name, _ in _HEADER.findall(texts[each])}
    needs = [each for _, field in _HEADER.findall(texts[number]) for each in field.split(",") if each]
    return [each for each in needs if each not in known]


@settings(max_examples=LAWS // 2, deadline=None, suppress_health_check=list(HealthCheck))
@given(STEPS, st.lists(st.booleans(), min_size=16, max_size=16))
def test_open_files_are_reported_what_their_session_shows(
    steps: list[tuple[int, str, str]], pauses: list[bool]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(folder))
        on_disk: dict[int, str] = {}
        is_open: dict[int, str] = {}
        for (number, what, text), pauses_here in zip(steps, pauses, strict=False):
            name = f"{number:04}.response"
            if what == "write":
                on_disk[number] = text
                editor.write(name, text)
                editor.touch(name)
            elif what == "delete" and number in on_disk:
                del on_disk[number]
                (editor.folder / name).unlink()
                editor.touch(name, kind=3)
            elif what == "open" and number not in is_open:
                is_open[number] = text
                editor.open(name, text)
            elif what == "change" and number in is_open:
                is_open[number] = text
                document = {"uri": editor.uri(name), "version": 1}
                editor.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
            elif what == "close" and number in is_open:
                del is_open[number]
                editor.close(name)
            if pauses_here:
                editor.wait()
                compare(editor, on_disk, is_open)
        editor.wait()
        compare(editor, on_disk, is_open)


def compare(editor: Editor, on_disk: dict[int, str], is_open: dict[int, str]) -> None:
    texts = on_disk | is_open
    for number in is_open:
        told = editor.told[editor.uri(f"{number:04}.response")]
        found = [re.findall('"(.*?)"', each["message"])[0] for each in told if each["code"] == "G111"]
        assert found == unknown(texts, number)
        if found:
            later = {each: sorted(n for n in texts if n > number and each in ids(texts[n])) for each in found}
            places = [len(each.get("relatedInformation", ())) for each in told if each["code"] == "G111"]
            assert places == [bool(later[each]) for each in found]


def ids(text: str) -> list[str]:
    return [name for name, _ in _HEADER.findall(text)]
