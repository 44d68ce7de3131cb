"""The findings that comments silence in a document, and the unused comments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from llmblocks.core.document import Document
from llmblocks.core.places import order
from llmblocks.core.section import Section
from llmblocks.facts.finding import Finding
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.facts.silence import Silence, Silencing
from llmblocks.rules.reaches import Reach, reaches
from llmblocks.rules.silenced_codes import SilencedCodes, SilencingPart
from llmblocks.settings.rule_names import NAMES, code_of, nearest
from llmblocks.settings.rules import C010_UNUSED_IGNORE, C011_UNKNOWN_IGNORE


class Silences:
    """A filter over the current findings of a document.

    Args:
        signed: The sections with comments.
        comments: Returns the comments of a section.
        found: The code and the place of every finding, in code points of the document.
        off: The codes of the rules that the settings turn off.
        severities: The severities of the rules about comments.
    """

    __slots__ = ("_codes", "_off", "_severities", "_uses", "findings", "hidden")

    def __init__(
        self,
        document: Document,
        silencing: Silencing,
        signed: Iterable[Section],
        comments: Callable[[Section], Iterable[Silence]],
        found: Iterable[tuple[str, int]],
        off: Collection[str],
        severities: Mapping[Rule, Severity],
    ) -> None:
        every = reaches(document, silencing, signed, comments)
        self._off = off
        self._severities = severities
        self._codes = SilencedCodes(every)
        used = [part for code, at in found if (part := self._codes.at(code, at)) is not None]
        self._uses = {*used}
        self.hidden = len(used)
        """The number of silenced findings."""
        self.findings = sorted(self._own(every), key=order)
        """The findings about comments in order. Places count from the start of the document."""

    def hides(self, code: str, at: int) -> bool:
        """Return whether a finding with this code at a place is silenced."""
        return self._codes.at(code, at) is not None

    def _own(self, every: Iterable[Reach]) -> Iterator[Finding]:
        for number, reach in enumerate(every):
            for problem in self._problems(number, reach.silence):
                if problem.rule in self._severities:
                    yield problem.finding(self._severities[problem.rule]).moved(reach.base)

    def _problems(self, number: int, silence: Silence) -> Iterator[Problem]:
        place = (silence.start, silence.end)
        if silence.unread:
            yield Problem(C011_UNKNOWN_IGNORE, *place, {"case": "form", "text": silence.unread, "near": silence.remedy})
            return
        if not silence.codes:
            if SilencingPart(number, None) not in self._uses:
                yield Problem(C010_UNUSED_IGNORE, *place, {"comment": place})
            return
        known = [(each, code_of(each.text)) for each in silence.codes]
        unused = [
            each for each, code in known if code is not None and self._is_unused(SilencingPart(number, each), code)
        ]
        for each, code in known:
            if code is None:
                data = {"text": each.text, "near": nearest(each.text)}
                yield Problem(C011_UNKNOWN_IGNORE, each.start, each.end, data)
        if len(unused) == len(silence.codes):
            yield Problem(C010_UNUSED_IGNORE, *place, {"comment": place})
            return
        for each in unused:
            yield Problem(C010_UNUSED_IGNORE, each.start, each.end, {"case": "code", "text": each.text})

    def _is_unused(self, part: SilencingPart, code: str) -> bool:
        """Return whether a code silences nothing, although a rule that it names is on."""
        return part not in self._uses and any(each.startswith(code) for each in NAMES if each not in self._off)
