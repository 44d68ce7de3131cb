"""The client's findings of a document equal those of the oracle.

A feature joins with one function here: from a document to assertions. `ALL` is what is checked after every change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from llmblocks.facts.message import LONGEST_HEADLINE
from llmblocks.lsp.wire.limits import MAX_PLACES_OF_SYMBOL
from oracle import findings, silences, views, whole
from oracle.calls import calls_in
from oracle.client import Document
from oracle.names import calls
from oracle.places import Places
from oracle.tokens import Reading

Json = Any
INFORMATION = 3


class State(NamedTuple):
    """A document at one moment, and what the oracle has read in it."""

    document: Document
    fresh: Document
    """The same text, just opened."""
    reading: Reading
    places: Places
    probes: tuple[int, ...]
    """Code points at which hovers, completions and ranges are asked for."""

    def ask(self, method: str, **params: Json) -> Json:
        """Return an answer, which is that about the same text, just opened."""
        told = self.document.ask(method, **params)
        again = self.fresh.ask(method, **params)
        assert _elsewhere(told, self.document) == _elsewhere(again, self.fresh)
        return told


def check(document: Document, seeds: list[int]) -> None:
    """All checks, after a change. Any numbers are `seeds`; they choose where to look."""
    document.client.serve()
    text = document.text
    reading = whole.read(text, document.language_id, _markers(document), by_role=document.client.profile.by_role)
    assert "".join(text[token.start : token.end] for token in reading.tokens) == text, "the oracle itself is wrong"
    places = Places(text, document.client.profile.encoding)
    fresh = Document(document.client, document.language_id, text)
    try:
        state = State(document, fresh, reading, places, tuple(_probes(reading, places, seeds)))
        for each in ALL:
            each(state)
    finally:
        fresh.close()


def diagnostics(state: State) -> None:
    document, places = state.document, state.places
    profile = document.client.profile
    told = document.diagnostics()
    assert _elsewhere(told, document) == _elsewhere(state.fresh.diagnostics(), state.fresh)
    tokens, markers, chat = state.reading.tokens, _markers(document), document.language_id == "stf"
    expected = findings.findings(document.text, tokens, markers, chat=chat, with_schemas=profile.schemas)
    expected = silences.after(document.text, state.reading.tokens, expected, document.language_id)
    if profile.known:
        shown = expected[: profile.most]
        if len(expected) > profile.most:
            *told, tail = told
            assert re.match(rf"{len(expected) - profile.most} more findings? ", tail["message"]), tail
            assert tail["severity"] == INFORMATION
            assert tail["range"]["start"]["line"] <= places.of[expected[profile.most].start][0]
            assert tail["range"]["start"]["character"] == 0
            assert tail["range"]["end"] == tail["range"]["start"]
    else:
        # what the oracle does not find may still be silenced
        known = {*findings.CODES} - {silences.UNUSED}
        shown = [each for each in expected if each.code in known]
        told = [each for each in told if each.get("code") in known]
    assert [(each["code"], each["range"]) for each in told] == [
        (each.code, places.range(each.start, each.end)) for each in shown
    ]
    for one, other in zip(told, shown, strict=True):
        assert _is_said(other.says, one["message"]), (one["message"], other.says)
        assert (one["severity"], one["source"]) == (other.severity, "llmblocks")
        assert [each["location"] for each in one.get("relatedInformation", [])] == [
            {"uri": document.uri, "range": places.range(*place)} for place in other.related
        ]


def _is_said(pattern: str, message: str) -> bool:
    """Whether a message has these words: as its headline, or, where they are too long, at the start of its note."""
    headline, *rest = message.split("\nnote: ", 1)
    if not rest:
        headline, *rest = message.split("\nhelp: ", 1)
    assert len(headline) <= LONGEST_HEADLINE
    below = "".join(rest).replace("\nhelp: ", "; ")
    ends = [found.start() for found in re.finditer("; ", below)]
    said = (f"{headline} — {below}" if below else headline, *[f"{below[:end]} — {below[end + 2 :]}" for end in ends])
    return any(re.fullmatch(pattern, each, re.DOTALL) for each in said)


def folds(state: State) -> None:
    line_of = state.places.of
    told, fresh = (_told_folds(each) for each in (state.document, state.fresh))
    assert told == fresh
    sure: Counter[tuple[int, int, str]] = Counter()
    unsure = set()
    for fold in views.folds(state.document.text, state.reading):
        first, last = line_of[fold.start][0], line_of[fold.last][0]
        if not fold.sure:
            unsure.add(first)
        elif first < last:
            sure[first, last, "comment" if fold.comment else ""] += 1
    assert not sure - told
    assert all(first in unsure and first < last for first, last, _ in told - sure), told - sure


def _told_folds(document: Document) -> Counter[tuple[int, int, str]]:
    """Without their order, to which the protocol gives no meaning."""
    return Counter((each["startLine"], each["endLine"], each.get("kind", "")) for each in document.ask("foldingRange"))


def semantic_tokens(state: State) -> None:
    document, places = state.document, state.places
    expected = views.colours(document.text, state.reading.tokens)
    assert _decoded(document, document.semantic_tokens(), places) == expected
    assert _decoded(document, state.fresh.semantic_tokens(), places) == expected
    for start, end in zip(state.probes, state.probes[1:], strict=False):
        start, end = min(start, end), max(start, end)
        part = document.ask("semanticTokens/range", range=places.range(start, end))["data"]
        seen = _decoded(document, part, places)
        wanted = [each for each in expected if each.start < end and each.end > start]
        assert [each for each in seen if each in wanted] == wanted
        first = expected.index(seen[0]) if seen else 0
        assert seen == expected[first : first + len(seen)]


def lenses(state: State) -> None:
    """Where a call waits for another, each has a lens that says when it runs, or why it does not."""
    document = state.document
    told, fresh = (each.ask("codeLens") for each in (document, state.fresh))
    assert sorted(_elsewhere(each, document) for each in told) == sorted(
        _elsewhere(each, state.fresh) for each in fresh
    )
    text, tokens = document.text, state.reading.tokens
    expected = [(state.places.of[call.start.start][0], "order") for call in calls_in(text, tokens)]
    if not any(call.dependencies for call in calls(text, tokens)):
        expected = []
    found = [(each["range"]["start"]["line"], each["data"]["kind"]) for each in told]
    assert sorted(found) == sorted(expected)
    by_line = {each["range"]["start"]["line"]: each for each in fresh}
    for lens in told[:4]:
        own, other = (
            each.client.ask("codeLens/resolve", there)["command"]
            for each, there in ((document, lens), (state.fresh, by_line[lens["range"]["start"]["line"]]))
        )
        assert (own["title"], own["command"]) == (other["title"], other["command"])
        assert own["title"]


_NAMES = frozenset(("header", "pointer", "message-name", "raw-name", "block-name", "name"))


def symbols(state: State) -> None:
    """Every name has one symbol, and trees are trees."""
    places = state.places
    told = state.ask("documentSymbol")
    whole = places.range(0, len(state.document.text))
    named = [*_nested(told, whole)]
    assert named == sorted(named, key=lambda each: _order(each["range"]["start"]))
    tokens = state.reading.tokens
    expected = [
        places.range(token.start, token.end)
        for before, token in zip([None, *tokens], tokens, strict=False)
        if (token.kind in _NAMES and state.document.text[token.start : token.end] != "flush")
        or (token.kind == "tag" and before and before.kind == "opening")
    ]
    found = [each["selectionRange"] for each in named]
    assert [each for each in found if each["start"] != each["end"]] == [
        each for each in expected if each["start"] != each["end"]
    ]


def _nested(told: list[Json], around: Json) -> Iterator[Json]:
    end = around["start"]
    for each in told:
        span, name = each["range"], each["selectionRange"]
        assert each["name"]
        assert _order(end) <= _order(span["start"]) <= _order(name["start"])
        assert _order(name["end"]) <= _order(span["end"]) <= _order(around["end"])
        end = span["end"]
        yield each
        yield from _nested(each.get("children", []), span)


def _order(place: Json) -> tuple[int, int]:
    return place["line"], place["character"]


def hovers(state: State) -> None:
    for offset in state.probes:
        place = state.places.range(offset, offset)["start"]
        told = state.ask("hover", position=place)
        offset = state.places.offset(place)
        touching = [token for token in state.reading.tokens if token.start <= offset <= token.end][::-1]
        possible = []
        for token in touching:
            if token.kind in views.EXPLAINED | views.AT_TIMES_EXPLAINED and token.start < token.end:
                possible.append(state.places.range(token.start, token.end))
            if token.kind in views.EXPLAINED and token.start < token.end:
                break
        else:
            possible.append(None)
            text = state.document.text
            if any(each.start() <= offset <= each.end() for each in views.unknown_tags(text)):
                line = text.rfind("\n", 0, offset) + 1, (text.find("\n", offset) + 1 or len(text) + 1) - 1
                of_line = [(max(each.start, line[0]), min(each.end, line[1])) for each in touching]
                possible += [state.places.range(*span) for span in of_line]
        assert (told and told["range"]) in possible, (told, possible)
        assert told is None or told["contents"]["value"]


def navigation(state: State) -> None:
    """Each use of a name finds the same uses, and a growing selection grows."""
    document = state.document
    for offset in state.probes:
        place = state.places.range(offset, offset)["start"]
        for method in ("definition", "documentHighlight", "linkedEditingRange"):
            state.ask(method, position=place)
        uses = document.ask("references", position=place)
        for use in uses:
            assert document.ask("references", position=use["range"]["start"]) == uses
        spans = [(state.places.offset(use["range"]["start"]), state.places.offset(use["range"]["end"])) for use in uses]
        names = {document.text[start:end] for start, end in spans}
        assert len(names) <= 1
        (chain,) = document.ask("selectionRange", positions=[place])
        while "parent" in chain:
            inner, chain = chain["range"], chain["parent"]
            assert _order(chain["range"]["start"]) <= _order(inner["start"])
            assert _order(inner["end"]) <= _order(chain["range"]["end"])


def found(state: State) -> None:
    """A search finds the names of a document: all opening tags among them, as far as one name may have places."""
    document, text = state.document, state.document.text
    told = document.client.ask("workspace/symbol", {"query": ""})
    mine, fresh = (
        [
            (one["name"], one["containerName"], one["location"]["range"])
            for one in told
            if one["location"]["uri"] == of.uri
        ]
        for of in (document, state.fresh)
    )
    assert mine == fresh
    tokens = state.reading.tokens
    seen: Counter[str] = Counter()
    expected = []
    for before, token in pairwise(tokens):
        name = text[token.start : token.end]
        if token.kind == "tag" and before.kind == "opening" and seen[name] < MAX_PLACES_OF_SYMBOL:
            seen[name] += 1
            expected.append((name, state.places.range(token.start, token.end)))
    blocks = [(name, place) for name, title, place in mine if title == "block"]
    assert sorted(blocks, key=str) == sorted(expected, key=str)


def waiting(state: State) -> None:
    """A call waits for another one if that is awaited by it."""
    document = state.document
    for offset in state.probes:
        for item in state.ask("prepareCallHierarchy", position=state.places.range(offset, offset)["start"]) or ():
            for edge in document.client.ask("callHierarchy/outgoingCalls", {"item": item}):
                own, name = edge["to"]["range"]["start"], edge["to"]["selectionRange"]
                # one without an id is awaited by its number
                if own != name["start"] != name["end"]:
                    back = document.client.ask("callHierarchy/incomingCalls", {"item": edge["to"]})
                    assert {"from": item, "fromRanges": edge["fromRanges"]} in back


_WORD = re.compile(r"[^\s'\"<>=]+|['\"][^'\"\n]*")
"""The contexts in which spaces and quotes have a meaning."""


def _begins(state: State, first: int, caret: int) -> bool:
    """Return whether a part of a call in which spaces mean nothing begins at a place before the caret."""
    text = state.document.text
    token = next((each for each in state.reading.tokens if each.start < caret <= each.end), None)
    if token is None:
        return False
    if token.kind == "value":
        return first == max(text.rfind("\n", 0, caret), text.rfind("\r", 0, caret)) + 1
    if token.kind == "header":
        # commas part dependencies, which come after two colons
        signs = ":," if text.count(":", token.start, caret) > 1 else ":"
        sign = max(text.rfind(each, token.start, caret) for each in signs) + 1
        return first == (token.start if sign == 0 else caret - len(text[sign:caret].lstrip()))
    return token.kind == "pointer" and first == token.start


_MOST_HEADERS = 4


def completions(state: State) -> None:
    text = state.document.text
    # most is offered at the ends of headers
    headers = [token.end for token in state.reading.tokens if token.kind in ("header", "arguments")]
    for offset in (*state.probes, *headers[:_MOST_HEADERS]):
        place = state.places.range(offset, offset)["start"]
        state.ask("signatureHelp", position=place)
        told = state.ask("completion", position=place)["items"]
        assert len({_order(each["textEdit"]["range"]["start"]) for each in told}) <= 1
        for each in told:
            span, new = each["textEdit"]["range"], each["textEdit"]["newText"]
            assert span["start"]["line"] == place["line"] == span["end"]["line"]
            assert _order(span["start"]) <= _order(place) <= _order(span["end"])
            first, caret = state.places.offset(span["start"]), state.places.offset(place)
            replaced = text[first:caret]
            assert new.startswith(replaced) or _begins(state, first, caret) or _WORD.fullmatch(replaced), replaced
        labels = [each["label"] for each in told]
        assert len({*labels}) == len(labels)


def hints(state: State) -> None:
    """The hints of all of the text and of a part of it are those of the same text, just opened."""
    whole = state.places.range(0, len(state.document.text))
    part = state.places.range(min(state.probes[:2]), max(state.probes[:2]))
    for span in (whole, part):
        state.ask("inlayHint", range=span)


ALL: tuple[Callable[[State], None], ...] = (
    *(diagnostics, folds, symbols, semantic_tokens, lenses, hovers, navigation, found, waiting, completions, hints),
)


def _probes(reading: Reading, places: Places, seeds: list[int]) -> Iterator[int]:
    """Anywhere, and at the two ends of a token."""
    last = len(places.of) - 1
    for number, seed in enumerate(seeds):
        if number % 2 and reading.tokens:
            token = reading.tokens[seed % len(reading.tokens)]
            yield (token.start, token.end)[seed % 2]
        else:
            yield seed % (last + 1)


def _decoded(document: Document, numbers: list[int], places: Places) -> list[views.Coloured]:
    """Return the relative encoding of semantic tokens, undone."""
    found = []
    line = character = 0
    for down, across, length, role, modifiers in zip(*[iter(numbers)] * 5, strict=True):
        line, character = line + down, across if down else character + across
        first, last = ({"line": line, "character": each} for each in (character, character + length))
        named = tuple(name for bit, name in enumerate(document.client.modifiers) if modifiers >> bit & 1)
        found.append(views.Coloured(places.offset(first), places.offset(last), document.client.roles[role], named))
    return found


def _markers(document: Document) -> tuple[str, str, str]:
    return document.client.profile.markers or whole.MARKERS


def _elsewhere(told: Json, document: Document) -> str:
    return repr(told).replace(document.uri, "")
