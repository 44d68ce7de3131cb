"""The rules of response templates."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.rule import error, rules_in, warning

TEMPLATES: Final = "templates"
_REFUSED = "transformers refuses the template"
_THINK = '"thinking": {"open": "<think>", "close": "</think>"}'
_GOOD = f'{{"start_anchor": "Assistant:", "fields": {{{_THINK}, "content": {{}}}}}}\n'


def _bad(fields: str, anchor: str = '"start_anchor": "Assistant:", ') -> str:
    return f'{{{anchor}"fields": {{{fields}}}}}\n'


M101_UNKNOWN_KEY: Final = error(
    "Unknown key '{key}'\n" + _REFUSED + "\n{advice}",
    about="A response template has a key that no response template has. transformers refuses a template with an "
    "unknown key, so that a misspelt one is not ignored. A model without a template has no tool calls.",
    bad=_bad('"thinking": {"open": "<think>", "closes": "</think>"}, "content": {}'),
    good=_GOOD,
)
M102_INVALID_KEY: Final = error(
    "{path} is {value}\n" + _REFUSED + "\nuse {need}",
    about="A key of a response template has an invalid value. transformers refuses the template, or fails in the "
    "middle of a response.",
    bad=_bad('"thinking": {"open": "", "close": "</think>"}, "content": {}'),
    good=_GOOD,
)
M103_TWO_IMPLICIT_FIELDS: Final = error(
    "'{field}' is a second field without `open`\n" + _REFUSED + "\nsay what opens '{field}' or '{first}'",
    about="Two fields of a response template have neither `open` nor `open_pattern`. A field that nothing opens gets "
    "the text outside of all others. There can be one.",
    bad=_bad(f'{_THINK}, "content": {{}}, "rest": {{}}'),
    good=_GOOD,
)
M104_TWO_DELIMITERS: Final = error(
    "{path} has both '{literal}' and '{pattern}'\n" + _REFUSED + "\nkeep one of them",
    about="A region is opened, or closed, by literals and by a pattern. A region has one way to open and one to close. "
    "Put literals into the pattern, as `(?:<a>|<b>)`.",
    bad=_bad('"thinking": {"open": "<think>", "open_pattern": "<t>", "close": "</think>"}, "content": {}'),
    good=_GOOD,
)
M105_AMBIGUOUS_DELIMITER: Final = warning(
    "'{literal}' opens '{first}' and '{field}'\nonly '{wins}' is ever read\nchange one of them",
    about="The same delimiter opens two fields. Of two fields that open at the same place, the longer delimiter wins, "
    "then the name that is first in the alphabet: the other field is never read.",
    bad=_bad(f'{_THINK}, "notes": {{"open": "<think>", "close": "</notes>"}}, "content": {{}}'),
    good=_GOOD,
)
M106_GROUP_WITHOUT_TRANSFORM: Final = error(
    "The group '{group}' has no transform\n" + _REFUSED + '\nadd a `transform` with "{{{group}}}", or remove the name',
    about="A pattern has a named group, and its field no `transform`. The text of a named group is read by `transform` "
    "alone. Without one it would be lost.",
    bad=_bad('"call": {"open_pattern": "<call (?P<name>[a-z]+)>", "close": "</call>"}, "content": {}'),
    good=_bad(
        '"call": {"open_pattern": "<call (?P<name>[a-z]+)>", "close": "</call>", "transform": {"name": "{name}"}}, '
        '"content": {}'
    ),
)
M107_MISSING_ANCHOR: Final = error(
    "The template has no `start_anchor`\n" + _REFUSED + "\nsay what begins the message of the assistant",
    about="A response template has neither `start_anchor` nor `start_anchor_pattern`. The anchor says where the "
    "message of the assistant begins in a prompt. Without it, the text of earlier messages would be part of the "
    "answer.",
    bad=_bad(f'{_THINK}, "content": {{}}', anchor=""),
    good=_GOOD,
)
M108_UNBOUNDED_PATTERN: Final = error(
    "'{key}' cannot be scanned: {reason}\nllmblocks does not use the template\nwrite a narrower pattern",
    about="A pattern needs more than a bounded look-ahead. A stream must decide, a bounded number of characters after "
    "the start of a delimiter, whether it is one: until then all text is held back. llmblocks reads literals, classes, "
    "groups, alternatives and repeats; a repeat without a limit ends after 256 characters.",
    bad=_bad('"thinking": {"open_pattern": "[^<]*<think>", "close": "</think>"}, "content": {}'),
    good=_GOOD,
)
M109_MIXED_PLACEHOLDER: Final = error(
    "'{text}' mixes a placeholder with text\n" + _REFUSED + "\nlet the placeholder be the whole string",
    cases={
        "unknown": "'{text}' names neither content nor a group\neach region of the field is lost\nuse {known}",
        "alone": "transform_each without a transform\n" + _REFUSED + "\nadd a `transform`",
    },
    about="A string of `transform` is neither a placeholder nor plain text. A placeholder stands for a value of any "
    "type, and so it is the whole string: `{content}`, `{content.key}`, or the name of a group.",
    bad=_bad('"call": {"open": "<call>", "close": "</call>", "transform": {"say": "I say {content}"}}, "content": {}'),
    good=_bad('"call": {"open": "<call>", "close": "</call>", "transform": {"say": "{content}"}}, "content": {}'),
)
RULES: Final = rules_in(globals(), TEMPLATES)
