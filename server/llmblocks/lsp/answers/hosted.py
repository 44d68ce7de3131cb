"""Requests about the texts that a document embeds: the client sees places in the document, and its URI."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from heapq import merge
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import headed
from llmblocks.facts.severity import Severity
from llmblocks.lsp.answers.feature import Feature
from llmblocks.lsp.documents.diagnostics import diagnostic, not_shown, notice
from llmblocks.lsp.documents.hosted import Guest, HostedText
from llmblocks.lsp.wire.params import a_list, place_of, range_of
from llmblocks.lsp.wire.rpc import Json, RawJson

if TYPE_CHECKING:
    from llmblocks.lsp.documents.text import AnalysedText

_TOKENS = "textDocument/semanticTokens/"
_FOLDS = "textDocument/foldingRange"
_SELECTIONS = "textDocument/selectionRange"
_FORMAT_RANGES = "textDocument/rangesFormatting"
_FORMAT = "insertTextFormat"
_SNIPPET = 2
_SYNTAX = re.compile(r"(\\[\\$}]|\$\d+|\$\{\d+[:|]?|\|?\})")
"""What is no text in a snippet: escapes, and what begins and ends places."""
_ESCAPE = r"\$"
_MEANS_MORE = re.compile(r"[\\$}]")
Answer = Callable[[Json, Guest], Json]


def reply(feature: Feature, params: Json, hosted: HostedText, answer: Answer) -> Json:
    """The answer to a request about a host, from those of `answer` about its embedded texts."""
    if feature.method == _SELECTIONS:
        places = a_list(params.get("positions"), "positions")
        return [_selection(params | {"positions": [each]}, hosted, answer) for each in places]
    if feature.part == "position":
        guest = hosted.guest_at(hosted.offset(*place_of(params.get("position"), "position")))
        return feature.nothing if guest is None else _answer(params, hosted, guest, answer)
    start, end = 0, hosted.size
    if feature.part == "range":
        span = range_of(params.get("range"), "range")
        start = hosted.offset(span.start_line, span.start_character)
        end = hosted.offset(span.end_line, span.end_character)
    if feature.method == _FORMAT_RANGES:
        one = feature._replace(method="textDocument/rangeFormatting", part="range")
        given = a_list(params.get("ranges"), "ranges")
        edits = [reply(one, params | {"range": each, "ranges": [each]}, hosted, answer) for each in given]
        # several ranges may be on one line
        return [*{json.dumps(each): each for each in chain(*edits)}.values()]
    guests = [each for each in hosted.guests() if each.start <= end and start <= each.end]
    if feature.method.startswith(_TOKENS):
        return _tokens(params, hosted, guests, answer)
    found = [each for guest in guests for each in _answer(params, hosted, guest, answer) or ()]
    # several lines of a text may be one of the host
    return [each for each in found if each["startLine"] < each["endLine"]] if feature.method == _FOLDS else found


def resolve(params: Json, hosted: HostedText, guest: Guest, answer: Callable[[Json], Json]) -> Json:
    """An item with what was left out of it."""
    view = View(hosted, guest)
    # only a lens has a place of its own; other places are in what the analysis has said before
    inner = params | {name: view.inside(params[name]) for name in ("range",) if name in params}
    whole = answer(inner)
    changed = {name: each for name, each in whole.items() if inner.get(name) != each}
    return params | {name: view.outside(each) for name, each in changed.items()}


def view_at(hosted: HostedText | None, place: Json) -> View | None:
    """The embedded text at a place of a document, with the places of both; None where there is none."""
    guest = hosted.guest_at(hosted.offset(*place_of(place, "position"))) if hosted is not None else None
    return View(hosted, guest) if hosted is not None and guest is not None else None


def diagnostics(hosted: HostedText) -> list[Json]:
    """The diagnostics of a host and of all embedded texts: as many as a document may have, then how many more."""
    found: list[Json] = []
    if (unread := hosted.unread()) is not None:
        line, reason = unread
        found.append(notice(headed(reason), Severity.INFORMATION, line))
    own = ((each.start, 1, [_own(hosted, each)]) for each in hosted.own_findings())
    inside = ((guest.start, *_diagnostics(hosted, guest)) for guest in hosted.guests())
    left, more, line = hosted.settings.max_diagnostics, 0, -1
    for _, count, items in merge(own, inside, key=itemgetter(0)):
        found += items[:left]
        if count > left:
            more += count - left
            line = line if line >= 0 else items[left]["range"]["start"]["line"]
        left = max(left - count, 0)
    return [*found, notice(not_shown(more), Severity.INFORMATION, line)] if more else found


def _own(hosted: HostedText, finding: Finding) -> Json:
    """A finding of a host."""
    start, end = hosted.place(finding.start), hosted.place(finding.end)
    return diagnostic(finding, {"start": start, "end": end})


def _diagnostics(hosted: HostedText, guest: Guest) -> tuple[int, list[Json]]:
    """The number of findings in an embedded text, and its diagnostics, made again only where they or their places have
    changed.

    Shape: where there are more than a document may have, the last one says that.
    """
    items = guest.text.diagnostics()
    if not items:
        return 0, []
    known = items, guest.form, hosted.position(guest.start)
    if guest.told[0] != known:
        view = View(hosted, guest)
        guest.told = known, [view.outside(each) for each in items]
    return guest.text.told.count(), guest.told[1]


def _answer(params: Json, hosted: HostedText, guest: Guest, answer: Answer) -> Json:
    view = View(hosted, guest)
    found = answer(view.inside(params), guest)
    return view.outside(json.loads(bytes(found)) if isinstance(found, RawJson) else found)


def _selection(params: Json, hosted: HostedText, answer: Answer) -> Json:
    (place,) = params["positions"]
    guest = hosted.guest_at(hosted.offset(*place_of(place, "positions[]")))
    if guest is None:
        return {"range": {"start": place, "end": place}}
    (found,) = _answer(params, hosted, guest, answer)
    return found


def _tokens(params: Json, hosted: HostedText, guests: list[Guest], answer: Answer) -> Json:
    """Semantic tokens; a change is told as all of them."""
    data: list[int] = []
    last_line = last_character = 0
    for guest in guests:
        view = View(hosted, guest)
        found = json.loads(bytes(answer(view.inside(params) | {"previousResultId": None}, guest)))["data"]
        for line, character, length, *rest in _absolute(found):
            at = view.place(line, character)
            if guest.has_escapes:
                length = view.place(line, character + length)["character"] - at["character"]
            same = at["line"] == last_line
            data += [at["line"] - last_line, at["character"] - (last_character if same else 0), length, *rest]
            last_line, last_character = at["line"], at["character"]
    return {"data": data}


def _absolute(data: list[int]) -> Iterator[list[int]]:
    line = character = 0
    for at in range(0, len(data), 5):
        down, right, *rest = data[at : at + 5]
        line, character = line + down, right if down else character + right
        yield [line, character, *rest]


class View:
    """JSON about an embedded text, as the client and as its analysis see it."""

    def __init__(self, hosted: HostedText, guest: Guest) -> None:
        self._hosted = hosted
        self._guest = guest

    @property
    def text(self) -> AnalysedText:
        """The embedded text."""
        return self._guest.text

    def inside(self, value: Any) -> Any:
        """Parameters, with the places of the embedded text."""
        if isinstance(value, list):
            return [self.inside(each) for each in value]
        if not isinstance(value, dict):
            return self._guest.uri if value == self._hosted.uri else value
        if "line" in value and "character" in value:
            offset = self._hosted.offset(*place_of(value, "position"))
            return self._guest.text.place(self._guest.embedded.nearest(offset))
        return {name: self.inside(each) for name, each in value.items()}

    def outside(self, value: Any) -> Any:
        """An answer, with the places of the host."""
        if isinstance(value, list):
            return [self.outside(each) for each in value]
        if not isinstance(value, dict):
            return self._hosted.uri if value == self._guest.uri else value
        if self._is_elsewhere(value):
            return value
        if "line" in value and "character" in value:
            return self.place(value["line"], value["character"])
        if value.keys() == {"start", "end"}:
            start, end = self._guest.embedded.span(*self._offsets(value))
            return {"start": self._hosted.place(start), "end": self._hosted.place(end)}
        if "startLine" in value:
            ends = {name: self.place(value[name], 0)["line"] for name in ("startLine", "endLine")}
            return value | ends
        if "newText" in value:
            return self._edit(value)
        if value.get("insertTextFormat") == _SNIPPET and "textEdit" in value:
            others = self.outside({name: each for name, each in value.items() if name not in ("textEdit", _FORMAT)})
            return others | {_FORMAT: _SNIPPET, "textEdit": self._edit(value["textEdit"], self._in_snippet)}
        if "changes" in value:
            mine = {self._hosted.uri: self.outside(value["changes"].get(self._guest.uri))}
            others = {uri: each for uri, each in value["changes"].items() if uri != self._guest.uri}
            return {"changes": (mine if mine[self._hosted.uri] else {}) | others}
        # `data` comes back to the analysis, which knows the embedded text alone
        return {name: each if name == "data" else self.outside(each) for name, each in value.items()}

    def _is_elsewhere(self, value: dict[str, Any]) -> bool:
        """Whether something is about another document."""
        uri = value.get("textDocument", value).get("uri")
        return isinstance(uri, str) and uri != self._guest.uri

    def place(self, line: int, character: int) -> dict[str, int]:
        """A place in the host."""
        return self._hosted.place(self._guest.embedded.outside(self._guest.text.offset(line, character)))

    def _offsets(self, value: Json) -> tuple[int, int]:
        start, end = value["start"], value["end"]
        text = self._guest.text
        return text.offset(start["line"], start["character"]), text.offset(end["line"], end["character"])

    def _edit(self, value: Json, written: Callable[[str], str] | None = None) -> Json:
        """A change of text, also one with two ranges of which the client chooses. Shape: `written` escapes its text."""
        made = dict(value)
        for name in ("range", "replace", "insert"):
            if name in value:
                edit = Edit(*self._offsets(value[name]), value["newText"])
                start, end, made["newText"] = self._hosted.host.outside(self._hosted.text, self._guest.embedded, edit)
                if written is not None and (self._guest.has_escapes or self._written(_ESCAPE) != _ESCAPE):
                    made["newText"] = written(value["newText"])
                made[name] = {"start": self._hosted.place(start), "end": self._hosted.place(end)}
        return made

    def _in_snippet(self, snippet: str) -> str:
        """A snippet whose text is escaped as the host wants it."""
        parts = []
        for part in _SYNTAX.split(snippet):
            is_syntax = _SYNTAX.fullmatch(part) is not None
            if is_syntax and not part.startswith("\\"):
                parts.append(part)
                continue
            parts.append(_MEANS_MORE.sub(r"\\\g<0>", self._written(part[1:] if is_syntax else part)))
        return "".join(parts)

    def _written(self, text: str) -> str:
        """A text as the host writes it."""
        return self._hosted.host.outside(self._hosted.text, self._guest.embedded, Edit(0, 0, text)).text
