"""Fixes: edits that remove a finding, and their effect on values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from llmblocks.core.edits import Edit

Effect = Literal[
    "nothing",
    "names",
    "removes",
    "drops",
    "adds",
    "text",
    "comment",
    "markup",
    "attributes",
    "blocks",
    "tag",
    "block",
    "lines",
    "calls",
    "renames",
    "moves",
    "replaces",
    "gives",
    "message",
    "arguments",
    "role",
    "line",
    "returns",
    "regions",
]
"""The effect of a fix on the values for a program (`core.decoded`).

"names" renames parts of a value that the runtime rejects, "removes" takes one of them out, "adds" lets values come
after all others, "text" takes some of the text out that belongs to no value, and "comment" puts some in.

"lines" begins new lines in the text that belongs to no value, and "calls" makes calls, or parts of one, of text.

"markup" writes a custom block in another way, and "attributes" changes the attributes of one. "blocks" lets blocks
begin and end elsewhere: the text inside and outside of them is the same without what stands between brackets. By hand,
"tag" lets one tag take some of the text behind it, and "block" takes one block out.

Of a value that the runtime reads, "renames" changes the head, "moves" gives one part another name,
"replaces" gives one part another value, "gives" adds parts, and "drops" takes one part out.

Of a chat, "message" lets one message come, end earlier, or change all but the order of its text, or changes the
metadata; "arguments" changes anything of one message but its text, and "line" adds a line to its text; "role" gives one
message a role, and those that take it from there. All others stay.

"returns" takes carriage returns out of values of any kind.

"regions" lets one region of a completion come, end, or be text.
"""


@dataclass(frozen=True, slots=True)
class Fix:
    """A way to remove a finding.

    Shape: `title` describes it in the imperative; `edits` are in order and do not touch. It is `safe` if it has no
           effect on the values for a program, and the text can have no other meaning; or if it removes an argument
           that keeps a call from running and says again what another one says. In the stretch that it `uncovers`,
           other problems may be found: no rule could judge it before.
           `stops` are the stretches of the text of the last edit that a person is likely to change.
    """

    title: str
    edits: tuple[Edit, ...]
    effect: Effect = "nothing"
    safe: bool = False
    uncovers: tuple[int, int] | None = None
    stops: tuple[tuple[int, int], ...] = ()

    @property
    def start(self) -> int:
        return self.edits[0].start

    @property
    def end(self) -> int:
        return self.edits[-1].end


def with_effects(title: str, edits: Sequence[Edit], *effects: Effect) -> Iterator[Fix]:
    """Yield a fix with each effect that it may have: the one that is proved is offered."""
    for effect in effects:
        yield Fix(title, (*edits,), effect)
