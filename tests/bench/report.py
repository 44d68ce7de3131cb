"""What every benchmark does with its figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

RESULTS = Path(__file__).parent.parent.parent / "bench-results"


def best(run: Callable[[], object], times: int = 5) -> float:
    """Seconds of the fastest of several runs."""
    return min(_seconds(run) for _ in range(times))


def percentiles(samples: Sequence[float]) -> dict[str, float]:
    """Nearest-rank percentiles, in the unit of the samples."""
    ordered, size = sorted(samples), len(samples)
    return {f"p{rank}": ordered[-(-size * rank // 100) - 1] for rank in (50, 90, 99)}


def save(name: str, figures: object) -> None:
    """Write figures to bench-results/NAME.json, for comparing runs."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n")


def _seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start
