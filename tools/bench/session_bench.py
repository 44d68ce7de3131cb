"""3,000 responses and requests: read by the server while nothing waits, edited, and shown as a session."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from lsp.log_editor import Editor
from tools.bench.report import Ratio, verdicts

FILES, KB = 3000, 10
LINE = "a line of a value, of the usual length in most files of text\n"


def call(name: str, needs: str = "", lines: int = 1) -> str:
    return f"!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\n{LINE * lines}!!!GADGET_END\n"


def write(folder: Path) -> float:
    """Responses that wait for calls of earlier ones, and their results. Returns their MB."""
    lines = KB * 1000 // len(LINE) // 4
    size = 0
    for number in range(1, FILES // 2 + 1):
        needs = f"c{number - 1}x0" if number > 1 else ""
        # one waits for the first response
        needs = "c1x0" if number == 50 else needs
        response = "".join([call(f"c{number}x{each}", needs, lines) for each in range(4)])
        # a request has what is new: histories would make it 3 GB
        told = "".join([f"\n=== USER ===\nResult (c{number - 1}x{each}): {LINE * lines}\n" for each in range(4)])
        for name, text in ((f"{number:04}.request", told), (f"{number:04}.response", response)):
            (folder / name).write_text(text, "utf-8")
            size += len(text)
    return size / 1e6


def indexed(folder: Path) -> tuple[float, float, float]:
    """CPU seconds until all files are known; milliseconds of the longest step, and from an edit to its finding."""
    began = process_time()
    editor = Editor(folder, workspace=False)
    editor.open("0050.response")
    longest = 0.0
    while True:
        start = process_time()
        if not editor.step():
            break
        longest = max(longest, process_time() - start)
    read = process_time() - began
    editor.open("0001.response")
    editor.wait()
    shown = []
    for name in ("zz", "c1"):
        start = process_time()
        editor.replace("0001.response", 0, len("!!!GADGET_START:Read:"), len("!!!GADGET_START:Read:") + 2, name)
        editor.wait()
        shown.append(process_time() - start)
        assert ("G111" in editor.codes("0050.response")) is (name == "zz")
    return read, longest * 1000, max(shown) * 1000


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / ".llmist" / "logs" / "bench"
        folder.mkdir(parents=True)
        size = write(folder)
        read, longest, shown = indexed(folder)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = perf_counter()
        done = subprocess.run([sys.executable, "-m", "llmblocks", "session", name], capture_output=True, check=False)
        wall, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode == 0, done.stderr
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{FILES:,} files, {size:.1f} MB: known after {read:.2f} s, llmblocks session {wall:.2f} s")
    verdicts(
        "session",
        Ratio("seconds until the names and the session are known, to 15 MB/s", read / (size / 15), 1.0),
        Ratio("longest step of idle work, ms", longest, 5.0),
        Ratio("from an edit of the first response to its finding in the 50th, ms", shown, 20.0),
        Ratio("llmblocks session, CPU seconds", seconds, 3.0),
    )


if __name__ == "__main__":
    main()
