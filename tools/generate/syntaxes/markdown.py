"""Fences of our languages inside Markdown, as an injection."""

from __future__ import annotations

from tools.generate.editors.shared import EMBEDDED
from tools.generate.syntaxes.rule import Rule, grammar, include, lines, region

SCOPE = "markdown.llmblocks"
OURS = {language: f"source.{language}" for language in EMBEDDED}
# a fence is closed by one at least as long, which one rule cannot say of another: one rule a length
LENGTHS = (3, 4, 5)


def markdown() -> Rule:
    """Return the grammar that VS Code injects into Markdown."""
    repository = {
        f"{language}-{name}-{length}": _fence(language, mark, length)
        for language in OURS
        for name, mark in (("backticks", "`"), ("tildes", "~"))
        for length in LENGTHS
    }
    return grammar(
        SCOPE,
        "llmblocks in Markdown",
        [include(f"#{name}") for name in repository],
        repository,
        injectionSelector="L:text.html.markdown, L:source.mdx",
    )


def _fence(language: str, mark: str, length: int) -> Rule:
    upwards = "," if length == LENGTHS[-1] else ""
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
