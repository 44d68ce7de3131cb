"""The limits of a session. docs/server.md documents them."""

from __future__ import annotations

MAX_LOGS = 5_000
"""The maximum number of logs in a folder with known names."""
MAX_SEARCHED_FOLDERS = 20_000
"""The folders that are searched for files below a folder of the workspace."""
MAX_FILES = 10_000
"""The maximum number of files of the workspace that are found, logs included."""
MAX_LOG_BYTES = 16 << 20
"""The maximum size of a closed log whose names are read."""
MAX_ANALYSED_BYTES = 1 << 20
"""The maximum size of a closed log in call hierarchies."""
MAX_SYMBOLS = 1_000
"""The symbols that a search in the workspace finds."""
MAX_PLACES_OF_SYMBOL = 20
"""The places of one name in one file among them."""
MAX_OUTLINED = 10_000
"""The maximum number of symbols of a document. Beyond it, its outline has those of the outermost layer, or the first.
"""
MAX_FOLDED_LINES = 50_000
"""Folds and lenses of later lines are dropped."""
