"""Code actions in hosts: marks for unread texts, and settings from declarations in code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from llmblocks.contract.markup import listed
from llmblocks.lsp.answers.actions import QUICK_FIX, settings_action, wants, workspace_edit
from llmblocks.lsp.wire.params import range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.lsp.client.client import Client
    from llmblocks.lsp.client.config import Config
    from llmblocks.lsp.documents.hosted import HostedText

_MOST_NAMED = 4


def marking_actions(
    hosted: HostedText, params: Json, client: Client, version_of: Callable[[str], int | None]
) -> Iterator[Json]:
    """Yield the marks for texts on the lines of a range."""
    from llmblocks.rules.fixing import host_fixes

    if not wants(QUICK_FIX, params):
        return
    span = range_of(params.get("range"), "range")
    for finding in hosted.own_findings():
        line = hosted.position(finding.start)[0]
        if not span.start_line <= line <= span.end_line:
            continue
        for fix in host_fixes(finding):
            edit = workspace_edit({hosted.uri: [hosted.edit(each) for each in fix.edits]}, client, version_of)
            preferred = {"isPreferred": True} if client.knows_preferred else {}
            yield {"title": fix.title, "kind": QUICK_FIX, "edit": edit, **preferred}


def declared_actions(
    hosted: HostedText, path: str, params: Json, config: Config, version_of: Callable[[str], int | None]
) -> Iterator[Json]:
    """Yield the settings that could adopt the declarations in a range. `path` is that of the document."""
    from llmblocks.code.grammar import grammar, script_of
    from llmblocks.discovery.find import declared_in, may_declare

    language_id = script_of(path)
    if (
        not wants(QUICK_FIX, params)
        or language_id is None
        or not may_declare(hosted.text)
        or grammar(language_id) is None
    ):
        return
    span = range_of(params.get("range"), "range")
    settings = config.of(hosted.uri).languages.settings
    found = declared_in(hosted.text, path)
    tags = {tag.name: tag.description for tag in found.tags if tag.name not in settings.tags}
    if any(span.start_line <= tag.line <= span.end_line for tag in found.tags if tag.name in tags):
        names = [f"<{name}>" for name in tags]
        title, edit = f"Register {listed(names, _MOST_NAMED)}", config.declaring(hosted.uri, tags)
        yield from settings_action(title, edit, config.client, version_of)
    new = [each for each in found.gadgets if settings.gadgets.find(each.name) is None]
    if any(each.source and span.start_line <= each.source.line <= span.end_line for each in new):
        names = [each.name for each in new]
        title, edit = f"Check calls of {listed(names, _MOST_NAMED)} against this file,", config.defining(hosted.uri)
        yield from settings_action(title, edit, config.client, version_of)
