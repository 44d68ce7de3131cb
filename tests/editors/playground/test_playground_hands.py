"""Text typed in the playground arrives once, at a person's pace and at a fast one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from editors import flow
from editors.hands import CALM, CARET, FAST, PERSON, RACES, Deed, Paste, Pick, Press, Step, apart, keys, wrong
from editors.playground.conftest import Drive

Json = Any

SEARCH, CALL_END = "!!!GADGET_START:SearchCode", "!!!GADGET_END"
FLOWS = {
    "calls": (
        flow.CALLS,
        (
            *("!", Pick(SEARCH), "send\n!", Pick("!!!ARG:mode"), Pick("regex"), "\n!", Pick("!!!ARG:caseSensitive")),
            *(Pick("true"), "\n!", Pick("!!!ARG:maxResults"), "20\n!", Pick(CALL_END), "\n!!!GADGET_START:"),
            *(Pick("ReadFile"), ":", Pick("r1"), ":", Pick("s1"), "\n!"),
            *(Pick("!!!ARG:filePath"), "a.txt\n!", Pick(CALL_END)),
        ),
    ),
    "a chat": (
        flow.CHAT,
        (
            *("@s", Pick("system"), "\nBe brief.\n@", Pick("user"), " ", Pick("name"), '"Ada"\nHi\n@'),
            *(Pick("assistant"), "\n@c", Pick("call"), '"find" ', Pick("id"), "\n"),
            *('{"limit": 20}\n@', Pick("tool"), "Nothing.\n@r", Pick("raw"), Pick("assistant"), ", "),
            *(Pick("content"), '"Sorry."}\n@', Pick("end"), "\n@", Pick("user"), " ", Pick("name"), Pick("Ada")),
            "\nThanks\n",
        ),
    ),
    "blocks": (
        flow.BLOCKS,
        (
            *("<", Pick("think"), " ", Pick("effort"), Pick("high"), ">Hm.", Press("End"), "\nSo: <an"),
            *(Pick("answer"), ">a", Press("End"), "\n<", Pick("think"), " ", Pick("effort"), Pick("low")),
            *(">Done.", Press("End"), "\n"),
        ),
    ),
}
UNDONE = Deed(
    "an end that is undone",
    "undone.gadget",
    ("Hi.", Press("Undo"), "!!!GADGET_START:List\n", Press("Undo"), "So."),
    "!!!GADGET_START:List\nSo.$0",
)
ASKED = [*((deed, PERSON) for deed in (*CALM, UNDONE)), *((deed, FAST) for deed in RACES)]


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
    """Return the text as in the playground, where every line ends with a line feed."""
    return text.replace("\r\n", "\n")


def as_json(deed: Deed, pace: str, files: dict[str, str] | None = None) -> Json:
    start, caret = apart(unix(deed.start))
    steps = [step_as_json(step) for step in deed.steps]
    about = {"name": deed.name, "file": deed.file, "start": start, "caret": caret}
    return {**about, "steps": steps, "pace": pace, "files": files}


@pytest.fixture(scope="module")
def seen(drive: Drive) -> Json:
    """The results of the actions."""
    files = {
        "llmblocks.toml": flow.SETTINGS.replace("tools.json", "gadgets.json"),
        "gadgets.json": json.dumps(flow.TOOLS),
    }
    flows = [Deed(name, each.file, steps, f"{each.text}{CARET}") for name, (each, steps) in FLOWS.items()]
    given = [*(as_json(deed, pace) for deed, pace in ASKED), *(as_json(deed, PERSON, files) for deed in flows)]
    return drive("hands.mjs", given=given)


@pytest.fixture(scope="module")
def left(seen: Json) -> dict[tuple[str, str], Json]:
    return {(each["name"], each["pace"]): each for each in seen["left"]}


@pytest.mark.parametrize(("deed", "pace"), ASKED, ids=str)
def test_the_text_is_what_was_typed(deed: Deed, pace: str, left: dict[tuple[str, str], Json]) -> None:
    found = left[deed.name, pace]
    assert not wrong(unix(deed.expected), found["text"], found["caret"])


@pytest.mark.parametrize("name", FLOWS)
def test_calls_chats_and_blocks_are_written_with_few_keys(name: str, left: dict[tuple[str, str], Json]) -> None:
    found = left[name, PERSON]
    written, steps = FLOWS[name]
    assert not wrong(f"{written.text}{CARET}", found["text"], found["caret"]), found["error"]
    assert flow.share(keys(steps) + found["arrows"], written, "playground") <= flow.MOST


def test_two_cursors_write_the_same(seen: Json) -> None:
    assert seen["cursors"] == "one !!!GADGET_START:A <think>\nx\ntwo !!!GADGET_START:A <think>\nx\n"


def test_typing_is_complained_of_nowhere(seen: Json) -> None:
    assert seen["console"] == []
