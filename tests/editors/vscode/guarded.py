"""Programs that cannot outlive the test run, even when it is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import IO

from editors.vscode.watchdog import marked

WATCHDOG = Path(__file__).parent / "watchdog.py"


class Guarded:
    """A program under the watchdog."""

    def __init__(self, command: list[str], env: dict[str, str], output: IO[bytes]) -> None:
        self.mark = uuid.uuid4().hex
        self._watchdog = subprocess.Popen(
            [sys.executable, str(WATCHDOG), self.mark, *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={"PATH": os.environ["PATH"], **env},
            start_new_session=True,
        )

    @property
    def running(self) -> bool:
        """Whether the program has not ended yet."""
        return self._watchdog.poll() is None

    def end(self) -> None:
        """End the program and all that came of it, and wait until they are gone."""
        assert self._watchdog.stdin is not None
        self._watchdog.stdin.close()
        self._watchdog.wait(120)
        assert not marked(self.mark)
