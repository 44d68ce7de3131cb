"""Checking whole texts, as `llmblocks check` and an agent do: megabytes a second of one core, findings included."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time

from llmblocks import Settings, check
from tools.bench.corpus import gadget_document, stf_document
from tools.bench.report import Ratio, save, verdicts
from tools.bench.texts import completion

SIZE, TIMES = 5_000_000, 5
WANTED = 15
"""Megabytes a second."""
TEXTS: dict[str, Callable[[int], str]] = {"gadget": gadget_document, "stf": stf_document, "completion": completion}


def megabytes_a_second(text: str, language_id: str) -> float:
    """Return the best of several runs, by the time of the processor."""
    times = []
    for _ in range(TIMES):
        gc.collect()
        started = process_time()
        check(text, language_id, Settings())
        times.append(process_time() - started)
    return len(text.encode()) / 1e6 / min(times)


def main() -> None:
    # as the command does: what is loaded stays
    gc.set_threshold(50_000)
    speeds = {language_id: megabytes_a_second(make(SIZE), language_id) for language_id, make in TEXTS.items()}
    for language_id, speed in speeds.items():
        print(f"check, {language_id} document of {SIZE / 1e6:g} MB: {speed:.1f} MB/s a core")
    save("check", speeds)
    verdicts(
        "check",
        *[Ratio(f"{name}: {WANTED} MB/s, to what is checked", WANTED / each, 1) for name, each in speeds.items()],
    )


if __name__ == "__main__":
    main()
