"""Speed of raw completions beside the response parser of transformers, and that it is linear. `make bench`.

Both read the same chunks, in processor time of separate processes; the best of some rounds counts.
"""

from __future__ import annotations

import json
import random
import subprocess
import tomllib
from pathlib import Path
from time import process_time

from environments import environment
from llmblocks.completions import CompletionStream, find_template
from tools.bench.report import Ratio, save, verdicts
from tools.bench.tags_bench import prose

ROOT = Path(__file__).parents[2]
ROUNDS = 5
SIZE = 64_000
CALL = '<tool_call>\n{"name": "search", "arguments": {"query": "the quick brown fox", "limit": 20}}\n</tool_call>\n'
LEAST = 5
"""The speed relative to transformers, in chunks of 4 characters."""


def completion(size: int) -> str:
    """Reasoning, an answer, and some calls."""
    r = random.Random(1)
    return f"<think>\n{prose(size * 3 // 4, r)}\n</think>\n{prose(size // 8, r)}\n" + CALL * (size // 8 // len(CALL))


def chunks(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def ours(name: str, given: list[str]) -> float:
    template, seconds = find_template(name).template, float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        stream = CompletionStream(template)
        feed = stream.feed
        for chunk in given:
            feed(chunk)
        stream.close()
        seconds = min(seconds, process_time() - start)
    return seconds


def theirs(python: str, name: str, given: list[str]) -> float:
    asked = {"template": find_template(name).template.value, "chunks": given, "rounds": ROUNDS}
    script = str(ROOT / "tools" / "bench" / "transformers_stream.py")
    done = subprocess.run([python, script], input=json.dumps(asked), capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    python = environment("transformers", groups["transformers"])
    text = completion(SIZE)
    figures: dict[str, float] = {}
    for size in (4, 64, len(text)):
        given = chunks(text, size)
        mine, peer = ours("hermes", given), theirs(python, "hermes", given)
        figures[f"{size} characters"] = mine
        figures[f"{size} characters, transformers"] = peer
        print(
            f"chunks of {size:>6}: {len(text) / mine / 1e6:7.2f} MB/s, transformers {len(text) / peer / 1e6:7.2f} MB/s"
        )
    long = ours("hermes", chunks(completion(SIZE * 16), 4)) / (figures["4 characters"] * 16)
    save("completions", figures)
    verdicts(
        "completions",
        Ratio(
            "chunks of 4 characters, of transformers",
            figures["4 characters"] / figures["4 characters, transformers"],
            1 / LEAST,
        ),
        Ratio("time of a character, in 16 times the text", long, 1.5),
    )


if __name__ == "__main__":
    main()
