"""Raw completions: the signs of all templates of the package, JSON in calls, and thoughts.

The template of a file is a matter of settings, which a static grammar cannot know: the server's semantic tokens tell
which signs are delimiters of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from llmblocks.completions.pattern import Pattern
from llmblocks.completions.shipped import find_template, template_names
from llmblocks.completions.template import TemplateField
from tools.generate.syntaxes.json5 import ESCAPE, NUMBER, key
from tools.generate.syntaxes.languages import escape
from tools.generate.syntaxes.rule import Rule, grammar, include, match, region

SCOPE = "source.completion"
FIELDS: tuple[TemplateField, ...] = tuple(
    field for name in template_names() for field in find_template(name).template.fields
)
_SIGN = re.compile(r"</?[^<>\s]*(?:>|\s\w+=|(?<==))|\[/?[A-Z_]{3,}\]")
# what is fixed in a regular expression: no class, no start of a group
_CLASS = re.compile(r"\\[swdSWD]|(?<!\\)\[(?:\\.|[^\\\]])*\]|\(\?P<\w+>|\(\?[:=!]")


def _signs() -> Iterable[str]:
    sources = [
        source
        for field in FIELDS
        for source in (
            *(text for each in (field.open, field.close) if each is not None for text in _fixed(each)),
            _unescaped(field.args.get("tag_pattern", "")),
            *(escaped for pair in field.args.get("string_delims", ()) for escaped in pair),
        )
    ]
    return (found[0] for source in sources for found in _SIGN.finditer(source))


def _fixed(pattern: Pattern) -> tuple[str, ...]:
    return pattern.literals or (_unescaped(pattern.source),)


def _unescaped(source: str) -> str:
    return re.sub(r"\\(.)", r"\1", _CLASS.sub("\n", source))


SIGNS = tuple(sorted(dict.fromkeys(_signs()), key=lambda sign: (-len(sign), sign)))
"""The fixed parts of all delimiters, the longest first."""


def signs() -> str:
    """Return a regular expression for any sign."""
    return "|".join(map(escape, SIGNS))


def completion() -> Rule:
    """Return the grammar of raw completions."""
    sign = "keyword.control.delimiter.completion"
    any_sign = signs()
    calls = [
        region(
            _source(field.open), _source(field.close), name="meta.call.completion",
            opened={0: sign, 1: "entity.name.function.completion"}, closed={0: sign},
            inside=[include("#signs"), include("#json")],
        )
        for field in FIELDS
        if field.is_structured and field.open is not None and field.close is not None
    ]  # fmt: skip
    thoughts = [
        region(_source(field.open), _source(field.close), opened={0: sign}, closed={0: sign},
               content="comment.block.thinking.completion")
        for field in FIELDS
        if field.name == "thinking" and field.open is not None and field.close is not None
    ]  # fmt: skip
    # a delimiter ends a string, too
    string = region('"', rf'"|$|(?={any_sign})', name="string.quoted.double.json5", inside=[ESCAPE])
    json = [key('"'), string, match(rf"{NUMBER}|\b(?:true|false|null)\b", "constant.language.json5")]
    return grammar(
        SCOPE,
        "Raw Completions",
        [include("#calls"), include("#thoughts"), include("#signs")],
        {
            "calls": {"patterns": _distinct(calls)},
            "thoughts": {"patterns": _distinct(thoughts)},
            "signs": match(any_sign, sign),
            "json": {"patterns": json},
        },
    )


def _distinct(rules: list[Rule]) -> list[Rule]:
    return [rule for number, rule in enumerate(rules) if rule not in rules[:number]]


def _source(pattern: Pattern | None) -> str:
    """Return a pattern for editors: a line at a time, and the start of the text is not that of a line."""
    assert pattern is not None
    if pattern.literals:
        # the end of a line is not always there
        return "|".join(escape(text.rstrip("\n")) for text in pattern.literals)
    return pattern.source.replace("(?P<", "(?<").replace("|^", r"|\A")
