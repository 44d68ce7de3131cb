"""`llmblocks report` on a storage with a slow line, with 1, 2 and 4 processes: `python -m tools.bench.slow_storage`.

Needs fsspec, which `make ray` installs: `PYTHONPATH=tests:server .cache/on-ray/bin/python -m tools.bench.slow_storage`.
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

import responses
from llmblocks.cli.commands import main

FILES, FEW, SESSIONS_EACH = 44, 4, 6
REQUEST = 1 << 20
LATENCY = 0.03
"""Seconds until the first byte of an answer, as of an object store."""
SPEED = 1e6
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


def seconds(source: str, jobs: int) -> float:
    """The requests timed for a report."""
    start = perf_counter()
    assert main(["report", source, *ROWS, "-q", f"-j{jobs}", "--output-file", os.devnull]) == 0
    return perf_counter() - start


def waiting(folder: Path) -> float:
    """The seconds for which one process waits: each file is opened, read by requests, and once more at its end."""
    sizes = [each.stat().st_size for each in folder.iterdir()]
    return sum([LATENCY * (2 + -(-size // REQUEST)) + size / SPEED for size in sizes])


def simulate() -> None:
    """Print what 1, 2 and 4 processes take, and what the sum of waiting and work says."""
    processors = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as name:
        few, many = Path(name) / "few", Path(name) / "many"
        for folder, files in ((few, FEW), (many, FILES)):
            folder.mkdir()
            for number in range(files):
                responses.write_rows(folder / f"{number:03}.jsonl", SESSIONS_EACH)
        size = sum([each.stat().st_size for each in many.iterdir()])
        print(f"{size / 1e6:.0f} MB in {FILES} files; processors: {processors}, busy: {os.getloadavg()[0]:.1f}")
        # on the clock, so that other work on this machine counts in both
        work = seconds(str(many), 1) - seconds(str(few), 1)
        wait = waiting(many) - waiting(few)
        print(f"one process works for {work:.1f} s and waits for {wait:.1f} s")
        for jobs in (1, 2, 4):
            # its start apart, and the parts of which each process has one
            took = seconds(f"slow://{many}", jobs) - seconds(f"slow://{few}", jobs)
            expected = max((work + wait) / jobs, work / min(jobs, processors))
            print(f"{jobs} processes: {took:.1f} s; calculated {expected:.1f} s; busy: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    simulate()
