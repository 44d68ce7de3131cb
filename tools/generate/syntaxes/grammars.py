"""The TextMate grammars: the files of `syntaxes/`, and the small ones: custom blocks, requests, Markdown."""

from __future__ import annotations

import json

from tools.generate.syntaxes.code import jsonl, python, script
from tools.generate.syntaxes.completion import completion
from tools.generate.syntaxes.gadget import gadget
from tools.generate.syntaxes.json5 import json5
from tools.generate.syntaxes.languages import OURS
from tools.generate.syntaxes.rule import Rule, grammar, group, include, lines, match, region
from tools.generate.syntaxes.stf import stf

# which tags are registered is a matter of settings: every tag is coloured, and the server's semantic tokens tell the
# registered ones apart. One by one: an unregistered `<br>` does not turn the rest into its content
_NAME = r"[A-Za-z_][\w-]*"
_HEADER = r"=== (?:SYSTEM|USER|ASSISTANT) ===\s*$"
# a fence is closed by one at least as long, which one rule cannot say of another: one rule a length
_LENGTHS = (3, 4, 5)


def grammars() -> dict[str, Rule]:
    """Return every grammar, by the name of its file."""
    return {
        "gadget": gadget(),
        "request": request(),
        "stf": stf(),
        "custom-blocks": tags(),
        "completion": completion(),
        "json5": json5(),
        "markdown": markdown(),
        "script": script(),
        "python": python(),
        "jsonl": jsonl(),
    }


def texts() -> dict[str, str]:
    """Return the text of each file."""
    return {f"syntaxes/{name}.tmLanguage.json": text_of(rules) for name, rules in grammars().items()}


def text_of(rules: Rule) -> str:
    """JSON with one named rule a line: small, and a change shows in the lines it is about."""
    repository = ",\n".join(f"  {json.dumps(name)}: {json.dumps(rule)}" for name, rule in rules["repository"].items())
    head = ",\n".join(f" {json.dumps(key)}: {json.dumps(rules[key])}" for key in rules if key != "repository")
    return f'{{\n{head},\n "repository": {{\n{repository}\n }}\n}}\n'


def tags() -> Rule:
    """Return the grammar of custom blocks."""
    begin = "punctuation.definition.tag.begin.custom-blocks"
    end = "punctuation.definition.tag.end.custom-blocks"
    name = "entity.name.tag.custom-blocks"
    # an attribute list may continue over several lines; a `<` in prose must not wait for its `>` there
    value = r"(?:\"[^\">]*\"|'[^'>]*'|[^\s\"'<>/]+)"
    # a `>` ends the tag in quotes too
    closed = r"[\s/](?:\"[^\">]*\"|'[^'>]*'|[^<>\"'])*(?:\"[^\">]*|'[^'>]*)?>"
    listed = rf"(?:\s+[\w-]+(?:\s*=\s*{value})?)*\s*$"
    return grammar(
        "source.custom-blocks",
        "Custom Blocks",
        [include("#tags")],
        {
            "tags": group(include("#swallowed"), include("#closing"), include("#opening")),
            # the runtime takes the second bracket for the end of an empty name: no tag begins there
            "swallowed": match(r"<<"),
            "closing": match(rf"(</)({_NAME})(>)", "meta.tag.close.custom-blocks", {1: begin, 2: name, 3: end}),
            "opening": region(
                rf"(<)({_NAME})(?=/?>|{closed}|{listed})",
                r"(/?>)|(?=<)|^(?=\s*$)",
                name="meta.tag.open.custom-blocks",
                opened={1: begin, 2: name},
                closed={1: end},
                inside=[include("#attribute")],
            ),
            "attribute": group(
                match(
                    r"([\w-]+)(?:\s*(=)\s*((\")[^\">]*(\")?|(')[^'>]*(')?|[^\s\"'<>/]+)?)?",
                    "meta.attribute.custom-blocks",
                    {
                        1: "entity.other.attribute-name.custom-blocks",
                        2: "punctuation.separator.key-value.custom-blocks",
                        3: "string.quoted.custom-blocks",
                        4: "punctuation.definition.string.begin.custom-blocks",
                        5: "punctuation.definition.string.end.custom-blocks",
                        6: "punctuation.definition.string.begin.custom-blocks",
                        7: "punctuation.definition.string.end.custom-blocks",
                    },
                )
            ),
        },
    )


def request() -> Rule:
    """Return the grammar of requests. A marker outside of the assistant's messages has a colour, and begins nothing."""
    return grammar(
        "source.request",
        "Requests of an Agent",
        [include("#assistant"), include("#header"), include("#text")],
        {
            "header": _header("SYSTEM|USER"),
            "assistant": lines(
                r"^(?==== ASSISTANT ===\s*$)",
                rf"^(?!{_HEADER})",
                inside=[_header("ASSISTANT"), include("source.gadget")],
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


def markdown() -> Rule:
    """Return the grammar that VS Code injects into Markdown."""
    repository = {
        f"{language}-{name}-{length}": _fence(language, mark, length)
        for language in OURS
        for name, mark in (("backticks", "`"), ("tildes", "~"))
        for length in _LENGTHS
    }
    return grammar(
        "markdown.llmblocks",
        "llmblocks in Markdown",
        [include(f"#{name}") for name in repository],
        repository,
        injectionSelector="L:text.html.markdown, L:source.mdx",
    )


def _fence(language: str, mark: str, length: int) -> Rule:
    upwards = "," if length == _LENGTHS[-1] else ""
    end = rf"(?:^|\G)\s*{mark}{{{length},}}\s*$"
    return region(
        rf"(?:^|\G)(\s*)({mark}{{{length}{upwards}}})(?!{mark})\s*((?i:(?:llmblocks[\s:,]+)?{language})(?:[\s:,{{?][^`]*)?)$",
        end,
        name="markup.fenced_code.block.markdown",
        opened={2: "punctuation.definition.markdown", 3: "fenced_code.block.language.markdown"},
        closed={0: "punctuation.definition.markdown"},
        inside=[
            lines(
                r"\G",
                rf"(?:^|\G)(?!\s*{mark}{{{length},}}\s*$)",
                content=f"meta.embedded.block.{language}",
                inside=[include(OURS[language])],
            )
        ],
    )
