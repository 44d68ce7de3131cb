"""The text that the demo types, and the codes of the findings that the server must report, no more and no less."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoStep:
    """A step of the demo."""

    says: str
    after: str
    """The cursor goes to the end of the first occurrence of this text, then back over `back` characters."""
    keys: str = ""
    """The keys to type."""
    back: int = 0
    expected: tuple[str, ...] = ()
    """The codes of the findings after the last key."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A document and its steps."""

    file: str
    """Below the folder of examples."""
    language_id: str
    opens: str
    steps: tuple[DemoStep, ...]


SCENES = (
    Scene(
        "clean/session.gadget",
        "gadget",
        "A model's response with six gadget calls and no mistake.",
        (
            DemoStep(
                "Another argument for the last call. Its pointer is taken: llmist would reject the whole call.",
                after="!!!ARG:done\ntrue",
                keys="\n!!!ARG:message\nAll 31 tests pass.",
                expected=("G101",),
            ),
            DemoStep(
                "Another pointer fixes the call.", after="true\n!!!ARG:message", back=len("message"), keys="summary"
            ),
            DemoStep(
                "An index skips one: the array would have a gap.",
                after="!!!ARG:folders/2",
                back=1,
                keys="3",
                expected=("G102",),
            ),
            DemoStep("The right index fixes the array.", after="!!!ARG:folders/3", back=1, keys="2"),
        ),
    ),
    Scene(
        "clean/chat.stf",
        "stf",
        "A chat in Simple Text Format: a prompt, eight turns, comments.",
        (
            DemoStep(
                "A comment block is closed that was never opened: decoding would stop here.",
                after="mira asked for the line anyway",
                keys="\n@*/",
                expected=("S001",),
            ),
            DemoStep("Opened, it is a comment.", after="for the line anyway", keys="\n@/* later"),
            DemoStep(
                "A note at the end is not closed: all text after it would be lost.",
                after="when it is green. 🎉",
                keys="\n@/* the date moved by a week",
                expected=("S002",),
            ),
            DemoStep("Its end.", after="@/* the date moved by a week", keys="\n@*/"),
        ),
    ),
)
