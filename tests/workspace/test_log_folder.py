"""The numbered files of a folder are one session: what a file knows of the ones before it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from llmblocks import Settings, check
from llmblocks.facts.finding import Finding
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from llmblocks.workspace.listing import agent_number, log_globs, log_number
from llmblocks.workspace.log_folder import LogFolder
from llmblocks.workspace.names import StoredNames, read_names
from llmblocks.workspace.other_logs import OtherLogs

GADGET = find_language("gadget")


def call(name: str, *needs: str) -> str:
    """Return a call with an id and dependencies; without an id for an empty name."""
    fields = ":".join(["Read", *([name] if name else []), *([",".join(needs)] if needs else [])])
    return f"!!!GADGET_START:{fields}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"


def names(text: str, file: str) -> StoredNames:
    found = StoredNames(file)
    for _ in found.read(text, GADGET.scanner(DEFAULTS), GADGET.symbols):
        pass
    return found


def written(folder: Path, **files: str) -> Path:
    """Return a folder with files: `_` in a name stands for the dot, and a leading `n` is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.removeprefix("n").replace("_", ".")).write_text(text, "utf-8")
    return folder


def found(file: Path) -> list[str]:
    return [each.code for each in told(file)]


def told(file: Path) -> tuple[Finding, ...]:
    return check(file.read_text("utf-8"), None, name=str(file))


@pytest.mark.parametrize(
    ("path", "number"),
    [
        *(("/a/0007.response", 7), ("0007.response", 7), ("/0.response", 0), ("/a/10007.response", 10007)),
        *(("/a/.llmist/logs/brave-otter/0002-r1/0001.response", 1), ("/a\n/0007.response", 7)),
        *(("/a/.llmist/logs/brave-otter/last.response", None), ("/a/0007.request", None), ("/a/0007.gadget", None)),
        *(("/a/x0007.response", None), ("/a/7.response/b", None), ("/a/٣.response", None)),
    ],
)
def test_a_numbered_response_has_a_place_in_its_folder(path: str, number: int | None) -> None:
    assert log_number(GADGET, path) == number


def test_the_folder_of_a_sub_agent_has_a_number() -> None:
    folders = ("0002-r1", "2-a-b", "0002", "0002-", "a-0002", "0002-r1.x")
    assert [agent_number(each) for each in folders] == [2, 2, None, None, None, 2]


def test_a_file_knows_the_ones_before_it_once_all_are_read() -> None:
    folder = LogFolder()
    third = OtherLogs(lambda: folder, 3)
    assert not third.is_known
    folder.take_list({"1": 1, "2": 2, "3": 3}, [])
    assert not third.is_known
    assert OtherLogs(lambda: folder, 1).is_known
    folder.put("1", 1, names(call("r1"), "1"))
    assert not third.is_known
    folder.put("2", 2, names(call("r2"), "2"))
    assert third.is_known
    assert [third.has_earlier("invocation", each) for each in ("r1", "r2", "r3")] == [True, True, False]
    assert not OtherLogs(lambda: folder, 1).has_earlier("invocation", "r1")
    folder.lose("2")
    assert not third.is_known
    folder.put("2", 2, names("", "2"))
    assert third.is_known
    assert not third.has_earlier("invocation", "r2")
    assert folder.remove("1") == {"invocation": {"r1"}, "gadget": {"Read"}}
    assert not third.is_known


def test_a_file_that_nobody_could_read_is_forgotten_once_it_is_gone() -> None:
    folder = LogFolder()
    folder.take_list({"1": 1, "2": 2}, [])
    folder.put("1", 1, names("", "1"))
    folder.lose("2")
    assert folder.missing() == "`2` of this session cannot be read, and may have this name too"
    folder.take_list({"1": 1}, [])
    assert folder.missing() == ""


def test_an_id_means_the_same_up_to_the_response_that_gives_it_again() -> None:
    folder = LogFolder()
    texts = [call("r1"), call("r2", "r1"), call("r1") + call("r3", "r1"), call("r4", "r1")]
    for number, text in enumerate(texts, 1):
        folder.put(str(number), number, names(text, str(number)))
    first = OtherLogs(lambda: folder, 1).same("invocation", "r1", own=True)
    assert [each.file for each in first.references] == ["2"]
    again = OtherLogs(lambda: folder, 4).same("invocation", "r1", own=False)
    assert [[each.file for each in places] for places in again] == [["3"], ["3"]]


def test_an_id_that_no_earlier_response_has_is_unknown(tmp_path: Path) -> None:
    folder = written(tmp_path, n0001_response=call("r1", "r9"), n0002_response=call("r2", "r1", "r8"))
    assert found(folder / "0001.response") == ["G111"]
    skipped, first = told(folder / "0002.response")
    assert (skipped.code, skipped.data["dependency"]) == ("G302", "r1")
    assert (first.code, first.data["dependency"]) == ("G111", "r8")


def test_a_later_response_that_gives_the_id_is_reported(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        n0001_response=call("r1", "r3"),
        n0002_response=call("r2"),
        n0003_response="é\r\nx🎉\r" + call("r0") + "🎉 " + call("r3"),
    )
    (unknown,) = told(folder / "0001.response")
    ((place, message),) = unknown.elsewhere
    text = (folder / "0003.response").read_bytes().decode()
    assert Path(place.file) == folder / "0003.response"
    assert text[place.start : place.end] == place.text == "r3"
    assert (place.line, place.before) == (6, "🎉 !!!GADGET_START:Read:")
    assert message == "a later response gives this id"


CYCLE = call("r1", "r2") + call("r2", "r1")
TURNS = f"=== SYSTEM ===\n{call('r1', 'r0')}\n=== ASSISTANT ===\n{call('r1')}\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # an id of an earlier response satisfies a dependency
        (
            {"1.response": call("r1"), "2.response": call("r2", "r1"), "3.response": call("r3", "r1", "r2")},
            {"1.response": [], "2.response": [], "3.response": []},
        ),
        # nothing is unknown where a response is missing, even if only its number is
        ({"2.response": call("r2", "r9")}, {"2.response": []}),
        ({"1.request": "", "2.response": call("r2", "r9")}, {"2.response": []}),
        ({"1.response": "", "3.response": call("r2", "r9")}, {"3.response": []}),
        ({"1.response": "", "2.request": call("r9"), "3.response": call("r2", "r9")}, {"3.response": []}),
        # a first response with the number 0 counts as well
        ({"0.response": call("r0"), "1.response": call("r1", "r0", "r9")}, {"1.response": ["G111"]}),
        # llmist keeps the ids of completed calls by agent; a sub-agent fills a number
        (
            {
                "1.response": call("r1"),
                "3.response": call("r3", "r1", "s1"),
                "0002-r1/1.response": call("s1", "r1"),
                "0002-r1/2.response": call("s2", "s1"),
            },
            # the call in the last one exists, and has not run
            {"3.response": ["G111"], "0002-r1/1.response": ["G111"], "0002-r1/2.response": ["G302"]},
        ),
        # two turns of a request may give one id; examples of a prompt and calls of a former run define nothing
        (
            {"1.response": "", "2.request": TURNS + call("r9"), "2.response": call("r2", "r9")},
            {"2.request": [], "2.response": ["G111"]},
        ),
        # calls without an id are numbered on
        (
            {
                "1.response": call("r1", "gadget_1") + call("r1x"),
                "2.response": call("") + call("r2"),
                "3.response": call("r3", "gadget_3"),
            },
            {"1.response": ["G111"], "3.response": []},
        ),
        # no circle where an earlier response has run one, but the first call counts as failed since then
        (
            {"1.response": CYCLE, "2.response": call("r2"), "3.response": CYCLE},
            {"1.response": ["G112", "G112"], "3.response": ["G302", "G302"]},
        ),
        # an id may be given again; the second call of the response repeats the first one, too
        ({"1.response": call("r1"), "2.response": call("r1") + call("r1")}, {"2.response": ["G122", "G110"]}),
        # a log without a number says nothing of ids
        ({".llmist/logs/otter/last.response": call("r1", "r9")}, {".llmist/logs/otter/last.response": []}),
        ({"a.gadget": call("r1", "r9")}, {"a.gadget": ["G111"]}),
    ],
)
def test_the_files_of_a_folder_have_the_findings_of_their_session(
    tmp_path: Path, files: dict[str, str], expected: dict[str, list[str]]
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert {name: found(tmp_path / name) for name in expected} == expected


def test_nothing_is_unknown_where_an_earlier_response_cannot_be_read(tmp_path: Path) -> None:
    folder = written(tmp_path, n0001_response="", n0002_response=call("r2", "r9"))
    assert found(folder / "0002.response") == ["G111"]
    (folder / "0001.response").write_bytes(b"\xff")
    assert found(folder / "0002.response") == []
    (folder / "0001.response").unlink()
    (folder / "0001.response").mkdir()
    assert found(folder / "0002.response") == []
    first = written(tmp_path / "0", n0000_response="", n0001_response=call("r1", "r9"))
    (first / "0000.response").write_bytes(b"\xff")
    assert found(first / "0001.response") == []


def test_the_older_text_of_a_response_on_disk_is_not_a_later_response(tmp_path: Path) -> None:
    folder = written(tmp_path, n0001_response=call("r1") + call("r9"))
    (unknown,) = check(call("r1", "r9"), None, name=str(folder / "0001.response"))
    assert (unknown.code, unknown.elsewhere) == ("G111", ())


@pytest.mark.parametrize(("size", "is_read"), [(64, True), (65, False)])
def test_a_file_of_the_largest_size_is_read(size: int, is_read: bool, tmp_path: Path) -> None:
    file = tmp_path / "0001.response"
    file.write_text("a" * size, "utf-8")
    reading = read_names(str(file), find_language("gadget"), Settings(max_size_mb=64e-6))
    found = None

    def read() -> Generator[None]:
        nonlocal found
        found = yield from reading

    assert [*read()] or not is_read
    assert (found is not None) == is_read


def test_clients_are_asked_to_watch_numbered_files() -> None:
    languages = ("gadget", "request", "stf")
    assert [log_globs(find_language(each)) for each in languages] == [["**/[0-9]*.response"], ["**/[0-9]*.request"], []]
