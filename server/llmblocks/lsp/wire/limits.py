"""The limits of a session. docs/server.md documents them."""

from __future__ import annotations

MAX_MESSAGE_BYTES = 256 << 20
"""The body of one message. A longer one is skipped and answered with an error."""

MAX_HEADER_BYTES = 1 << 14
"""The header of one message."""

MAX_DEPTH = 910
"""The nesting of a message: a little less than Python 3.11 can read."""

MAX_WAITING_BYTES = 64 << 20
"""Messages that wait to be served. While there are more, the server does not read."""

MAX_UNREAD_BYTES = 64 << 20
"""Messages that the client has not read. While there are more, the server serves nothing."""

MAX_LOGS = 5_000
"""The numbered logs whose names are known. The folders after these are left out."""

MAX_SEARCHED_FOLDERS = 20_000
"""The folders that are searched for logs below a folder of the workspace."""

MAX_LOG_BYTES = 16 << 20
"""A numbered log that is not open. The names of a larger one are not known."""

MAX_ANALYSED_BYTES = 1 << 20
"""A log that is not open, and that a call hierarchy leads to. The calls in a larger one are left out."""

MAX_FILES = 5_000
"""The other files of the workspace whose names are known."""

MAX_FILES_BYTES = 64 << 20
"""All of these files together."""

MAX_CHECKED_FILES = 10_000
"""The files of the workspace that are checked though they are not open."""

MAX_SYMBOLS = 1_000
"""The symbols that a search in the workspace finds."""

MAX_PLACES_OF_SYMBOL = 20
"""The places of one name in one file among them."""

MAX_ASKED = 100
"""Requests to the client that it has not answered. The oldest are forgotten."""

MAX_OUTLINED = 10_000
"""The symbols of a document. Where there are more, its outline has those of the outermost layer, or the first."""

MAX_FOLDED_LINES = 50_000
"""The first lines of a document, in which folds and lenses begin. Those of later lines are left out."""
