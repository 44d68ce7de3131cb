"""The requests of an agent: headers of messages, results, and calls in the messages of the assistant.

Only the default markers, as in gadget calls. A marker in any other message is an instruction: it has a colour, and
begins nothing.
"""

from __future__ import annotations

from tools.generate.syntaxes.rule import Rule, grammar, group, include, lines, match

SCOPE = "source.request"
_HEADER = r"=== (?:SYSTEM|USER|ASSISTANT) ===\s*$"


def request() -> Rule:
    """Return the grammar of requests."""
    return grammar(
        SCOPE,
        "Requests of an Agent",
        [include("#assistant"), include("#header"), include("#text")],
        {
            "header": _header("SYSTEM|USER"),
            "assistant": lines(
                r"^(?==== ASSISTANT ===\s*$)",
                rf"^(?!{_HEADER})",
                inside=[
                    _header("ASSISTANT"),
                    include("source.gadget"),
                ],
            ),
            "text": group(
                match(
                    r"^(Result \()([^():\n]{1,128})(\): )",
                    None,
                    {
                        1: "keyword.control.result.request",
                        2: "variable.other.constant.invocation.request",
                        3: "keyword.control.result.request",
                    },
                ),
                match(r"^\[Media: .*", "comment.line.media.request"),
                match(
                    r"^(!!!GADGET_START:)(.*)$",
                    None,
                    {1: "keyword.control.example.request", 2: "entity.name.function.example.request"},
                ),
                match(
                    r"^(!!!ARG:)(.*)$",
                    None,
                    {1: "keyword.control.example.request", 2: "entity.other.attribute-name.example.request"},
                ),
                match(r"!!!(?:GADGET_START:|ARG:|GADGET_END)", "keyword.control.example.request"),
            ),
        },
    )


def _header(roles: str) -> Rule:
    sign = "punctuation.definition.heading.request"
    return match(
        rf"^(===) ({roles}) (===)\s*$",
        "markup.heading.message.request",
        {1: sign, 2: "entity.name.section.request", 3: sign},
    )
