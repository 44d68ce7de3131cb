"""Kinds of names, for navigation and renaming."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from llmblocks.contract.headings import EntryKind
    from llmblocks.core.index import Index
    from llmblocks.core.symbol import PlacedSymbol


class NameKind(NamedTuple):
    """A kind of name. `Symbol.kind` refers to it."""

    title: str
    """Its name for users."""
    refuses: Callable[[str], str] | None = None
    """Returns the reason why a name cannot be changed, empty if it can. None: not renamable; `fixed` explains why."""
    fixed: str = ""
    per_message: bool = False
    """Whether a name means the definition in the same message, or in the last earlier message with one."""
    implied: Callable[[Index, str, int], PlacedSymbol | None] | None = None
    """Finds the definition of a name that no text spells."""
    entry: EntryKind | None = None
    """The kind of outline entry of its definitions. The search for names finds only kinds with an entry."""
    titled_by: str = ""
    """For the names of calls: the kind of the name with which a call begins. The call's own name follows, if any, then
    those of the calls it waits for.
    """
