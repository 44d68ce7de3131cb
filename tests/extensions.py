"""The rules of teams, which a process knows once it has imported them."""

from __future__ import annotations

from llmblocks.settings.rule_names import BY_CODE, NAMES


def forget_rules() -> None:
    """Forget them: no test knows those of another."""
    for code in [code for code in BY_CODE if code.startswith("X")]:
        del BY_CODE[code]
        NAMES.pop(code, None)
