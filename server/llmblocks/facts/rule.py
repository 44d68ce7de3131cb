"""The rules: what can be wrong in a text, with the words, the documentation and the examples of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.facts.message import FindingMessage, Words
from llmblocks.facts.severity import Severity

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.facts.finding import Finding
    from llmblocks.facts.own import Repair, Spot

NO_DATA: Final[Mapping[str, object]] = {}


class Rank(IntEnum):
    """The order in which fixes are made: line ends, then spelling, then structure, then values.

    A misspelt marker, tag or command makes markers around it look superfluous, and a call in which a marker is missing
    makes its values look wrong. So a fix is tried only when no fix of an earlier rank is left to try.
    """

    LINE_ENDS = 0
    SPELLING = 1
    STRUCTURE = 2
    VALUES = 3


class Case(NamedTuple):
    """The different words for one of the cases of a rule.

    Shape: `severity` is that of the case, where settings leave the rule its own; `reference` that of the case, where
           it is not the rule's.
    """

    words: Words
    severity: Severity | None = None
    reference: str = ""


NO_CASES: Final[Mapping[str, Case]] = {}


class _Fields(NamedTuple):
    code: str
    severity: Severity
    words: Words
    summary: str
    why: str
    bad: str
    good: str
    cases: Mapping[str, Case] = NO_CASES
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
    unsafe: bool = False
    rank: Rank = Rank.VALUES
    since: str = "0.1.0"
    layer: str = ""
    name: str = ""
    check: Callable[[Section], Iterable[Spot]] | None = None
    page: str = ""


class Rule(_Fields):
    """A rule, with everything that is said of it. Compared by identity.

    Shape: `layer` names the format that the rule checks, alone or inside another; `rules_in` gives it and the `name`.
           `severity` is the default one.

           The message: `words` name the data of a problem in braces. A problem whose data has a `case` has the words
           of that one of `cases`. Text at which an `unnecessary` problem stands has no effect. A problem that is
           told `once` stands at the first of the places of a document that have it. An `unfinished` problem may be over
           with the text that follows. `reference` is the kind of error
           with which the reference implementation stops there.

           The documentation: `bad`, `good` and `fixed` are examples and tests. `bad` has this finding and no other,
           `good` and `mended` have none. `fixed` is `bad` after the fix, where that is not `good`. `gadgets` defines
           the gadgets of the examples, as JSON; `toml` are other settings for them; `files` are the only files beside
           them, with their texts, for a rule that looks at files, and `file` is the name of the example there. `since`
           is the first version that has the rule.

           The fix: `fix` names a function in `llmblocks.rules.fixes`, and `remedy` describes its fixes. They are of the
           `whole` document if they are the same for each finding, and none is safe if they are `unsafe`. `rank` is
           their place in the order of all fixes. `by_hand` names a function for those that only a person chooses, in
           an editor.

           A rule of a team has the function that finds its problems in a section, `check`; its `fix` is a function
           from a finding and the whole text to repairs, and `page` the address of its documentation.
    """

    __slots__ = ()
    # by identity: rules are the keys of tables on the way to a keystroke
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.code} {self.name}>"

    @property
    def mended(self) -> str:
        """`bad` after the fix; empty for a rule without one."""
        return (self.fixed or self.good) if self.fix else ""

    def says(self, data: Mapping[str, object] = NO_DATA) -> str:
        """The words of the runtime, where it has some, otherwise the headline; both in full."""
        return self._case(data).words.says(data)

    def message(self, data: Mapping[str, object] = NO_DATA) -> FindingMessage:
        """The message for a user."""
        return self._case(data).words.message(data)

    def graded(self, severity: Severity, data: Mapping[str, object]) -> Severity:
        """The severity of a problem with this data, where that of the rule is to be `severity`."""
        own = self._case(data).severity
        return severity if own is None or severity is not self.severity else own

    def reference_of(self, data: Mapping[str, object]) -> str:
        """The reference implementation's kind of error for a problem with this data; empty where it has none."""
        return self._case(data).reference or self.reference

    def _case(self, data: Mapping[str, object]) -> Case:
        return self.cases[str(data["case"])] if "case" in data else Case(self.words)


def rules_in(module: dict[str, object], layer: str = "") -> tuple[Rule, ...]:
    """The rules that a module defines, in the order of their definitions, once they have their names.

    Shape: a constant `TEXT_AFTER_END` has the name `text-after-end`. `layer` is that of the rules without their own.
    """
    named = {
        constant: rule._replace(name=constant.lower().replace("_", "-"), layer=rule.layer or layer)
        for constant, rule in module.items()
        if isinstance(rule, Rule)
    }
    module.update(named)
    return tuple(named.values())
