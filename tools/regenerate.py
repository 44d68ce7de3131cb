"""Ask llmist about each hand-written case, for tests/vectors: `PYTHONPATH=tests python -m tools.regenerate`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from formats.gadget.gadget_cases import hand_written
from formats.gadget.llmist_peer import run_llmist, without_repeats

VECTORS = Path("tests/vectors/llmist.regenerated.jsonl")


def main() -> None:
    """Write its answers; needs the packages of tests/peers."""
    cases = hand_written()
    with VECTORS.open("w", encoding="ascii", newline="\n") as out:
        for case, result in zip(cases, run_llmist(cases), strict=True):
            fixed = without_repeats(result)
            expected = {"events": fixed["events"], "at": fixed["at"]}
            out.write(json.dumps({**case, "expected": expected}, separators=(",", ":")) + "\n")
    sys.stdout.write(f"{len(cases)} cases in {VECTORS}\n")


if __name__ == "__main__":
    main()
