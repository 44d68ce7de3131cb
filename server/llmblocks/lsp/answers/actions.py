"""Fixes and refactorings as code actions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.contract.caret import escaped
from llmblocks.contract.markup import plain
from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.places import place_in
from llmblocks.lsp.wire.params import a_text, an_object, at, range_of
from llmblocks.lsp.wire.rpc import CONTENT_MODIFIED, REQUEST_FAILED, Json, RequestError

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.edits import Edit
    from llmblocks.features import fixes, refactoring
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.client.config import SettingsEdit
    from llmblocks.lsp.documents.places import Encoding
    from llmblocks.refactors.refactoring import Offer, Refactoring
else:
    fixes, refactoring = late("llmblocks.features", "fixes refactoring")

QUICK_FIX = "quickfix"
REFACTOR = "refactor.rewrite"
_MOST_CODES = 5
FIX_ALL = "source.fixAll.llmblocks"
END_WITH_LF = "llmblocks.endWithLf"
"""The command of an editor that stores line ends separately, and would write those of an edit like all others."""


def capability(client: Client) -> dict[str, Json]:
    """Return the capability for clients that support code actions with edits. Other clients would need commands."""
    if not client.takes_actions:
        return {}
    return {
        "codeActionProvider": {
            "codeActionKinds": [QUICK_FIX, REFACTOR, FIX_ALL],
            "resolveProvider": client.resolves_edits,
        }
    }


def actions(ask: Ask, asker: Asker) -> Json:
    """Return the code actions of the requested kinds.

    The fix of everything is offered only on request, and only if it fixes something; its title has the number of
    problems.
    """
    only, diagnostics = (at(asker.params, "context", name) for name in ("only", "diagnostics"))
    found: list[Json] = []
    if not isinstance(only, list) or _wanted(QUICK_FIX, only):
        # an editor marks the line, so people may be anywhere on it
        line = fixes.of_line(ask)
        found += [_quick_fix(each, diagnostics, asker) for each in fixes.quick_fixes(line)]
        found += _registering(ask, asker)
        # ignoring a finding is the last choice
        found.sort(key=lambda each: each["title"].startswith("Ignore "))
        found += _in_settings(line, asker)
    if not isinstance(only, list) or _wanted(REFACTOR, only):
        for row, offer in refactoring.refactorings(ask):
            if action := _refactoring(row, offer, asker):
                found.append(action)
    if isinstance(only, list) and _wanted(FIX_ALL, only) and any(ask.document.with_findings()):
        edits, count = fixes.fix_all(ask)
        if edits:
            action = {"title": f"Fix {count} problem{'' if count == 1 else 's'} safely", "kind": FIX_ALL}
            made = {"data": {"uri": asker.own_uri}} if asker.client.resolves_edits else _edit(edits, asker)
            found.append({**action, **made})
    return found


def resolved(ask: Ask, asker: Asker) -> Json:
    """Return a code action with its edit, for the current document.

    Raises:
        RequestError: A refactoring was offered for another version, or is impossible.
    """
    data = an_object(asker.params.get("data"), "data")
    if "refactoring" not in data:
        edits, _ = fixes.fix_all(ask)
        return {**asker.params, **(_edit(edits, asker) if edits else {"edit": {}})}
    if data.get("version") != asker.version:
        raise RequestError(CONTENT_MODIFIED, "the document has changed since the refactoring was offered")
    first_line, first, last_line, last = range_of(data.get("range"), "data.range")
    start, end = asker.places.offset(first_line, first), asker.places.offset(last_line, last)
    name, title = a_text(data.get("refactoring"), "data.refactoring"), a_text(data.get("offer"), "data.offer")
    offer = refactoring.made_later(replace(ask, start=start, end=end), name, title)
    if offer is None or offer.refused:
        raise RequestError(REQUEST_FAILED, offer.refused if offer else "the refactoring is no longer possible")
    return {**asker.params, "title": plain(offer.title), "edit": workspace_edit(offer.edits, asker)}


def _in_settings(ask: Ask, asker: Asker) -> Iterator[Json]:
    """Yield settings that ignore the rules of findings in this file: the only way in a format without comments."""
    findings = ask.known_findings(ask.start, ask.end) if ask.known_findings is not None else ()
    for code in [*dict.fromkeys([each.code for each in findings])][:_MOST_CODES]:
        yield from _of_settings(f"Ignore {code} in this file,", asker.ignoring(code), asker)


def _registering(ask: Ask, asker: Asker) -> Iterator[Json]:
    """Yield settings that register the tag at a place."""
    name = fixes.unregistered_tag(ask)
    if name is not None:
        yield from _of_settings(f"Register <{name}>", asker.declaring({name: ""}), asker)


def _of_settings(title: str, edit: SettingsEdit | None, asker: Asker) -> Iterator[Json]:
    """Yield an edit of a settings file, if the client can make it."""
    if edit is not None and can_edit(edit, asker.client):
        yield {
            "title": f"{title} in {os.path.basename(edit.path)}",
            "kind": QUICK_FIX,
            "edit": settings_edit(edit, asker.text.encoding, asker.client, asker.version_of),
        }


def can_edit(edit: SettingsEdit, client: Client) -> bool:
    """Return whether a client can edit a settings file, which may not exist yet."""
    return (client.creates_files and client.takes_versions) or not edit.is_new


def settings_edit(
    edit: SettingsEdit, encoding: Encoding, client: Client, version_of: Callable[[str], int | None]
) -> Json:
    """Return an edit of a settings file for the client."""
    uri = Path(edit.path).as_uri()
    place = place_in(edit.before, edit.offset, encoding)
    edits = [{"range": {"start": place, "end": place}, "newText": edit.text}]
    if not client.takes_versions:
        return {"changes": {uri: edits}}
    change = {"textDocument": {"uri": uri, "version": version_of(uri)}, "edits": edits}
    create = {"kind": "create", "uri": uri, "options": {"ignoreIfExists": True}}
    return {"documentChanges": [create, change] if edit.is_new else [change]}


def _refactoring(row: Refactoring, offer: Offer, asker: Asker) -> Json:
    """Return a refactoring; None for a refused one that the client cannot show."""
    action: dict[str, Json] = {"title": plain(offer.title), "kind": REFACTOR}
    if offer.later is not None:
        if asker.client.resolves_edits:
            where = {"range": asker.params.get("range"), "version": asker.version}
            return {**action, "data": {"uri": asker.own_uri, "refactoring": row.name, "offer": offer.title, **where}}
        offer = offer.later()
        action["title"] = plain(offer.title)
    if not offer.refused:
        return {**action, "edit": workspace_edit(offer.edits, asker)}
    return {**action, "disabled": {"reason": plain(offer.refused)}} if asker.client.knows_disabled else None


def _edit(edits: Iterable[Edit], asker: Asker) -> dict[str, Json]:
    return {"edit": workspace_edit(edits, asker)}


def _wanted(kind: str, only: list[Json]) -> bool:
    return any(each in ("", kind) or (isinstance(each, str) and kind.startswith(f"{each}.")) for each in only)


def _quick_fix(found: fixes.QuickFix, diagnostics: Json, asker: Asker) -> Json:
    finding, fix, preferred = found
    place = asker.span(finding.start, finding.end)
    action = {"title": plain(fix.title), "kind": QUICK_FIX, "edit": workspace_edit(fix.edits, asker, stops=fix.stops)}
    same = [
        each
        for each in (diagnostics if isinstance(diagnostics, list) else [])
        if isinstance(each, dict) and each.get("code") == finding.code and each.get("range") == place
    ]
    if same:
        action["diagnostics"] = same
    if END_WITH_LF in asker.client.commands and _ends_lines(fix.edits, asker.text.document):
        action["command"] = {"title": action["title"], "command": END_WITH_LF, "arguments": [asker.uri]}
    if preferred and asker.client.knows_preferred:
        action["isPreferred"] = True
    return action


def _ends_lines(edits: Iterable[Edit], document: Document) -> bool:
    return all(each.text == "\n" and document.slice(each.start, each.end).endswith("\r\n") for each in edits)


def workspace_edit(
    edits: Iterable[Edit],
    asker: Asker,
    elsewhere: Mapping[str, list[Json]] | None = None,
    stops: Sequence[tuple[int, int]] = (),
) -> Json:
    """Return a workspace edit, for the current versions of documents if the client supports versions.

    Args:
        edits: The edits of the document.
        asker: The request.
        elsewhere: Edits of other files by their URIs, as JSON.
        stops: The placeholders of the last edit's text, for clients with snippets in edits, outside of embedded texts.
    """
    made: dict[str, list[Json]] = {asker.uri: asker.edits(edits), **(elsewhere or {})}
    if stops and asker.client.takes_snippet_edits and asker.client.takes_versions and asker.guest is None:
        last = made[asker.uri][-1]
        last["snippet"] = {"kind": "snippet", "value": _snippet(last.pop("newText"), stops)}
    if not asker.client.takes_versions:
        return {"changes": made}
    versions = {uri: asker.version if uri == asker.uri else asker.version_of(uri) for uri in made}
    return {
        "documentChanges": [
            {"textDocument": {"uri": uri, "version": versions[uri]}, "edits": of_file} for uri, of_file in made.items()
        ]
    }


def _snippet(text: str, stops: Sequence[tuple[int, int]]) -> str:
    """Return a text as a snippet with placeholders."""
    parts, at = [], 0
    for number, (start, end) in enumerate(stops, 1):
        parts += [escaped(text[at:start]), f"${{{number}:{escaped(text[start:end])}}}"]
        at = end
    return "".join([*parts, escaped(text[at:])])
