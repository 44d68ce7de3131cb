"""The kinds of tokens in Simple Text Format, for both dialects."""

from __future__ import annotations

from typing import Final

from llmblocks.core.scan import Kind

TEXT = Kind("text", merges=True)  # data lines, their newlines included
TEXT_OF_CALLS = Kind("text of calls", merges=True)
"""The same in a message whose role allows gadget calls and no custom blocks."""
TEXT_OF_BLOCKS = Kind("text of blocks", merges=True)
"""The same in a message whose role allows custom blocks and no gadget calls."""
PLAIN_TEXT = Kind("plain text", merges=True, opaque=True)  # the same in a message whose role allows neither
BYTE_ORDER_MARK = Kind("byte-order-mark", opaque=True)  # at the start of a text, before the first line
ESCAPE = Kind("escape", opaque=True)  # the first of two header characters: the second one is text
BODY = Kind("body", merges=True, opaque=True)  # the data lines of a block command, or the data line of a call
PATH = Kind("path", merges=True, opaque=True)  # the data line of an `embed`: a path or a URL
HEADER = Kind("header", opaque=True)
BLANK = Kind("blank", merges=True)
MESSAGE_NAME = Kind("message-name", merges=True)
RAW_NAME = Kind("raw-name", merges=True)  # a block command that is a message
BLOCK_NAME = Kind("block-name", merges=True)
"""A block command that belongs to the message around it, or to the transcript."""
LINE_NAME = Kind("line-name", merges=True)
END_NAME = Kind("end-name", merges=True)
STRAY_END = Kind("stray-end", merges=True)
FLUSH_NAME = Kind("flush-name", merges=True)
UNKNOWN_NAME = Kind("unknown-name", merges=True)
NAMES: Final = frozenset((MESSAGE_NAME, RAW_NAME, BLOCK_NAME, LINE_NAME, END_NAME, FLUSH_NAME))
"""The names of commands that have an effect at their place."""
MESSAGES: Final = frozenset((MESSAGE_NAME, RAW_NAME, FLUSH_NAME))
"""The names of commands that end a message."""
ARGUMENTS = Kind("arguments", merges=True)  # the rest of a command line, without its line end
MALFORMED = Kind("malformed", merges=True)  # the rest of a malformed header line
LINE_END = Kind("line-end")
COMMENT_LINE = Kind("comment-line", merges=True)  # from `#` or `//` to the end of the line
COMMENT_OPEN = Kind("comment-open")
COMMENT_CLOSE = Kind("comment-close")
STRAY_CLOSE = Kind("stray-comment-close")
COMMENT = Kind("comment", merges=True, opaque=True)  # the text in a comment block, and after its opening and closing
COMMENTS: Final = frozenset((COMMENT_LINE, COMMENT_OPEN, COMMENT_CLOSE, STRAY_CLOSE, COMMENT))
LINES: Final = NAMES | COMMENTS | {STRAY_END, UNKNOWN_NAME, HEADER, BLANK, ARGUMENTS, MALFORMED, LINE_END, BODY, PATH}
