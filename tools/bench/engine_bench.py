"""The engine in-process: parsing with all findings, one-character edits, and whole texts as `llmblocks check` does."""

from __future__ import annotations

import gc
from functools import partial
from time import perf_counter, process_time

from llmblocks import Settings, check
from llmblocks.core.document import Document
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS
from tools.bench.report import Ratio, best, percentiles, save, verdicts
from tools.bench.texts import blocks_document, completion, gadget_document, stf_document

KB, MB = 1_000, 1_000_000
SIZES = (10 * KB, 1 * MB, 10 * MB)
EDITS = 2000
LANDMARKS = {
    "gadget": "options.limit",
    "stf": "@ai\nAn answer in plain",
    "custom-blocks": "</think>\nAn answer in plain",
}
"""The text in the middle of a line of an ordinary section: the same kind of place at every size."""
CHECKED, TIMES, WANTED = 5 * MB, 5, 15
"""The size of a text that is checked, how often, and the megabytes a second of one core that are asked for."""
MAKERS = {"gadget": gadget_document, "stf": stf_document, "custom-blocks": blocks_document}


def open_checked(language: Language, text: str) -> Document:
    """Parse a text and run every rule on it."""
    return language.open(text, DEFAULTS, Checker(language, DEFAULTS).count_findings)


def edits_us(language_id: str, text: str) -> dict[str, float]:
    """Type in the middle of the document, and look for findings after each character. Microseconds an edit."""
    document = open_checked(find_language(language_id), text)
    at = text.index(LANDMARKS[language_id], len(text) // 2) + len(LANDMARKS[language_id])
    samples = []
    for number in range(EDITS):
        start = perf_counter()
        document.edit(at, at + number % 2, "" if number % 2 else "x")
        sum([block.finding_count for block in document.sections.blocks])
        samples.append((perf_counter() - start) * 1e6)
    return percentiles(samples)


def checked_mb(text: str, language_id: str) -> float:
    """Return megabytes a second, by the processor time of the best of several runs."""
    times = []
    for _ in range(TIMES):
        gc.collect()
        started = process_time()
        check(text, language_id, Settings())
        times.append(process_time() - started)
    return len(text.encode()) / MB / min(times)


def main() -> None:
    figures: dict[str, dict[str, object]] = {}
    for language_id, make in MAKERS.items():
        p50 = {}
        for size in SIZES:
            text = make(size)
            language = find_language(language_id)
            parse = best(partial(language.open, text, DEFAULTS), 3)
            check = best(partial(open_checked, language, text), 3)
            typed = edits_us(language_id, text)
            p50[size] = typed["p50"]
            print(
                f"{language_id:7} {size / MB:6.2f} MB {text.count(chr(10)):6} lines  "
                f"parse {parse * 1e3:7.1f} ms ({len(text) / parse / MB:4.0f} MB/s), "
                f"with findings {check * 1e3:7.1f} ms  "
                f"edit p50 {typed['p50']:5.1f} us, p99 {typed['p99']:5.1f}"
            )
            taken = {"parse_ms": parse * 1e3, "parse_and_check_ms": check * 1e3}
            figures[f"{language_id} {size}"] = {**taken, "edit_us": typed}
        ratio = p50[SIZES[-1]] / p50[SIZES[0]]
        print(f"{language_id:7} an edit at 10 MB costs {ratio:.2f} of one at 10 KB (wanted: 0.5 to 1.5)")
        figures[f"{language_id} ratio"] = {"10MB/10KB": ratio}
    # as the command does: what is loaded stays
    gc.set_threshold(50_000)
    texts = {"gadget": gadget_document, "stf": stf_document, "completion": completion}
    speeds = {language_id: checked_mb(make(CHECKED), language_id) for language_id, make in texts.items()}
    for language_id, speed in speeds.items():
        print(f"check, {language_id} document of {CHECKED / MB:g} MB: {speed:.1f} MB/s a core")
    save("engine", {**figures, "check": speeds})
    verdicts(
        "engine",
        *[Ratio(f"{name}: {WANTED} MB/s, to what is checked", WANTED / each, 1) for name, each in speeds.items()],
    )


if __name__ == "__main__":
    main()
