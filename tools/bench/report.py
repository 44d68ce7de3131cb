"""The handling of figures in all benchmarks."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

RESULTS = Path(__file__).parent.parent.parent / "bench-results"


def best(run: Callable[[], object], times: int = 5) -> float:
    """Seconds of a processor of the fastest of several runs: other work on the machine does not count."""
    return min(_seconds(run) for _ in range(times))


def percentiles(samples: Sequence[float]) -> dict[str, float]:
    """Nearest-rank percentiles, in the unit of the samples."""
    ordered, size = sorted(samples), len(samples)
    return {f"p{rank}": ordered[-(-size * rank // 100) - 1] for rank in (50, 90, 99)}


class Ratio(NamedTuple):
    """A ratio that is promised, and its limit."""

    name: str
    value: float
    limit: float


def verdicts(name: str, *ratios: Ratio) -> None:
    """Print each ratio with the limit that it is held to, and write them to bench-results/NAME-ratios.json."""
    width = max(len(ratio.name) for ratio in ratios)
    print("\nratios, and the limits that they are held to")
    for ratio in ratios:
        verdict = "ok" if ratio.value <= ratio.limit else "MISSED"
        print(f"  {ratio.name:<{width}}  {ratio.value:7.3f}  at most {ratio.limit:g}  {verdict}")
    save(f"{name}-ratios", {ratio.name: {"value": ratio.value, "limit": ratio.limit} for ratio in ratios})


def save(name: str, figures: object) -> None:
    """Write figures to bench-results/NAME.json, for comparing runs."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n")


def _seconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start
