"""Run a program and leave nothing of it behind: `python watchdog.py MARK PROGRAM [ARGUMENT]...`.

Every process that comes of the program carries `LLMBLOCKS_TEST_RUN=MARK` in its environment. When standard input ends,
which happens however the test run ends, or when the program does, all of them are ended, and that is waited for.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

NAME = "LLMBLOCKS_TEST_RUN"
PATIENCE_S = 1.0


def marked(mark: str) -> list[int]:
    """Return the ids of the living processes that carry a mark, without this one."""
    wanted = f"{NAME}={mark}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if wanted in (folder / "environ").read_bytes().split(b"\0") and " Z " not in state(folder):
                    found.append(int(folder.name))
            except OSError:
                continue  # gone in the meantime, or somebody else's
    return found


def state(folder: Path) -> str:
    """Return the part of a process's status line after its name."""
    return (folder / "stat").read_text().rpartition(")")[2]


def sweep(mark: str) -> None:
    """End every process that carries a mark; those that do not go by themselves are killed."""
    end = time.monotonic() + PATIENCE_S
    asked: set[int] = set()
    while found := marked(mark):
        late = time.monotonic() > end
        for process in found:
            if late or process not in asked:
                asked.add(process)
                try:
                    os.kill(process, signal.SIGKILL if late else signal.SIGTERM)
                except ProcessLookupError:
                    continue
        select.select([], [], [], 0.05)


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
