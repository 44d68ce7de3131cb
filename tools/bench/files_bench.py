"""`llmblocks check` and `format --check` of many files, of large ones, and of files that embed texts, beside ruff."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import llmblocks
from tools.bench.editor import OURS as SERVER
from tools.bench.editor import Editor, typed_in_turn
from tools.bench.report import Ratio, save, verdicts
from tools.bench.texts import completion_document, gadget_document, stf_document

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
FEWER, MANY = 2000, int(os.environ.get("BENCH_FILES", "10000"))
SMALL, LARGE, HUGE = 4_000, 10_000_000, 100_000_000
LARGE_FILES = 10
A_FOLDER = 100
"""Files of one folder."""
KIB = 1 if sys.platform == "darwin" else 1024
OURS = (sys.executable, "-m", "llmblocks", "check", "--quiet")
OUR_FORMAT = (sys.executable, "-m", "llmblocks", "format", "--check")
_RUFF = str(Path(sys.executable).with_name("ruff"))
RUFF = (_RUFF, "check", "--isolated", "--quiet", "--exit-zero")
RUFF_FORMAT = (_RUFF, "format", "--check", "--isolated", "--quiet", "--no-cache", "--line-length", "120")
_CALL = """!!!GADGET_START:ReadFile:r{number}{needs}
!!!ARG:filePath
src/part{number}/module.ts
!!!ARG:lines/0
{number}
!!!GADGET_END
Then the next one, {number}.

"""
CALLS = 30
"""Calls of a file that is dense in them."""
_FUNCTION = '''

def compute_{number}(value: float, options: dict[str, float]) -> float:
    """Compute a value from a value and options."""
    limit = options.get("limit", 100.0)
    for step in range({number}):
        value = math.sqrt(value + step) * limit
        if value > limit:
            value = limit - step
    return value
'''
EACH = 100
DATA_MB = 40
MARKDOWN = 100_000
HOSTED = "!!!GADGET_START:Read:{0}\n!!!ARG:path\na.py\n!!!ARG:lines/0\n1\n!!!GADGET_END\n"
PROSE = "Some prose about the work that is done here, and why it is done in this way. "
DOCS = Path(__file__).parents[2] / "docs"
Documents = Mapping[str, Callable[[int], str]]
HALVES: Documents = {".gadget": gadget_document, ".stf": stf_document}
_WORK = "total = 0\nfor number in range(10_000_000): total += number"
# status 1 is that of a file that would change
_MEASURE = """
import resource, subprocess, sys, time
started = time.perf_counter()
assert subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode < 2
wall, used = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
print(wall, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


class Run(NamedTuple):
    """Return the time of a process and its children, in seconds; and the largest memory of one of them, in MB."""

    wall: float
    cpu: float
    mb: float


def run(command: tuple[str, ...], folder: Path) -> Run:
    """Run a command in a folder."""
    # a process counts the memory of the one that starts it as its own: that is a small one here
    done = subprocess.run((sys.executable, "-c", _MEASURE, *command), cwd=folder, capture_output=True, check=True)
    wall, cpu, most = map(float, done.stdout.split())
    return Run(wall, cpu, most * KIB / 1e6)


def best(command: tuple[str, ...], folder: Path) -> Run:
    """Return the best of several runs."""
    return Run(*map(min, zip(*[run(command, folder) for _ in range(ROUNDS)], strict=True)))


def python_texts(size: int) -> list[str]:
    """Python for ruff: our own modules, whose sizes are near to `size`; or one text of that size without mistakes."""
    modules = [path.read_text("utf-8") for path in sorted(Path(llmblocks.__file__).parent.rglob("*.py"))]
    near = [text for text in modules if 0.75 * size <= len(text.encode()) <= 1.25 * size]
    if near:
        return near
    functions = (_FUNCTION.format(number=number) for number in range(size // len(_FUNCTION)))
    return [f'"""A module."""\n\nimport math\n{"".join(functions)}']


def dense_document(_: int) -> str:
    """Return a file of 4 KB that is dense in calls, each of which needs the one before it."""
    return "".join(_CALL.format(number=number, needs=f":r{number - 1}" if number else "") for number in range(CALLS))


def example(name: str) -> Callable[[int], str]:
    """Return an example of the documentation, with its mistakes, as often as fills a file."""
    text = (DOCS / "examples" / name).read_text("utf-8")
    return lambda size: text * -(-size // len(text))


class Written(NamedTuple):
    """The size of files, in MB, and their lines."""

    mb: float
    lines: int


def write(folder: Path, suffix: str, texts: Iterator[str], count: int) -> Written:
    """Write files, each different from all others, into folders."""
    size = lines = 0
    for number, text in zip(range(count), texts, strict=False):
        inside = folder / f"{number // A_FOLDER:03}"
        inside.mkdir(parents=True, exist_ok=True)
        path = inside / f"f{number:05}{suffix}"
        path.write_text(f"{text}# {number}\n", "utf-8")
        size += path.stat().st_size
        lines += text.count("\n") + 1
    return Written(size / 1e6, lines)


def compared(name: str, folder: Path, size: int, count: int, make: Documents = HALVES) -> dict[str, Run]:
    """Return the best of several runs of each command, one after the other in each round."""
    ours, python = folder / name / "texts", folder / name / "python"
    # a document is a little longer than asked for
    halves = [(suffix, document(size * 17 // 20)) for suffix, document in make.items()]
    written = [write(ours / suffix[1:], suffix, cycle([text]), count // len(make)) for suffix, text in halves]
    of_ours = Written(*map(sum, zip(*written, strict=True)))
    of_ruff = write(python, ".py", cycle(python_texts(size)), count)
    runs: dict[str, list[Run]] = {}
    for _ in range(ROUNDS):
        for what, command, where in (
            ("one process", (*OURS, "--jobs", "1"), ours),
            ("two processes", (*OURS, "--jobs", "2"), ours),
            ("ruff", (*RUFF, "--no-cache"), python),
            ("format --check", OUR_FORMAT, ours),
            ("ruff format --check", RUFF_FORMAT, python),
        ):
            runs.setdefault(what, []).append(run(command, where))
    fastest = {what: Run(*map(min, zip(*found, strict=True))) for what, found in runs.items()}
    for what, (wall, cpu, mb) in fastest.items():
        size_mb, lines = of_ruff if what.startswith("ruff") else of_ours
        speeds = f"{size_mb / cpu:8.1f} MB/s{lines / cpu:12,.0f} lines/s of a processor"
        print(f"{name}, {what:22}{wall:8.2f} s wall{cpu:8.2f} s of processors{mb:8.1f} MB memory{speeds}")
    return fastest


def ratios(name: str, runs: dict[str, Run], check: float, formatting: float) -> list[Ratio]:
    """The promises. The limits are those of processor time."""
    found = [
        Ratio(f"{name}: check, processor time, to ruff's", runs["one process"].cpu / runs["ruff"].cpu, check),
        Ratio(
            f"{name}: format --check, processor time, to ruff's",
            runs["format --check"].cpu / runs["ruff format --check"].cpu,
            formatting,
        ),
        Ratio(f"{name}: two processes, to one", runs["two processes"].wall / runs["one process"].wall, 1 / 1.7),
    ]
    if name.startswith("dense"):
        return [
            *found,
            Ratio(f"{name}: check, wall time, to ruff's", runs["two processes"].wall / runs["ruff"].wall, 10),
        ]
    return found


def gain_of_the_machine() -> float:
    """Return the speed-up of two independent processes at once over one after the other."""
    work = (sys.executable, "-c", _WORK)
    at_once = f"import subprocess\nfor each in [subprocess.Popen({work!r}) for _ in range(2)]: each.wait()"
    here = Path.cwd()
    one, two = 9e9, 9e9
    for _ in range(ROUNDS):
        one = min(one, run(work, here).wall)
        two = min(two, run((sys.executable, "-c", at_once), here).wall)
    return 2 * one / two


def memory_of(folder: Path, count: int) -> float:
    """Return the memory of a run over some files, in MB."""
    write(folder, ".stf", cycle([stf_document(SMALL)]), count)
    return run((*OURS, "--jobs", "1"), folder).mb


def memory_of_huge(folder: Path, suffix: str, text: str) -> float:
    """Return the memory of a run over one huge file, in sizes of the file."""
    folder.mkdir()
    (folder / f"huge{suffix}").write_text(text, "utf-8")
    (folder / "llmblocks.toml").write_text(f"files.maxSizeMB = {HUGE // 500_000}\n", "utf-8")
    return run((*OURS, "--jobs", "1"), folder).mb / (len(text) / 1e6)


def host_texts(folder: str, suffix: str) -> list[str]:
    """Our own files of a kind, without texts of ours in them."""
    found = [path.read_text("utf-8") for path in sorted((DOCS.parent / folder).rglob(f"*{suffix}"))]
    return [each for each in found if "```gadget" not in each and "```stf" not in each and len(each) < 12_000]


def folders(root: Path) -> tuple[Path, Path]:
    """As many Markdown and TypeScript files as Python files; one in a hundred of the former holds a text of ours."""
    ours, python = root / "ours", root / "python"
    call = HOSTED.format("r1")
    for suffix, folder, more in (
        (".md", "docs", f"\n```gadget\n{call}```\n"),
        (".ts", "editors/vscode/src", f"\nconst example = /* gadget */ `{call}`;\n"),
    ):
        sources = cycle(host_texts(folder, suffix))
        made = (f"{next(sources)}{more if number % EACH == 0 else ''}" for number in range(MANY // 2))
        write(ours / suffix[1:], suffix, made, MANY // 2)
    (ours / "llmblocks.toml").write_text('[files.code]\n"**/*.ts" = {}\n', "utf-8")
    write(python, ".py", cycle(python_texts(4_000)), MANY)
    return ours, python


def row(*, calls: bool) -> str:
    """Return a row of 3 KB of a data set."""
    said = PROSE * 16 + (f"\n{HOSTED.format('r1')}" if calls else "\n") + PROSE * 16
    said += f"\n{HOSTED.format('r2')}" if calls else ""
    messages = [{"role": "user", "content": "Do it. " * 20}, {"role": "assistant", "content": said}]
    return json.dumps({"messages": messages}) + "\n"


def keystroke() -> float:
    """Milliseconds of a key in Markdown with a fence in every kilobyte."""
    part = f"{PROSE}{PROSE}\n\n" * 5 + f"```gadget\n{HOSTED.format('r1')}```\n\n"
    with Editor(SERVER, part * (MARKDOWN // len(part)), "markdown") as editor:
        return typed_in_turn((editor,))[0]["p50"]


def of_hosts(root: Path) -> list[Ratio]:
    """Check files that embed texts of ours: many of them, a large data set, and a key in Markdown."""
    ours, python = folders(root)
    of_ours, of_ruff = best(OURS, ours), best((*RUFF, "--no-cache"), python)
    print(f"{MANY:,} files with texts: {of_ours.wall:.2f} s wall, {of_ours.cpu:.2f} s CPU; ruff {of_ruff.wall:.2f} s")
    speeds = {}
    for kind, calls in (("with two calls in each row", True), ("without calls", False)):
        made = row(calls=calls)
        (root / "data.jsonl").write_text(made * (DATA_MB * 1_000_000 // len(made)), "utf-8")
        speeds[kind] = found = best((*OURS, "--jobs", "1", "data.jsonl"), root)
        print(f"a data set {kind}: {DATA_MB / found.cpu:.1f} MB/s a core, {found.mb:.0f} MB memory")
    key = keystroke()
    print(f"a key in {MARKDOWN:,} bytes of Markdown: {key:.3f} ms")
    return [
        Ratio("check of Markdown and TypeScript, wall time, to ruff's on Python", of_ours.wall / of_ruff.wall, 3.0),
        *[Ratio(f"data set {kind}, to 20 MB/s a core", each.cpu * 20 / DATA_MB, 1.0) for kind, each in speeds.items()],
        Ratio("memory for a data set, to 30 MB", max(each.mb for each in speeds.values()) / 30, 1.0),
        Ratio("a key in 100 KB of Markdown, ms", key, 30),
    ]


def main() -> None:
    # an installed package has its bytecode, whatever the environment of this run says
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print(f"processors: {os.cpu_count()}, busy with other work: {os.getloadavg()[0]:.1f}")
    bare = min(run((sys.executable, "-c", "pass"), Path.cwd()).wall for _ in range(ROUNDS))
    print(f"two processes do {gain_of_the_machine():.2f} times the work of one; python -c pass takes {bare:.3f} s")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dense = compared(f"{FEWER} dense files", folder, SMALL, FEWER, {".gadget": dense_document})
        examples = {".stf": example("chat.stf"), ".gadget": example("session.gadget")}
        wrong = compared(f"{FEWER} files with findings", folder, SMALL, FEWER, examples)
        fewer = compared(f"{FEWER} files of 4 KB", folder, SMALL, FEWER)
        compared(f"{FEWER} completions of 4 KB", folder, SMALL, FEWER, {".completion": completion_document})
        many = compared(f"{MANY} files of 4 KB", folder, SMALL, MANY)
        large = compared(f"{LARGE_FILES} files of 10 MB", folder, LARGE, LARGE_FILES)
        memory = memory_of(folder / "few", MANY // 10), memory_of(folder / "more", MANY)
        huge = {suffix: memory_of_huge(folder / f"huge{suffix}", suffix, make(HUGE)) for suffix, make in HALVES.items()}
        hosts = of_hosts(folder / "hosts")
    print(f"memory: {memory[0]:.1f} MB for {MANY // 10} files, {memory[1]:.1f} MB for {MANY}")
    found = {"dense": dense, "wrong": wrong, "fewer": fewer, "many": many, "large": large}
    save("files", {**found, "memory": memory, "huge": huge})
    verdicts(
        "files",
        *ratios("dense in calls", dense, 10, 5),
        *ratios("with findings", wrong, 4, 5),
        *ratios("fewer", fewer, 4, 5),
        *ratios("many", many, 4, 5),
        *ratios("large", large, 3, 3),
        *hosts,
        Ratio(f"memory for {MANY} files, to that for {MANY // 10}", memory[1] / memory[0], 1.2),
        *[Ratio(f"memory for one {suffix} of 100 MB, to its size", each, 4) for suffix, each in huge.items()],
    )


if __name__ == "__main__":
    main()
