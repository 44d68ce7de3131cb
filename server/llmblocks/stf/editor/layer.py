"""Simple Text Format as a layer: its settings, and the formats in a message by its role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Protocol

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.core.nest import Nesting
from llmblocks.stf import kinds
from llmblocks.stf.editor import command_lines
from llmblocks.stf.scanner import StfScanner
from llmblocks.stf.syntax import AT_COMMANDS

if TYPE_CHECKING:
    from llmblocks.stf.editor import answers, completion, problems, values
else:
    answers, completion, problems, values = late(__package__, "answers completion problems values")


class StfSettings(Protocol):
    """The settings of chats."""

    @property
    def dialect(self) -> Literal["@", ";", "auto"]: ...
    @property
    def default_role(self) -> str: ...
    @property
    def gadget_roles(self) -> tuple[str, ...]: ...
    @property
    def block_roles(self) -> tuple[str, ...]: ...


_TEXTS: Final = {
    frozenset(("gadget", "tags")): kinds.TEXT,
    frozenset(("gadget",)): kinds.TEXT_OF_CALLS,
    frozenset(("tags",)): kinds.TEXT_OF_BLOCKS,
    frozenset[str](): kinds.PLAIN_TEXT,
}
"""The kind of the text of messages, by the names of the formats in it."""


def formats_in(role: str, settings: StfSettings) -> frozenset[str]:
    """Return the names of the formats in a message of a role; an empty role stands for text without one."""
    allowed = (("gadget", settings.gadget_roles), ("tags", settings.block_roles))
    return frozenset([name for name, roles in allowed if "*" in roles or role in map(_role, roles)])


def _role(name: str) -> str:
    """Return the role of an alias such as `ai`."""
    return (AT_COMMANDS[name].role if name in AT_COMMANDS else None) or name


def _scanner(settings: StfSettings) -> StfScanner:
    dialect, role = settings.dialect, settings.default_role
    if "*" in settings.gadget_roles and "*" in settings.block_roles:
        return StfScanner(dialect, has_default=bool(role))
    return StfScanner(dialect, has_default=bool(role), kind_of=lambda each: _TEXTS[formats_in(each or role, settings)])


MESSAGE: Final = "message"
BLOCK: Final = "block"
COMMENT: Final = "comment"
NESTING: Final = Nesting(
    opens={kinds.MESSAGE_NAME: MESSAGE, kinds.RAW_NAME: BLOCK, kinds.BLOCK_NAME: BLOCK, kinds.COMMENT_OPEN: COMMENT},
    closes={kinds.END_NAME: BLOCK, kinds.COMMENT_CLOSE: COMMENT, kinds.FLUSH_NAME: MESSAGE},
    ends={MESSAGE: frozenset((MESSAGE, BLOCK)), BLOCK: frozenset((BLOCK,))},
    leads=frozenset((kinds.HEADER, kinds.BLANK)),
    runs=frozenset((MESSAGE,)),
    breaks=frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME)),
    line_comments=frozenset((kinds.COMMENT_LINE,)),
)


LAYER: Final[Layer[StfSettings]] = Layer(
    name="stf",
    scanner=_scanner,
    nesting=NESTING,
    hover=lambda: answers.WORDS,
    paint=lambda: answers.PAINT,
    facts=lambda _: problems.FACTS,
    complete=lambda caret, settings: completion.suggest(caret, settings.dialect),
    parts=lambda: command_lines.parts,
    decoded=lambda: values.decoded,
    style=lambda: values,
    streaming=lambda: values.STREAMING,
    closing=lambda caret, typed, _: command_lines.closing(caret, typed),
    ended=command_lines.ended,
    complete_comment=lambda caret, settings: command_lines.close_comment(caret, settings.dialect),
    closed=frozenset((kinds.BODY, kinds.PATH, kinds.ARGUMENTS, kinds.PLAIN_TEXT)),
    owns=lambda caret: bool(command_lines.open_block(caret).name),
    headings=lambda: answers.HEADINGS,
    name_kinds=lambda: command_lines.NAME_KINDS,
    symbols=command_lines.names_in,
    checks=command_lines.CHECKS,
    comments=frozenset((kinds.COMMENT, kinds.COMMENT_LINE)),
    silencing=lambda: problems.SILENCING,
    links=lambda _: command_lines.links,
)
