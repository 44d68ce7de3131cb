"""What is typed in the playground is there afterwards, once, at a person's pace and at a fast one."""

from __future__ import annotations

from typing import Any

import pytest

from editors.hands import PACES, Deed, Paste, Pick, Press, Step, apart, wrong
from editors.hands_texts import DEEDS
from editors.playground.conftest import Drive

Json = Any


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
    return drive("hands.mjs", given=[as_json(deed, PACES) for deed in DEEDS])


@pytest.fixture(scope="module")
def left(seen: Json) -> dict[tuple[str, str], Json]:
    return {(each["name"], each["pace"]): each for each in seen["left"]}


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("deed", DEEDS, ids=str)
def test_the_text_is_what_was_typed(deed: Deed, pace: str, left: dict[tuple[str, str], Json]) -> None:
    found = left[deed.name, pace]
    assert not wrong(unix(deed.expected), found["text"], found["caret"])


def test_two_cursors_write_the_same(seen: Json) -> None:
    assert seen["cursors"] == "one !!!GADGET_START:A <think>\nx\ntwo !!!GADGET_START:A <think>\nx\n"


def test_typing_is_complained_of_nowhere(seen: Json) -> None:
    assert seen["console"] == []
