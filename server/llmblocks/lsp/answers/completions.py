"""Completions and signatures as JSON."""

from __future__ import annotations

import re
from dataclasses import replace
from textwrap import shorten
from typing import TYPE_CHECKING

from llmblocks.contract.caret import escaped
from llmblocks.core.edits import Edit
from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.convert import place_in_settings, plain, without_markup
from llmblocks.lsp.wire.params import an_object, at, place_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.features import completion, settings_file
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.wire.values import Range
else:
    completion, settings_file = late("llmblocks.features", "completion settings_file")

_METHOD = "textDocument/completion"
_SNIPPET = 2
_UNASKED = (2, 3)
"""The triggers without a user's request: a typed character, or a change of the text or the caret."""
_ROW = 44
"""The number of characters in a row of VS Code's list, label and detail, at its initial width."""
OPEN_LIST = "editor.action.triggerSuggest"
"""The command of VS Code that opens the list of completions."""
_KINDS = {"keyword": 14, "function": 3, "parameter": 5, "value": 12, "reference": 18, "key": 10, "tag": 7}
"""The protocol's kinds: keyword, function, field, value, reference, property, class."""
_CHOICE = re.compile(r"\$\{((?!1\|)\d+)\|((?:\\.|[^\\,|])*)(?:\\.|[^\\|])*\|\}")
"""Choices other than those of the first placeholder."""


def completions(ask: Ask, asker: Asker) -> Json:
    """Return completions in order, which editors keep by `sortText`.

    The list is incomplete, so that editors ask again after more typing: a complete item is not offered.
    """
    items = _items(completion.complete(ask), asker)
    return {"isIncomplete": bool(items), "items": items}


def of_settings(asker: Asker) -> Json:
    """Return the same in a settings file, where further typing filters the list."""
    return {"isIncomplete": False, "items": _items(settings_file.complete(*place_in_settings(asker)), asker)}


def _items(found: list[completion.Completion], asker: Asker) -> list[Json]:
    if at(asker.params, "context", "triggerCharacter") == "\n":
        # a new line opens only lists of values: the next key may be another Enter
        found = [each for each in found if each.kind == "value"]
    if asker.client.edits_late:
        found = [each for each in found if each.gone <= each.end]
    # nearly all of them replace the same text
    ranges = {at: asker.places.edit(Edit(*at, ""))["range"] for at in {(each.start, each.end) for each in found}}
    items = [_item(each, number, ranges[each.start, each.end], asker) for number, each in enumerate(found)]
    if items:
        items[0]["preselect"] = True
    return items


def _item(each: completion.Completion, number: int, place: Range, asker: Asker) -> Json:
    client = asker.client
    # Neovim inserts only the first line of a text that is not a snippet
    snippet = each.snippet or (escaped(each.text) if "\n" in each.text else "")
    is_snippet = bool(snippet) and client.takes_snippets
    if client.lists_once:
        snippet = _CHOICE.sub(_first_of, snippet)
    new = snippet if is_snippet else each.text
    item: dict[str, Json] = {
        "label": each.label,
        "kind": _KINDS[each.kind],
        # no list stays open after the `>` of a closing tag, which does not begin a word for editors
        "filterText": each.text.partition("\n")[0].removesuffix(">"),
        "sortText": f"{number:04}",
        "textEdit": _edit(each, place, new, is_snippet, asker),
    }
    if is_snippet:
        item["insertTextFormat"] = _SNIPPET
    if each.gone > each.end:
        gone = asker.places.edit(Edit(each.end, each.gone, ""))
        if gone["range"]["end"]["line"] == place["start"]["line"]:
            # a second edit after the caret would be in the wrong place after the next key
            item["textEdit"] = asker.places.edit(Edit(each.start, each.gone, new), is_snippet=is_snippet)
        else:
            item["additionalTextEdits"] = [gone]
    if each.goes_on and OPEN_LIST in client.commands:
        item["command"] = {"title": "Suggest", "command": OPEN_LIST}
    if each.aside:
        item["detail"], item["labelDetails"] = each.aside, {"description": each.aside}
    if each.more is not None and client.resolves_documentation:
        item["data"] = {"uri": asker.own_uri, "position": asker.params.get("position"), "label": each.label}
        if client.has_label_details:
            # VS Code shortens the label for a long detail, with which the documentation begins
            short = shorten(plain(each.detail), max(_ROW - len(each.label), 1), placeholder="…")
            item["labelDetails"] = {"description": short if len(short) > 1 else ""}
        else:
            item["detail"] = plain(each.detail)
    else:
        item["documentation"] = {"kind": "markdown", "value": (each.more and each.more()) or each.detail}
    return item


def _first_of(found: re.Match[str]) -> str:
    """Return the first choice of a snippet, which is its default."""
    first = re.sub(r"\\([,|])", r"\1", found[2])
    return f"${{{found[1]}:{first}}}"


def _edit(each: completion.Completion, place: Range, new: str, is_snippet: bool, asker: Asker) -> Json:
    """Return the edit that replaces the text; for clients that let people choose, also the one that inserts."""
    client, caret = asker.client, asker.params.get("position")
    plain = asker.places.edit(Edit(each.start, each.end, new), is_snippet=is_snippet, at=place)
    if place["end"] == caret or not (client.inserts_or_replaces or client.edits_late):
        return plain
    offset = asker.places.offset(*place_of(caret, "position"))
    behind = asker.text.document.slice(offset, each.end)
    insert: Range = {"start": place["start"], "end": caret}
    if not behind[-1:].isalnum() and each.text.endswith(behind[-1:]):
        # the closing quote or bracket exists: inserted before it, there would be two, and Neovim keeps it
        if not (client.edits_late and new == each.text and new.endswith(behind)):
            return plain
        return asker.places.edit(Edit(each.start, offset, new.removesuffix(behind)), at=insert)
    if not client.inserts_or_replaces:
        return plain
    return {"newText": plain["newText"], "insert": insert, "replace": place}


def resolved(ask: Ask, asker: Asker) -> Json:
    """Return a completion with its documentation for the current document; unchanged if it is no longer offered."""
    item = asker.params
    data = an_object(item.get("data"), "data")
    offset = asker.places.offset(*place_of(data.get("position"), "data.position"))
    found = completion.complete(replace(ask, start=offset, end=offset))
    same = next((each for each in found if each.label == data.get("label")), None)
    if same is None:
        return item
    answer = {**item, "documentation": {"kind": "markdown", "value": (same.more and same.more()) or same.detail}}
    return without_markup(answer) if _METHOD in asker.client.plain else answer


def shown_signature(ask: Ask, asker: Asker) -> Json:
    """Return the parameters of one call; inside a value, where they would hide lines above, only on request."""
    found = completion.signature(ask)
    if found is None:
        return None
    if found.in_value and at(asker.params, "context", "triggerKind") in _UNASKED:
        return None
    parameters = [
        {"label": label, "documentation": {"kind": "markdown", "value": words}} for label, words in found.parameters
    ]
    one: dict[str, Json] = {"label": found.label, "parameters": parameters}
    if found.documentation:
        one["documentation"] = {"kind": "markdown", "value": found.documentation}
    # beyond the last parameter, none is active
    active = found.active if found.active >= 0 else len(parameters)
    return {"signatures": [one], "activeSignature": 0, "activeParameter": active}
