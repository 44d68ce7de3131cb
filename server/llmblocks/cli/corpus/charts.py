"""Charts of rates with their intervals, as SVG in the colours of the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from llmblocks.cli.corpus.figures import Rate

_WIDTH, _HEIGHT = 960, 220
# room for half a date, also in the larger letters of a narrow page
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 60, 12, 40
_MOST_LABELS = 5


def bar(rate: Rate, most: float) -> str:
    """A bar, with its interval. Shape: `most` is the rate that fills the width."""
    low, high = (min(100.0, 100 * each / most) if most else 0.0 for each in rate.interval)
    width = min(100.0, 100 * rate.rate / most) if most else 0.0
    return (
        '<svg viewBox="0 0 100 10" height="14" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="10" rx="1"/>'
        f'<rect class="rate" width="{width:.2f}" height="10" rx="1"/>'
        f'<path class="mark" vector-effect="non-scaling-stroke" d="M{low:.2f} 5H{high:.2f}"/></svg>'
    )


def curve(points: Sequence[tuple[str, Rate]], title: str) -> str:
    """A line through the rates of groups, in order, in a band of their intervals."""
    most = max([min(rate.interval[1], 1.0) for _, rate in points], default=0.0) or 1.0
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(points) - 1, 1)

    def place(number: int, value: float) -> str:
        return f"{_LEFT + number * step:.1f} {_y(min(value, most), most):.1f}"

    middle = [place(number, rate.rate) for number, (_, rate) in enumerate(points)]
    above = [place(number, rate.interval[1]) for number, (_, rate) in enumerate(points)]
    below = [place(number, rate.interval[0]) for number, (_, rate) in enumerate(points)]
    every = max(1, -(-len(points) // _MOST_LABELS))
    labels = [
        f'<text x="{_LEFT + number * step:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(name)}</text>'
        for number, (name, _) in enumerate(points)
        if number % every == 0
    ]
    lines = [
        f'<path class="grid" d="M{_LEFT} {_y(part * most, most):.1f}H{_WIDTH - _RIGHT}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(part * most, most) + 4:.1f}" text-anchor="end">{100 * part * most:.2g} %</text>'
        for part in (0, 0.5, 1)
    ]
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>'
        f'{"".join(lines)}<path class="band" d="M{"L".join([*above, *reversed(below)])}Z"/>'
        f'<path class="curve" d="M{"L".join(middle)}"/>{"".join(labels)}</svg>'
    )


def _y(value: float, most: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value / most)
