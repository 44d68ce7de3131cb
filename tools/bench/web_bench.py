"""The server in WebAssembly, in Node and in Chromium, beside CPython: a cold start, and keystrokes in 1 MB."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from statistics import median

from editors.browser import served
from editors.debian import ROOT
from editors.vscode.install import chromium, node_modules
from tools.bench.editor import OURS, Editor
from tools.bench.report import Ratio, save, verdicts
from tools.bench.start_bench import server_ms

ROUNDS = 3
KEYS = 200
CALL = "!!!GADGET_START:Read:r\n!!!ARG:path\nsrc/client.ts\n!!!GADGET_END\n"
SAID = "Some text between the calls, which is as long as the lines that most models write there.\n"
TEXT = f"{CALL}{SAID}" * -(-1_000_000 // len(CALL + SAID))
HERE = Path(__file__).resolve().parent


def in_python() -> dict[str, float]:
    """Return the server in CPython, in milliseconds."""
    with Editor(OURS, TEXT, "gadget") as editor:
        return {"start": server_ms(OURS)["diagnostics"], "key": editor.typed(KEYS)["p50"]}


def in_worker(*where: str) -> dict[str, float]:
    """Return the worker, in milliseconds."""
    command = ["node", str(HERE / "web_bench.mjs"), *where]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    figures = json.loads(done.stdout)
    return {"start": figures["start"], "key": median(figures["keys"])}


def main() -> None:
    node_modules(ROOT / "tests" / "editors" / "playground")
    runs: dict[str, list[dict[str, float]]] = {}
    with served() as page:
        for _ in range(ROUNDS):
            runs.setdefault("CPython", []).append(in_python())
            runs.setdefault("Node", []).append(in_worker("node", str(ROOT / "dist" / "web-server")))
            runs.setdefault("Chromium", []).append(in_worker(str(chromium()), page))
    best = {name: {key: min(run[key] for run in found) for key in found[0]} for name, found in runs.items()}
    print(f"{'':12}{'cold start to first diagnostics':>34}{'keystroke in 1 MB':>20}")
    for name, figures in best.items():
        print(f"{name:12}{figures['start']:31.0f} ms{figures['key']:17.2f} ms")
    save("web", best)
    here = best["CPython"]["key"]
    verdicts(
        "web",
        Ratio("cold start in Chromium, seconds", best["Chromium"]["start"] / 1000, 3),
        Ratio("keystroke in Node, to CPython's", best["Node"]["key"] / here, 10),
        Ratio("keystroke in Chromium, to CPython's", best["Chromium"]["key"] / here, 10),
    )


if __name__ == "__main__":
    main()
