"""A program in its own terminal: keys go in, and what it draws is read."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

ESCAPES = re.compile(r"\x1b(?:\[[0-9;?:<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[P_^][^\x1b]*\x1b\\|[()].|.)")
PATIENCE_S = 120


class Terminal:
    """A context manager that ends the program when it is left. `size` is in lines and columns."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path, size: tuple[int, int] = (40, 160)
    ) -> None:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.size = size
        self._drawn, self.all_drawn = b"", bytearray()
        # Emacs draws only on the terminal that controls its session
        self._process = subprocess.Popen(
            ["setsid", "--ctty", *command], stdin=slave, stdout=slave, stderr=slave, env=dict(environment), cwd=folder
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._master)

    @property
    def drawn(self) -> str:
        """Everything that was drawn since the last keys, without colours and places."""
        return ESCAPES.sub("", self._drawn.decode(errors="replace"))

    def press(self, keys: str) -> None:
        """Type keys, and forget the screen before them, which is not an answer."""
        self._drawn = b""
        os.write(self._master, keys.encode())

    def until(self, done: Callable[[], bool], wanted: str = "it") -> None:
        """Read what is drawn until something is so. `wanted` says what, where it does not come."""
        end = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end, f"still waiting for {wanted}; drawn was {self.drawn[-2000:]!r}"
            self.draws(0.05)

    def shows(self, text: str) -> None:
        """Wait until a text was drawn."""
        self.until(lambda: text in self.drawn, text)

    def rests(self, quiet_s: float) -> None:
        """Wait until nothing has been drawn for a while."""
        while self.draws(quiet_s):
            pass

    def end(self) -> None:
        """Wait until the program has ended by itself."""
        self.until(lambda: self._process.poll() is not None)

    def draws(self, within_s: float) -> bool:
        """Read what is drawn, and wait for it. Gives whether anything was."""
        if not select.select([self._master], [], [], within_s)[0]:
            return False
        try:
            read = os.read(self._master, 65536)
        except OSError:  # the program has closed the terminal
            self._process.wait(PATIENCE_S)
            return False
        self._drawn += read
        self.all_drawn += read
        return True
