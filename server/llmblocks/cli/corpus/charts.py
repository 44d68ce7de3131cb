"""Charts of rates with their intervals, as SVG in the colours of the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from llmblocks.cli.corpus.figures import Rate

_WIDTH, _HEIGHT, _TOP = 1000, 168, 12
"""The room of a curve: it is stretched to the width of the page, its labels are not."""
_LABELS = _TOP + _HEIGHT + 20
_MOST_LABELS = 5
_SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_MORE = ' class="more"'
"""The class of every second date, for which a phone has no room."""


def scale_of(rates: Iterable[Rate]) -> float:
    """Return the rate that fills the width of bars: the first round one above all bars and intervals."""
    highest = min(max([max(each.rate, each.interval[1]) for each in rates], default=1.0), 1.0)
    return next(each for each in _SCALES if each >= highest)


def bar(rate: Rate, most: float) -> str:
    """Return a bar with its interval. `most` is the rate that fills the width."""
    low, high = (min(100.0, 100 * each / most) for each in rate.interval)
    width = min(100.0, 100 * rate.rate / most)
    return (
        '<svg viewBox="0 0 100 10" height="14" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="10" rx="1"/>'
        f'<rect class="rate" width="{width:.2f}" height="10" rx="1"/>'
        f'<path class="mark" vector-effect="non-scaling-stroke" d="M{low:.2f} 5H{high:.2f}"/></svg>'
    )


def curve(points: Sequence[tuple[str, Rate]], title: str) -> str:
    """Return a line through the rates of groups, in order, in a band of their intervals."""
    most = max([min(rate.interval[1], 1.0) for _, rate in points], default=0.0) or 1.0
    last = max(len(points) - 1, 1)

    def line(values: Iterable[float]) -> list[str]:
        return [f"{_WIDTH * at / last:.1f} {_y(min(value, most), most):.1f}" for at, value in enumerate(values)]

    middle = line([rate.rate for _, rate in points])
    above, below = (line([rate.interval[end] for _, rate in points]) for end in (1, 0))
    every = max(1, -(-len(points) // _MOST_LABELS))
    labels = [
        f'<text x="{100 * at / last:.1f}%" y="{_LABELS}" text-anchor="{_anchor(at, last)}"{_MORE * (at // every % 2)}>'
        f"{escape(name)}</text>"
        for at, (name, _) in enumerate(points)
        if at % every == 0
    ]
    parts = (0, 0.5, 1)
    grid = [f'<path class="grid" d="M0 {_y(part * most, most):.1f}H{_WIDTH}"/>' for part in parts]
    rates = [
        f'<text x="-8" y="{_TOP + _y(part * most, most) + 4:.1f}" text-anchor="end">{100 * part * most:.2g} %</text>'
        for part in parts
    ]
    title = escape(title)
    return (
        f'<svg class="chart" height="{_LABELS + 8}" role="img" aria-label="{title}"><title>{title}</title>'
        f'<svg y="{_TOP}" width="100%" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none">'
        f'{"".join(grid)}<path class="band" d="M{"L".join([*above, *reversed(below)])}Z"/>'
        f'<path class="curve" d="M{"L".join(middle)}"/></svg>{"".join([*rates, *labels])}</svg>'
    )


def _anchor(at: int, last: int) -> str:
    return "start" if at == 0 else "end" if at > 0.9 * last else "middle"


def _y(value: float, most: float) -> float:
    return _HEIGHT * (1 - value / most)
