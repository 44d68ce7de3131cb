"""The rules of response templates."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.message import Words
from llmblocks.facts.rule import Case, Rule, rules_in
from llmblocks.facts.severity import Severity

TEMPLATES: Final = "templates"
_REFUSED = "transformers refuses the template"
_THINK = '"thinking": {"open": "<think>", "close": "</think>"}'
_GOOD = f'{{"start_anchor": "Assistant:", "fields": {{{_THINK}, "content": {{}}}}}}\n'


def _bad(fields: str, anchor: str = '"start_anchor": "Assistant:", ') -> str:
    return f'{{{anchor}"fields": {{{fields}}}}}\n'


UNKNOWN_KEY: Final = Rule(
    "M101",
    Severity.ERROR,
    Words("Unknown key '{key}'", _REFUSED, "{advice}"),
    summary="A response template has a key that no response template has.",
    why="transformers refuses a template with an unknown key, so that a misspelt one is not ignored. A model without a "
    "template has no tool calls.",
    bad=_bad('"thinking": {"open": "<think>", "closes": "</think>"}, "content": {}'),
    good=_GOOD,
    layer=TEMPLATES,
)
INVALID_KEY: Final = Rule(
    "M102",
    Severity.ERROR,
    Words("{path} is {value}", _REFUSED, "use {need}"),
    summary="A key of a response template has an invalid value.",
    why="transformers refuses the template, or fails in the middle of a response.",
    bad=_bad('"thinking": {"open": "", "close": "</think>"}, "content": {}'),
    good=_GOOD,
    layer=TEMPLATES,
)
TWO_IMPLICIT_FIELDS: Final = Rule(
    "M103",
    Severity.ERROR,
    Words("'{field}' is a second field without `open`", _REFUSED, "say what opens '{field}' or '{first}'"),
    summary="Two fields of a response template have neither `open` nor `open_pattern`.",
    why="A field that nothing opens gets the text outside of all others. There can be one.",
    bad=_bad(f'{_THINK}, "content": {{}}, "rest": {{}}'),
    good=_GOOD,
    layer=TEMPLATES,
)
TWO_DELIMITERS: Final = Rule(
    "M104",
    Severity.ERROR,
    Words("{path} has both '{literal}' and '{pattern}'", _REFUSED, "keep one of them"),
    summary="A region is opened, or closed, by literals and by a pattern.",
    why="A region has one way to open and one to close. Put literals into the pattern, as `(?:<a>|<b>)`.",
    bad=_bad('"thinking": {"open": "<think>", "open_pattern": "<t>", "close": "</think>"}, "content": {}'),
    good=_GOOD,
    layer=TEMPLATES,
)
AMBIGUOUS_DELIMITER: Final = Rule(
    "M105",
    Severity.WARNING,
    Words("'{literal}' opens '{first}' and '{field}'", "only '{wins}' is ever read", "change one of them"),
    cases={
        "prefix": Case(
            Words(
                "'{literal}' begins '{longer}'",
                "the text in between decides between '{first}' and '{field}'",
                "make the delimiters differ earlier",
            ),
            Severity.HINT,
        )
    },
    summary="The same delimiter opens two fields.",
    why="Of two fields that open at the same place, the longer delimiter wins, then the name that is first in the "
    "alphabet: the other field is never read.",
    bad=_bad(f'{_THINK}, "notes": {{"open": "<think>", "close": "</notes>"}}, "content": {{}}'),
    good=_GOOD,
    layer=TEMPLATES,
)
GROUP_WITHOUT_TRANSFORM: Final = Rule(
    "M106",
    Severity.ERROR,
    Words("The group '{group}' has no transform", _REFUSED, 'add a `transform` with "{{{group}}}", or remove the name'),
    summary="A pattern has a named group, and its field no `transform`.",
    why="The text of a named group is read by `transform` alone. Without one it would be lost.",
    bad=_bad('"call": {"open_pattern": "<call (?P<name>[a-z]+)>", "close": "</call>"}, "content": {}'),
    good=_bad(
        '"call": {"open_pattern": "<call (?P<name>[a-z]+)>", "close": "</call>", "transform": {"name": "{name}"}}, '
        '"content": {}'
    ),
    layer=TEMPLATES,
)
MISSING_ANCHOR: Final = Rule(
    "M107",
    Severity.ERROR,
    Words("The template has no `start_anchor`", _REFUSED, "say what begins the message of the assistant"),
    summary="A response template has neither `start_anchor` nor `start_anchor_pattern`.",
    why="The anchor says where the message of the assistant begins in a prompt. Without it, the text of earlier "
    "messages would be part of the answer.",
    bad=_bad(f'{_THINK}, "content": {{}}', anchor=""),
    good=_GOOD,
    layer=TEMPLATES,
)
UNBOUNDED_PATTERN: Final = Rule(
    "M108",
    Severity.ERROR,
    Words("'{key}' cannot be scanned: {reason}", "llmblocks does not use the template", "write a narrower pattern"),
    summary="A pattern needs more than a bounded look-ahead.",
    why="A stream must decide, a bounded number of characters after the start of a delimiter, whether it is one: until "
    "then all text is held back. llmblocks reads literals, classes, groups, alternatives and repeats; a repeat without "
    "a limit ends after 256 characters.",
    bad=_bad('"thinking": {"open_pattern": "[^<]*<think>", "close": "</think>"}, "content": {}'),
    good=_GOOD,
    layer=TEMPLATES,
)
MIXED_PLACEHOLDER: Final = Rule(
    "M109",
    Severity.ERROR,
    Words("'{text}' mixes a placeholder with text", _REFUSED, "let the placeholder be the whole string"),
    cases={
        "unknown": Case(
            Words("'{text}' names neither content nor a group", "each region of the field is lost", "use {known}")
        ),
        "alone": Case(Words("transform_each without a transform", _REFUSED, "add a `transform`")),
    },
    summary="A string of `transform` is neither a placeholder nor plain text.",
    why="A placeholder stands for a value of any type, and so it is the whole string: `{content}`, `{content.key}`, or "
    "the name of a group.",
    bad=_bad('"call": {"open": "<call>", "close": "</call>", "transform": {"say": "I say {content}"}}, "content": {}'),
    good=_bad('"call": {"open": "<call>", "close": "</call>", "transform": {"say": "{content}"}}, "content": {}'),
    layer=TEMPLATES,
)
RULES: Final = rules_in(globals(), TEMPLATES)
