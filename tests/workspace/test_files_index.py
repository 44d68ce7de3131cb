"""The index of several files, and the names of each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS
from formats.gadget.test_gadget_stream import AWKWARD
from llmblocks.core.index import Index
from llmblocks.core.lines import Lines
from llmblocks.core.places import Elsewhere
from llmblocks.core.symbol import Role
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from llmblocks.workspace import names as stored
from llmblocks.workspace.log_folder import FileEntry, LogFolder
from llmblocks.workspace.names import StoredNames

MANY = settings(max_examples=LAWS, deadline=None, suppress_health_check=list(HealthCheck))
GADGET = find_language("gadget")
PIECES = (
    *("!!!GADGET_START:Read:r1\n", "!!!GADGET_START:Read:r2:r1, r2\r\n", "!!!GADGET_START:Write\n"),
    *("x !!!GADGET_START: Read :é🎉: r1,r\r3 \n", "!!!GADGET_START:Read::\r\n", "!!!ARG:a\n1\n"),
    *("!!!GADGET_END\n", "é🎉", "\r", "\r\n", "\n", "text\n", "<think>"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def read(text: str, file: str = "a") -> StoredNames:
    found = StoredNames(file)
    for _ in found.read(text, GADGET.scanner(DEFAULTS), GADGET.symbols):
        pass
    return found


def stated(text: str) -> Iterator[tuple[Role, str, str, int, int]]:
    """Yield all symbols of a text, with their places in it."""
    for section, start, *_ in GADGET.open(text, DEFAULTS).placed():
        for role, kind, name, first, last in GADGET.symbols(section):
            yield role, kind, name, start + first, start + last


@pytest.mark.parametrize("step", [1, 1 << 16])
def test_a_file_that_is_not_open_has_the_names_of_its_text_at_their_places(
    step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "STEP", step)

    @MANY
    @given(TEXTS)
    def holds(text: str) -> None:
        found, lines = read(text), Lines(text)
        expected: dict[tuple[Role, str, str], list[Elsewhere]] = {}
        for role, kind, name, start, end in stated(text):
            line, column = lines.of(start)
            before = text[start - column + 1 : start]
            place = Elsewhere("a", start, line - 1, before, text[start:end])
            expected.setdefault((role, kind, name), []).append(place)
        assert {(*key, name) for key in found.kinds() for name in found.names(*key)} == set(expected)
        for key, places in expected.items():
            assert found.places(*key) == places

    holds()


@pytest.mark.parametrize("step", [1, 1 << 16])
def test_a_file_that_is_not_open_has_the_calls_of_the_stream(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "STEP", step)

    @MANY
    @given(st.sampled_from((Markers(), *AWKWARD)), st.data())
    def holds(markers: Markers, data: st.DataObject) -> None:
        start, end, arg = markers
        pieces = [
            f"{start}G\n",
            f"{start}G:r1:r2\r\n",
            f"{start}G::\n",
            f"{arg}p/1\n1\n",
            f"{arg}p\n",
            end,
            "\n",
            *markers,
        ]
        pieces += ["```", " ", "<think>", "v\r", *start, *end, *arg]
        text = "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=16)))
        found = StoredNames("a")
        for _ in found.read(text, GADGET.scanner(DEFAULTS._replace(markers=markers)), GADGET.stored, arg):
            pass
        assert [*found.calls] == [
            (each.name, each.invocation_id, each.dependencies, each.error or "", (len(raw), hash(raw)))
            for each in read_calls(text, markers)[0]
            for raw in (each.parameters_raw,)
        ]

    holds()


class Given:
    """The given names of a file."""

    def __init__(self, names: set[tuple[Role, str, str]]) -> None:
        self.given = names

    def kinds(self) -> set[tuple[Role, str]]:
        return {(role, kind) for role, kind, _ in self.given}

    def names(self, role: Role, kind: str) -> set[str]:
        return {name for *key, name in self.given if key == [role, kind]}

    def places(self, role: Role, kind: str, name: str) -> Sequence[Elsewhere]:
        return ()


ROLES: tuple[Role, ...] = ("definition", "reference")
NAMES = st.sets(st.tuples(st.sampled_from(ROLES), st.sampled_from("kl"), st.sampled_from("xyz")))
STEPS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["put", "note", "remove"]), NAMES), max_size=12)


@MANY
@given(STEPS)
def test_the_index_knows_which_files_have_a_name_whatever_comes_and_goes(
    steps: list[tuple[str, str, set[tuple[Role, str, str]]]],
) -> None:
    index = LogFolder()
    naive: dict[str, Given] = {}
    for file, what, names in steps:
        before = naive[file].given if file in naive else set()
        if what == "note" and file in naive:
            # an edit in an open document: its names are others, and those that it touched are reported
            naive[file].given = names
            touched: dict[str, set[str]] = {}
            for _, kind, name in before ^ names:
                touched.setdefault(kind, set()).add(name)
            index.note(file, touched)
        elif what == "remove":
            naive.pop(file, None)
            assert index.remove(file) == by_kind(before)
        else:
            naive[file] = Given(names)
            assert index.put(file, ord(file) % 3, naive[file]) == by_kind(before ^ names)
        entries = sorted(FileEntry(ord(each) % 3, each) for each in naive)
        for role in ROLES:
            for kind in "kl":
                for name in "xyz":
                    having = [entry for entry in entries if (role, kind, name) in naive[entry.file].given]
                    assert index.with_name(role, kind, name) == having
                    for number in range(-1, 4) if role == "definition" else ():
                        later = [entry for entry in having if entry.number >= number]
                        assert index.first(kind, name, number) == (later[0] if later else None)


def by_kind(names: set[tuple[Role, str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for _, kind, name in names:
        found.setdefault(kind, set()).add(name)
    return found


def test_an_open_document_has_the_same_names() -> None:
    text = "".join(PIECES)
    index = Index(GADGET.open(text, DEFAULTS).sections, GADGET.symbols)
    found = read(text)
    assert set(index.kinds()) == set(found.kinds())
    assert all(set(index.names(*key)) == set(found.names(*key)) for key in found.kinds())
