"""The message of a finding: a headline, what happens because of it, and what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

LONGEST_HEADLINE: Final = 60
_LEAST: Final = 8
"""The characters that are left of a long value."""
_LINE_END: Final = re.compile(r"[\r\n]+")


class FindingMessage(NamedTuple):
    """A message in three parts.

    Shape: `headline` names the thing, on one line of at most 60 characters; `note` says what happens because of it,
           `help` what to do. The last two may be empty. As a text, it is one line for logs.
    """

    headline: str
    note: str = ""
    help: str = ""

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


class Words(NamedTuple):
    """The words of a message, with the names of its data in braces.

    Shape: `runtime` are the words of the runtime, where the headline is not: they begin the note.
    """

    headline: str
    note: str = ""
    help: str = ""
    runtime: str = ""

    def says(self, data: Mapping[str, object]) -> str:
        """The words of the runtime, where it has some, otherwise the headline; both in full."""
        return (self.runtime or self.headline).format_map(data)

    def message(self, data: Mapping[str, object]) -> FindingMessage:
        """The message. The note begins with words that the headline shortens."""
        says, headline, note = self.says(data), fitted(self.headline, data), self.note.format_map(data)
        if headline != says:
            note = f"{says}; {note}" if note else says
        return FindingMessage(headline, note, self.help.format_map(data))


def headed(text: str, note: str = "", remedy: str = "") -> FindingMessage:
    """The message with these words. Shape: as with `Words`, the note begins with a headline that is too long."""
    return Words("{text}", "{note}", "{help}").message({"text": text, "note": note, "help": remedy})


def fitted(headline: str, data: Mapping[str, object]) -> str:
    """A headline on one line, in which the longest values are shortened until it fits."""
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
