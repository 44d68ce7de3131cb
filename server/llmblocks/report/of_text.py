"""The summary of one text, or of the outcomes of a session's calls, which no single text shows."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.contract.headings import EntryKind
from llmblocks.contract.other_files import ALONE, OtherFiles
from llmblocks.core.chunks import expect_text
from llmblocks.core.document import Document
from llmblocks.core.lines import Lines
from llmblocks.facts.fingerprint import FINGERPRINT
from llmblocks.facts.severity import Severity
from llmblocks.features.outline import outline
from llmblocks.hosts.hosted import embedded_in, moved_outside
from llmblocks.languages.ask import ask_all
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language, host_ids, language_ids, language_of
from llmblocks.report.summary import (
    MOST_EXCERPT,
    MOST_NAME,
    TABLES,
    Example,
    Row,
    Summary,
    bounded,
    example,
    merged,
    short,
)
from llmblocks.rules.checker import checker_of, severity_of
from llmblocks.rules.fixing import fixed
from llmblocks.sessions import Session
from llmblocks.settings.baseline import read_baseline
from llmblocks.settings.values import DEFAULTS, Settings

if TYPE_CHECKING:
    from llmblocks.contract.answers import RejectedCalls
    from llmblocks.facts.finding import Finding
    from llmblocks.hosts.embedded import EmbeddedText


_LINE_END = re.compile(r"[\r\n]")
_SEVERITIES: Final = tuple([each.value for each in Severity])
_TABLES: Final[Mapping[EntryKind, str]] = {
    "call": "gadgets",
    "argument": "arguments",
    "block": "tags",
    "message": "roles",
}
"""The tables in which uses are counted."""
_INDEX = re.compile(r"(?<![^/])[0-9]+(?![^/])")
ANY_INDEX = "*"
UNKNOWN = "(unknown)"
"""The name of all gadgets without a schema: a model may invent any number of them."""


def summarise(name: str, text: str, language_id: str | None = None, settings: Settings | None = None) -> Summary:
    """Summarise the contents and the findings of a text. Never raises for any text.

    Args:
        name: The text's place in a corpus, such as a path.
        text: The text.
        language_id: The language; by default that of the name.
        settings: The settings.

    Raises:
        ValueError: The language is unknown.
        TypeError: The argument is not text.
    """
    expect_text(text, "summarise")
    settings = settings or DEFAULTS
    language_id = language_id or language_of(name, settings)
    if language_id is None:
        raise ValueError(f"the name {name!r} does not determine a language: use one of {', '.join(language_ids())}")
    return summariser(language_id, settings).summary(name, text)


class Summariser:
    """Summarises many texts of one language. An unknown language raises `ValueError`."""

    def __init__(self, language_id: str, settings: Settings | None = None) -> None:
        self._language = find_language(language_id)
        self._settings = settings or DEFAULTS
        self._is_host = language_id in host_ids()
        self._baseline = read_baseline(self._settings.baseline) if self._settings.baseline else None
        self._rejecting: list[RejectedCalls[Settings]]
        self._rejecting = [layer.rejected() for layer in self._language.loaded if layer.rejected is not None]
        rules = [rule for each in self._rejecting for rule in each.rules]
        self._codes = frozenset([rule.code for rule in rules])
        # with all of them on, a document without findings has no rejected call
        self._tells_rejections = all(severity_of(rule, self._settings) is not None for rule in rules)

    def summary(self, name: str, text: str, other_files: OtherFiles = ALONE) -> Summary:
        """Return the summary of a text; for a host, that of all texts in it. See `Checker.names` for `other_files`."""
        if self._is_host:
            found = embedded_in(text, self._language.id, self._settings)
            return merged([self._embedded(name, text, each) for each in found])
        if self._language.repeats:
            return Summary(copies=1)
        return self._summary(name, text, other_files)

    def _embedded(self, name: str, host: str, embedded: EmbeddedText) -> Summary:
        of_text = summariser(embedded.language_id, self._settings)
        return of_text._summary(name, embedded.text, ALONE, (host, partial(moved_outside, embedded=embedded)))

    def _summary(
        self,
        name: str,
        text: str,
        other_files: OtherFiles,
        outside: tuple[str, Callable[[Finding], Finding]] | None = None,
    ) -> Summary:
        """Return the summary of a text. `outside` is the text of its host, which decides the places of findings."""
        document = self._opened(text)
        found = [*checker_of(self._language, self._settings).all(document, other_files)]
        used = [*uses(document, self._language, self._settings)]
        calls = [each for each in used if each.kind == "call"]
        written = self._rejected(document, calls)
        repaired = self._repaired(text, _by_name(calls, written))
        told = _told(calls, found)
        refused = written | {number for number, outcome in told.items() if outcome == "rejected"}
        rejected, failed = _by_name(calls, refused), _by_name(calls, told.keys() - refused)
        at = _around(document, self._language, self._settings, used, found) if found else []
        seen = short(name, MOST_NAME)
        # plain numbers: faster to find than members of an enumeration
        severities = Counter([each.severity.value for each in found])
        return Summary(
            texts=1,
            failed=int(severities[Severity.ERROR.value] > 0),
            characters=len(text),
            calls=len(calls),
            rejected=rejected.total(),
            repaired=repaired.total(),
            accepted=self._accepted(name, found),
            failed_calls=failed.total(),
            severities=tuple([severities[each] for each in _SEVERITIES]),
            sizes=((max(len(text).bit_length() - 1, 0), 1),),
            first=seen,
            last=seen,
            examples=_examples(name, *((text, found) if outside is None else (outside[0], map(outside[1], found)))),
            **_tables(seen, used, [*zip([each.code for each in found], at, strict=True)], rejected, repaired, failed),
        )

    def _opened(self, text: str) -> Document:
        return self._language.open(text, self._settings, checker_of(self._language, self._settings).count_findings)

    def _accepted(self, name: str, found: Sequence[Finding]) -> int:
        """The number of findings of a file that its baseline has."""
        if self._baseline is None or not found:
            return 0
        path = os.path.abspath(name)
        return sum(self._baseline.matched({path: [str(each.data[FINGERPRINT]) for each in found]}).known[path])

    def _rejected(self, document: Document, calls: Sequence[CountedUse]) -> set[int]:
        """Return the indices of the calls that are rejected because of their text."""
        if not calls or (self._tells_rejections and not document.sections.finding_count):
            return set()
        starts = [each.start for each in calls]
        return {bisect_right(starts, at) - 1 for each in self._rejecting for at in self._places(each, document)}

    def _places(self, rejected: RejectedCalls[Settings], document: Document) -> Iterator[int]:
        for placed in document.placed():
            yield from (placed.start + at for at in rejected.in_section(placed.section, self._settings))

    def _repaired(self, text: str, rejected: Counter[str]) -> Counter[str]:
        """Count the calls that are accepted after safe fixes."""
        if not rejected:
            return rejected
        now = fixed(text, self._language, self._settings, self._codes)
        if not now.applied:
            return Counter()
        document = self._opened(now.text)
        calls = [each for each in uses(document, self._language, self._settings) if each.kind == "call"]
        return rejected - _by_name(calls, self._rejected(document, calls))


summariser = lru_cache(maxsize=16)(Summariser)
"""The summariser for a language and settings, created once."""


def _by_name(calls: Sequence[CountedUse], numbers: Iterable[int]) -> Counter[str]:
    """Count some calls by gadget."""
    return Counter([calls[number].key[0] for number in numbers])


def _told(calls: Sequence[CountedUse], found: Iterable[Finding]) -> dict[int, str]:
    """Return the outcomes of stopped calls, from the requests of their session."""
    starts = [each.start for each in calls]
    return {bisect_right(starts, each.start) - 1: str(each.data["outcome"]) for each in found if "outcome" in each.data}


def _tables(
    seen: str,
    used: Sequence[CountedUse],
    found: Sequence[tuple[str, Around]],
    rejected: Counter[str],
    repaired: Counter[str],
    failed: Counter[str],
) -> dict[str, Any]:
    """Return the tables of a text seen as a name, with the codes of its findings, each with the uses around it."""
    given = Counter([each[:2] for each in used])
    wrong = Counter([each[:2] for _, around in found for each in around if each is not None])
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    for (kind, key), number in given.items():
        name = key[0]
        counts: tuple[int, ...] = number, wrong[kind, key]
        if kind == "call":
            counts = number, rejected[name], repaired[name], wrong[kind, key], failed[name]
        rows[_TABLES[kind]].append(Row(key, counts))
    for code, number in Counter([code for code, _ in found]).items():
        rows["rules"].append(Row((code,), (number, 1), seen, seen))
    places = Counter([(code, *["" if each is None else each.key[-1] for each in around]) for code, around in found])
    rows["places"] = [Row(key, (number,)) for key, number in places.items() if any(key[1:])]
    return {name: bounded(name, found) for name, found in rows.items() if found}


def _examples(name: str, text: str, found: Iterable[Finding]) -> tuple[Example, ...]:
    """Return the first finding of each rule."""
    first: dict[str, Finding] = {}
    for each in found:
        first.setdefault(each.code, each)
    if not first:
        return ()
    lines, examples = Lines(text), []
    for each in first.values():
        line, column = lines.of(each.start)
        start, most = each.start - column + 1, each.start + MOST_EXCERPT
        end = _LINE_END.search(text, each.start, most)
        excerpt = text[max(start, each.start - MOST_EXCERPT // 2) : end.start() if end else most]
        examples.append(example(each.code, name, line, column, excerpt.strip()))
    return (*sorted(examples),)


class CountedUse(NamedTuple):
    """A message, call, argument or block."""

    kind: EntryKind
    key: tuple[str, ...]
    """Its name, which equal uses share; of an argument, after the name of its gadget."""
    start: int
    """The start of its name."""


Around = list[CountedUse | None]
"""The call, argument, block and message around a place."""


def uses(document: Document, language: Language, settings: Settings) -> Iterator[CountedUse]:
    """Yield all of them, in order. The indices of arguments become `*`."""
    headings = {kind: (each.entry, use) for kind, each in language.headings.items() if (use := each.use) is not None}
    gadget, start = "", 0
    for section in document.sections:
        at = 0
        for kind, width in section.tokens:
            heading = headings.get(kind)
            if heading is not None:
                entry, use = heading
                name = use(section.text, at, at + width)
                if name is None:
                    pass
                elif entry == "argument":
                    yield CountedUse(entry, (gadget, _argument(name)), start + at)
                elif entry != "call":
                    yield CountedUse(entry, (short(name),), start + at)
                else:
                    is_known = not settings.gadgets or settings.gadgets.find(name) is not None
                    gadget = short(name) if is_known else UNKNOWN
                    yield CountedUse(entry, (gadget,), start + at)
            at += width
        start += section.length


@lru_cache(maxsize=4096)
def _argument(pointer: str) -> str:
    return short(_INDEX.sub(ANY_INDEX, pointer))


def _around(
    document: Document, language: Language, settings: Settings, used: Iterable[CountedUse], found: Iterable[Finding]
) -> list[Around]:
    """Return the uses around each finding."""
    by_start = {each.start: each for each in used}
    # those of one kind never contain each other
    known: defaultdict[EntryKind, list[tuple[int, int, CountedUse]]] = defaultdict(list)
    for each in outline(ask_all(document, language, settings)):
        if each.name_start in by_start:
            known[each.kind].append((each.start, each.end, by_start[each.name_start]))

    def around(kind: EntryKind, at: int) -> CountedUse | None:
        number = bisect_right(known[kind], at, key=itemgetter(0)) - 1
        return known[kind][number][2] if number >= 0 and at < known[kind][number][1] else None

    return [[around(kind, each.start) for kind in _TABLES] for each in found]


def summarise_session(session: Session) -> Summary:
    """Summarise the unanswered and repeated calls of a session, to be merged with the summaries of its texts.

    Raises:
        OSError: A log cannot be read.
    """
    # without a later request, no call can have a result
    answered = [response for response in session.responses if response.answer is not None]
    return Summary(
        unanswered=sum([call.result is None for response in answered for call in response.calls]),
        repeated=sum([call.repeats is not None for call in session.calls]),
    )
