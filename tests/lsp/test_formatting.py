"""Formatting of documents and ranges."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import converters, types

from wire import Here, did_open

URI = "file:///w/a.stf"
CONVERTER = converters.get_converter()
OPTIONS = {"tabSize": 4, "insertSpaces": True}


def edits(answer: Any) -> list[tuple[types.Range, str]]:
    return [(each.range, each.new_text) for each in CONVERTER.structure(answer, list[types.TextEdit])]


def line(number: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(number, start), types.Position(number, end))


def test_a_document_and_a_range_are_formatted_by_small_edits() -> None:
    with Here() as wire:
        told = CONVERTER.structure(wire.initialize(), types.ServerCapabilities)
        assert told.document_formatting_provider is True
        assert told.document_range_formatting_provider is True
        wire.send(did_open(URI, "@user  name='\U0001f600' \nhi \n@ai \n", "stf"))
        about = {"textDocument": {"uri": URI}, "options": OPTIONS}
        assert edits(wire.result(1, "textDocument/formatting", about)) == [
            (line(0, 6, 17), 'name="\U0001f600"'),
            (line(2, 3, 4), ""),
        ]
        place = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 1}}
        assert edits(wire.result(2, "textDocument/rangeFormatting", {**about, "range": place})) == [(line(2, 3, 4), "")]
        nothing = {"textDocument": {"uri": "file:///w/closed.stf"}, "options": OPTIONS}
        assert wire.result(3, "textDocument/formatting", nothing) == []
        assert wire.end() == 0


def test_several_ranges_are_formatted_for_a_client_that_announces_it() -> None:
    def span(first: int, last: int) -> Any:
        return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 1}}

    text = "@user  id=1 \nhi\n@ai \nho\n@user \nhu\n"
    with Here() as wire:
        told = wire.initialize(capabilities={"textDocument": {"rangeFormatting": {"rangesSupport": True}}})
        assert told["documentRangeFormattingProvider"] == {"rangesSupport": True}
        wire.send(did_open(URI, text, "stf"))
        wire.send(did_open("file:///w/a.md", f"~~~stf\n{text}~~~\n\n~~~stf\n@ai \n~~~\n", "markdown"))

        def asked(number: int, uri: str, *ranges: Any) -> list[tuple[types.Range, str]]:
            about = {"textDocument": {"uri": uri}, "options": OPTIONS, "ranges": [*ranges]}
            return edits(wire.result(number, "textDocument/rangesFormatting", about))

        assert asked(1, URI, span(4, 4), span(0, 0)) == [(line(0, 6, 12), "id=1"), (line(4, 5, 6), "")]
        # ranges may touch one another, and be the same
        assert asked(2, URI, span(0, 2), span(1, 2), span(0, 0), span(2, 5)) == [
            (line(0, 6, 12), "id=1"),
            (line(2, 3, 4), ""),
            (line(4, 5, 6), ""),
        ]
        assert asked(3, URI) == []
        # texts that a document embeds: no range is in the first one's last message
        assert asked(4, "file:///w/a.md", span(3, 3), span(3, 4), span(10, 10)) == [
            (line(3, 3, 4), ""),
            (line(10, 3, 4), ""),
        ]
        assert wire.end() == 0


def test_what_is_begun_is_ended_while_it_is_typed() -> None:
    with Here() as wire:
        told = CONVERTER.structure(
            wire.initialize(initializationOptions={"keepsCaret": True}), types.ServerCapabilities
        )
        assert told.document_on_type_formatting_provider == types.DocumentOnTypeFormattingOptions(
            ">", ("\n", "D", "d", "/")
        )
        wire.send(did_open(URI, "@user  id=1\n\U0001f600 <think>\n", "stf"))

        def typed(number: int, character: str, at: int, on: int) -> list[tuple[types.Range, str]]:
            position = {"line": on, "character": at}
            about = {"textDocument": {"uri": URI}, "options": OPTIONS, "position": position, "ch": character}
            return edits(wire.result(number, "textDocument/onTypeFormatting", about))

        assert typed(1, ">", 10, 1) == [(line(1, 10, 10), "</think>")]
        assert typed(2, "\n", 0, 1) == [(line(0, 6, 7), "")]
        assert typed(3, "}", 10, 1) == []
        assert typed(4, ">", 9, 1) == []
        assert wire.end() == 0


@pytest.mark.parametrize(
    ("about", "keeps"),
    [
        ({}, False),
        ({"initializationOptions": {"keepsCaret": True}}, True),
        ({"clientInfo": {"name": "Eglot"}}, True),
        ({"clientInfo": {"name": "emacs"}}, True),
    ],
)
def test_nothing_is_inserted_at_a_caret_that_would_move_after_it(about: dict[str, Any], keeps: bool) -> None:
    texts = {
        "<think>": (">", (0, 7), (0, 7), "</think>"),
        "!!!GADGET_START:A\n": ("\n", (1, 0), (1, 0), "\n!!!GADGET_END"),
        # after the line of the caret no client moves it
        "!!!GADGET_START:A\n\nrest\n": ("\n", (1, 0), (2, 0), "!!!GADGET_END\n"),
    }
    with Here() as wire:
        wire.initialize(**about)
        for number, (text, (typed, caret, place, end)) in enumerate(texts.items()):
            uri = f"file:///w/{number}.gadget"
            wire.send(did_open(uri, text))
            position = {"line": caret[0], "character": caret[1]}
            asked = {"textDocument": {"uri": uri}, "options": OPTIONS, "position": position, "ch": typed}
            at = types.Position(*place)
            expected = [(types.Range(at, at), end)] if keeps or place != caret else []
            assert edits(wire.result(number, "textDocument/onTypeFormatting", asked)) == expected
        assert wire.end() == 0
