"""Code actions that mark texts of a document which nothing reads yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from llmblocks.lsp.answers.actions import QUICK_FIX
from llmblocks.lsp.wire.params import at, range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.lsp.client.client import Client
    from llmblocks.lsp.documents.hosted import HostedText


def marking_actions(hosted: HostedText, params: Json, client: Client, version: int | None) -> Iterator[Json]:
    """The marks for texts on the lines of a range."""
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
            edits = [
                {"range": {"start": hosted.place(start), "end": hosted.place(end)}, "newText": text}
                for start, end, text in fix.edits
            ]
            change = {"textDocument": {"uri": hosted.uri, "version": version}, "edits": edits}
            edit = {"documentChanges": [change]} if client.takes_versions else {"changes": {hosted.uri: edits}}
            preferred = {"isPreferred": True} if client.knows_preferred else {}
            yield {"title": fix.title, "kind": QUICK_FIX, "edit": edit, **preferred}
