"""Ask llmist about every hand-written case and write its answers to tests/vectors/llmist.regenerated.jsonl.

Run it in the environment of the project, with llmist installed: `python tests/peers/regenerate.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
VECTORS = TESTS / "vectors" / "llmist.regenerated.jsonl"


def main() -> None:
    sys.path.insert(0, str(TESTS))
    from formats.gadget.gadget_cases import hand_written
    from formats.gadget.llmist_peer import run_llmist, without_repeats

    cases = hand_written()
    with VECTORS.open("w", encoding="ascii", newline="\n") as out:
        for case, result in zip(cases, run_llmist(cases), strict=True):
            fixed = without_repeats(result)
            expected = {"events": fixed["events"], "at": fixed["at"]}
            out.write(json.dumps({**case, "expected": expected}, separators=(",", ":")) + "\n")
    print(f"{len(cases)} cases in {VECTORS}")


if __name__ == "__main__":
    main()
