"""The rules: all possible problems, with the words, the documentation and the examples of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.facts.message import FindingMessage, written
from llmblocks.facts.severity import Severity

if TYPE_CHECKING:
    from llmblocks.core.places import Related
    from llmblocks.core.section import Section
    from llmblocks.facts.finding import Finding

NO_DATA: Final[Mapping[str, Any]] = {}


class Rank(IntEnum):
    """The order in which fixes are made: line ends, then spelling, then structure, then values.

    A misspelt marker, tag or command makes markers around it look superfluous, and a missing marker makes the values of
    its call look wrong. So a fix is tried only when no fix of an earlier rank is left to try.
    """

    LINE_ENDS = 0
    SPELLING = 1
    STRUCTURE = 2
    VALUES = 3


class Case(NamedTuple):
    """One of the cases of a rule, with its own words."""

    words: str
    severity: Severity | None = None
    """Replaces the rule's severity, unless settings change that."""
    reference: str = ""
    """Replaces the rule's `reference`."""
    runtime: str = ""
    """See `Rule`."""


class Spot(NamedTuple):
    """A place that the rule of a team reports.

    `start` and `end` are code points from the start of the section, also those of `related`; `data` are the words in
    braces of the rule's message.
    """

    start: int
    end: int
    data: Mapping[str, object] = NO_DATA
    related: tuple[Related, ...] = ()


class Repair(NamedTuple):
    """A way in which the rule of a team removes a finding.

    `title` describes it in the imperative. `edits` are stretches of the text, in order, each with its new text. One
    that is `safe` is not made if it changes a value that a program reads.
    """

    title: str
    edits: Sequence[tuple[int, int, str]]
    safe: bool = False


class _Fields(NamedTuple):
    words: str
    about: str
    bad: str
    good: str
    severity: Severity = Severity.ERROR
    cases: Mapping[str, Case | str] = NO_DATA
    runtime: str = ""
    unnecessary: bool = False
    once: bool = False
    unfinished: bool = False
    reference: str = ""
    gadgets: str = ""
    toml: str = ""
    file: str = "example"
    files: tuple[tuple[str, str], ...] = ()
    fixed: str = ""
    fix: str | Callable[[Finding, str], Iterable[Repair]] = ""
    remedy: str = ""
    by_hand: str = ""
    whole: bool = False
    rank: Rank = Rank.VALUES
    since: str = "0.1.0"
    layer: str = ""
    code: str = ""
    name: str = ""
    check: Callable[[Section], Iterable[Spot]] | None = None
    page: str = ""


class Rule(_Fields):
    """A rule with its texts. Compared by identity.

    `rules_in` sets `code`, `name` and, by default, its `layer`: the format that it checks, alone or inside another.

    Attributes:
        words: The message: headline, note and help, each on a line, with the names of a problem's data in braces.
        about: The documentation. Its first sentence is the `summary`, the rest says `why` it matters.
        severity: The default one.
        cases: Other words, for problems whose data has a `case`.
        runtime: The runtime's message, if it is not the headline. The note begins with it.
        unnecessary: The text of the problem has no effect.
        once: Reported only at its first occurrence in a document.
        unfinished: The text that follows may end the problem.
        reference: The kind of error with which the reference implementation stops there.
        bad, good, fixed: Examples, which are documentation and tests. `bad` has this finding and no other; `good` and
        `after_fix` have none. `fixed` is `bad` after the fix, if that is not `good`.
        gadgets: The gadgets of the examples, as JSON.
        toml: Other settings of the examples.
        files: The texts of the only other files, for a rule that looks at files.
        file: The file name of the example.
        since: The first version with the rule.
        fix: The name of a function in `llmblocks.rules.fixes`; for a team's rule, a function from a finding and the
        whole text to repairs.
        remedy: Describes the fixes. With "Unsafe: " and a reason, no fix is safe.
        whole: Every finding has the same fixes, of the whole document.
        rank: Its place in the order of all fixes.
        by_hand: The name of a function for fixes that only a person chooses, in an editor.
        check: Of a team's rule, the function that finds its problems in a section.
        page: Of a team's rule, the address of its documentation.
    """

    __slots__ = ()
    # by identity: tables on the path of a keystroke have rules as keys
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.code} {self.name}>"

    @property
    def summary(self) -> str:
        """The mistake, in a sentence."""
        return "".join(self.about.partition(". ")[:2]).rstrip()

    @property
    def why(self) -> str:
        """The reason why it matters, and the limits of the rule."""
        return self.about.partition(". ")[2]

    @property
    def unsafe(self) -> bool:
        """Whether no fix is safe."""
        return "Unsafe: " in self.remedy

    @property
    def after_fix(self) -> str:
        """`bad` after the fix; empty for a rule without one."""
        return (self.fixed or self.good) if self.fix else ""

    def says(self, data: Mapping[str, object] = NO_DATA) -> str:
        """Return the runtime's message, or else the headline, unshortened."""
        case = self._case(data)
        return (case.runtime or case.words.partition("\n")[0]).format_map(data)

    def message(self, data: Mapping[str, object] = NO_DATA) -> FindingMessage:
        """Return the message for a user."""
        case = self._case(data)
        return written(case.words, data, case.runtime)

    def graded(self, severity: Severity, data: Mapping[str, object]) -> Severity:
        """Return the severity of a problem with this data, given the severity of the rule."""
        own = self._case(data).severity
        return severity if own is None or severity is not self.severity else own

    def reference_of(self, data: Mapping[str, object]) -> str:
        """Return the reference implementation's kind of error for a problem with this data; empty if it has none."""
        return self._case(data).reference or self.reference

    def _case(self, data: Mapping[str, object]) -> Case:
        case = self.cases[str(data["case"])] if "case" in data else Case(self.words, runtime=self.runtime)
        return Case(case) if isinstance(case, str) else case


error, warning, information, hint = (partial(Rule, severity=each) for each in Severity)
"""The constructors of the tables, by severity."""


def rules_in(module: dict[str, object], layer: str = "", gadgets: str = "") -> tuple[Rule, ...]:
    """Return the rules of a module in the order of their definitions, with code and name.

    The constant `G006_TEXT_AFTER_END` is the rule G006, `text-after-end`. `layer` applies to rules without a layer,
    `gadgets` to those about schemas, whose codes begin with a letter and 2.
    """
    named: dict[str, Rule] = {}
    for constant, rule in module.items():
        if isinstance(rule, Rule):
            code, _, name = constant.lower().replace("_", "-").partition("-")
            known = rule.gadgets or (gadgets if code[1:2] == "2" else "")
            named[constant] = rule._replace(code=code.upper(), name=name, layer=rule.layer or layer, gadgets=known)
    module.update(named)
    return tuple(named.values())
