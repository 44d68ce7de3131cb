"""What is typed in the playground is there afterwards, once, at a person's pace and at a fast one."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from editors.hands import PACES, PERSON, Deed, Paste, Pick, Press, Step, apart, keys, wrong
from editors.hands_texts import DEEDS
from editors.playground.conftest import Drive

Json = Any

EDIT = {
    "filePath": {"type": "string"},
    "mode": {"enum": ["replace", "append"]},
    "backup": {"type": "boolean"},
    "attempts": {"type": "integer"},
}
SCHEMA = {
    "name": "EditFile",
    "description": "Edits a file.",
    "schema": {"type": "object", "properties": EDIT, "required": ["filePath", "mode"]},
}
FLOW = Deed(
    "a call by completion alone",
    "flow.gadget",
    (
        *("!", Pick("!!!GADGET_START:EditFile"), "src/a.ts\n!"),
        *(Pick("!!!ARG:mode"), Pick("replace"), "\n!"),
        *(Pick("!!!ARG:backup"), Pick("true"), "\n!"),
        *(Pick("!!!ARG:attempts"), "3\n!", Pick("!!!GADGET_END")),
    ),
    "!!!GADGET_START:EditFile:e1\n!!!ARG:filePath\nsrc/a.ts\n!!!ARG:mode\nreplace\n!!!ARG:backup\ntrue\n"
    "!!!ARG:attempts\n3\n!!!GADGET_END$0",
)
UNDONE = Deed(
    "an end that is undone",
    "undone.gadget",
    ("Hi.", Press("Undo"), "!!!GADGET_START:List\n", Press("Undo"), "So."),
    "!!!GADGET_START:List\nSo.$0",
)
ALL = (*DEEDS, UNDONE)
MOST_KEYS = 0.45
"""Of the keys that it takes to type the same."""


def step_as_json(step: Step) -> Json:
    match step:
        case str():
            return {"type": step}
        case Press():
            return {"press": step.key, "times": step.times}
        case Paste():
            return {"paste": step.text}
        case Pick():
            return {"pick": step.label}


def unix(text: str) -> str:
    """The text as in the playground, where every line ends with a line feed."""
    return text.replace("\r\n", "\n")


def as_json(deed: Deed, paces: tuple[str, ...], files: dict[str, str] | None = None) -> Json:
    start, caret = apart(unix(deed.start))
    steps = [step_as_json(step) for step in deed.steps]
    about = {"name": deed.name, "file": deed.file, "start": start, "caret": caret}
    return {**about, "steps": steps, "paces": paces, "files": files}


@pytest.fixture(scope="module")
def seen(drive: Drive) -> Json:
    """What the deeds have left."""
    files = {"llmblocks.toml": '[gadget.schemas]\n"**" = ["gadgets.json"]\n', "gadgets.json": json.dumps(SCHEMA)}
    return drive("hands.mjs", given=[*(as_json(deed, PACES) for deed in ALL), as_json(FLOW, (PERSON,), files)])


@pytest.fixture(scope="module")
def left(seen: Json) -> dict[tuple[str, str], Json]:
    return {(each["name"], each["pace"]): each for each in seen["left"]}


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("deed", ALL, ids=str)
def test_the_text_is_what_was_typed(deed: Deed, pace: str, left: dict[tuple[str, str], Json]) -> None:
    found = left[deed.name, pace]
    assert not wrong(unix(deed.expected), found["text"], found["caret"])


def test_a_call_is_written_with_few_keys(left: dict[tuple[str, str], Json]) -> None:
    found = left[FLOW.name, PERSON]
    assert not wrong(FLOW.expected, found["text"], found["caret"]), found["places"]
    typed = len(apart(FLOW.expected)[0])
    used = keys(FLOW.steps, found["places"])
    sys.stdout.write(f"playground: {used} keys for a call of {typed}, {used / typed:.0%}\n")
    assert used <= MOST_KEYS * typed


def test_two_cursors_write_the_same(seen: Json) -> None:
    assert seen["cursors"] == "one !!!GADGET_START:A <think>\nx\ntwo !!!GADGET_START:A <think>\nx\n"


def test_typing_is_complained_of_nowhere(seen: Json) -> None:
    assert seen["console"] == []
