"""Kinds of names, for navigation and renaming."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from llmblocks.contract.headings import EntryKind
    from llmblocks.core.index import Index
    from llmblocks.core.symbol_order import PlacedSymbol


class NameKind(NamedTuple):
    """A kind of name; `Symbol.kind` refers to it.

    Shape: `title` names it for users. `refuses` gives the reason why a name cannot have a new spelling, empty if it
           can; None if no such name can change, and `fixed` is the reason. Names that are `per_message` mean the
           definition in the same message, or in the last one before it that has one. `implied` finds the definition
           of a name that no text spells. A search for names finds the definitions of those with an `entry`, the kind
           of entry that they have in an outline. Names that are `titled_by` another kind are those of calls: a call
           begins with a name of that kind, then comes its own, if it has one, then those that it waits for.
    """

    title: str
    refuses: Callable[[str], str] | None = None
    fixed: str = ""
    per_message: bool = False
    implied: Callable[[Index, str, int], PlacedSymbol | None] | None = None
    entry: EntryKind | None = None
    titled_by: str = ""
