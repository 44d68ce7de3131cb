"""Gadget definitions that are read in another thread: a large file takes longer than a keystroke may wait."""

from __future__ import annotations

import threading
from typing import Final

from llmblocks.gadget.schemas.reading import ReadGadgets, read_gadgets

LONGEST_AT_ONCE: Final = 1 << 16
"""The maximum length of a text that is read at once: it takes some hundredths of a second."""
_ONE_BY_ONE = threading.Lock()
"""Files may be saved faster than they are read."""


class FileReading:
    """Reads a text with definitions in another thread. See `read_gadgets`."""

    def __init__(self, text: str, file: str) -> None:
        self.text: Final = text
        self._file = file
        self._found: ReadGadgets | None = None
        self._is_over = False
        self._thread = threading.Thread(target=self._read, name="gadgets", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> ReadGadgets | None:
        """Return the definitions; None if it takes longer."""
        self._thread.join(seconds)
        return self._found

    def end(self) -> None:
        """Cancel the reading if it has not begun."""
        self._is_over = True

    def _read(self) -> None:
        with _ONE_BY_ONE:
            if self._is_over:
                return
            found = read_gadgets(self.text, self._file)
            for gadget in found.gadgets:
                _, _, schema, *_ = gadget.key
                if gadget.prepared is not None and len(str(schema)) > LONGEST_AT_ONCE:
                    gadget.prepared.prepare()
            self._found = found
