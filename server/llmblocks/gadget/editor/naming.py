"""The kinds of names in gadget calls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from llmblocks.contract.naming import NameKind
from llmblocks.gadget.editor.calls import GADGET, INVOCATION
from llmblocks.gadget.editor.dependencies import counted

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBERED = re.compile(r"gadget_[0-9]+")


def _refuses(name: str) -> str:
    if not _IDENTIFIER.fullmatch(name):
        return f"`{name}` is not an invocation id: use letters, digits and `_`, and begin with a letter or `_`"
    if _NUMBERED.fullmatch(name):
        return f"llmist gives ids such as `{name}` to calls without one: choose another"
    return ""


NAME_KINDS: Final[Mapping[str, NameKind]] = {
    INVOCATION: NameKind("invocation id", _refuses, per_message=True, implied=counted, entry="call", titled_by=GADGET),
    GADGET: NameKind(
        "gadget", fixed="a program defines the names of its gadgets: rename the gadget there", entry="call"
    ),
}
