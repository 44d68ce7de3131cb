"""The numbered files of a folder are one session: what a file knows of the ones before it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from llmblocks import Settings, Severity, check
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


def test_an_id_of_an_earlier_response_satisfies_a_dependency(tmp_path: Path) -> None:
    folder = written(
        tmp_path, n0001_response=call("r1"), n0002_response=call("r2", "r1"), n0003_response=call("r3", "r1", "r2")
    )
    assert found(folder / "0001.response") == found(folder / "0002.response") == found(folder / "0003.response") == []


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


@pytest.mark.parametrize(
    "files",
    [
        {"n0002_response": call("r2", "r9")},
        {"n0001_request": "", "n0002_response": call("r2", "r9")},
        {"n0001_response": "", "n0003_response": call("r2", "r9")},
        {"n0001_response": "", "n0002_request": call("r9"), "n0003_response": call("r2", "r9")},
    ],
)
def test_nothing_is_unknown_where_a_response_is_missing(tmp_path: Path, files: dict[str, str]) -> None:
    folder = written(tmp_path, **files)
    assert found(folder / sorted(os_names(folder))[-1]) == []


def os_names(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


def test_nothing_is_unknown_where_an_earlier_response_cannot_be_read(tmp_path: Path) -> None:
    folder = written(tmp_path, n0001_response="", n0002_response=call("r2", "r9"))
    assert found(folder / "0002.response") == ["G111"]
    (folder / "0001.response").write_bytes(b"\xff")
    assert found(folder / "0002.response") == []
    (folder / "0001.response").unlink()
    (folder / "0001.response").mkdir()
    assert found(folder / "0002.response") == []


def test_a_first_response_with_the_number_0_counts_as_well(tmp_path: Path) -> None:
    folder = written(tmp_path, n0000_response=call("r0"), n0001_response=call("r1", "r0", "r9"))
    assert found(folder / "0001.response") == ["G111"]
    (folder / "0000.response").write_bytes(b"\xff")
    assert found(folder / "0001.response") == []


def test_the_older_text_of_a_response_on_disk_is_not_a_later_response(tmp_path: Path) -> None:
    folder = written(tmp_path, n0001_response=call("r1") + call("r9"))
    (unknown,) = check(call("r1", "r9"), None, name=str(folder / "0001.response"))
    assert (unknown.code, unknown.elsewhere) == ("G111", ())


def test_a_sub_agent_fills_a_number_and_has_ids_of_its_own(tmp_path: Path) -> None:
    folder = written(tmp_path, n0001_response=call("r1"), n0003_response=call("r3", "r1", "s1"))
    agent = written(folder / "0002-r1", n0001_response=call("s1", "r1"), n0002_response=call("s2", "s1"))
    # llmist keeps the ids of completed calls by agent
    assert found(folder / "0003.response") == ["G111"]
    assert found(agent / "0001.response") == ["G111"]
    # this one exists, and has not run
    assert found(agent / "0002.response") == ["G302"]


def test_a_request_repeats_calls_and_runs_none(tmp_path: Path) -> None:
    turns = f"=== SYSTEM ===\n{call('r1', 'r0')}\n=== ASSISTANT ===\n{call('r1')}\n"
    folder = written(tmp_path, n0001_response="", n0002_request=turns + call("r9"), n0002_response=call("r2", "r9"))
    # two turns may give the same id, and a dependency is one of another response
    assert found(folder / "0002.request") == []
    # the examples of a prompt and the calls of a former run define nothing
    assert found(folder / "0002.response") == ["G111"]


def test_calls_without_an_id_are_numbered_on(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        n0001_response=call("r1", "gadget_1") + call("r1x"),
        n0002_response=call("") + call("r2"),
        n0003_response=call("r3", "gadget_3"),
    )
    assert found(folder / "0001.response") == ["G111"]
    assert found(folder / "0003.response") == []


def test_calls_do_not_wait_for_each_other_where_an_earlier_response_has_run_one(tmp_path: Path) -> None:
    cycle = call("r1", "r2") + call("r2", "r1")
    folder = written(tmp_path, n0001_response=cycle, n0002_response=call("r2"), n0003_response=cycle)
    assert found(folder / "0001.response") == ["G112", "G112"]
    # no circle, but the first one counts as failed since then
    assert found(folder / "0003.response") == ["G302", "G302"]


def test_an_id_of_an_earlier_response_may_be_given_again(tmp_path: Path) -> None:
    folder = written(tmp_path, n0001_response=call("r1"), n0002_response=call("r1") + call("r1"))
    # the second call of the response repeats the first one, too
    assert found(folder / "0002.response") == ["G122", "G110"]


def test_a_log_without_a_number_says_nothing_of_ids(tmp_path: Path) -> None:
    folder = written(tmp_path / ".llmist" / "logs" / "brave-otter", nlast_response=call("r1", "r9"))
    assert found(folder / "last.response") == []
    folder = written(tmp_path / "plain", na_gadget=call("r1", "r9"))
    assert [each.severity for each in told(folder / "a.gadget")] == [Severity.WARNING]


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
