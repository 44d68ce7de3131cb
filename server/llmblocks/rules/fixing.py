"""The application of fixes. Each fix is tried, and kept only if checking the text again confirms its effect."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from importlib import import_module
from operator import itemgetter
from typing import NamedTuple

from llmblocks.contract.decoded import DecodedValue
from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.core.chunks import expect_text
from llmblocks.core.edits import Edit, Shift, composed, edited
from llmblocks.core.index import Index
from llmblocks.facts.finding import Finding
from llmblocks.facts.rule import Rank, Rule
from llmblocks.hosts.embedded import EmbeddedText, Host
from llmblocks.hosts.hosted import edits_outside, host_of_language
from llmblocks.languages.ask import Ask, ask_all
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language
from llmblocks.rules.check import Belonging, belonging, check_of
from llmblocks.rules.checker import check_text, checker_of, host_findings, severity_of
from llmblocks.rules.fix import SAME, Fix, agree, differ, joined, values_of
from llmblocks.rules.languages_in_blocks import BlocksHost
from llmblocks.rules.surroundings import narrowed, part_starts
from llmblocks.settings.rule_names import BY_CODE, RULES, codes_of
from llmblocks.settings.rules import COMMENT_RULES, DOCUMENT_RULES
from llmblocks.settings.values import Settings

_MOST_CHARACTERS = 1 << 20
"""The total length of the texts that tries read; it bounds the tries on a large text."""
_FEWEST_TRIES = 6
_GROWTH = 8
"""The maximum growth of a batch compared with the last one that was made."""
_Place = tuple[str, int, int]


class Applied(NamedTuple):
    """An applied fix. Places are those of the text before it; in a host, of the embedded text."""

    finding: Finding
    fix: Fix


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text after fixes."""

    text: str
    edits: tuple[Edit, ...]
    """Turn the given text into this one."""
    applied: tuple[Applied, ...]
    """The fixes in the order in which they were made."""
    left: tuple[Finding, ...]
    """The findings of the new text."""
    finished: bool = True
    """False if fixes were left untried because they took too long: the next call continues."""


def fix(
    text: str,
    language_id: str | None,
    *,
    unsafe: bool = False,
    select: Sequence[str] = (),
    settings: Settings | None = None,
    name: str | None = None,
    known: Collection[str] = (),
    results: Mapping[str, str] | None = None,
) -> Fixed:
    """Fix a text. Never raises for any text.

    A fix is applied only if its finding is gone afterwards, no other finding is new except those that the old one hid,
    and only those values for a program have changed that the rule declares. A safe fix changes none, except for a call
    that is rejected because it repeats an argument. A corrected call may turn out to repeat its neighbour.

    Args:
        text: The text.
        language_id: The language; by default that of `name`.
        unsafe: Also apply fixes that may not be meant.
        select: Codes of rules, prefixes of codes, or names. Empty means all rules that `settings` select.
        settings: The settings.
        name: See `check`.
        known: See `check`.
        results: See `check`.

    Raises:
        ValueError: The language or a rule is unknown.
        TypeError: The argument is not text.
    """
    expect_text(text, "fix")
    return fix_of(text, belonging(language_id, settings, name, known, results), unsafe=unsafe, select=select)


def fix_of(text: str, of: Belonging, *, unsafe: bool = False, select: Sequence[str] = ()) -> Fixed:
    codes = _wanted(of.settings, codes_of(select))
    host = host_of_language(of.language_id, of.settings)
    if host is None:
        language = find_language(of.language_id)
        return fixed(text, language, of.settings, codes, unsafe=unsafe, other_files=of.other_files(language, text))
    # texts that nothing reads are marked first
    every = of.settings._replace(select=(), ignore=(), severity=())
    own = [each for each in host_findings(host.read(text), every) if each.code in codes] if unsafe else []
    marks = [Applied(each, fix) for each in own for fix in host_fixes(each)]
    first = edits_of(marks)
    inside = _fixed_inside(edited(text, first), host, of, codes, unsafe=unsafe)
    edits = composed(len(text), [first, inside.edits])
    applied = (*marks, *inside.applied)
    return Fixed(inside.text, (*edits,), applied, check_of(inside.text, of), inside.finished)


def _fixed_inside(text: str, host: Host, of: Belonging, codes: Container[str], *, unsafe: bool) -> Fixed:
    """Fix the embedded texts of a host. The result lacks the findings that are left."""
    parts: list[tuple[EmbeddedText, Fixed]] = []
    for each in host.find(text):
        language = find_language(each.language_id)
        others = of.other_files(language, each.text)
        parts.append((each, fixed(each.text, language, of.settings, codes, unsafe=unsafe, other_files=others)))
    edits = edits_outside(text, host, [(each, part.edits) for each, part in parts])
    new = edited(text, edits)
    applied: list[Applied] = []
    for (_, part), now in zip(parts, host.read(new).texts, strict=True):
        applied += part.applied if now.text.rstrip("\r\n") == part.text.rstrip("\r\n") else ()
    return Fixed(new, (*edits,), (*applied,), (), all(part.finished for _, part in parts))


def fixed(
    text: str,
    language: Language,
    settings: Settings,
    codes: Container[str] | None = None,
    *,
    unsafe: bool = False,
    pause: Callable[[], None] = lambda: None,
    other_files: OtherFiles = ALONE,
) -> Fixed:
    """Fix a text by the rules with these codes, by default the selected ones; `pause` is called between tries."""
    if codes is None:
        codes = _wanted(settings)
    reader = TextReader(language, settings, other_files)
    run = _FixRun(reader.read(text), codes, unsafe, pause)
    run.run()
    left = run.now.told()
    blocks = BlocksHost.of(language, settings)
    # comments may silence findings in blocks: do not fix silenced findings
    if blocks is not None and left and not reader.checker.signed(run.now.ask.document.sections):
        inside = _fixed_inside(run.now.text, blocks, Belonging(language.id, settings), codes, unsafe=unsafe)
        if inside.edits:
            left = [*check_text(language, settings, inside.text, other_files)]
            edits = composed(len(text), [*run.rounds, [*inside.edits]])
            applied = (*run.applied, *inside.applied)
            return Fixed(inside.text, (*edits,), applied, (*left,), run.finished and inside.finished)
    return Fixed(run.now.text, (*composed(len(text), run.rounds),), (*run.applied,), (*left,), run.finished)


def _wanted(settings: Settings, codes: tuple[str, ...] = ()) -> set[str]:
    """Return the selected codes of rules, among those with some prefixes."""
    known = (*DOCUMENT_RULES, *RULES, *settings.rules)
    every = [rule.code for rule in known if severity_of(rule, settings) is not None]
    return {code for code in every if code.startswith(codes or "")}


class TextReader:
    """Reads texts of a language with all rules, regardless of the settings."""

    def __init__(self, language: Language, settings: Settings, other_files: OtherFiles = ALONE) -> None:
        self.language = language
        self.other_files = other_files
        self.settings = settings
        # a fix must not cause findings that are switched off
        self.checker = checker_of(language, settings._replace(select=(), ignore=(), severity=()))
        # of a text, of the text that is expected after fixes, and of the text after them
        self.values_of = lru_cache(maxsize=3)(partial(values_of, language=language, settings=settings))
        self.comparing = {each.rule.code for layer in language.loaded for each in layer.checks if each.of_texts}

    def read(self, text: str) -> TextReading:
        document = self.language.open(text, self.settings)
        # one index for all fixes of the text
        index = cache(partial(Index, document.sections, self.language.symbols, self.other_files))
        ask = ask_all(document, self.language, self.settings, self.other_files)
        return TextReading(self, text, replace(ask, known_index=index))


class TextReading:
    """A text with its findings and values, each computed on first access."""

    def __init__(self, reader: TextReader, text: str, ask: Ask) -> None:
        self._reader = reader
        self.text = text
        self.ask = ask

    @cached_property
    def findings(self) -> list[Finding]:
        return list(self._reader.checker.all(self.ask.document, self._reader.other_files))

    def told(self) -> list[Finding]:
        reader = self._reader
        checker = checker_of(reader.language, reader.settings)
        return self.findings if checker is reader.checker else [*checker.all(self.ask.document, reader.other_files)]

    @property
    def free_text(self) -> list[str]:
        """The text outside of calls and blocks."""
        return [each.free for each in self._reader.values_of(self.text) if not each.head]

    def fixes(self, finding: Finding, *, unsafe: bool) -> tuple[Fix, ...]:
        """Return the fixes that the rule suggests for a finding, untried."""
        if BY_CODE[finding.code].unsafe and not unsafe:
            return ()
        return tuple([each for each in suggested(finding, self.ask) if unsafe or self._is_safe(each)])

    def _is_safe(self, fix: Fix) -> bool:
        """Return whether a fix is safe. A removal is not while a name near it is misspelt."""
        return fix.safe and (fix.expected == SAME or bisect_right(self.parts, fix.start) not in self._misspelt)

    @cached_property
    def _misspelt(self) -> set[int]:
        """The numbers of the parts with a misspelling, counted from 1."""
        spelling = [each for each in self.findings if BY_CODE[each.code].rank is Rank.SPELLING]
        return {bisect_right(self.parts, each.start) for each in spelling}

    @cached_property
    def parts(self) -> list[int]:
        """The starts of the parts that can be judged separately."""
        return part_starts(self.ask.document, self.ask.language)

    def after(self, made: Sequence[Applied]) -> TextReading | None:
        """Return the text after fixes that do not touch one another; None if they break their promises."""
        trial = self.tried(made)
        return trial.new if not trial.news and trial.kept() else None

    def tried(self, made: Sequence[Applied]) -> Trial:
        """Return the text after fixes that do not touch one another, and its faults."""
        edits = edits_of(made)
        new = self._reader.read(edited(self.text, edits))
        shift = Shift(edits)
        gone = {_place(finding) for finding, _ in made}
        left = [place for place in map(_place, self.findings) if place not in gone]
        known = Counter([(code, *shift.span(start, end)) for code, start, end in left])
        # a correct call may turn out to repeat its neighbour, which is not the fix's fault
        comparing = self._reader.comparing - {code for code, *_ in gone}
        movable = {code for code, _, _ in left if BY_CODE[code].once} | comparing
        uncovered = self._uncovered(made, shift)
        news = [
            start
            for (code, start, _), count in (Counter(map(_place, new.findings)) - known).items()
            if code not in movable and not uncovered(code, start)
        ]
        return Trial(new, news, cache(lambda: _keep(made, self.text, new.text, self._reader.values_of)))

    def _uncovered(self, made: Sequence[Applied], shift: Shift) -> Callable[[str, int], bool]:
        """Return whether fixes uncover a finding, by its code and its start in the text after the fixes."""
        spans = []
        for finding, fix in made:
            if fix.uncovers:
                placed = self.ask.document.section_at(fix.start)
                start, end = placed.start, placed.end
                if BY_CODE[finding.code].layer == "tags":
                    # of a block, its tag alone: the other one may be misspelt, too
                    start, end = fix.start, self.text.find(">", fix.end, end) + 1
                spans.append((*shift.span(start, end), finding.code))
        spans.sort()

        def uncovered(code: str, start: int) -> bool:
            number = bisect_right(spans, start, key=itemgetter(0)) - 1
            if number < 0 or start >= spans[number][1] or code == spans[number][2]:
                return False
            rule, cause = BY_CODE[code], BY_CODE[spans[number][2]]
            # a correct name lets rules about schemas apply; spelling, those of its format; a message, those in it
            return bool(rule.gadgets) or cause.rank is (Rank.SPELLING if rule.layer == cause.layer else Rank.STRUCTURE)

        return uncovered


def _keep(
    made: Sequence[Applied], before: str, after: str, read: Callable[[str], list[DecodedValue]], start: int = 0
) -> bool:
    """Return whether a text has the values expected after fixes of one format."""
    expected = joined([fix.expected for _, fix in made])
    layer = BY_CODE[made[0].finding.code].layer
    written = edited(before, [each.moved(-start) for each in expected.edits])
    if expected.edits and differ(read(before), read(written), expected, layer):
        return False
    is_same = all(fix.safe and fix.expected == SAME for _, fix in made)
    return agree(read(written), read(after), expected.changes, in_messages=is_same, in_place=layer != "tags")


class Trial(NamedTuple):
    new: TextReading
    news: list[int]
    """The places of unexpected findings."""
    kept: Callable[[], bool]
    """Whether it has kept the values."""


def suggested(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Return the fixes that the rule suggests for a finding, untried, preferred first."""
    rule = BY_CODE[finding.code]
    return _fixes_by(rule.fix, rule, finding, ask)


def host_fixes(finding: Finding) -> tuple[Fix, ...]:
    if BY_CODE[finding.code] not in DOCUMENT_RULES:
        return ()
    from llmblocks.rules.fixes.texts import marked

    return (*marked(finding),)


def by_hand(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Return the fixes that only a person chooses, untried."""
    rule = BY_CODE[finding.code]
    return _fixes_by(rule.by_hand, rule, finding, ask)


def _fixes_by(suggester: object, rule: Rule, finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Return the fixes by a function that a rule names; none in a block of another language, one value here."""
    if not suggester or (rule not in COMMENT_RULES and rule.layer not in ask.language.layers):
        return ()
    if not isinstance(suggester, str):
        from llmblocks.rules.own_facts import own_fixes

        return (*own_fixes(rule, finding, ask.document.text),)
    module, _, name = suggester.rpartition(".")
    suggest: Callable[[Finding, Ask], Iterable[Fix]] = getattr(import_module(f"llmblocks.rules.fixes.{module}"), name)
    return (*suggest(finding, ask),)


def edits_of(made: Iterable[Applied]) -> list[Edit]:
    return sorted([edit for _, fix in made for edit in fix.edits])


class _FixRun:
    """Applies fixes in rounds: those that touch one another are made in turn."""

    def __init__(self, now: TextReading, codes: Container[str], unsafe: bool, pause: Callable[[], None]) -> None:
        self.now = now
        self._pause = pause
        self.applied: list[Applied] = []
        self.rounds: list[list[Edit]] = []
        self._codes = codes
        self._unsafe = unsafe
        self._refused = Counter[_Place]()  # the number of a finding's fixes that break their promises
        self._most = len(now.text) + 1  # fixes in a batch
        self._tries = max(_MOST_CHARACTERS // (len(now.text) + 1), _FEWEST_TRIES)
        self.finished = True

    def run(self) -> None:
        again = False
        while self._tries > 0:
            batch = self._batch()
            if not batch:
                if not (again and self._refused):
                    return
                # earlier fixes may make refused ones possible
                again = False
                self._refused.clear()
            elif self._make(batch):
                again = True
        self.finished = not self._batch()

    def _batch(self) -> list[Applied]:
        """Return the fixes to try next: those of the first rank with any."""
        return next(filter(None, map(self._batch_of, Rank)), [])

    def _batch_of(self, rank: Rank) -> list[Applied]:
        """Return the next fix to try for each finding; of those that touch, or are of two formats, the first."""
        batch: list[Applied] = []
        until = -1
        asked: set[str] = set()
        for finding in self.now.findings:
            rule = BY_CODE[finding.code]
            if rule.code not in self._codes or finding.end <= until or rule.code in asked or rule.rank is not rank:
                continue
            if rule.whole:
                asked.add(rule.code)
            fixes = self.now.fixes(finding, unsafe=self._unsafe)[self._refused[_place(finding)] :]
            is_alike = not batch or rule.layer == BY_CODE[batch[0].finding.code].layer
            if fixes and fixes[0].start > until and is_alike:
                batch.append(Applied(finding, fixes[0]))
                until = fixes[0].end
                if len(batch) == self._most:
                    break
        return batch

    def _make(self, batch: list[Applied]) -> bool:
        """Make as many fixes of a batch as possible together; return whether any was made."""
        while batch:
            if not self._tries:
                return False
            self._tries -= 1
            self._pause()
            trial = self.now.tried(batch)
            if not trial.news and trial.kept():
                self._take(batch, trial.new)
                return True
            batch = self._narrowed(batch, trial)
        return False

    def _narrowed(self, batch: Sequence[Applied], trial: Trial) -> list[Applied]:
        """Return the fixes of a batch that may be made together; the others are tried later, or refused."""
        if len(batch) == 1:
            self._refused[_place(batch[0].finding)] += 1
            # its neighbours are often alike, and finding each in a large batch takes more tries
            self._most = 1
            return []

        def keeps_part(numbers: Sequence[int], start: int, before: str, after: str) -> bool:
            read = cache(partial(values_of, language=self.now.ask.language, settings=self.now.ask.settings))
            return trial.kept() or _keep([batch[number] for number in numbers], before, after, read, start)

        left, refused = narrowed(self.now.text, self.now.parts, [fix for _, fix in batch], trial.news, keeps_part)
        self._refused.update([_place(batch[number].finding) for number in refused])
        return [batch[number] for number in left]

    def _take(self, batch: Sequence[Applied], new: TextReading) -> None:
        edits = edits_of(batch)
        shift = Shift(edits)
        self.rounds.append(edits)
        refused = {(code, *shift.span(start, end)): number for (code, start, end), number in self._refused.items()}
        self._refused = Counter(refused)
        self.now = new
        self.applied += batch
        self._most *= _GROWTH


def _place(finding: Finding) -> _Place:
    return finding.code, finding.start, finding.end
