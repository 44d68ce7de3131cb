"""Renaming: the name at a position, and the edits that give it another spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.core.late import late
from llmblocks.lsp.answers.actions import workspace_edit
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.places import located
from llmblocks.lsp.wire.params import a_text
from llmblocks.lsp.wire.rpc import REQUEST_FAILED, Json, RequestError

if TYPE_CHECKING:
    from llmblocks.features import navigation
    from llmblocks.languages.ask import Ask
else:
    (navigation,) = late("llmblocks.features", "navigation")


def capability(client: Client) -> dict[str, Json]:
    """Preparation is only for clients that know it."""
    return {"renameProvider": {"prepareProvider": True} if client.prepares_renames else True}


def prepared(ask: Ask, asker: Asker) -> Json:
    """The range of the name; null if there is none. Errors: `RequestError` for a name that cannot be renamed."""
    found = navigation.renamable(ask)
    if isinstance(found, navigation.Refused):
        raise _failed(found)
    return None if found is None else asker.span(found.start, found.end)


def renamed(ask: Ask, asker: Asker) -> Json:
    """The edits; null if there is no name. Errors: `RequestError` for a name that cannot be renamed like this."""
    from llmblocks.core.edits import Edit

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
    return workspace_edit([Edit(start, end, new) for start, end in found.places], asker, elsewhere)


def _failed(refused: navigation.Refused) -> RequestError:
    return RequestError(REQUEST_FAILED, refused.reason)
