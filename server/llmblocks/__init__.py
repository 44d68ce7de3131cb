"""Incremental, streaming parsers for three LLM text formats, with a language server and a command line."""

from llmblocks.lazy import TYPE_CHECKING, lazily

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.core.severity import Severity
    from llmblocks.features.formatting import format_text
    from llmblocks.languages.registry import open_document, parse
    from llmblocks.rules.as_json import findings_as_json
    from llmblocks.rules.check import check
    from llmblocks.rules.feedback import feedback
    from llmblocks.rules.fixing import Fixed, fix
    from llmblocks.settings.values import Settings

__version__ = "0.1.0"

__all__ = [
    "Finding",
    "Fixed",
    "Settings",
    "Severity",
    "check",
    "feedback",
    "findings_as_json",
    "fix",
    "format_text",
    "open_document",
    "parse",
]


# Loaded on first access: a server answers its client before it needs any of this.
__getattr__, __dir__ = lazily(
    __name__,
    {
        "features.formatting": ("format_text",),
        "languages.registry": ("open_document", "parse"),
        "rules.as_json": ("findings_as_json",),
        "rules.check": ("check",),
        "rules.feedback": ("feedback",),
        "rules.fixing": ("fix", "Fixed"),
        "core.finding": ("Finding",),
        "core.severity": ("Severity",),
        "settings.values": ("Settings",),
    },
    packages=("compose", "gadget", "stf", "tags"),
)
