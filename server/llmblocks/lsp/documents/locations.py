"""Places in other files, as the client counts them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.lsp.documents.columns import Encoding, units
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.core.places import Elsewhere


def uri_of_file(file: str) -> str:
    """The URI of a file. Shape: `file` is a path, or a URI already."""
    return Path(file).as_uri() if os.path.isabs(file) else file


def located(place: Elsewhere, encoding: Encoding) -> Json:
    """A place in another file."""
    start = {"line": place.line, "character": units(place.before, encoding)}
    # a lone return in a name ends a line
    *returns, last = place.text.split("\r")
    character = units(last, encoding) + (0 if returns else start["character"])
    end = {"line": place.line + len(returns), "character": character}
    return {"uri": uri_of_file(place.file), "range": {"start": start, "end": end}}
