"""Rules: a problem that a format states, with its documentation and fixes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from llmblocks.core.finding import Finding
from llmblocks.core.problem import ProblemKind
from llmblocks.core.severity import Severity
from llmblocks.settings.values import DEFAULTS, Settings

if TYPE_CHECKING:
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Shape: `kind` is the problem, with its code, name, severity and wording; `layer` names the format that it checks,
           alone or inside another. `bad`, `good` and `fixed` are examples and tests: `bad` has this finding and no
           other, `good` and `fixed` have none; `fixed` is `bad` after the fix. `fix` returns the fixes of a finding,
           preferred first, and `remedy` describes them; they are of the `whole` document if they are the same for
           each finding, and none is safe if they are `unsafe`. `gadgets` defines the gadgets of the examples, as JSON;
           `toml` are other settings for them; `files` are the only files beside them, where a rule looks for files.
    """

    kind: ProblemKind
    layer: str
    summary: str
    why: str
    bad: str
    good: str
    fixed: str | None = None
    fix: Callable[[Finding, Ask], tuple[Fix, ...]] | None = None
    remedy: str = ""
    whole: bool = False
    unsafe: bool = False
    gadgets: str = ""
    toml: str = ""
    files: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        return self.kind.code

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def severity(self) -> Severity:
        return self.kind.severity

    @property
    def settings(self) -> Settings:
        """The settings for the examples."""
        if self.toml:
            import tomllib

            from llmblocks.rules.names import KNOWN
            from llmblocks.settings.check import check_settings

            return check_settings(tomllib.loads(self.toml), KNOWN).settings
        if not self.gadgets:
            return DEFAULTS
        from llmblocks.gadget.schemas.gadgets import Gadgets
        from llmblocks.gadget.schemas.reading import read_gadgets

        return DEFAULTS._replace(gadgets=Gadgets.of(read_gadgets(self.gadgets).gadgets))
