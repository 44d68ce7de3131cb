"""Raw completions as a layer, and the facts about them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from llmblocks.completions import rules, scanner
from llmblocks.completions.calls import called
from llmblocks.completions.problems import problems_of
from llmblocks.completions.scanner import is_first, region_at
from llmblocks.completions.shipped import template_called
from llmblocks.contract.answers import RejectedCalls
from llmblocks.contract.arguments import Schemas
from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.core.nest import Nesting
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem

if TYPE_CHECKING:
    from llmblocks.completions.editor import answers
else:
    (answers,) = late(__package__, "answers")


class CompletionSettings(Protocol):
    """The settings of completions. `template` is the name of a template of the package, or a template as JSON."""

    @property
    def template(self) -> str: ...
    @property
    def gadgets(self) -> Schemas: ...


REGION: Final = "region"
NESTING: Final = Nesting(
    opens={scanner.OPEN: REGION},
    closes={scanner.CLOSE: REGION},
    # regions do not nest
    ends={REGION: frozenset((REGION,))},
    leads=frozenset((scanner.PENDING,)),
)
_REJECTING: Final = (
    rules.M001_UNCLOSED_REGION,
    rules.M005_UNREADABLE_CONTENT,
    rules.M007_MISSING_PART,
    rules.M201_UNKNOWN_TOOL,
    rules.M203_MISSING_ARGUMENT,
    rules.M204_MISTYPED_ARGUMENT,
    rules.M205_NOT_A_CHOICE,
    rules.M206_BROKEN_CONSTRAINT,
)


@lru_cache(maxsize=16)
def facts(template: str, schemas: Schemas) -> Facts:
    """Return the facts about completions of a template, with the schemas of its tools."""
    read = template_called(template)

    def problems(section: Section) -> Iterator[Problem]:
        known = schemas if schemas.names else None
        return problems_of(read, section.text, fresh=is_first(section), last=section.is_last, schemas=known)

    return Facts(rules.RULES, problems)


def _rejected(section: Section, settings: CompletionSettings) -> Iterator[int]:
    """Yield the places in calls that the program does not receive, or that its tools refuse."""
    template = template_called(settings.template)
    for problem in facts(settings.template, settings.gadgets).problems(section):
        # of a region that is never closed, nothing is lost where its text parses
        is_lost = problem.rule is not rules.M001_UNCLOSED_REGION or problem.data.get("case") == "lost"
        if problem.rule not in _REJECTING or not is_lost:
            continue
        region = region_at(section, problem.start, template)
        if region is not None and called(section.text, region.start, region.content) is not None:
            yield problem.start


REJECTED: Final[RejectedCalls[CompletionSettings]] = RejectedCalls(_REJECTING, _rejected)
LAYER: Final[Layer[CompletionSettings]] = Layer(
    name="completions",
    scanner=lambda settings: scanner.CompletionScanner(template_called(settings.template)),
    nesting=NESTING,
    hover=lambda: answers.WORDS,
    paint=lambda: answers.PAINT,
    facts=lambda settings: facts(settings.template, settings.gadgets),
    complete=lambda caret, settings: answers.suggest(caret, settings),
    signature=lambda caret, settings: answers.signature_at(caret, settings),
    is_inside=scanner.is_inside,
    rejected=lambda: REJECTED,
    decoded=lambda: answers.decoded,
    streaming=lambda: answers.STREAMING,
    headings=lambda: answers.HEADINGS,
    text=frozenset((scanner.TEXT, scanner.CONTENT)),
    marks=lambda settings: settings.template,
    paint_over=lambda marks, default: answers.paint_over(marks, default),
)
