"""Text typed in the playground arrives once, at a person's pace and at a fast one."""

from __future__ import annotations

import json

import pytest

from editors import flow
from editors.hands import CALM, CARET, FAST, PERSON, RACES, Deed, Paste, Pick, Press, Step, apart, keys, wrong
from editors.playground.conftest import Drive, Json

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
        case Press(key, times):
            return {"press": key, "times": times}
        case Paste(text):
            return {"paste": text}
        case Pick(label):
            return {"pick": label}


def unix(text: str) -> str:
    """Return the text as in the playground, where every line ends with a line feed."""
    return text.replace("\r\n", "\n")


def as_json(deed: Deed, pace: str, files: dict[str, str] | None = None) -> Json:
    start, caret = apart(unix(deed.start))
    about = {"name": deed.name, "file": deed.file, "start": start, "caret": caret, "pace": pace, "files": files}
    return {**about, "steps": [step_as_json(step) for step in deed.steps]}


@pytest.fixture(scope="module")
def seen(drive: Drive) -> Json:
    """The results of the actions."""
    settings = flow.SETTINGS.replace("tools.json", "gadgets.json")
    files = {"llmblocks.toml": settings, "gadgets.json": json.dumps(flow.TOOLS)}
    flows = [Deed(name, each.file, steps, f"{each.text}{CARET}") for name, (each, steps) in FLOWS.items()]
    given = [*(as_json(deed, pace) for deed, pace in ASKED), *(as_json(deed, PERSON, files) for deed in flows)]
    return drive("hands.mjs", given=given)


def left(seen: Json, name: str, pace: str) -> Json:
    [found] = [each for each in seen["left"] if (each["name"], each["pace"]) == (name, pace)]
    return found


@pytest.mark.parametrize(("deed", "pace"), ASKED, ids=str)
def test_the_text_is_what_was_typed(deed: Deed, pace: str, seen: Json) -> None:
    found = left(seen, deed.name, pace)
    assert not wrong(unix(deed.expected), found["text"], found["caret"])


@pytest.mark.parametrize("name", FLOWS)
def test_calls_chats_and_blocks_are_written_with_few_keys(name: str, seen: Json) -> None:
    found = left(seen, name, PERSON)
    written, steps = FLOWS[name]
    assert not wrong(f"{written.text}{CARET}", found["text"], found["caret"]), found["error"]
    assert flow.share(keys(steps) + found["arrows"], written) <= flow.MOST


def test_two_cursors_write_the_same(seen: Json) -> None:
    assert seen["cursors"] == "one !!!GADGET_START:A <think>\nx\ntwo !!!GADGET_START:A <think>\nx\n"


def test_typing_is_complained_of_nowhere(seen: Json) -> None:
    assert seen["console"] == []
