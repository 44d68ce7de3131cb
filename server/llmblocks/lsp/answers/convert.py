"""Conversion of our values to JSON, and of Markdown to plain text for clients without it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

from llmblocks.contract.markup import shortened
from llmblocks.core.edits import Edit
from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.commands import SHOW_GRAPH, SHOW_PARAMETERS, SHOW_PROBLEM, SHOW_RESULT
from llmblocks.lsp.documents.places import located
from llmblocks.lsp.documents.tokens import between
from llmblocks.lsp.wire.limits import MAX_FOLDED_LINES
from llmblocks.lsp.wire.params import MAX_UINTEGER, a_list, a_text, place_of, range_of
from llmblocks.lsp.wire.rpc import REQUEST_FAILED, Json, RequestError
from llmblocks.lsp.wire.uris import name_of
from llmblocks.lsp.wire.values import CodeLens, FoldingRange, SemanticTokens, SemanticTokensDelta, TextEdit
from llmblocks.settings.files import table_in

if TYPE_CHECKING:
    from llmblocks.core.places import Elsewhere
    from llmblocks.features import formatting, hover, marks, navigation, settings_file, structure
    from llmblocks.languages.ask import Ask
else:
    formatting, hover, marks, navigation, settings_file, structure = late(
        "llmblocks.features", "formatting hover marks navigation settings_file structure"
    )

_READ, _WRITE = 2, 3
_LONGEST_LENS = 80
_FENCE = re.compile(r"^(`{3,}|~{3,}).*\n([\s\S]*?)^\1[ \t]*$", re.MULTILINE)
_CODE = re.compile(r"(`+)(.+?)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\[([^\]\n]+)\]\(([^)\s]+)\)")
_STRONG = re.compile(r"(?<![\w*])(\*\*|\*)(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_HEADING = re.compile(r"^#{1,6} +", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def explained(ask: Ask, asker: Asker) -> Json:
    """Return a hover with its range."""
    return _hover(hover.hover(ask), asker)


def explained_setting(asker: Asker) -> Json:
    """Return the same in a settings file."""
    return _hover(settings_file.hover(*place_in_settings(asker)), asker)


def _hover(found: hover.Hover | None, asker: Asker) -> Json:
    if found is None:
        return None
    contents = {"kind": "markdown", "value": found.text}
    return {"contents": contents, "range": asker.span(found.start, found.end)}


def place_in_settings(asker: Asker) -> tuple[str, int, tuple[str, ...]]:
    """Return the text of a settings file, the code point of the request, and the table with the settings."""
    offset = asker.text.offset(*place_of(asker.params.get("position"), "position"))
    return asker.text.document.text, offset, table_in(name_of(asker.uri))


def folds(ask: Ask, asker: Asker) -> list[FoldingRange]:
    answer: list[FoldingRange] = []
    for first, last, comment in structure.folding(ask):
        if first >= MAX_FOLDED_LINES:
            continue
        if asker.guest is not None:
            # several lines of an embedded text may be one of its host
            first, last = (asker.guest.line_start(line)["line"] for line in (first, last))
        if first < last:
            answer.append({"startLine": first, "endLine": last})
            if comment:
                answer[-1]["kind"] = "comment"
    return answer


def selections(ask: Ask, asker: Asker) -> Json:
    """Return, for each position, the ranges around it, each with the next larger one as its parent."""
    found: list[Json] = []
    for each in a_list(asker.params.get("positions"), "positions"):
        offset = asker.places.offset(*place_of(each, "positions[]"))
        stretches = structure.selections(replace(ask, start=offset, end=offset)) or [
            structure.DocumentRange(offset, offset)
        ]
        nested: Json = None
        for start, end in reversed(stretches):
            outer = {"parent": nested} if nested else {}
            nested = {"range": asker.span(start, end), **outer}
        found.append(nested)
    return found


def _locations(found: Iterable[navigation.NameUse], elsewhere: Iterable[Elsewhere], asker: Asker) -> Json:
    here: list[Json] = [{"uri": asker.uri, "range": asker.span(each.start, each.end)} for each in found]
    return here + [located(each, asker.text.encoding) for each in elsewhere]


def definitions(ask: Ask, asker: Asker) -> Json:
    """Return the definitions of a name; those in other files if the document has none, or another file describes it."""
    elsewhere = navigation.definitions_elsewhere(ask)
    return _locations(() if elsewhere else navigation.definitions(ask), elsewhere, asker)


def references(ask: Ask, asker: Asker) -> Json:
    """Return the uses of a name, with its definitions if the client wants them."""
    context = asker.params.get("context")
    wanted = isinstance(context, dict) and context.get("includeDeclaration") is not False
    elsewhere = navigation.references_elsewhere(ask, with_definitions=wanted)
    return _locations(navigation.references(ask, with_definitions=wanted), elsewhere, asker)


def highlights(ask: Ask, asker: Asker) -> Json:
    """Return the places to highlight. A definition is a write, any other use is a read."""
    return [
        {"range": asker.span(each.start, each.end), "kind": _WRITE if each.defines else _READ}
        for each in navigation.highlights(ask)
    ]


def linked(ask: Ask, asker: Asker) -> Json:
    ranges = [asker.span(*each) for each in structure.linked(ask)]
    return {"ranges": ranges, "wordPattern": r"[\w-]+"} if ranges else None


def inlay_hints(ask: Ask, asker: Asker) -> Json:
    """Return inlay hints. A type has the kind 1; the others have none."""
    answer: list[Json] = []
    for offset, label, kind, tooltip in marks.hints(ask, shows_lenses=asker.client.shows_lenses):
        of_kind = {"kind": 1} if kind == "types" else {}
        answer.append(
            {"position": asker.places.place(offset), "label": label, **of_kind, "tooltip": tooltip, "paddingLeft": True}
        )
    return answer


def document_links(ask: Ask, asker: Asker) -> Json:
    """Return document links. A path starts at the folder of the document."""
    answer: list[Json] = []
    for start, end, target in marks.links(ask):
        uri = _linked(target, asker.uri)
        if uri:
            answer.append({"range": asker.span(start, end), "target": uri})
    return answer


def _linked(target: str, base: str) -> str:
    """Return the URI of a link; empty for a dead link."""
    if _URL.match(target):
        return target if target.lower().startswith(("http://", "https://", "file:///")) else ""
    try:
        target.encode("utf-8")
        return urljoin(base, quote(target)) if base.startswith("file:") else ""
    except ValueError:
        return ""


_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def formatted(ask: Ask, asker: Asker) -> list[TextEdit]:
    return asker.edits(formatting.format_edits(ask))


def formatted_ranges(ask: Ask, asker: Asker) -> list[TextEdit]:
    spans = []
    for each in a_list(asker.params.get("ranges"), "ranges"):
        span = range_of(each, "ranges[]")
        start, end = asker.places.offset(*span[:2]), asker.places.offset(*span[2:])
        # an end outside of an embedded text moves to its start or end
        if asker.guest is None or start < end or span[:2] == span[2:]:
            spans.append((start, end))
    return asker.edits(formatting.format_edits(ask, spans)) if spans else []


def typed(ask: Ask, asker: Asker) -> list[TextEdit]:
    """Return changes of the document after a character."""
    # most clients move the caret after text inserted at it, where the next characters would land
    edits = formatting.on_type(ask, a_text(asker.params.get("ch"), "ch"))
    keeps = asker.client.keeps_caret
    return asker.edits([each for each in edits if keeps or each.end != ask.position or each.start < each.end])


def tokens(ask: Ask, asker: Asker) -> SemanticTokens:
    """Return all semantic tokens of a document, or of an embedded text."""
    return tokens_between(ask, asker) if asker.guest else asker.text.sent_tokens.full(asker.text, ask.pause)


def changed_tokens(ask: Ask, asker: Asker) -> SemanticTokens | SemanticTokensDelta:
    """Return the changes of a document's semantic tokens since an earlier answer; all tokens of an embedded text."""
    if asker.guest:
        return tokens_between(ask, asker)
    return asker.text.sent_tokens.delta(asker.text, asker.params.get("previousResultId"), ask.pause)


def tokens_between(ask: Ask, asker: Asker) -> SemanticTokens:
    return between(asker.text, asker.places, ask.start, ask.end)


def prepared_rename(ask: Ask, asker: Asker) -> Json:
    """Return the range of the name, or null. Raises `RequestError` if the name cannot be renamed."""
    found = navigation.renamable(ask)
    if isinstance(found, navigation.Refused):
        raise _failed(found)
    return None if found is None else asker.span(found.start, found.end)


def renamed(ask: Ask, asker: Asker) -> Json:
    """Return the edits, or null without a name. Raises `RequestError` if the name cannot be renamed so."""
    new = a_text(asker.params.get("newName"), "newName")
    found = navigation.rename(ask, new)
    if isinstance(found, navigation.Refused):
        raise _failed(found)
    if found is None:
        return None
    elsewhere: dict[str, list[Json]] = {}
    for place in found.elsewhere:
        there = located(place, asker.text.encoding)
        elsewhere.setdefault(there["uri"], []).append({"range": there["range"], "newText": new})
    here: list[Json] = [*asker.edits([Edit(start, end, new) for start, end in found.places])]
    return asker.workspace_edit({asker.uri: here, **elsewhere})


def _failed(refused: navigation.Refused) -> RequestError:
    return RequestError(REQUEST_FAILED, refused.reason)


def lenses(ask: Ask, asker: Asker) -> list[CodeLens]:
    """Return the lenses, without their commands."""

    kinds = marks.wanted(ask)
    return [
        {"range": {"start": start, "end": start}, "data": {"uri": asker.own_uri, "kind": kind}}
        for line in (marks.lens_lines(ask) if kinds else ())
        if line < MAX_FOLDED_LINES
        for start in (asker.places.line_start(line),)
        for kind in kinds
    ]


def resolved_lens(ask: Ask, asker: Asker) -> Json:
    """Return a lens with its command, which shows the obstacle of a call that does not run."""

    start = asker.places.offset(*range_of(asker.params.get("range"), "range")[:2])
    end = asker.text.offset(asker.text.position(start)[0], MAX_UINTEGER)
    place = asker.places.place(end)
    here = replace(ask, start=end, end=end)
    kind = asker.params["data"].get("kind")
    # without a command, some clients show an error
    command, title, at = SHOW_GRAPH, "", place if asker.guest is not None else None
    found = None if kind == "parameters" else marks.standing(here)
    if kind == "parameters":
        command, title, at = SHOW_PARAMETERS, "parameters", place
    elif kind == "result":
        told = found.reply.says if found is not None and found.reply is not None else ""
        # the lens beside it may say the same
        is_new = found is None or not ask.shows_order() or found.says != told
        command, title, at = SHOW_RESULT, told if is_new else "", place
    elif kind == "order" and found is not None:
        title = found.says
        if found.obstacle is not None:
            command, at = SHOW_PROBLEM, place
    argument = {"textDocument": {"uri": asker.uri}, **({} if at is None else {"position": at})}
    shown = {"title": shortened(title, _LONGEST_LENS), "command": command, "arguments": [argument]}
    return {**asker.params, "command": shown}


def without_markup(answer: Json) -> Json:
    """Return the same answer with Markdown converted to plain text."""
    if isinstance(answer, list):
        return [without_markup(each) for each in answer]
    if not isinstance(answer, dict):
        return answer
    if answer.get("kind") == "markdown" and isinstance(answer.get("value"), str):
        return {"kind": "plaintext", "value": plain(answer["value"])}
    return {name: without_markup(value) for name, value in answer.items()}


def plain(markdown: str) -> str:
    """Return the visible text of Markdown; code is unchanged, a link shows its target."""
    parts, place = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [_inline(markdown[place : fence.start()]), fence[2].removesuffix("\n")]
        place = fence.end()
    return "".join([*parts, _inline(markdown[place:])])


def _inline(markdown: str) -> str:
    parts, place = [], 0
    for code in _CODE.finditer(markdown):
        inside = code[2]
        # a code span may be padded, so that it can begin or end with a backtick
        padded = len(inside) > 2 and inside[0] == inside[-1] == " " and inside.strip()
        parts += [_prose(markdown[place : code.start()]), inside[1:-1] if padded else inside]
        place = code.end()
    return "".join([*parts, _prose(markdown[place:])])


def _prose(markdown: str) -> str:
    text = _STRONG.sub(r"\2", _HEADING.sub("", _LINK.sub(r"\1 (\2)", markdown)))
    return _ESCAPE.sub(r"\1", text)
