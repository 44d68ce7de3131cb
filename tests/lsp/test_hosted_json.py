"""A line of JSON that embeds a text: it has the answers of a separate file, moved."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from lsp.test_hosted import ABOUT_A_PLACE, CALLS, absolute, applied, stays_fresh, without_data
from oracle.client import Client, Document, Profile
from oracle.places import Places

Json = Any
PROFILE = Profile("utf-16")
FIRST = '{"messages": [{"role": "assistant", "content": "Hi"}]}\n'
HEAD, TAIL = '{"n": "\U0001f389", "messages": [{"content": "', '", "role": "assistant"}]}\n'
TEXT = CALLS.replace("\n1\n", '\n"\\/1\n') + "\n\n\n!!!GADGET_START:Read:r2: r1 ,w1 \n!!!GADGET_END"


@cache
def client(profile: Profile) -> Client:
    return Client(profile)


class Both:
    """A text in a string, and in its own file."""

    def __init__(self, *, ascii_only: bool, profile: Profile = PROFILE) -> None:
        self.written = [json.dumps(each, ensure_ascii=ascii_only)[1:-1] for each in TEXT]
        line = HEAD + "".join(self.written) + TAIL
        self.host = Document(client(profile), "jsonl", FIRST + line)
        self.bare = Document(client(profile), "gadget", TEXT)
        self.inner, self.outer = Places(TEXT, profile.encoding), Places(self.host.text, profile.encoding)

    def __enter__(self) -> Both:
        return self

    def __exit__(self, *_: object) -> None:
        self.host.close()
        self.bare.close()

    def outside(self, offset: int) -> int:
        return len(FIRST) + len(HEAD) + sum(map(len, self.written[:offset]))

    def place(self, value: Json) -> Json:
        offset = self.outside(self.inner.offset(value))
        return self.outer.range(offset, offset)["start"]

    def moved(self, value: Json) -> Json:
        """Return the answers of the bare document, with the places of its host."""
        if isinstance(value, list):
            return [*map(self.moved, value)]
        if not isinstance(value, dict):
            return self.host.uri if value == self.bare.uri else value
        if "line" in value:
            return self.place(value)
        if "newText" in value:
            escaped = json.dumps(value["newText"], ensure_ascii=self.host.text.isascii())[1:-1]
            return value | {"range": self.moved(value["range"]), "newText": escaped}
        return {
            self.host.uri if name == self.bare.uri else name: each if name == "data" else self.moved(each)
            for name, each in value.items()
        }

    def content(self, text: str) -> str:
        """Return the text in a host."""
        _, line = text.splitlines()
        return str(json.loads(line)["messages"][0]["content"])


in_both = pytest.mark.parametrize("ascii_only", [True, False])


@in_both
def test_diagnostics_are_those_of_the_text(ascii_only: bool) -> None:
    for profile in (PROFILE, Profile("utf-8", pulls=True)):
        with Both(ascii_only=ascii_only, profile=profile) as both:
            assert both.bare.diagnostics()
            assert both.host.diagnostics() == both.moved(both.bare.diagnostics())


@in_both
def test_every_place_of_a_text_has_its_answers(ascii_only: bool) -> None:
    with Both(ascii_only=ascii_only) as both:
        for offset in range(0, len(TEXT), 2):
            place = both.inner.range(offset, offset)["start"]
            for method in ABOUT_A_PLACE:
                expected = both.bare.ask(method, position=place)
                found = both.host.ask(method, position=both.place(place))
                assert without_data(found) == without_data(both.moved(expected)), (method, place)


@in_both
def test_what_is_reported_of_all_of_a_document_is_reported_of_its_texts(ascii_only: bool) -> None:
    with Both(ascii_only=ascii_only) as both:
        for method in ("documentSymbol", "documentLink"):
            assert both.host.ask(method) == both.moved(both.bare.ask(method)), method
        assert both.host.ask("foldingRange") == []
        assert both.bare.ask("foldingRange")
        tokens = []
        for line, character, length, *rest in absolute(both.bare.ask("semanticTokens/full")["data"]):
            ends = (both.place({"line": line, "character": each}) for each in (character, character + length))
            start, end = (each["character"] for each in ends)
            tokens.append((1, start, end - start, *rest))
        assert absolute(both.host.ask("semanticTokens/full")["data"]) == tokens


@in_both
def test_edits_are_those_of_the_text(ascii_only: bool) -> None:
    with Both(ascii_only=ascii_only) as both:
        options = {"tabSize": 4, "insertSpaces": True}
        expected = applied(TEXT, both.bare.ask("formatting", options=options))
        assert expected != TEXT
        found = applied(both.host.text, both.host.ask("formatting", options=options))
        assert both.content(found) == expected
        for each in both.bare.diagnostics():
            actions = both.bare.ask("codeAction", range=each["range"], context={"diagnostics": [each]})
            moved = {"range": both.moved(each["range"]), "context": {"diagnostics": [both.moved(each)]}}
            for one, other in zip(both.host.ask("codeAction", **moved), actions, strict=True):
                assert one["title"] == other["title"]
                if both.bare.uri in other.get("edit", {}).get("changes", {}):
                    new = applied(TEXT, other["edit"]["changes"][both.bare.uri])
                    assert both.content(applied(both.host.text, one["edit"]["changes"][both.host.uri])) == new


def test_nothing_is_reported_of_other_lines_and_other_json() -> None:
    with Both(ascii_only=True) as both:
        assert both.host.ask("hover", position={"line": 1, "character": 3}) is None
    other = Document(client(PROFILE), "json", FIRST)
    assert other.diagnostics() == []
    other.close()


def test_the_first_line_with_a_row_tells_the_form_also_after_blank_ones() -> None:
    host = Document(client(PROFILE), "jsonl", FIRST + STARTS[1])
    host.change([(0, 0, " \n\n")])
    assert [each["name"] for each in host.ask("documentSymbol")] == ["A:a"]
    # invalid JSON has no form
    host.change([(3, 3, "x")])
    assert host.ask("documentSymbol") == []
    host.change([(3, 3, FIRST)])
    assert [each["name"] for each in host.ask("documentSymbol")] == ["A:a"]
    host.close()


STARTS = (
    FIRST,
    '{"messages": [{"role": "assistant", "content": "!!!GADGET_START:A:a\\n!!!ARG:x\\n1\\n"}]}\n',
    '{"messages": [{"role": "assistant", "content": "a\\u00e9\\n!!!ARG:x"}, {"role": "user", "content": "a"}]}\n',
    '{"messages": [{"role": "bot", "content": "a"}]}\r\n',
    '{"messages": [}\n',
    "\n",
    "{}\n",
)
WRITTEN = (
    *("x", "word ", "é", " ", '"', "\\", "\\n", "\n", "{", "}", "]", ",", "", "", "", "\r", '{"a": 1}\n', STARTS[1]),
)
EDITS = st.tuples(st.integers(0, 700), st.sampled_from((0, 0, 0, 1, 1, 2, 6, 90)), st.sampled_from(WRITTEN))


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(STARTS), min_size=1, max_size=6).map("".join), st.lists(EDITS, max_size=8))
def test_after_edits_a_host_is_what_it_is_when_opened_again(text: str, edits: list[tuple[int, int, str]]) -> None:
    stays_fresh("jsonl", FIRST + text, edits)
