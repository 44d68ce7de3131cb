"""A corpus of responses in sessions, always the same: `python tests/responses.py FOLDER [SESSIONS]`.

5,000 sessions are 200,000 responses in 844 MB: 2 % of them have a mistake, each rule of gadget calls in turn.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from llmblocks.gadget.rules import RULES

RESPONSES = 40
MODELS = ("gpt-9", "opus-6", "small-3")
ADJECTIVES = ("brave", "calm", "eager", "quiet", "witty")
NOUNS = ("otter", "heron", "lynx", "maple", "comet")
GADGETS = {
    "ReadFile": ("path", "limit"),
    "WriteFile": ("path", "content", "options/overwrite"),
    "Search": ("query", "paths/0", "paths/1"),
    "RunCommand": ("command", "timeout"),
    "AskUser": ("question",),
}
_WORDS = re.findall(
    r"\w+",
    "the next part of the work is to read what the test says and to find the place where the value is wrong before "
    "anything else changes because a second fault may hide after the first one and nobody would look for it there",
)
_ID = re.compile(r"^!!!GADGET_START:\w+:(\w+)", re.MULTILINE)
_BAD = [rule.bad for rule in RULES if rule.bad]


def sessions(number: int, seed: int = 1) -> Iterator[tuple[str, list[str]]]:
    """Sessions, each with its folder and its responses."""
    for session in range(number):
        random = Random(f"{seed} {session}")
        day, model = 1 + session * 28 // number, MODELS[session % len(MODELS)]
        name = f"{random.choice(ADJECTIVES)}-{random.choice(NOUNS)}-{session:05}"
        folder = f"2026-10-{day:02}/model={model}/.llmist/logs/{name}"
        yield folder, [_response(random, model, session * RESPONSES + turn) for turn in range(RESPONSES)]


def write(folder: Path, number: int, *, requests: bool = False) -> int:
    """Write sessions as logs; return the number of bytes. A request has all that was said before it, and results."""
    size = 0
    for name, responses in sessions(number):
        (folder / name).mkdir(parents=True, exist_ok=True)
        said = "=== SYSTEM ===\nYou call gadgets.\n\n=== USER ===\nBegin.\n\n"
        for turn, text in enumerate(responses, 1):
            size += (folder / name / f"{turn:04}.response").write_bytes(text.encode())
            if requests:
                size += (folder / name / f"{turn:04}.request").write_bytes(said.encode())
                results = [f"=== USER ===\nResult ({one}): done\n\n" for one in _ID.findall(text)]
                said = "".join([said, f"=== ASSISTANT ===\n{text}\n\n", *results])
    return size


def write_rows(file: Path, number: int) -> int:
    """Write the same as JSONL. Returns the number of responses."""
    count = 0
    with open(file, "w", encoding="utf-8") as out:
        for name, responses in sessions(number):
            date, model, *_ = name.split("/")
            for text in responses:
                row = {"date": date, "model": model.removeprefix("model="), "response": {"text": text}}
                out.write(json.dumps(row) + "\n")
                count += 1
    return count


def _response(random: Random, model: str, number: int) -> str:
    parts = [_prose(random, 20), "\n"]
    for call in range(random.randrange(3)):
        name, pointers = random.choice([*GADGETS.items()])
        parts.append(f"!!!GADGET_START:{name}:{name.lower()}_{number}_{call}\n")
        parts += [f"!!!ARG:{pointer}\n{_value(random, pointer)}\n" for pointer in pointers]
        parts.append("!!!GADGET_END\n")
    # one model makes more mistakes than the others, and more from day to day
    if random.random() < (0.035 if model == "small-3" else 0.0125):
        parts.append(_BAD[number % len(_BAD)] if random.random() < 0.8 else _twice(number))
    return "".join([*parts, "\n", _prose(random, 10)])


def _twice(number: int) -> str:
    return f"!!!GADGET_START:WriteFile:again_{number}\n!!!ARG:path\na.py\n!!!ARG:path\na.py\n!!!GADGET_END\n"


def _value(random: Random, pointer: str) -> str:
    if pointer == "content":
        return "\n".join([f"    value_{n} = compute({n}, {' '.join(random.sample(_WORDS, 6))!r})" for n in range(40)])
    return {"limit": "100", "timeout": "30", "options/overwrite": "true"}.get(
        pointer, f"src/part{random.randrange(99)}.py"
    )


def _prose(random: Random, lines: int) -> str:
    return "".join([" ".join(random.choices(_WORDS, k=24)) + ".\n" for _ in range(lines)])


if __name__ == "__main__":
    written = write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5000)
    print(f"{written / 1e6:,.0f} MB in {sys.argv[1]}")
