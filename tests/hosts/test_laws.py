"""Texts in hosts have the findings, fixes and format of the texts alone, and nothing else of the host changes."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from hosts import test_code, test_hosted, test_json
from llmblocks import Settings, check, fix, format_text
from llmblocks.hosts.embedded import EmbeddedText
from llmblocks.hosts.hosted import embedded_in

pytest.importorskip("tree_sitter_typescript", reason="the extra llmblocks[code] is not installed")


class Drawn(NamedTuple):
    """A host."""

    text: str
    language_id: str
    settings: Settings = Settings()

    def texts(self, text: str) -> list[EmbeddedText]:
        return [*embedded_in(text, self.language_id, self.settings)]

    def may_hold(self, old: str, new: str) -> tuple[str, ...]:
        """Return the texts that a host may hold for a new one."""
        if self.language_id == "markdown":
            # a closing fence is on its own line, and an edit that would end the fence is not made
            return old, new, f"{new}\n", f"{new}\r\n"
        # a raw string cannot hold all that a fix may write
        return (old, new) if "r'''" in self.text else (new,)

    def outside(self, text: str) -> list[str]:
        return test_hosted.outside(text) if self.language_id == "markdown" else []


HOSTS = st.one_of(
    test_hosted.hosts().map(lambda text: Drawn(text, "markdown")),
    test_code.hosts().map(lambda drawn: Drawn(drawn[1], drawn[0], test_code.NAMED)),
    test_json.hosts().map(lambda drawn: Drawn(drawn[0], "jsonl", test_json.NAMED)),
)


@settings(max_examples=examples(600), deadline=None)
@given(HOSTS)
def test_a_host_has_the_findings_of_its_texts_at_their_places(drawn: Drawn) -> None:
    expected = [
        (each.code, each.message, *bare.span(each.start, each.end))
        for bare in drawn.texts(drawn.text)
        for each in check(bare.text, bare.language_id)
    ]
    found = check(drawn.text, drawn.language_id, drawn.settings)
    assert [(each.code, each.message, each.start, each.end) for each in found] == expected


@settings(max_examples=examples(400), deadline=None)
@given(HOSTS, st.booleans())
def test_a_fix_in_a_host_is_the_fix_of_the_text_alone(drawn: Drawn, unsafe: bool) -> None:
    done = fix(drawn.text, drawn.language_id, unsafe=unsafe, settings=drawn.settings)
    for old, now in zip(drawn.texts(drawn.text), drawn.texts(done.text), strict=True):
        assert now.text in drawn.may_hold(old.text, fix(old.text, old.language_id, unsafe=unsafe).text)
    assert drawn.outside(done.text) == drawn.outside(drawn.text)
    assert done.left == check(done.text, drawn.language_id, drawn.settings)
    assert drawn.text.isascii() <= done.text.isascii()


@settings(max_examples=examples(400), deadline=None)
@given(HOSTS)
def test_formatting_in_a_host_is_that_of_the_text_alone(drawn: Drawn) -> None:
    now = format_text(drawn.text, drawn.language_id, drawn.settings)
    for old, new in zip(drawn.texts(drawn.text), drawn.texts(now), strict=True):
        assert new.text in drawn.may_hold(old.text, format_text(old.text, old.language_id))
    assert drawn.outside(now) == drawn.outside(drawn.text)
    assert format_text(now, drawn.language_id, drawn.settings) == now
