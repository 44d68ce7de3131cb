"""The message of a finding: a headline, its consequence, and a remedy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

LONGEST_HEADLINE: Final = 60
_LEAST: Final = 8
"""The minimum length of a shortened value, in characters."""
_LINE_END: Final = re.compile(r"[\r\n]+")


class FindingMessage(NamedTuple):
    """A message in three parts, of which the last two may be empty. `str` gives one line for logs."""

    headline: str
    """Names the thing, on one line of at most 60 characters."""
    note: str = ""
    """The consequence."""
    help: str = ""
    """The remedy."""

    def __str__(self) -> str:
        rest = "; ".join(filter(None, (self.note, self.help)))
        return f"{self.headline} — {rest}" if rest else self.headline

    @property
    def rest(self) -> list[str]:
        """The lines below the headline, each with its label."""
        return [f"{label}: {text}" for label, text in zip(("note", "help"), self[1:], strict=True) if text]

    @property
    def lines(self) -> str:
        """The message as plain text with a line for each part."""
        return "\n".join((self.headline, *self.rest))


def written(words: str, data: Mapping[str, object], runtime: str = "") -> FindingMessage:
    """Return the message with some words: headline, note and help, each on a line, with the names of data in braces.

    If the headline is shortened, or the `runtime` has another message, the note begins with the whole one.
    """
    template, note, remedy = [*words.split("\n"), "", ""][:3]
    says, headline, note = (runtime or template).format_map(data), fitted(template, data), note.format_map(data)
    if headline != says:
        note = f"{says}; {note}" if note else says
    return FindingMessage(headline, note, remedy.format_map(data))


def headed(text: str, note: str = "", remedy: str = "") -> FindingMessage:
    """Return a message. The note begins with a headline that is too long."""
    return written("{text}\n{note}\n{help}", {"text": text, "note": note, "help": remedy})


def fitted(headline: str, data: Mapping[str, object]) -> str:
    """Return a headline on one line, with its longest values shortened until it fits."""
    text = headline.format_map(data)
    if len(text) <= LONGEST_HEADLINE and not _LINE_END.search(text):
        return text
    shown = {
        name: _LINE_END.sub(" ", value) if isinstance(value, str) else value
        for name, value in data.items()
        if f"{{{name}" in headline
    }
    text = headline.format_map(shown)
    while (excess := len(text) - LONGEST_HEADLINE) > 0:
        lengths = {name: len(value) for name, value in shown.items() if isinstance(value, str)}
        longest = max(lengths, key=lengths.__getitem__, default="")
        left = max(lengths.get(longest, 0) - excess - 1, _LEAST)
        if left >= lengths.get(longest, 0) - 1:
            return f"{text[: LONGEST_HEADLINE - 1]}…"
        shown[longest] = f"{str(shown[longest])[:left]}…"
        text = headline.format_map(shown)
    return text
