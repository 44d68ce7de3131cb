"""The names of nodes in an outline, by the tokens that name them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

EntryKind = Literal["message", "call", "argument", "data", "block"]
"""The kinds of entries: of a chat, of gadget calls and other tool calls, their arguments, JSON, and custom blocks."""


class Title(NamedTuple):
    """Shape: `name` may be empty where the text has none; `detail` is a short preview; both are one line. `entry` is
    the kind of the entry where that of the heading is another."""

    name: str
    detail: str = ""
    entry: EntryKind | None = None


class Heading(NamedTuple):
    """A kind of token that names a node.

    Shape: `node` is the kind of node, as in `core.nest`; if it is empty, the token's command line is an entry of its
           own. `title` gives its name, from the text of a section and the place of the token in it. `use` is what a
           statistic counts it under, without ids: a gadget, an argument, a role, a tag; None for what is not counted.
           It gets the text of a piece.
    """

    entry: EntryKind
    node: str
    title: Callable[[str, int, int], Title]
    use: Callable[[str, int, int], str | None] | None = None


LONGEST = 80


def said_by(who: str, words: str) -> Title:
    """The title of a message: who says it, and its first words. Many editors list names without details."""
    return Title(f"{who}: {words}" if words else who)


def first_words(text: str, start: int, end: int, most: int = LONGEST) -> str:
    """The first line of a stretch of text that is not blank, shortened."""
    stretch = text[start : min(end, start + 4 * most)].strip()
    line = stretch.splitlines()[0].rstrip() if stretch else ""
    return line if len(line) <= most else line[: most - 1] + "…"
