"""`llmblocks report` of a corpus: of one process, of two, and of Ray if `make ray` has installed it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import process_time

import responses
from llmblocks.report import from_json, merged, summarise, to_json
from llmblocks.report.summary import Summary
from tools.bench.files_bench import ROUNDS, gain_of_the_machine, run
from tools.bench.report import Ratio, save, verdicts

SESSIONS = int(os.environ.get("BENCH_SESSIONS", "600"))
ROOT = Path(__file__).parents[2]
RAY = ROOT / ".cache" / "on-ray" / "bin" / "python"
MB_A_SECOND, MOST_BYTES = 20, 64_000


def summarised(texts: Iterable[tuple[str, str]]) -> tuple[float, list[Summary]]:
    """Return the seconds of the summaries of some texts, and these."""
    start = process_time()
    found = [summarise(name, text, "gadget") for name, text in texts]
    return process_time() - start, found


def report(source: str, *options: str, python: str = sys.executable) -> tuple[str, ...]:
    """Return the command that makes a report."""
    output = ("--output-file", "out.json", "--output-format", "json")
    return python, "-m", "llmblocks", "report", source, "-q", *output, *options


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPATH"] = str(ROOT / "server")
    print(f"processors: {os.cpu_count()}, busy with other work: {os.getloadavg()[0]:.1f}")
    gain = gain_of_the_machine()
    print(f"two processes do {gain:.2f} times the work of one")
    found = [(f"{name}/{turn}", text) for name, texts in responses.sessions(100) for turn, text in enumerate(texts)]
    mb = sum([len(text) for _, text in found]) / 1e6
    times, summaries = zip(*[summarised(found) for _ in range(ROUNDS)], strict=True)
    alone = mb / min(times)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mb = responses.write(folder / "c", SESSIONS) / 1e6
        responses.write(folder / "few", 1)
        logs = responses.write(folder / "logs", SESSIONS // 20, requests=True) / 1e6
        commands = {
            "with requests": report("logs", "-j1"),
            "one process": report("c", "-j1"),
            "two processes": report("c", "-j2"),
        }
        if RAY.exists():
            commands |= {
                "Ray": report("c", "-j2", "--engine", "ray", python=str(RAY)),
                "Ray's start": report("few", "-j2", "--engine", "ray", python=str(RAY)),
            }
        best = {what: min([run(command, folder) for _ in range(ROUNDS)]) for what, command in commands.items()}
        size = len(to_json(merged([from_json(to_json(each)) for each in summaries[0]])))
    print(f"summarise: {alone:.1f} MB/s; a summary of {len(found)} texts: {size} bytes")
    for what, (wall, cpu, most) in best.items():
        speed = (logs if what == "with requests" else mb) / cpu
        print(f"{what:14}{wall:8.2f} s wall{cpu:8.2f} s of processors{most:8.1f} MB memory{speed:8.1f} MB/s a core")
    one, two = best["one process"], best["two processes"]
    ratios = [
        Ratio(f"{MB_A_SECOND} MB/s, to summarise", MB_A_SECOND / alone, 1),
        Ratio(f"{MB_A_SECOND} MB/s, to report in one process", MB_A_SECOND * one.cpu / mb, 1),
        Ratio(
            f"{MB_A_SECOND} MB/s, to report in one process on unchanged logs, with requests",
            MB_A_SECOND * best["with requests"].cpu / logs,
            1,
        ),
        # two cores of one processor that share its memory do less than two machines
        Ratio("two processes, to one, on two whole processors", two.wall / one.wall * gain / 2, 1 / 1.8),
        Ratio(f"bytes of a summary, to {MOST_BYTES}", size / MOST_BYTES, 1),
    ]
    if "Ray" in best:
        started = best["Ray"].wall - best["Ray's start"].wall
        ratios.append(Ratio("Ray with two processes, its start apart, to one process", started / one.wall, 1 / 1.5))
    save("corpora", {"summarise": alone, "summary": size, **best})
    verdicts("corpora", *ratios)


if __name__ == "__main__":
    main()
