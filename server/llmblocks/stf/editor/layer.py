"""Simple Text Format as a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.core.nest import Nesting
from llmblocks.stf import kinds
from llmblocks.stf.editor.command_lines import CHECKS, NAME_KINDS, links, names_in, parts
from llmblocks.stf.editor.problems import FACTS
from llmblocks.stf.scanner import StfScanner

if TYPE_CHECKING:
    from llmblocks.stf.editor import answers, closing, completion, silences, values
    from llmblocks.stf.editor.roles import StfSettings
else:
    answers, closing, completion, silences, values = late(__package__, "answers closing completion silences values")

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


def _scanner(settings: StfSettings) -> StfScanner:
    if "*" in settings.gadget_roles and "*" in settings.block_roles:
        return StfScanner(settings.dialect, has_default=bool(settings.default_role))
    from llmblocks.stf.editor.roles import RoleScanner

    return RoleScanner(settings)


LAYER: Final[Layer[StfSettings]] = Layer(
    name="stf",
    scanner=_scanner,
    nesting=NESTING,
    hover=lambda: answers.WORDS,
    paint=lambda: answers.PAINT,
    facts=lambda _: FACTS,
    complete=lambda caret, settings: completion.suggest(caret, settings.dialect),
    parts=lambda: parts,
    decoded=lambda: values.decoded,
    style=lambda: values,
    streaming=lambda: values.STREAMING,
    closing=lambda caret, typed, _: closing.closing(caret, typed),
    ended=lambda caret: closing.ended(caret),
    complete_comment=lambda caret, settings: closing.close_comment(caret, settings.dialect),
    closed=frozenset((kinds.BODY, kinds.PATH, kinds.ARGUMENTS, kinds.PLAIN_TEXT)),
    owns=lambda caret: bool(closing.open_block(caret).name),
    headings=lambda: answers.HEADINGS,
    name_kinds=lambda: NAME_KINDS,
    symbols=names_in,
    checks=CHECKS,
    comments=frozenset((kinds.COMMENT, kinds.COMMENT_LINE)),
    silencing=lambda: silences.SILENCING,
    links=lambda _: links,
)
