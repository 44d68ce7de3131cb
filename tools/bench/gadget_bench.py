"""Speed of gadget streams next to llmist's, on the same texts, in one run. `python -m tools.bench.gadget_bench`.

MB are a million characters. Both sides cut the text into chunks as they go and read every call's parameters.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

from llmblocks.gadget import CallEnded, Event, GadgetStream
from tools.bench.report import save

HERE = Path(__file__).resolve().parent
WHOLE = 0
KB = 1024
# The limits, as a multiple of llmist's speed, by the size of a chunk. To create the events of many small calls, without
# reading anything, Python needs nine tenths of llmist's time or more.
ASKED = {
    "one gadget, 256 KB": {4: 30.0, 64: 30.0, WHOLE: 0.0},
    "plain text, 256 KB": {4: 30.0, 64: 30.0, WHOLE: 0.0},
    "5,000 small gadgets, 1 MB": {4: 0.2, 64: 0.12, WHOLE: 0.0},
}
SIZES = (64 * KB, 128 * KB, 256 * KB, 512 * KB, 1024 * KB)


def prose(size: int) -> str:
    lines = (f"line {number} of a file, with some text in it: {number * 7919} words\n" for number in range(size // 40))
    return "".join(lines)[:size]


def one_gadget(size: int) -> str:
    head = "!!!GADGET_START:WriteFile:w1\n!!!ARG:path\nsrc/a.py\n!!!ARG:content\n"
    return head + prose(size - len(head) - 15) + "\n!!!GADGET_END\n"


def small_gadgets(size: int) -> str:
    def one(number: int) -> str:
        return (
            f"Now step {number}: writing the file.\n"
            f"!!!GADGET_START:WriteFile:call_{number}:call_{number - 1}\n"
            f"!!!ARG:path\nsrc/file_{number}.py\n"
            "!!!ARG:mode\n420\n"
            f"!!!ARG:content\ndef f{number}():\n    return {number}\n\nprint(f{number}())\n"
            "!!!GADGET_END\n"
        )

    return "".join(one(number) for number in range(size // 200))


def texts() -> dict[str, str]:
    return {
        "one gadget, 256 KB": one_gadget(256 * KB),
        "plain text, 256 KB": prose(256 * KB),
        "5,000 small gadgets, 1 MB": small_gadgets(1_000_000),
    }


HOSTILE: dict[str, Callable[[int], str]] = {
    "pointers below a long text": lambda size: (
        "!!!GADGET_START:G\n!!!ARG:s\n"
        + "é" * (size // 2)
        + "".join(f"\n!!!ARG:s/b{number}\n1" for number in range(size // 36))
        + "\n!!!GADGET_END"
    ),
    "header without an end": lambda size: "!!!GADGET_START:" + "x" * size,
    "pointer without an end": lambda size: "!!!GADGET_START:G\n!!!ARG:" + "x" * size,
    "only !": lambda size: "!" * size,
    "only ! in a value": lambda size: "!!!GADGET_START:G\n!!!ARG:a\n" + "!" * size,
    "only start markers": lambda size: "!!!GADGET_START:" * (size // 16),
    "only headers": lambda size: "!!!GADGET_START:x\n" * (size // 18),
    "only argument markers": lambda size: "!!!GADGET_START:G\n" + "!!!ARG:" * (size // 7),
    "only newlines in a value": lambda size: "!!!GADGET_START:G\n!!!ARG:a\n" + "\n" * size,
}


def run(text: str, size: int) -> tuple[float, int]:
    """Seconds, and how many calls there were."""
    start = perf_counter()
    stream = GadgetStream()
    feed = stream.feed
    calls = 0
    for at in range(0, len(text), size or len(text)):
        for event in feed(text[at : at + (size or len(text))]):
            if type(event) is CallEnded and event.call.parameters:
                calls += 1
    for event in stream.close():
        if type(event) is CallEnded and event.call.parameters:
            calls += 1
    return perf_counter() - start, calls


def best(text: str, size: int, rounds: int) -> tuple[float, int]:
    return min(run(text, size) for _ in range(rounds))


def llmist(rounds: dict[tuple[str, int], int]) -> dict[tuple[str, int], tuple[float, int]]:
    """Return the same runs by node."""
    if shutil.which("node") is None:
        sys.exit("node is not on this machine, and llmist runs on nothing else")
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{number}.txt" for number, name in enumerate(ASKED)}
        for name, text in texts().items():
            files[name].write_text(text, encoding="utf-8", newline="\n")
        arguments = [str(part) for (name, size), times in rounds.items() for part in (files[name], size, times)]
        command = ["node", str(HERE / "gadget_bench.mjs"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(zip(rounds, map(tuple, json.loads(done.stdout)), strict=True))


def compare() -> list[dict[str, object]]:
    """llmist and us on the texts of the issue."""
    rounds = {
        (name, size): 1 if "256 KB" in name and size == 4 else 3 if "256 KB" in name and size == 64 else 9
        for name, asked in ASKED.items()
        for size in asked
    }
    theirs = llmist(rounds)
    rows: list[dict[str, object]] = []
    print(f"{'':28}{'chunk':>7}{'llmist MB/s':>14}{'ours MB/s':>12}{'ratio':>9}{'asked':>8}")
    for name, text in texts().items():
        for size, asked in ASKED[name].items():
            seconds, calls = best(text, size, 9)
            other, found = theirs[name, size]
            if calls != found:
                sys.exit(f"{name}: {calls} calls, llmist found {found}")
            ratio = other / seconds
            megabytes = len(text) / 1e6
            word = "" if not asked else "ok" if ratio >= asked else "MISSED"
            print(
                f"{name:28}{size or 'whole':>7}{megabytes / other:14.2f}{megabytes / seconds:12.2f}{ratio:9.2f}"
                f"{asked or '':>8} {word}"
            )
            rows.append(
                {
                    "text": name,
                    "chunk": size or "whole",
                    "llmist_mb_s": megabytes / other,
                    "ours_mb_s": megabytes / seconds,
                    "ratio": ratio,
                    "asked": asked,
                }
            )
    return rows


def flatness() -> list[dict[str, object]]:
    """Nanoseconds a character from 64 KB to 1 MB."""
    rows: list[dict[str, object]] = []
    print("\nns a character, by length; spread is the largest over the smallest, asked: ±25 %, so 1.67 at most")
    print(f"{'':16}{'chunk':>7}" + "".join(f"{size // KB:>7} KB" for size in SIZES) + f"{'spread':>9}")
    makers = (("one gadget", one_gadget), ("plain text", prose), ("small gadgets", small_gadgets))
    for name, make in makers:
        for size in (4, 64, 4096):
            # a short run is repeated until the clock has something to measure
            costs = [best(text, size, 3 if size == 4 else 25)[0] / len(text) * 1e9 for text in map(make, SIZES)]
            spread = max(costs) / min(costs)
            print(f"{name:16}{size:>7}" + "".join(f"{cost:10.2f}" for cost in costs) + f"{spread:9.2f}")
            rows.append({"text": name, "chunk": size, "ns_per_character": costs, "spread": spread})
    return rows


def linear() -> list[dict[str, object]]:
    """The cost of an unfinished or hostile megabyte, compared with a quarter of it."""
    rows: list[dict[str, object]] = []
    print("\nms for 256 KB and 1 MB (linear: 4 times)")
    for name, make in HOSTILE.items():
        for size in (4, 64, WHOLE):
            quarter, full = (
                best(make(length), size, 3 if length < 1024 * KB else 2)[0] * 1e3 for length in (256 * KB, 1024 * KB)
            )
            print(f"{name:28}{size or 'whole':>7}{quarter:10.2f}{full:10.2f}{full / quarter:8.2f}x")
            rows.append({"text": name, "chunk": size or "whole", "ms": [quarter, full]})
    return rows


def response() -> Iterator[str]:
    """100 MB of a response in pieces of 64 characters: text, calls, a megabyte-long value every ten."""
    sent = 0
    small, large = small_gadgets(1_000_000), one_gadget(1024 * KB)
    number = 0
    while sent < 100_000_000:
        text = large if number % 10 == 9 else small
        for at in range(0, len(text), 64):
            yield text[at : at + 64]
        sent += len(text)
        number += 1


def memory() -> float:
    """Megabytes at most while a 100 MB response is streamed and every event dropped; run in its own process."""
    stream = GadgetStream()
    events: list[Event] = []
    for chunk in response():
        events = stream.feed(chunk)
    del events
    stream.close()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    if sys.argv[1:] == ["--memory"]:
        print(memory())
        return
    figures: dict[str, object] = {"compare": compare(), "flatness": flatness(), "linear": linear()}
    done = subprocess.run(
        [sys.executable, "-m", "tools.bench.gadget_bench", "--memory"], capture_output=True, text=True, check=True
    )
    figures["memory_mb"] = float(done.stdout)
    print(f"\n100 MB streamed, events dropped: {figures['memory_mb']:.1f} MB at most (asked: under 50)")
    save("gadget", figures)


if __name__ == "__main__":
    main()
