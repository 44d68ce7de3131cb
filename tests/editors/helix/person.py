"""A person at a Helix in a terminal that is set up as the page says."""

from __future__ import annotations

import re
from pathlib import Path

from editors.helix.helix_install import Helix
from editors.helix.test_helix import opened
from editors.terminal import Terminal
from editors.typing_hands import QUIET_S, Session

MARK = "¦"
"""Typed in the end: where it is in the saved file, there was the caret."""


class HelixInTerminal(Session):
    """One Helix."""

    # what the server says of its first file
    first = "outside any call"
    next_item, accept = "\x0e", "\r"
    # `C` selects the same in the next line too
    two_lines = ("\x1b", "Ci")

    def __init__(self, helix: Helix, configuration: Path, home: Path) -> None:
        self._helix = helix
        self._configuration = configuration
        super().__init__(home)

    def start(self) -> Terminal:
        first = self.home / "first.gadget"
        first.write_text("!!!GADGET_END\n", encoding="utf-8")
        return opened(self._helix, self._configuration, self.home, first)

    def open(self, file: Path, text: str, caret: int) -> None:
        self._file = file
        self.terminal.press(f":open {file}\r")
        self.terminal.shows(file.name)
        line = text[:caret].count("\n") + 1
        self._behind = bool(text) and caret == len(text) and text.endswith("\n")
        # there is no line after the last newline in Helix: `o` begins one
        self.terminal.press(f"{line - 1}ggo" if self._behind else f"{line}ggi")
        self.terminal.shows("INS")

    def look(self) -> tuple[str, str]:
        self.terminal.press(MARK)
        self.terminal.shows(MARK)
        # the first one may close a list
        for _ in range(2):
            self._escape()
        before, _, after = self._saved().partition(MARK)
        # a mark for each caret
        after = after.replace(MARK, "")
        return before, re.sub(r"\r?\n\Z", "", after) if self._behind else after

    def undone(self) -> str:
        self.terminal.press("999u")
        return self._saved()

    def spelled(self, text: str) -> str:
        # a new line of Helix begins with the spaces of the one above, and no setting says otherwise: Ctrl-u drops them
        return re.sub(r"(?m)^([ \t]+.*\n)", "\\1\x15", text)

    def _escape(self) -> None:
        """Leave what is open. A key right after it would be one with Alt."""
        self.terminal.press("\x1b")
        self.terminal.rests(QUIET_S)

    def _saved(self) -> str:
        """Return the text, which a command writes beside the file."""
        beside = self._file.with_suffix(".beside")
        beside.unlink(missing_ok=True)
        self.terminal.press(f"%:pipe-to cat > {beside}.new; mv {beside}.new {beside}\r")
        self.terminal.until(beside.exists)
        return beside.read_bytes().decode()
