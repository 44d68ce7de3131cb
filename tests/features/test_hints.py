"""Inlay hints, shown in brackets where they stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from llmblocks import Settings
from llmblocks.features.marks import hints
from llmblocks.gadget import Gadgets, read_gadgets
from llmblocks.gadget.rules import SEARCH
from llmblocks.languages.ask import ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS

START, END = "!!!GADGET_START:", "!!!GADGET_END\n"


def shown(text: str, language_id: str = "gadget", settings: Settings = DEFAULTS, part: str = "") -> str:
    """Return the text with its hints; only those of the first `part` of it if there is one."""
    language = find_language(language_id)
    ask = ask_all(language.open(text, settings), language, settings)
    if part:
        ask = replace(ask, start=text.index(part), end=text.index(part) + len(part))
    for each in reversed(hints(ask)):
        text = f"{text[: each.offset]}[{each.label}]{text[each.offset :]}"
    return text


@pytest.mark.parametrize(
    ("value", "hinted"),
    [
        ("007", "007[number 7]"),
        ("1.50", "1.50[number 1.5]"),
        # as written
        ("7", "7"),
        ("1e3", "1e3"),
        ("true", "true"),
        ("text", "text"),
        ("", ""),
    ],
)
def test_a_value_that_arrives_as_another_is_shown(value: str, hinted: str) -> None:
    text = f"{START}A\n!!!ARG:a\n{{}}\n!!!ARG:b\nx\n{END}"
    assert shown(text.format(value)) == text.format(hinted)


def test_a_type_of_the_schema_is_shown() -> None:
    settings = Settings(gadgets=Gadgets(read_gadgets(SEARCH).gadgets))
    text = f"{START}search\n!!!ARG:query\n7{{}}\n!!!ARG:limit\n3\n{END}"
    assert shown(text.format(""), settings=settings) == text.format('[text "7"]')


def test_the_wave_of_a_call_with_dependencies_is_shown() -> None:
    text = f"{START}A:a\n{END}{START}B:b:a{{}}\n{END}{START}C:c:b{{}}\n{END}{START}D\n{END}{START}E:e:e{{}}\n{END}"
    assert shown(text.format("", "", "")) == text.format(
        "[wave 2]", "[wave 3]", '[never ran: Gadget "e" cannot depend on itself]'
    )


def test_a_call_that_does_not_run_and_those_that_wait_for_it_say_why() -> None:
    bad = "!!!ARG:x\n1\n!!!ARG:x\n1\n"
    text = f"{START}A:a{{}}\n{bad}{END}{START}B:b:a{{}}\n{END}{START}C:c:b{{}}\n{END}{START}D:d\n{END}"
    told = ("[rejected: Duplicate pointer: x]", *["[skipped: a is rejected]"] * 2)
    assert shown(text.format("", "", "")) == text.format(*told)


def test_no_hint_repeats_what_a_lens_tells() -> None:
    language = find_language("gadget")
    text = f"{START}A:a\n{END}{START}B:b:a\n{END}"
    for settings, labels in ((DEFAULTS, []), (Settings(lens_order=False), ["wave 2"])):
        ask = ask_all(language.open(text, settings), language, settings)
        assert [each.label for each in hints(ask, shows_lenses=True)] == labels


def test_an_implicit_end_is_shown() -> None:
    text = f"{START}A{{}}\n\n{START}B\n!!!ARG:a\nx{{}}\n"
    assert shown(text.format("", "")) == text.format("[no !!!GADGET_END]", "[no !!!GADGET_END]")


def test_calls_in_messages_have_hints() -> None:
    text = f"@ai\n{START}A\n!!!ARG:a\n007{{}}{{}}\n@user\nx\n"
    assert shown(text.format("", ""), "stf") == text.format("[no !!!GADGET_END]", "[number 7]")


def test_a_resource_after_a_call_is_nothing_that_it_waits_for() -> None:
    text = f"@ai\n{START}A\n{END}@embed type=image\na.png\n"
    assert shown(text, "stf") == text


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


def test_custom_blocks_have_none() -> None:
    assert shown("<think>x", "custom-blocks") == "<think>x"
