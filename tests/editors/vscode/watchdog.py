"""Programs that cannot outlive the test run, even when it is killed: `python watchdog.py MARK PROGRAM [ARGUMENT]...`.

Every process that comes of the program carries `LLMBLOCKS_TEST_RUN=MARK` in its environment. When standard input ends,
which happens however the test run ends, or when the program does, all of them are ended, and that is waited for.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import uuid
from contextlib import suppress
from typing import IO

import psutil

NAME = "LLMBLOCKS_TEST_RUN"
PATIENCE_S = 1.0


class Guarded:
    """A program under the watchdog."""

    def __init__(self, command: list[str], env: dict[str, str], output: IO[bytes]) -> None:
        self._mark = uuid.uuid4().hex
        self._watchdog = subprocess.Popen(
            [sys.executable, __file__, self._mark, *command],
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
        assert not marked(self._mark)


def marked(mark: str) -> list[psutil.Process]:
    """Return the living processes that carry a mark, without this one."""
    found = []
    for process in psutil.process_iter():
        # gone in the meantime, or somebody else's
        with suppress(psutil.Error):
            is_alive = process.pid != os.getpid() and process.status() != psutil.STATUS_ZOMBIE
            if is_alive and process.environ().get(NAME) == mark:
                found.append(process)
    return found


def sweep(mark: str) -> None:
    """End every process that carries a mark; those that do not go by themselves are killed."""
    end = psutil.Process.terminate
    while found := marked(mark):
        for process in found:
            with suppress(psutil.Error):
                end(process)
        psutil.wait_procs(found, PATIENCE_S)
        end = psutil.Process.kill


def main(mark: str, command: list[str]) -> int:
    """Run the program until it ends or nobody is interested any more."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    # the program must not read what is meant for the watchdog, nor hold it open
    program = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, env={**os.environ, NAME: mark}, start_new_session=True
    )
    ended = os.pidfd_open(program.pid)
    select.select([ended, sys.stdin], [], [])
    sweep(mark)
    return program.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
