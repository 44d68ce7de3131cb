"""Strings of our languages inside code and JSON Lines, as injections."""

from __future__ import annotations

from tools.generate.syntaxes.gadget import ARG, END, START, gadget
from tools.generate.syntaxes.languages import OURS
from tools.generate.syntaxes.rule import Captures, Rule, grammar, group, include, lines, match, region

# a template up to its end; a placeholder may hold one only if it contains no braces
_TEMPLATE = r"(?:[^`\\$]++|\\.|\$\{[^{}]*\}|\$)*+"


def script() -> Rule:
    """Return the grammar that VS Code injects into TypeScript and JavaScript."""
    repository = _repository({"`": _TEMPLATE}, name="string.quoted.template.llmblocks")
    before, quote = r"(?:(?!//|/\*)[^'\"`{])", r"['\"`]"
    for language in OURS:
        short = rf"/\*\s*{language}\s*\*/(?=\s*(?:{quote}|$))"
        long = rf"/\*\s*llmblocks:\s*{language}\s*\*/(?={before}*?{quote}|\s*$)"
        comment = rf"//\s*llmblocks:\s*{language}\s*$|{short}|{long}"
        repository[language] = _marked(language, comment, before, quote, "source.ts")
    repository["placeholder"] = region(
        r"\$\{",
        r"\}",
        name="meta.template.expression.llmblocks",
        opened={0: "punctuation.definition.template-expression.begin"},
        closed={0: "punctuation.definition.template-expression.end"},
        inside=[include("source.ts")],
    )
    scopes = [_in_code(each) for each in ("source.ts", "source.tsx", "source.js", "source.js.jsx")]
    return grammar(
        "script.llmblocks",
        "llmblocks in TypeScript and JavaScript",
        [*map(include, (f"#{language}" for language in OURS)), include("#placeholder"), include("#escape")],
        repository,
        injectionSelector=", ".join((*scopes, "L:string.quoted.template.llmblocks -meta.template.expression")),
    )


def python() -> Rule:
    """Return the grammar that VS Code injects into Python."""
    triples = {quote * 3: rf"(?:[^{quote}\\]++|\\.|{quote}(?!{quote * 2}))*+" for quote in "'\""}
    repository = _repository(triples, name="string.quoted.multi.llmblocks")
    for language in OURS:
        comment = rf"#\s*llmblocks:\s*{language}\s*$"
        repository[language] = _marked(language, comment, r"[^#'\"{]", r"[rRuUfF]{0,2}['\"]", "source.python")
    rules = [include(f"#{language}") for language in OURS]
    selector = _in_code("source.python")
    return grammar("python.llmblocks", "llmblocks in Python", rules, repository, injectionSelector=selector)


def jsonl() -> Rule:
    """Return the grammar that VS Code injects into JSON Lines: gadget calls between escaped line ends."""
    selector = "L:source.json.lines string.quoted -support.type.property-name"
    rules, repository = [include("#gadget-line")], {"gadget-line": _calls_in_a_line()}
    return grammar("jsonl.llmblocks", "llmblocks in JSON Lines", rules, repository, injectionSelector=selector)


def _in_code(scope: str) -> str:
    return f"L:{scope} -comment -string"


def _marked(language: str, comment: str, before: str, string: str, code: str) -> Rule:
    """A comment, and the first string after it: on its line or on the next one.

    `before` is a character between them, in `code`; `string` is how the string begins.
    """
    return region(
        rf"(?:^[ \t]+)?(?:{comment})",
        rf"(?<=['\"`])|^(?!{before}*?{string})",
        opened={0: "comment.line.marker.llmblocks"},
        inside=[
            # of a capture, so that nothing that is open in it at its end stays so
            match(rf"(?:\G|^)({before}+?)(?={string})", captures={1: {"patterns": [include(code)]}}),
            match("[rRuUfF]", "storage.type.string"),
            include(f"#{language}-literal"),
        ],
    )


def _repository(long: dict[str, str], name: str) -> dict[str, Rule]:
    """Return the literals of each language.

    `long` has the quotes of those of several lines, with their content.
    """
    tags = {1: {"patterns": [include(f"{OURS['custom-blocks']}#tags")]}}
    found = {
        "escape": match(r"\\.", "constant.character.escape.llmblocks"),
        "gadget-line": _calls_in_a_line(),
        "stf-line": group(),
        "custom-blocks-line": group(match(r"(</?[A-Za-z_][^<>]*>)", captures=tags)),
        "completion-line": group(include("source.completion#signs")),
    }
    for language, scope in OURS.items():
        inside = [include(f"#{language}-line"), include("#escape")]
        literals = [
            region(
                quote,
                quote,
                name=name,
                opened={0: "punctuation.definition.string.begin"},
                closed={0: "punctuation.definition.string.end"},
                inside=[
                    # up to the line that ends the literal: that one is not in it
                    lines(
                        rf"\G(?!{content}{quote})",
                        rf"^(?!{content}{quote})",
                        content=f"meta.embedded.block.{language}",
                        inside=[include(scope)],
                    ),
                    *inside,
                ],
            )
            for quote, content in long.items()
        ]
        for quote in "'\"":
            around = {1: "punctuation.definition.string.begin", 3: "punctuation.definition.string.end"}
            # one without an end is read once, too
            pattern = rf"({quote})((?:[^{quote}\\]++|\\.)*+)(?:({quote})|\\?$)"
            captures: Captures = {**around, 2: {"patterns": inside}}
            literals.append(match(pattern, "string.quoted.single-line.llmblocks", captures))
        found[f"{language}-literal"] = group(*literals)
    return found


def _calls_in_a_line() -> Rule:
    r"""Calls whose lines end with `\n`, or with what ends the literal."""
    # not as a reference: editors do not look for those to other grammars in captures
    known = gadget()["repository"]
    part = r"(?:(?!\\[nr])[^:'\"`])*+"
    return group(
        match(
            rf"({START})({part})(?:(:)({part})(?:(:)((?:(?!\\[nr])[^'\"`])*+))?)?",
            captures={
                1: "keyword.control.start.gadget",
                2: "entity.name.function.gadget",
                3: "punctuation.separator.header.gadget",
                4: "variable.other.constant.invocation.gadget",
                5: "punctuation.separator.header.gadget",
                6: known["dependencies"],
            },
        ),
        match(
            rf"({ARG})((?:(?!\\[nr])[^'\"`])*+)", captures={1: "keyword.control.argument.gadget", 2: known["pointer"]}
        ),
        match(END, "keyword.control.end.gadget"),
    )
