"""The names of nodes in an outline, by the tokens that name them, and the kinds of names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from llmblocks.core.index import Index
    from llmblocks.core.symbol import PlacedSymbol

EntryKind = Literal["message", "call", "argument", "data", "block"]
"""The kinds of entries: of a chat, of gadget calls and other tool calls, their arguments, JSON, and custom blocks."""


class Title(NamedTuple):
    """The title of an entry, on one line."""

    name: str
    """Empty if the text has none."""
    detail: str = ""
    """A short preview."""
    entry: EntryKind | None = None
    """The kind of the entry, if it differs from that of the heading."""


class Heading(NamedTuple):
    """A kind of token that names a node."""

    entry: EntryKind
    node: str
    """The kind of node (see `core.nest`); empty if the token's command line is an entry by itself."""
    title: Callable[[str, int, int], Title]
    """Makes its title from the text of a section and the place of the token in it."""
    use: Callable[[str, int, int], str | None] | None = None
    """Makes the key under which statistics count it, from the text of a piece: a gadget, an argument, a role, a tag,
    without ids. None if it is not counted.
    """


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


LONGEST = 80


def said_by(who: str, words: str) -> Title:
    """Return the title of a message: its speaker and first words. Many editors list names without details."""
    return Title(f"{who}: {words}" if words else who)


def first_words(text: str, start: int, end: int, most: int = LONGEST) -> str:
    """Return the first non-blank line of a stretch of text, shortened."""
    stretch = text[start : min(end, start + 4 * most)].strip()
    line = stretch.splitlines()[0].rstrip() if stretch else ""
    return line if len(line) <= most else line[: most - 1] + "…"
