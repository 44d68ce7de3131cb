"""Feedback to a language model: the mistakes in its response, and their corrections."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from llmblocks.core.chunks import expect_text
from llmblocks.core.edits import edited
from llmblocks.core.lines import Lines, visible
from llmblocks.facts.finding import Finding
from llmblocks.facts.severity import Severity
from llmblocks.gadget.syntax.markers import ARG, END, START
from llmblocks.languages.registry import find_language
from llmblocks.rules.check import Belonging, belonging
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixing import TextReader, TextReading
from llmblocks.rules.proven import Prover
from llmblocks.settings.rule_names import BY_CODE
from llmblocks.settings.values import Settings

SHORTEST = 200
_LONGEST_LINE = 120
_MOST_LINES = 6
_MOST_TRIED = 1 << 14
"""The number of characters on which fixes are tried; a long text gets one try of the whole."""
_INDENT = "    "
_LINE_END = re.compile(r"[\r\n]")


def feedback(
    text: str,
    language_id: str | None,
    *,
    settings: Settings | None = None,
    least: Severity = Severity.WARNING,
    limit: int = 2000,
    name: str | None = None,
    known: Collection[str] = (),
    results: Mapping[str, str] | None = None,
) -> str:
    """Return a message to the model that wrote this text: each problem, with its line, and the correction.

    A problem is shown with the lines after its fix if it has one, otherwise with an example. `check` explains `name`,
    `known` and `results`.

    Args:
        text: The response.
        language_id: The language; by default that of `name`.
        settings: The settings.
        least: Less severe findings are left out.
        limit: In characters; problems beyond it are only counted.
        name: See `check`.
        known: See `check`.
        results: See `check`.

    Returns:
        The message, errors first; empty if nothing is wrong.

    Raises:
        ValueError: The language is unknown, or the limit is below 200.
        TypeError: The argument is not text.
    """
    expect_text(text, "feedback")
    return feedback_of(text, belonging(language_id, settings, name, known, results), least, limit)


def feedback_of(text: str, of: Belonging, least: Severity = Severity.WARNING, limit: int = 2000) -> str:
    if limit < SHORTEST:
        raise ValueError(f"the limit must be at least {SHORTEST} characters, not {limit}")
    language = find_language(of.language_id)
    reader = TextReader(language, of.settings, of.other_files(language, text))
    reading = reader.read(text)
    findings = [each for each in reading.told() if each.severity <= least]
    if not findings:
        return ""
    findings.sort(key=lambda finding: finding.severity)
    number = len(findings)
    head = "There is a problem in your response:" if number == 1 else f"There are {number} problems in your response:"
    return "\n\n".join([head, *_within(limit - len(head) - 2, findings, _FeedbackWriter(reading, reader))])


class _FeedbackWriter:
    """Writes problems. It shows the example of a rule once."""

    def __init__(self, reading: TextReading, reader: TextReader) -> None:
        self._text = text = reading.text
        self._settings = reader.settings
        self._lines = Lines(text)
        self._shown: set[str] = set()
        # if tries take too long, an example is shown instead
        read = lru_cache(maxsize=4)(reader.read)
        most = max(_MOST_TRIED, len(text))
        self._prover = Prover(reading.ask, lambda part: reading if part == text else read(part), most)

    def short(self, finding: Finding) -> str:
        line, column = self._lines.of(finding.start)
        start = finding.start - column + 1
        headline, *rest = map(visible, (finding.message.headline, *finding.message.rest))
        return "\n".join(
            (f"Line {line}: {headline}", f"{_INDENT}{_quoted(_line(self._text, start), column - 1)}", *rest)
        )

    def whole(self, finding: Finding) -> str:
        parts = [self.short(finding)]
        for fix in self._prover.fixes(finding, most=1):
            parts += _result(edited(self._text, fix.edits), fix)
            break
        else:
            if finding.code not in self._shown:
                parts += self._example(finding.code)
        self._shown.add(finding.code)
        return "\n".join(parts)

    def _example(self, code: str) -> Iterator[str]:
        good, markers = BY_CODE[code].good, self._settings.markers
        for default, chosen in ((START, markers.start), (END, markers.end), (ARG, markers.arg)):
            good = good.replace(default, chosen)
        if len(lines := good.splitlines()) <= _MOST_LINES:
            yield "For example:"
            yield from [_INDENT + line for line in lines]


def _within(limit: int, findings: Sequence[Finding], writer: _FeedbackWriter) -> Iterator[str]:
    """Yield the problems that fit, in full as long as possible, and the number of the rest."""
    for number, finding in enumerate(findings):
        left = len(findings) - number
        rest = f"There {'are' if left > 1 else 'is'} {left} more."
        room = limit if left == 1 else limit - len(rest) - 2
        shown = next((each for each in (writer.whole(finding), writer.short(finding)) if len(each) <= room), None)
        if shown is None:
            yield rest if number else writer.short(finding)[: limit - 1] + "…"
            return
        limit -= len(shown) + 2
        yield shown


def _result(text: str, fix: Fix) -> Iterator[str]:
    """Yield a fix, and the changed lines of the fixed text."""
    is_removal = not any(edit.text for edit in fix.edits)
    grown = sum([len(edit.text) - (edit.end - edit.start) for edit in fix.edits])
    start = text.rfind("\n", 0, fix.start) + 1
    end = text.find("\n", max(fix.end + grown - 1, fix.start))
    lines = text[start : end if end >= 0 else len(text)].splitlines()
    if is_removal or len(lines) > _MOST_LINES:
        yield f"{visible(fix.title)}."
    else:
        yield "\n".join([f"{visible(fix.title)}:", *[_INDENT + _quoted(line, 0) for line in lines]])


def _line(text: str, start: int) -> str:
    end = _LINE_END.search(text, start)
    return text[start : end.start() if end else len(text)]


def _quoted(line: str, column: int) -> str:
    """Return a line; a long one is cut around a column."""
    if len(line) <= _LONGEST_LINE:
        return visible(line)
    start = max(0, min(column - _LONGEST_LINE // 3, len(line) - _LONGEST_LINE))
    end = start + _LONGEST_LINE
    return ("…" if start else "") + visible(line[start:end]) + ("…" if end < len(line) else "")
