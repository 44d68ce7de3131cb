"""Inlay hints, shown in brackets where they stand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from llmblocks import Settings
from llmblocks.features.marks import hints
from llmblocks.gadget import Gadgets, read_gadgets
from llmblocks.gadget.rules import SEARCH
from llmblocks.settings.values import DEFAULTS
from marked import whole

START, END = "!!!GADGET_START:", "!!!GADGET_END\n"


def shown(text: str, language_id: str = "gadget", settings: Settings = DEFAULTS, part: str = "") -> str:
    """Return the text with its hints; only those of the first `part` of it if there is one."""
    ask = whole(text, language_id, settings)
    if part:
        ask = replace(ask, start=text.index(part), end=text.index(part) + len(part))
    for each in reversed(hints(ask)):
        text = f"{text[: each.offset]}[{each.label}]{text[each.offset :]}"
    return text


TWICE = "!!!ARG:x\n1\n!!!ARG:x\n1\n"
SEARCHED = Settings(gadgets=Gadgets(read_gadgets(SEARCH).gadgets))
NEVER = '[never ran: Gadget "e" cannot depend on itself]'


@pytest.mark.parametrize(
    "hinted",
    [
        # a value that arrives as another; the rest is as written
        *[
            f"{START}A\n!!!ARG:a\n{value}\n!!!ARG:b\nx\n{END}"
            for value in ("007[number 7]", "1.50[number 1.5]", "7", "1e3", "true", "text", "")
        ],
        f'{START}search\n!!!ARG:query\n7[text "7"]\n!!!ARG:limit\n3\n{END}',
        f"{START}A:a\n{END}{START}B:b:a[wave 2]\n{END}{START}C:c:b[wave 3]\n{END}"
        f"{START}D\n{END}{START}E:e:e{NEVER}\n{END}",
        f"{START}A:a[rejected: Duplicate pointer: x]\n{TWICE}{END}{START}B:b:a[skipped: a is rejected]\n{END}"
        f"{START}C:c:b[skipped: a is rejected]\n{END}{START}D:d\n{END}",
        f"{START}A[no !!!GADGET_END]\n\n{START}B\n!!!ARG:a\nx[no !!!GADGET_END]\n",
        f"@ai\n{START}A\n!!!ARG:a\n007[no !!!GADGET_END][number 7]\n@user\nx\n",
        # a call waits for no resource
        f"@ai\n{START}A\n{END}@embed type=image\na.png\n",
    ],
)
def test_hints_say_what_the_runtime_makes_of_a_call(hinted: str) -> None:
    settings = SEARCHED if "search" in hinted else DEFAULTS
    assert shown(re.sub(r"\[.*?\]", "", hinted), "stf" if hinted[0] == "@" else "gadget", settings) == hinted


def test_no_hint_repeats_what_a_lens_tells() -> None:
    text = f"{START}A:a\n{END}{START}B:b:a\n{END}"
    for settings, labels in ((DEFAULTS, []), (Settings(lens_order=False), ["wave 2"])):
        ask = whole(text, "gadget", settings)
        assert [each.label for each in hints(ask, shows_lenses=True)] == labels


def test_only_what_is_visible_has_hints() -> None:
    text = f"{START}A\n!!!ARG:a\n007\n!!!ARG:b\n008{{}}\n{END}{START}C\n!!!ARG:a\n009\n{END}"
    assert shown(text.format(""), part="008") == text.format("[number 8]")


@pytest.mark.parametrize(
    ("name", "settings"),
    [("types", Settings(hint_types=False)), ("waves", Settings(hint_waves=False)), ("ends", Settings(hint_ends=False))],
)
def test_each_kind_can_be_switched_off(name: str, settings: Settings) -> None:
    text = f"{START}A:a\n!!!ARG:a\n007\n{END}{START}B:b:a\n"
    labels = {"types": "[number 7]", "waves": "[wave 2]", "ends": "[no !!!GADGET_END]"}
    hinted = shown(text, settings=settings)
    assert {kind for kind, label in labels.items() if label in hinted} == labels.keys() - {name}
