"""Regular expressions with exceptions as right-linear rules, for notations that have none."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final

from llmblocks.grammars import expression as ex

_MOST_STATES: Final = 20_000
States = frozenset[ex.Expression]
"""A state of an automaton: the expressions of what may follow (Antimirov's partial derivatives)."""


def expanded(grammar: ex.Grammar) -> ex.Grammar:
    """Return a grammar without `Except`. Raises `ValueError` for one that would be too large."""
    rules = dict(grammar.rules)
    made: dict[ex.Expression, str] = {}

    def written(part: ex.Expression) -> ex.Expression:
        match part:
            case ex.Except(inner, excluded):
                if part not in made:
                    made[part] = f"text-{len(made) + 1}"
                    rules.update(_rules(made[part], inner, excluded))
                return ex.RuleName(made[part])
            case ex.Sequence(parts):
                return ex.sequence(*map(written, parts))
            case ex.Choice(parts):
                return ex.choice(map(written, parts))
            case ex.Repeat(inner, least, most):
                return ex.Repeat(written(inner), least, most)
            case _:
                return part

    rules.update({name: written(part) for name, part in grammar.rules.items()})
    return ex.Grammar(rules, grammar.notes)


def _rules(name: str, wanted: ex.Expression, refused: ex.Expression) -> Mapping[str, ex.Expression]:
    """Return the rules for the texts of one part without those of another: a rule for each state."""
    start = frozenset([wanted]), frozenset([refused])
    numbers = {start: 0}
    moves: list[dict[int, list[tuple[int, int]]]] = []
    accepting = set[int]()
    for number, (want, refuse) in enumerate(waiting := [start]):
        moves.append({})
        for low, end in pairwise([*sorted({*_stretches(want)[0], *_stretches(refuse)[0]}), ex.LARGEST + 1]):
            state = after(want, low), after(refuse, low)
            if state[0] and ex.ALL not in state[1]:
                if state not in numbers:
                    numbers[state] = len(numbers)
                    waiting.append(state)
                moves[number].setdefault(numbers[state], []).append((low, end - 1))
        if may_end(want) and not may_end(refuse):
            accepting.add(number)
        if len(numbers) > _MOST_STATES:
            raise ValueError("a text with a limit of length is too long for a grammar")
    leads, size = set(accepting), 0
    while size < len(leads):
        size = len(leads)
        # most moves lead to a later state
        for number in reversed(range(len(moves))):
            if not leads.isdisjoint(moves[number]):
                leads.add(number)
    if 0 not in leads:
        raise ValueError("a part of the grammar accepts no text")
    kept = [{to: ex.chars_in(*ranges) for to, ranges in each.items() if to in leads} for each in moves]
    names = [f"{name}-{number}" if number else name for number in range(len(kept))]
    found: dict[str, ex.Expression] = {}
    for number in sorted(leads):
        moved = kept[number].items()
        parts = [ex.sequence(signs, ex.RuleName(names[to])) if kept[to] else signs for to, signs in moved]
        if number in accepting and (parts or not number):
            parts.append(ex.NOTHING)
        if parts:
            found[names[number]] = ex.choice(parts)
    return found


def after(states: States, code: int) -> States:
    """Return the state after a character."""
    starts, found = _stretches(states)
    return found[bisect_right(starts, code) - 1]


def may_end(states: States) -> bool:
    return any(map(ex.may_be_empty, states))


@lru_cache(maxsize=4096)
def _stretches(states: States) -> tuple[list[int], list[States]]:
    """Return the first code points of stretches whose characters lead to the same state, and these states."""
    moves = [move for each in states for move in moves_of(each)]
    edges = {edge for signs, _ in moves for low, high in signs.ranges for edge in (low, high + 1)}
    starts = sorted({0, *edges} - {ex.LARGEST + 1})
    found: list[set[ex.Expression]] = [set() for _ in starts]
    for signs, rest in moves:
        for low, high in signs.ranges:
            for place in range(bisect_left(starts, low), bisect_right(starts, high)):
                found[place].add(rest)
    return starts, [frozenset(each) for each in found]


@lru_cache(maxsize=4096)
def moves_of(part: ex.Expression) -> tuple[tuple[ex.Chars, ex.Expression], ...]:
    """Return the first characters of the texts of a regular part, each with the rest."""
    match part:
        case ex.Literal(text) if text:
            return ((ex.chars(text[0]), ex.sequence(ex.Literal(text[1:]))),)
        case ex.Chars():
            return ((part, ex.NOTHING),)
        case ex.Choice(parts):
            return tuple([move for each in parts for move in moves_of(each)])
        case ex.Sequence(parts):
            moves: list[tuple[ex.Chars, ex.Expression]] = []
            for number, first in enumerate(parts, 1):
                moves += [(signs, ex.sequence(each, *parts[number:])) for signs, each in moves_of(first)]
                if not ex.may_be_empty(first):
                    break
            return (*moves,)
        case ex.Repeat(inner, least, most) if most != 0:
            rest = ex.Repeat(inner, max(least - 1, 0), None if most is None else most - 1)
            return tuple([(signs, ex.sequence(each, rest)) for signs, each in moves_of(inner)])
        case _:
            return ()
