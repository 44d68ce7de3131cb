"""Code actions in hosts: marks for unread texts, and settings from declarations in code."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from llmblocks.contract.markup import listed
from llmblocks.lsp.answers.actions import QUICK_FIX, can_edit, settings_edit
from llmblocks.lsp.wire.params import at, range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.lsp.client.client import Client
    from llmblocks.lsp.client.config import Config, SettingsEdit
    from llmblocks.lsp.documents.hosted import HostedText

_MOST_NAMED = 4


def marking_actions(hosted: HostedText, params: Json, client: Client, version: int | None) -> Iterator[Json]:
    """Yield the marks for texts on the lines of a range."""
    from llmblocks.rules.fixing import host_fixes

    only = at(params, "context", "only")
    if isinstance(only, list) and not {"", QUICK_FIX} & {*filter(lambda each: isinstance(each, str), only)}:
        return
    span = range_of(params.get("range"), "range")
    for finding in hosted.own_findings():
        line = hosted.position(finding.start)[0]
        if not span.start_line <= line <= span.end_line:
            continue
        for fix in host_fixes(finding):
            edits = [hosted.edit(each) for each in fix.edits]
            change = {"textDocument": {"uri": hosted.uri, "version": version}, "edits": edits}
            edit = {"documentChanges": [change]} if client.takes_versions else {"changes": {hosted.uri: edits}}
            preferred = {"isPreferred": True} if client.knows_preferred else {}
            yield {"title": fix.title, "kind": QUICK_FIX, "edit": edit, **preferred}


def declared_actions(
    hosted: HostedText, path: str, params: Json, client: Client, config: Config, version_of: Callable[[str], int | None]
) -> Iterator[Json]:
    """Yield the settings that could adopt the declarations in a range. `path` is that of the document."""
    from llmblocks.code.grammar import grammar, script_of
    from llmblocks.discovery.find import declared_in, may_declare

    language_id = script_of(path)
    only = at(params, "context", "only")
    is_other = isinstance(only, list) and QUICK_FIX not in only
    if is_other or language_id is None or not may_declare(hosted.text) or grammar(language_id) is None:
        return
    span = range_of(params.get("range"), "range")
    settings = config.of(hosted.uri).languages.settings
    found = declared_in(hosted.text, path)

    def action(title: str, edit: SettingsEdit | None) -> Iterator[Json]:
        if edit is not None and can_edit(edit, client):
            made = settings_edit(edit, client.encoding, client, version_of)
            yield {"title": f"{title} in {os.path.basename(edit.path)}", "kind": QUICK_FIX, "edit": made}

    tags = {tag.name: tag.description for tag in found.tags if tag.name not in settings.tags}
    if any(span.start_line <= tag.line <= span.end_line for tag in found.tags if tag.name in tags):
        names = [f"<{name}>" for name in tags]
        yield from action(f"Register {listed(names, _MOST_NAMED)}", config.declaring(hosted.uri, tags))
    new = [each for each in found.gadgets if settings.gadgets.find(each.name) is None]
    if any(each.source and span.start_line <= each.source.line <= span.end_line for each in new):
        names = [each.name for each in new]
        yield from action(
            f"Check calls of {listed(names, _MOST_NAMED)} against this file,", config.defining(hosted.uri)
        )
