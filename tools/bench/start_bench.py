"""The cost of a start: the command line next to `python -c pass`, the server next to stock pygls."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools.bench.editor import OURS, STOCK
from tools.bench.report import Ratio, save, verdicts
from wire import BASIC, Wire, did_open, notification, request

ROUNDS = 15
IDLE_SECONDS = 0.5
URI = "file:///bench/answer.gadget"
PASS = (sys.executable, "-c", "pass")
LLMBLOCKS = (sys.executable, "-m", "llmblocks")
GOOD = "!!!GADGET_START:Search:s1\n!!!ARG:limit\n3\n!!!GADGET_END\n"
BAD = GOOD.replace("!!!GADGET_END", "!!!ARG:limit\n4\n!!!GADGET_END")


def run_ms(command: tuple[str, ...]) -> float:
    """Return a process from its start to its end."""
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - started) * 1000


def server_ms(command: tuple[str, ...]) -> dict[str, float]:
    """A server from its start to its reply and to its first diagnostics; and what it holds when it is idle, in MB."""
    started = time.perf_counter()
    with Wire(command) as wire:
        wire.send(request("init", "initialize", BASIC))
        wire.reply("init", 60)
        figures = {"initialize": (time.perf_counter() - started) * 1000}
        wire.send(notification("initialized", {}))
        wire.send(did_open(URI, BAD))
        wire.diagnostics(URI, 0, 60)
        figures["diagnostics"] = (time.perf_counter() - started) * 1000
        time.sleep(IDLE_SECONDS)
        figures["idle MB"] = wire.rss() / 1e6
    return figures


def main() -> None:
    # an installed package has its bytecode, whatever the environment of this run says
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answer.gadget"
        file.write_text(GOOD, "utf-8")
        commands = {
            "python -c pass": PASS,
            "llmblocks --version": (*LLMBLOCKS, "--version"),
            "llmblocks check": (*LLMBLOCKS, "check", str(file)),
        }
        servers = {"llmblocks": OURS, "stock pygls": STOCK}
        runs: dict[str, list[float]] = {}
        # the first round writes the bytecode
        for number in range(ROUNDS + 1):
            found = {name: run_ms(command) for name, command in commands.items()}
            for name, server in servers.items():
                found |= {f"{name}, {figure}": value for figure, value in server_ms(server).items()}
            for name, value in found.items() if number else ():
                runs.setdefault(name, []).append(value)
    best = {name: min(values) for name, values in runs.items()}
    for name, value in best.items():
        print(f"{name:40}{value:9.1f}{'' if name.endswith('MB') else ' ms'}")
    empty, stock = best["python -c pass"], best["stock pygls, initialize"]
    save("start", best)
    verdicts(
        "start",
        Ratio("llmblocks --version, to python -c pass", best["llmblocks --version"] / empty, 3),
        Ratio("llmblocks check of a small file, to python -c pass", best["llmblocks check"] / empty, 6),
        Ratio("spawn to initialize reply, to that of stock pygls", best["llmblocks, initialize"] / stock, 1.2),
        Ratio("spawn to first diagnostics, to the same", best["llmblocks, diagnostics"] / stock, 1.2),
        Ratio("idle server, to that of stock pygls", best["llmblocks, idle MB"] / best["stock pygls, idle MB"], 1.3),
    )


if __name__ == "__main__":
    main()
