"""Fixes and refactorings as code actions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.contract.caret import escaped
from llmblocks.contract.markup import listed, plain
from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.documents.plain import PlainText
from llmblocks.lsp.wire.params import at, range_of
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import path_of

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.edits import Edit
    from llmblocks.features import fixes
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.documents.hosted import HostedText
    from llmblocks.refactors.refactoring import Offer
    from llmblocks.settings.ignoring import Insertion
else:
    (fixes,) = late("llmblocks.features", "fixes")

QUICK_FIX = "quickfix"
REFACTOR = "refactor.rewrite"
_MOST_CODES = 5
_MOST_NAMED = 4
FIX_ALL = "source.fixAll.llmblocks"
_Table = tuple[str, ...]
KINDS = (QUICK_FIX, REFACTOR, FIX_ALL)
END_WITH_LF = "llmblocks.endWithLf"
"""The command of an editor that stores line ends separately, and would write those of an edit like all others."""


def actions(ask: Ask, asker: Asker) -> Json:
    """Return the code actions of the requested kinds. The fix of everything is offered only on request."""
    found: list[Json] = []
    if wants(QUICK_FIX, asker.params):
        # an editor marks the line, so people may be anywhere on it
        line = fixes.of_line(ask)
        found += [_quick_fix(each, asker) for each in fixes.quick_fixes(line)]
        found += _registering(ask, asker)
        # ignoring a finding is the last choice
        found.sort(key=lambda each: each["title"].startswith("Ignore "))
        found += _in_settings(line, asker)
    if wants(REFACTOR, asker.params):
        for _, offer in fixes.refactorings(ask):
            if action := _refactoring(offer, asker):
                found.append(action)
    is_asked = isinstance(at(asker.params, "context", "only"), list) and wants(FIX_ALL, asker.params)
    if is_asked and ask.document.sections.finding_count:
        edits, count = fixes.fix_all(ask)
        if edits:
            title = f"Fix {count} problem{'' if count == 1 else 's'} safely"
            found.append({"title": title, "kind": FIX_ALL, "edit": _edit(edits, asker)})
    return found


def _in_settings(ask: Ask, asker: Asker) -> Iterator[Json]:
    """Yield settings that ignore the rules of findings in this file: the only way in a format without comments."""
    from llmblocks.settings.globs import anchored, matches
    from llmblocks.settings.ignoring import GROUP, listing, pattern_of

    found = ask.known_findings(ask.start, ask.end) if ask.known_findings is not None else ()
    for code in [*dict.fromkeys([each.code for each in found])][:_MOST_CODES]:

        def ignoring(text: str, table: _Table, folder: str, path: str, code: str = code) -> Insertion | None:
            pattern = pattern_of(os.path.relpath(path, folder).replace(os.sep, "/"))
            return listing(text, table, GROUP, pattern, (code,)) if matches([anchored(pattern, folder)], path) else None

        yield from _settings_action(f"Ignore {code} in this file,", ignoring, asker)


def _registering(ask: Ask, asker: Asker) -> Iterator[Json]:
    """Yield settings that register the tag at a place."""
    from llmblocks.rules.fixes.tags import unregistered_tag

    if (name := unregistered_tag(ask)) is not None:
        yield from _declaring(f"Register <{name}>", {name: ""}, asker)


def _declaring(title: str, tags: Mapping[str, str], asker: Asker) -> Iterator[Json]:
    """Yield settings that register tags, each with its description."""
    from llmblocks.settings.ignoring import declaring

    yield from _settings_action(title, lambda text, table, _, __: declaring(text, table, tags), asker)


def _settings_action(
    title: str, make: Callable[[str, _Table, str, str], Insertion | None], asker: Asker
) -> Iterator[Json]:
    """Yield an edit of a settings file, if the client can make it: the file may not exist yet."""
    edit = None if asker.config is None else asker.config.edit(asker.uri, make)
    if edit is None or (edit.is_new and not (asker.client.creates_files and asker.client.takes_versions)):
        return
    uri = Path(edit.path).as_uri()
    place = PlainText(edit.before, asker.client.encoding).span(edit.offset, edit.offset)
    made = asker.workspace_edit({uri: [{"range": place, "newText": edit.text}]})
    if edit.is_new:
        made["documentChanges"].insert(0, {"kind": "create", "uri": uri, "options": {"ignoreIfExists": True}})
    yield {"title": f"{title} in {os.path.basename(edit.path)}", "kind": QUICK_FIX, "edit": made}


def host_actions(hosted: HostedText, asker: Asker) -> Iterator[Json]:
    """Yield marks for unread texts on the lines of a range, and settings that adopt the declarations there."""
    from llmblocks.rules.fixing import host_fixes

    if not wants(QUICK_FIX, asker.params):
        return
    span = range_of(asker.params.get("range"), "range")
    lines = range(span.start_line, span.end_line + 1)
    for finding in hosted.own_findings():
        if hosted.position(finding.start)[0] in lines:
            for fix in host_fixes(finding):
                yield {"title": fix.title, "kind": QUICK_FIX, "edit": _edit(fix.edits, asker), "isPreferred": True}
    if path := path_of(asker.uri):
        yield from _adopting(hosted, path, lines, asker)


def _adopting(hosted: HostedText, path: str, lines: range, asker: Asker) -> Iterator[Json]:
    from llmblocks.code.grammar import grammar, script_of
    from llmblocks.discovery.find import declared_in, may_declare
    from llmblocks.settings.ignoring import listing, source_name

    language_id = script_of(path)
    if language_id is None or not may_declare(hosted.text) or grammar(language_id) is None:
        return
    found = declared_in(hosted.text, path)
    tags = {tag.name: tag.description for tag in found.tags if tag.name not in hosted.settings.tags}
    if any(tag.line in lines for tag in found.tags if tag.name in tags):
        yield from _declaring(f"Register {listed([f'<{name}>' for name in tags], _MOST_NAMED)}", tags, asker)
    new = [each for each in found.gadgets if hosted.settings.gadgets.find(each.name) is None]
    if any(each.source and each.source.line in lines for each in new):

        def defining(text: str, table: _Table, folder: str, path: str) -> Insertion | None:
            return listing(text, table, ("gadget", "schemas"), "**", (source_name(path, folder),))

        title = f"Check calls of {listed([each.name for each in new], _MOST_NAMED)} against this file,"
        yield from _settings_action(title, defining, asker)


def _refactoring(offer: Offer, asker: Asker) -> Json:
    """Return a refactoring; None for a refused one that the client cannot show."""
    action = {"title": plain(offer.title), "kind": REFACTOR}
    if not offer.refused:
        return {**action, "edit": _edit(offer.edits, asker)}
    return {**action, "disabled": {"reason": plain(offer.refused)}} if asker.client.knows_disabled else None


def wants(kind: str, params: Json) -> bool:
    """Return whether a request for code actions includes a kind."""
    only = at(params, "context", "only")
    if not isinstance(only, list):
        return True
    return any(each in ("", kind) or (isinstance(each, str) and kind.startswith(f"{each}.")) for each in only)


def _quick_fix(found: fixes.QuickFix, asker: Asker) -> Json:
    finding, fix, preferred = found
    place = asker.span(finding.start, finding.end)
    action = {"title": plain(fix.title), "kind": QUICK_FIX, "edit": _edit(fix.edits, asker, fix.stops)}
    diagnostics = at(asker.params, "context", "diagnostics")
    same = [
        each
        for each in (diagnostics if isinstance(diagnostics, list) else [])
        if isinstance(each, dict) and each.get("code") == finding.code and each.get("range") == place
    ]
    if same:
        action["diagnostics"] = same
    if END_WITH_LF in asker.client.commands and _ends_lines(fix.edits, asker.text.document):
        action["command"] = {"title": action["title"], "command": END_WITH_LF, "arguments": [asker.uri]}
    if preferred:
        action["isPreferred"] = True
    return action


def _ends_lines(edits: Iterable[Edit], document: Document) -> bool:
    return all(each.text == "\n" and document.slice(each.start, each.end).endswith("\r\n") for each in edits)


def _edit(edits: Iterable[Edit], asker: Asker, stops: Sequence[tuple[int, int]] = ()) -> Json:
    """Return edits of a document as a workspace edit.

    `stops` are placeholders of the last edit's text, for clients with snippets in edits, outside of embedded texts.
    """
    made: list[Json] = [*asker.edits(edits)]
    if stops and asker.client.takes_snippet_edits and asker.client.takes_versions and asker.guest is None:
        made[-1]["snippet"] = {"kind": "snippet", "value": _snippet(made[-1].pop("newText"), stops)}
    return asker.workspace_edit({asker.uri: made})


def _snippet(text: str, stops: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for number, (start, end) in enumerate(stops, 1):
        parts += [escaped(text[at:start]), f"${{{number}:{escaped(text[start:end])}}}"]
        at = end
    return "".join([*parts, escaped(text[at:])])
