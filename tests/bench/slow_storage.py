"""`llmblocks report` on a storage with a slow line, with 1, 2 and 4 processes: `python tests/bench/slow_storage.py`.

Needs fsspec, which `make ray` installs: `.cache/on-ray/bin/python tests/bench/slow_storage.py`.
"""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import fsspec
from fsspec.implementations.local import LocalFileSystem

from bench import responses
from llmblocks.cli.commands import main

FILES, SESSIONS_EACH = 40, 6
LATENCY = 0.03
"""Seconds until the first byte of an answer, as of an object store."""
SPEED = 2e6
"""Bytes a second of one process: far less than of any store, so that a small corpus shows what a large one does."""
ROWS = "--language", "gadget", "--column", "response.text"


class SlowFile(io.FileIO):
    """A file whose bytes come late."""

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(-1 if size is None else size) or b""
        sleep(LATENCY + len(data) / SPEED)
        return data


class SlowFiles(LocalFileSystem):  # type: ignore[misc]
    """The files of this machine, as a storage has them."""

    protocol = "slow"

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.removeprefix("slow://")))

    def _open(self, path: str, mode: str = "rb", **_: Any) -> SlowFile:
        sleep(LATENCY)
        return SlowFile(path, "rb")


# also in the processes, which load this file again
fsspec.register_implementation("slow", SlowFiles, clobber=True)


def seconds(source: str, jobs: int) -> tuple[float, float]:
    """Those on the clock, and those of processors, of a report."""
    start, before = perf_counter(), os.times()
    assert main(["report", source, *ROWS, "-q", f"-j{jobs}", "--output", os.devnull]) == 0
    used = [now - then for now, then in zip(os.times()[:4], before[:4], strict=True)]
    return perf_counter() - start, sum(used)


def simulate() -> None:
    """Print what 1, 2 and 4 processes take, and what the sum of waiting and work says."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(FILES):
            responses.write_rows(folder / f"{number:03}.jsonl", SESSIONS_EACH)
        size = sum([each.stat().st_size for each in folder.iterdir()])
        print(f"{size / 1e6:.0f} MB in {FILES} files; processors: {os.cpu_count()}, busy: {os.getloadavg()[0]:.1f}")
        _, work = seconds(str(folder), 1)
        # each file is opened, and read in requests of 1 MB and one more that finds its end
        waiting = sum([2 * LATENCY + each.stat().st_size / SPEED for each in folder.iterdir()])
        print(f"work {work:.1f} s, waiting {waiting:.1f} s")
        for jobs in (1, 2, 4):
            wall, used = seconds(f"slow://{folder}", jobs)
            expected = max((work + waiting) / jobs, work / min(jobs, os.cpu_count() or 1))
            print(f"{jobs} processes: {wall:.1f} s, {used:.1f} s of processors; calculated {expected:.1f} s")


if __name__ == "__main__":
    simulate()
