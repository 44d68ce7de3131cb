"""The outcome of a run of `llmblocks check`: totals, a sentence, and the exit status."""

from __future__ import annotations

from collections import Counter

from llmblocks.facts.severity import Severity

CLEAN, FOUND, MISUSED = 0, 1, 2
COUNTS = (Severity.ERROR, Severity.WARNING)
"""The severities that make a run fail."""


class Outcome:
    """The totals so far.

    `codes` counts the findings by rule, `fixable` those with a fix by its safety. For a baseline, `known` findings are
    still present, `gone` ones are not, and `written` is its new size.
    """

    def __init__(self, *, diffs: bool = False) -> None:
        self.diffs = diffs
        self.files = self.texts = self.unread = self.bad_settings = self.fixed = 0
        self.known = self.gone = 0
        self.written: int | None = None
        self.severities: Counter[Severity] = Counter()
        self.codes: Counter[str] = Counter()
        self.fixable: Counter[bool] = Counter()

    def add(self, code: str, severity: Severity, number: int = 1) -> None:
        """Count findings."""
        self.severities[severity] += number
        self.codes[code] += number

    @property
    def status(self) -> int:
        """The exit status: 2 if a file could not be checked or a setting is wrong, 1 if an error or a warning is left.

        For a diff, 1 if there is a change.
        """
        if self.unread or self.bad_settings:
            return MISUSED
        found = self.fixed if self.diffs else any(self.severities[each] for each in COUNTS)
        return FOUND if found else CLEAN

    def baseline(self) -> str:
        """Return the part of a baseline in words; empty without one."""
        if self.written is not None:
            return f"{counted(self.written, 'finding')} written to the baseline"
        if self.gone:
            return f"{counted(self.gone, 'finding')} of the baseline fixed; --write-baseline removes them from it"
        return ""

    def sentence(self) -> str:
        """Return the outcome in words."""
        files = counted(self.files, "file")
        if self.texts != self.files:
            files += f" with {counted(self.texts, 'text')}"
        severities = sorted(self.severities.items())
        found = ", ".join([counted(number, each.name.lower()) for each, number in severities if number])
        unread = f"; {counted(self.unread, 'file')} could not be checked" if self.unread else ""
        settings = f"; {self.known} in the baseline" if self.known else ""
        if self.bad_settings:
            settings += f"; {counted(self.bad_settings, 'error')} in the settings"
        if self.unread and not self.files:
            # without any file, "nothing found" would mislead
            return f"{unread.removeprefix('; ')}{found and f': {found}'}{settings}"
        fixed = counted(self.fixed, "finding")
        if self.diffs:
            return f"{files} checked: {fixed} to fix{unread}{settings}"
        if self.fixed:
            return f"{files} checked, {fixed} fixed: {found or 'nothing left'}{unread}{settings}"
        return f"{files} checked: {found or 'nothing found'}{unread}{settings}"

    def fixes(self) -> str:
        """Return the number of fixable findings in words; empty for none."""
        safe, unsafe = self.fixable[True], self.fixable[False]
        if not safe:
            return f"{unsafe} fixable with --fix --unsafe-fixes" if unsafe else ""
        return f"{safe} fixable with --fix" + (f", {unsafe} with --unsafe-fixes" if unsafe else "")


def counted(number: int, what: str) -> str:
    """Return a number with its noun."""
    return f"{number} {what}" if number == 1 or what == "information" else f"{number} {what}s"
