"""The kinds of names in chats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from llmblocks.contract.naming import NameKind
from llmblocks.stf.editor.names import CALL, MESSAGE

_PLAIN = re.compile(r"[^\s'\"\\{=]+")


def _refuses(name: str) -> str:
    if not _PLAIN.fullmatch(name) or not name.isprintable():
        return f"`{name}` would have to be quoted: use an id without spaces, quotes, `\\`, `{{` and `=`"
    return ""


NAME_KINDS: Final[Mapping[str, NameKind]] = {
    MESSAGE: NameKind("message id", _refuses, entry="message"),
    CALL: NameKind("id of a tool call", _refuses, entry="call"),
}
