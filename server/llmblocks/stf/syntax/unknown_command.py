"""Unknown command names."""

from __future__ import annotations

from llmblocks.facts.rule import Rule
from llmblocks.stf.rules import COMMAND_CASE, UNKNOWN_COMMAND
from llmblocks.stf.syntax.dialect import Dialect


def unknown_name(name: str, dialect: Dialect) -> tuple[Rule, dict[str, object]]:
    """The kind and the data of the problem of an unknown command name."""
    meant = dialect.commands.get(name.lower())
    if meant is not None:
        return COMMAND_CASE, {"name": name, "meant": meant.name}
    if name.lower() in dialect.other.commands:
        return UNKNOWN_COMMAND, {"case": "other-dialect", "name": name, "other": dialect.other.header}
    return UNKNOWN_COMMAND, {"name": name}
