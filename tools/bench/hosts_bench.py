"""Files that embed texts of ours: many of them, a large data set, and a key in Markdown."""

from __future__ import annotations

import json
import tempfile
from itertools import cycle
from pathlib import Path

from tools.bench.editor import KB, OURS, Editor, typed_in_turn
from tools.bench.files_bench import OURS as CHECK
from tools.bench.files_bench import RUFF, Run, python_texts, run, write
from tools.bench.report import Ratio, verdicts

ROOT = Path(__file__).parents[2]
FILES, EACH = 10_000, 100
DATA_MB = 40
MARKDOWN = 100 * KB
ROUNDS = 3
CALL = "!!!GADGET_START:Read:{0}\n!!!ARG:path\na.py\n!!!ARG:lines/0\n1\n!!!GADGET_END\n"
PROSE = "Some prose about the work that is done here, and why it is done in this way. "


def texts(folder: str, suffix: str) -> list[str]:
    """Our own files of a kind, without texts of ours in them."""
    found = [path.read_text("utf-8") for path in sorted((ROOT / folder).rglob(f"*{suffix}"))]
    return [each for each in found if "```gadget" not in each and "```stf" not in each and len(each) < 12_000]


def folders(root: Path) -> tuple[Path, Path]:
    """As many Markdown and TypeScript files as Python files; one in a hundred of the former holds a text of ours."""
    ours, python = root / "ours", root / "python"
    call = CALL.format("r1")
    for suffix, folder, more in (
        (".md", "docs", f"\n```gadget\n{call}```\n"),
        (".ts", "editors/vscode/src", f"\nconst example = /* gadget */ `{call}`;\n"),
    ):
        sources = cycle(texts(folder, suffix))
        made = (f"{next(sources)}{more if number % EACH == 0 else ''}" for number in range(FILES // 2))
        write(ours / suffix[1:], suffix, made, FILES // 2)
    (ours / "llmblocks.toml").write_text('[files.code]\n"**/*.ts" = {}\n', "utf-8")
    write(python, ".py", cycle(python_texts(4_000)), FILES)
    return ours, python


def row(*, calls: bool) -> str:
    """Return a row of 3 KB of a data set."""
    said = PROSE * 16 + (f"\n{CALL.format('r1')}" if calls else "\n") + PROSE * 16
    said += f"\n{CALL.format('r2')}" if calls else ""
    messages = [{"role": "user", "content": "Do it. " * 20}, {"role": "assistant", "content": said}]
    return json.dumps({"messages": messages}) + "\n"


def best(command: tuple[str, ...], folder: Path) -> Run:
    """Return the best of several runs."""
    return Run(*map(min, zip(*[run(command, folder) for _ in range(ROUNDS)], strict=True)))


def keystroke() -> float:
    """Milliseconds of a key in Markdown with a fence in every kilobyte."""
    part = f"{PROSE}{PROSE}\n\n" * 5 + f"```gadget\n{CALL.format('r1')}```\n\n"
    with Editor(OURS, part * (MARKDOWN // len(part)), "markdown") as editor:
        return typed_in_turn((editor,))[0]["p50"]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        ours, python = folders(Path(name))
        of_ours, of_ruff = best(CHECK, ours), best((*RUFF, "--no-cache"), python)
        print(f"{FILES:,} files: {of_ours.wall:.2f} s wall, {of_ours.cpu:.2f} s CPU; ruff {of_ruff.wall:.2f} s")
        speeds = {}
        for kind, calls in (("with two calls in each row", True), ("without calls", False)):
            made = row(calls=calls)
            path = Path(name) / "data.jsonl"
            path.write_text(made * (DATA_MB * 1_000_000 // len(made)), "utf-8")
            speeds[kind] = best((*CHECK, "--jobs", "1", "data.jsonl"), Path(name))
            found = speeds[kind]
            print(f"a data set {kind}: {DATA_MB / found.cpu:.1f} MB/s a core, {found.mb:.0f} MB memory")
    key = keystroke()
    print(f"a key in {MARKDOWN:,} bytes of Markdown: {key:.3f} ms")
    verdicts(
        "hosts",
        Ratio("check of Markdown and TypeScript, wall time, to ruff's on Python", of_ours.wall / of_ruff.wall, 3.0),
        *[Ratio(f"data set {kind}, to 20 MB/s a core", each.cpu * 20 / DATA_MB, 1.0) for kind, each in speeds.items()],
        Ratio("memory for a data set, to 30 MB", max(each.mb for each in speeds.values()) / 30, 1.0),
        Ratio("a key in 100 KB of Markdown, ms", key, 30),
    )


if __name__ == "__main__":
    main()
