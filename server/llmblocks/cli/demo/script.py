"""The text that the demo types, and the codes of the findings that the server must report, no more and no less."""

from __future__ import annotations

from typing import NamedTuple


class DemoStep(NamedTuple):
    """A step of the demo."""

    says: str
    after: str
    """The cursor goes to the end of the first occurrence of this text, then back over `back` characters."""
    keys: str = ""
    """The keys to type."""
    back: int = 0
    expected: tuple[str, ...] = ()
    """The codes of the findings after the last key."""


class Scene(NamedTuple):
    """A document below the folder of examples, and its steps."""

    file: str
    language_id: str
    opens: str
    steps: tuple[DemoStep, ...]


_CALLS = (
    DemoStep(
        "Another argument for the last call. Its pointer is taken: llmist would reject the whole call.",
        after="!!!ARG:done\ntrue",
        keys="\n!!!ARG:message\nAll 31 tests pass.",
        expected=("G101",),
    ),
    DemoStep("Another pointer fixes the call.", "true\n!!!ARG:message", "summary", back=len("message")),
    DemoStep("An index skips one: the array would have a gap.", "!!!ARG:folders/2", "3", 1, expected=("G102",)),
    DemoStep("The right index fixes the array.", "!!!ARG:folders/3", "2", 1),
)
_CHAT = (
    DemoStep(
        "A comment block is closed that was never opened: decoding would stop here.",
        after="mira asked for the line anyway",
        keys="\n@*/",
        expected=("S001",),
    ),
    DemoStep("Opened, it is a comment.", "for the line anyway", "\n@/* later"),
    DemoStep(
        "A note at the end is not closed: all text after it would be lost.",
        after="when it is green. 🎉",
        keys="\n@/* the date moved by a week",
        expected=("S002",),
    ),
    DemoStep("Its end.", "@/* the date moved by a week", "\n@*/"),
)
SCENES = (
    Scene("clean/session.gadget", "gadget", "A model's response with six gadget calls and no mistake.", _CALLS),
    Scene("clean/chat.stf", "stf", "A chat in Simple Text Format: a prompt, eight turns, comments.", _CHAT),
)
