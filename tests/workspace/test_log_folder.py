"""The numbered files of a folder are one session: the names in each of them, and what a file knows of those before."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from folders import write
from formats.gadget.test_gadget_stream import AWKWARD
from llmblocks import Settings, check
from llmblocks.core.lines import Lines
from llmblocks.core.places import Elsewhere
from llmblocks.core.symbol import Role
from llmblocks.facts.finding import Finding
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from llmblocks.workspace import names as stored
from llmblocks.workspace.listing import agent_number, finished, log_globs, log_number
from llmblocks.workspace.log_folder import FileEntry, LogFolder
from llmblocks.workspace.names import StoredNames, read_names

MANY = settings(max_examples=LAWS, deadline=None, suppress_health_check=list(HealthCheck))
GADGET = find_language("gadget")
PIECES = (
    *("!!!GADGET_START:Read:r1\n", "!!!GADGET_START:Read:r2:r1, r2\r\n", "!!!GADGET_START:Write\n"),
    *("x !!!GADGET_START: Read :é🎉: r1,r\r3 \n", "!!!GADGET_START:Read::\r\n", "!!!ARG:a\n1\n"),
    *("!!!GADGET_END\n", "é🎉", "\r", "\r\n", "\n", "text\n", "<think>"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def names(text: str, file: str = "a", arg: str = "", markers: Markers = DEFAULTS.markers) -> StoredNames:
    found = StoredNames(file)
    scanner = GADGET.scanner(DEFAULTS._replace(markers=markers))
    for _ in found.read(text, scanner, GADGET.stored if arg else GADGET.symbols, arg):
        pass
    return found


@pytest.fixture(params=[1, 1 << 16], ids=["cut", "whole"])
def _cut(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read texts in steps of a line, and in one."""
    monkeypatch.setattr(stored, "STEP", request.param)


@pytest.mark.usefixtures("_cut")
@MANY
@given(TEXTS)
def test_a_file_that_is_not_open_has_the_names_of_its_text_at_their_places(text: str) -> None:
    found, lines = names(text), Lines(text)
    expected: dict[tuple[Role, str, str], list[Elsewhere]] = {}
    for section, at, *_ in GADGET.open(text, DEFAULTS).placed():
        for role, kind, name, first, last in GADGET.symbols(section):
            start, end = at + first, at + last
            line, column = lines.of(start)
            place = Elsewhere("a", start, line - 1, text[start - column + 1 : start], text[start:end])
            expected.setdefault((role, kind, name), []).append(place)
    assert {(*key, name): found.places(*key, name) for key in found.kinds() for name in found.names(*key)} == expected


@pytest.mark.usefixtures("_cut")
@MANY
@given(st.sampled_from((Markers(), *AWKWARD)), st.data())
def test_a_file_that_is_not_open_has_the_calls_of_the_stream(markers: Markers, data: st.DataObject) -> None:
    start, end, arg = markers
    pieces = [f"{start}G\n", f"{start}G:r1:r2\r\n", f"{start}G::\n", f"{arg}p/1\n1\n", f"{arg}p\n", "\n", *markers]
    pieces += ["```", " ", "<think>", "v\r", *start, *end, *arg]
    text = "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=16)))
    assert [*names(text, "a", arg, markers).calls] == [
        (each.name, each.invocation_id, each.dependencies, each.error or "", (len(raw), hash(raw)))
        for each in read_calls(text, markers)[0]
        for raw in (each.parameters_raw,)
    ]


Name = tuple[Role, str, str]


class Given:
    """The given names of a file."""

    def __init__(self, given: set[Name]) -> None:
        self.given = given

    def kinds(self) -> set[tuple[Role, str]]:
        return {(role, kind) for role, kind, _ in self.given}

    def names(self, role: Role, kind: str) -> set[str]:
        return {name for *key, name in self.given if key == [role, kind]}

    def places(self, role: Role, kind: str, name: str) -> list[Elsewhere]:
        return []


ROLES: tuple[Role, ...] = ("definition", "reference")
NAMES = st.sets(st.tuples(st.sampled_from(ROLES), st.sampled_from("kl"), st.sampled_from("xyz")))
STEPS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["put", "note", "remove"]), NAMES), max_size=12)


@MANY
@given(STEPS)
def test_the_index_knows_which_files_have_a_name_after_any_changes(
    steps: list[tuple[str, str, set[Name]]],
) -> None:
    index = LogFolder()
    naive: dict[str, Given] = {}
    for file, what, names in steps:
        before = naive[file].given if file in naive else set()
        if what == "note" and file in naive:
            # an edit in an open document: its names are others, and those that it touched are reported
            naive[file].given = names
            index.note(file, by_kind(before ^ names))
        elif what == "remove":
            naive.pop(file, None)
            index.remove(file)
        else:
            naive[file] = Given(names)
            index.put(file, ord(file) % 3, naive[file])
        entries = sorted(FileEntry(ord(each) % 3, each) for each in naive)
        for role, kind, name in product(ROLES, "kl", "xyz"):
            having = [entry for entry in entries if (role, kind, name) in naive[entry.file].given]
            assert index.with_name(role, kind, name) == having
            for number in range(-1, 4) if role == "definition" else ():
                later = [entry for entry in having if entry.number >= number]
                assert index.first(kind, name, number) == (later[0] if later else None)


def by_kind(names: set[Name]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for _, kind, name in names:
        found.setdefault(kind, set()).add(name)
    return found


def calls(headers: str) -> str:
    """Return calls, by their ids and dependencies; `-` has neither."""
    return "".join(
        f"!!!GADGET_START:Read{'' if each == '-' else f':{each}'}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
        for each in headers.split()
    )


def found(file: Path) -> str:
    return " ".join([each.code for each in told(file)])


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


def test_a_file_that_nobody_could_read_is_forgotten_once_it_is_gone() -> None:
    folder = LogFolder()
    folder.take_list({"1": 1, "2": 2}, [])
    folder.put("1", 1, names("", "1"))
    folder.lose("2")
    assert folder.missing() == "`2` of this session cannot be read, and may have this name too"
    folder.take_list({"1": 1}, [])
    assert folder.missing() == ""


def test_a_later_response_that_gives_the_id_is_reported(tmp_path: Path) -> None:
    text = "é\r\nx🎉\r" + calls("r0") + "🎉 " + calls("r3")
    files = {"0001.response": calls("r1:r3"), "0002.response": calls("r2"), "0003.response": text}
    folder = write(tmp_path, files)
    (unknown,) = told(folder / "0001.response")
    ((place, message),) = unknown.elsewhere
    assert Path(place.file) == folder / "0003.response"
    assert text[place.start : place.end] == place.text == "r3"
    assert (place.line, place.before) == (6, "🎉 !!!GADGET_START:Read:")
    assert message == "a later response gives this id"


TURNS = f"=== SYSTEM ===\n{calls('r1:r0')}\n=== ASSISTANT ===\n{calls('r1')}\n{calls('r9')}"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # an id of an earlier response satisfies a dependency
        ({"1": "r1", "2": "r2:r1", "3": "r3:r1,r2"}, {"1": "", "2": "", "3": ""}),
        ({"1": "r1:r9", "2": "r2:r1,r8"}, {"1": "G111", "2": "G302 G111"}),
        # nothing is unknown where a response is missing, even if only its number is
        ({"2": "r2:r9"}, {"2": ""}),
        ({"1.request": "", "2": "r2:r9"}, {"2": ""}),
        ({"1": "", "3": "r2:r9"}, {"3": ""}),
        ({"1": "", "2.request": calls("r9"), "3": "r2:r9"}, {"3": ""}),
        # a first response with the number 0 counts as well
        ({"0": "r0", "1": "r1:r0,r9"}, {"1": "G111"}),
        # llmist keeps the ids of completed calls by agent; a sub-agent fills a number
        (
            {"1": "r1", "3": "r3:r1,s1", "0002-r1/1": "s1:r1", "0002-r1/2": "s2:s1"},
            # the call in the last one exists, and has not run
            {"3": "G111", "0002-r1/1": "G111", "0002-r1/2": "G302"},
        ),
        # two turns of a request may give one id; examples of a prompt and calls of a former run define nothing
        ({"1": "", "2.request": TURNS, "2": "r2:r9"}, {"2.request": "", "2": "G111"}),
        # calls without an id are numbered on
        ({"1": "r1:gadget_1 r1x", "2": "- r2", "3": "r3:gadget_3"}, {"1": "G111", "3": ""}),
        # no circle where an earlier response has run one, but the first call counts as failed since then
        ({"1": "r1:r2 r2:r1", "2": "r2", "3": "r1:r2 r2:r1"}, {"1": "G112 G112", "3": "G302 G302"}),
        # an id may be given again; the second call of the response repeats the first one, too
        ({"1": "r1", "2": "r1 r1"}, {"2": "G122 G110"}),
        # a log without a number says nothing of ids
        ({".llmist/logs/otter/last": "r1:r9"}, {".llmist/logs/otter/last": ""}),
        ({"a.gadget": calls("r1:r9")}, {"a.gadget": "G111"}),
    ],
)
def test_the_files_of_a_folder_have_the_findings_of_their_session(
    tmp_path: Path, files: dict[str, str], expected: dict[str, str]
) -> None:
    def path(name: str) -> str:
        return name if name.endswith((".request", ".gadget")) else f"{name}.response"

    write(tmp_path, {path(name): text if "\n" in text else calls(text) for name, text in files.items()})
    assert {name: found(tmp_path / path(name)) for name in expected} == expected


def test_nothing_is_unknown_where_an_earlier_response_cannot_be_read(tmp_path: Path) -> None:
    folder = write(tmp_path, {"0001.response": "", "0002.response": calls("r2:r9")})
    assert found(folder / "0002.response") == "G111"
    (folder / "0001.response").write_bytes(b"\xff")
    assert found(folder / "0002.response") == ""
    (folder / "0001.response").unlink()
    (folder / "0001.response").mkdir()
    assert found(folder / "0002.response") == ""
    first = write(tmp_path / "0", {"0001.response": calls("r1:r9")})
    (first / "0000.response").write_bytes(b"\xff")
    assert found(first / "0001.response") == ""


def test_the_older_text_of_a_response_on_disk_is_not_a_later_response(tmp_path: Path) -> None:
    folder = write(tmp_path, {"0001.response": calls("r1 r9")})
    (unknown,) = check(calls("r1:r9"), None, name=str(folder / "0001.response"))
    assert (unknown.code, unknown.elsewhere) == ("G111", ())


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"64": "a" * 64, "65": "a" * 65})
    found = [finished(read_names(str(tmp_path / each), GADGET, Settings(max_size_mb=64e-6))) for each in ("64", "65")]
    assert [each is not None for each in found] == [True, False]


def test_clients_are_asked_to_watch_numbered_files() -> None:
    languages = ("gadget", "request", "stf")
    assert [log_globs(find_language(each)) for each in languages] == [["**/[0-9]*.response"], ["**/[0-9]*.request"], []]
