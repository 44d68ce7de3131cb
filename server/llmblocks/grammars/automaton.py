"""Regular expressions with exceptions as right-linear rules, for notations that have none."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from llmblocks.grammars import expression as ex

_MOST_STATES: Final = 20_000
States = frozenset[int]


def expanded(grammar: ex.Grammar) -> ex.Grammar:
    """Return a grammar without `Except`. Raises `ValueError` for one that would be too large."""
    rules: dict[str, ex.Expression] = {}
    made: dict[ex.Expression, str] = {}

    def written(part: ex.Expression, name: str) -> ex.Expression:
        match part:
            case ex.Except():
                if part not in made:
                    made[part] = f"{name}-text-{len(made) + 1}"
                    waiting.append((made[part], part))
                return ex.RuleName(made[part])
            case ex.Sequence(parts):
                return ex.sequence(*[written(each, name) for each in parts])
            case ex.Choice(parts):
                return ex.choice([written(each, name) for each in parts])
            case ex.Repeat(inner, least, most):
                return ex.Repeat(written(inner, name), least, most)
            case _:
                return part

    for name, part in grammar.rules.items():
        waiting: list[tuple[str, ex.Expression]] = []
        rules[name] = written(part, name)
        for made_name, excepted in waiting:
            rules.update(_rules(made_name, automaton_of(excepted)))
    return ex.Grammar(rules, grammar.notes)


class Automaton(NamedTuple):
    """A deterministic automaton. For each state its moves, in order; the first state is the start."""

    moves: tuple[Mapping[ex.Chars, int], ...]
    accepting: frozenset[int]

    def after(self, text: str) -> int | None:
        """Return the state after a text; None if no text begins like this."""
        state: int | None = 0
        for sign in text:
            if state is not None:
                state = next((to for signs, to in self.moves[state].items() if ex.contains(signs, sign)), None)
        return state


def automaton_of(part: ex.Expression) -> Automaton:
    """Return the smallest automaton of a regular expression.

    Raises `ValueError` for one that would be too large, or accepts no text.
    """
    excluded = part.excluded if isinstance(part, ex.Except) else ex.Choice(())
    wanted, refused = _net(part.part if isinstance(part, ex.Except) else part), _net(excluded)
    cuts = sorted({*wanted.cuts, *refused.cuts})
    atoms = [(low, high - 1) for low, high in pairwise([*cuts, ex.LARGEST + 1])]
    places = [(bisect_right(wanted.cuts, low) - 1, bisect_right(refused.cuts, low) - 1) for low in cuts]
    start = (wanted.start, refused.start)
    numbers: dict[tuple[States, States], int] = {start: 0}
    moves: list[dict[tuple[int, int], int]] = []
    accepting = set[int]()
    waiting = [start]
    for at, (want, refuse) in enumerate(waiting):
        want_row, refuse_row = wanted.row(want), refused.row(refuse)
        found: dict[tuple[int, int], int] = {}
        for atom, (one, other) in zip(atoms, places, strict=True):
            if want_row[one] and not refuse_row[other] & refused.forever:
                state = (want_row[one], refuse_row[other])
                if state not in numbers:
                    numbers[state] = len(numbers)
                    waiting.append(state)
                found[atom] = numbers[state]
        moves.append(found)
        if wanted.end in want and refused.end not in refuse:
            accepting.add(at)
        if len(numbers) > _MOST_STATES:
            raise ValueError("a text with a limit of length is too long for a grammar")
    if not accepting:
        raise ValueError("a part of the grammar accepts no text")
    return _smallest(moves, accepting)


class _Net:
    """A nondeterministic automaton: Thompson's.

    `cuts` are the code points at which one of its ranges begins or has ended, the first one 0. From one of the states
    `forever`, it accepts all texts.
    """

    def __init__(self, part: ex.Expression) -> None:
        self._moves: list[list[tuple[ex.Chars, int]]] = []
        self._free: list[list[int]] = []
        self._closures: dict[int, States] = {}
        self._rows: dict[States, list[States]] = {}
        self._loops: list[int] = []
        edges = {0}
        first = self._state()
        self.end = self._add(part, first, edges)
        self.start = self._closure(first)
        self.cuts = sorted(edges - {ex.LARGEST + 1})
        self.forever = frozenset([each for each in self._loops if self.end in self._closure(each)])

    def row(self, states: States) -> list[States]:
        """Return the states after a character, for each of the stretches between cuts."""
        found = self._rows.get(states)
        if found is None:
            targets: list[list[States]] = [[] for _ in self.cuts]
            for state in states:
                for signs, target in self._moves[state]:
                    closed = self._closure(target)
                    for low, high in signs.ranges:
                        for place in range(bisect_left(self.cuts, low), bisect_right(self.cuts, high)):
                            targets[place].append(closed)
            found = self._rows[states] = [frozenset().union(*each) for each in targets]
        return found

    def _state(self) -> int:
        self._moves.append([])
        self._free.append([])
        return len(self._moves) - 1

    def _closure(self, state: int) -> States:
        found = self._closures.get(state)
        if found is None:
            seen, waiting = {state}, [state]
            while waiting:
                for each in self._free[waiting.pop()]:
                    if each not in seen:
                        seen.add(each)
                        waiting.append(each)
            found = self._closures[state] = frozenset(seen)
        return found

    def _add(self, part: ex.Expression, at: int, edges: set[int]) -> int:
        """Add a part that begins at a state. Returns the state where it ends."""
        match part:
            case ex.Literal(text):
                for sign in text:
                    at = self._add(ex.Chars(((ord(sign), ord(sign)),)), at, edges)
                return at
            case ex.Chars(ranges):
                target = self._state()
                self._moves[at].append((part, target))
                edges.update([edge for low, high in ranges for edge in (low, high + 1)])
                return target
            case ex.Sequence(parts):
                for each in parts:
                    at = self._add(each, at, edges)
                return at
            case ex.Choice(parts):
                end = self._state()
                for each in parts:
                    begin = self._state()
                    self._free[at].append(begin)
                    self._free[self._add(each, begin, edges)].append(end)
                return end
            case ex.Repeat(inner, least, most):
                for _ in range(least):
                    at = self._add(inner, at, edges)
                end = self._state()
                if most is None:
                    loop = self._state()
                    self._loops += [loop] if inner == ex.EVERY else []
                    self._free[at].append(loop)
                    self._free[self._add(inner, loop, edges)].append(loop)
                    self._free[loop].append(end)
                    return end
                self._free[at].append(end)
                for _ in range(most - least):
                    at = self._add(inner, at, edges)
                    self._free[at].append(end)
                return end
            case _:
                raise ValueError(f"{part} is not regular")


@lru_cache(maxsize=256)
def _net(part: ex.Expression) -> _Net:
    """Return the automaton of a part: the texts that are refused are the same in many."""
    return _Net(part)


def _smallest(moves: list[dict[tuple[int, int], int]], accepting: set[int]) -> Automaton:
    """Return an automaton without states that lead nowhere, and without two that do the same."""
    leads = _leading(moves, accepting)
    kept = [{atom: to for atom, to in each.items() if to in leads} for each in moves]
    classes = [int(state in accepting) for state in range(len(kept))]
    count = 0
    while count != (count := len(set(classes))):
        keys = [
            (classes[state], (*[(atom, classes[to]) for atom, to in each.items()],)) for state, each in enumerate(kept)
        ]
        numbers: dict[object, int] = {}
        classes = [numbers.setdefault(key, len(numbers)) for key in keys]
    # the first state of each class stands for it; the start is in the first class
    first: dict[int, int] = {}
    for state, number in enumerate(classes):
        if state in leads or state == 0:
            first.setdefault(number, state)
    order = {number: place for place, number in enumerate(first)}
    found: list[dict[ex.Chars, int]] = []
    for state in first.values():
        targets: dict[int, list[tuple[int, int]]] = {}
        for atom, to in kept[state].items():
            targets.setdefault(order[classes[to]], []).append(atom)
        found.append({ex.chars_in(*atoms): to for to, atoms in targets.items()})
    ends = frozenset([order[number] for number, state in first.items() if state in accepting])
    return Automaton((*found,), ends)


def _leading(moves: list[dict[tuple[int, int], int]], accepting: set[int]) -> set[int]:
    """Return the states from which an accepting one can be reached."""
    before: dict[int, list[int]] = {}
    for state, each in enumerate(moves):
        for to in each.values():
            before.setdefault(to, []).append(state)
    found, waiting = set(accepting), [*accepting]
    while waiting:
        for each_before in before.get(waiting.pop(), ()):
            if each_before not in found:
                found.add(each_before)
                waiting.append(each_before)
    return found


def _rules(name: str, automaton: Automaton) -> Mapping[str, ex.Expression]:
    """Return the rules of an automaton, one for each state that others lead to."""
    named = [name if not state else f"{name}-{state}" for state in range(len(automaton.moves))]
    found: dict[str, ex.Expression] = {}
    for state, moves in enumerate(automaton.moves):
        parts = [
            ex.sequence(signs, ex.RuleName(named[to])) if automaton.moves[to] else signs for signs, to in moves.items()
        ]
        if state in automaton.accepting and (parts or not state):
            parts.append(ex.NOTHING)
        if parts:
            found[named[state]] = ex.choice(parts)
    return found
