"""What the demo types. What the server says to it is not here, only what it must at least find, and nothing more."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """Something that is typed.

    Shape: the cursor goes behind the first `after` of the text, then back over `back` characters, then `keys` are
           typed. `expected` are the codes of the findings there must be once the last key is typed.
    """

    says: str
    after: str
    keys: str = ""
    back: int = 0
    expected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A document, and what is typed into it. Shape: `file` is below the folder of examples."""

    file: str
    language_id: str
    opens: str
    steps: tuple[Step, ...]


SCENES = (
    Scene(
        "clean/session.gadget",
        "gadget",
        "A model's response with six gadget calls. Nothing is wrong with it.",
        (
            Step(
                "One more argument for the last call. Its name is taken: llmist would reject the whole call.",
                after="!!!ARG:done\ntrue",
                keys="\n!!!ARG:message\nAll 31 tests pass.",
                expected=("G101",),
            ),
            Step(
                "Another name for it, and the call is fine again.",
                after="true\n!!!ARG:message",
                back=len("message"),
                keys="summary",
            ),
            Step(
                "An index that skips one: the array would have a gap.",
                after="!!!ARG:folders/2",
                back=1,
                keys="3",
                expected=("G102",),
            ),
            Step("The right one, and it is an array again.", after="!!!ARG:folders/3", back=1, keys="2"),
        ),
    ),
    Scene(
        "clean/chat.stf",
        "stf",
        "A chat in Simple Text Format: a prompt, eight turns, comments.",
        (
            Step(
                "The end of a comment block that nobody began: decoding would stop here.",
                after="mira asked for the line anyway",
                keys="\n@*/",
                expected=("S001",),
            ),
            Step("With a beginning it is a comment, and no finding.", after="for the line anyway", keys="\n@/* later"),
            Step(
                "A note at the end, and its end is missing: everything behind it would be lost.",
                after="when it is green. 🎉",
                keys="\n@/* the date moved by a week",
                expected=("S002",),
            ),
            Step("Its end.", after="@/* the date moved by a week", keys="\n@*/"),
        ),
    ),
)
