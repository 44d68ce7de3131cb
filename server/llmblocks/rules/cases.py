"""The test cases of rules, as Markdown: fences with texts, in which carets mark the findings.

A fence whose name is that of a language is a case. It has the findings that lines of carets below the marked text
name, and no others. After it, a fence `LANGUAGE fixed` is the text after all safe fixes, `LANGUAGE fixed unsafe` that
after all fixes. A fence `toml` has the settings of the cases that follow under the same heading, and below it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from typing import Final, NamedTuple

from llmblocks.core.lines import Lines
from llmblocks.facts.finding import Finding
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import language_ids, language_with
from llmblocks.rules.check import check
from llmblocks.rules.fixing import fix
from llmblocks.settings.check import check_settings
from llmblocks.settings.given import as_given

_MARK: Final = re.compile(r"^ *(\^+) ([A-Z]{1,5}[0-9]{3})$")


class CaretMark(NamedTuple):
    """An expected finding. `start` and `end` in code points of the text without its marks."""

    code: str
    start: int
    end: int


class RuleCase(NamedTuple):
    title: str
    language_id: str
    text: str
    marks: tuple[tuple[CaretMark, int], ...]
    """With their lines in the fence, from 0, `fixed` texts with whether unsafe fixes are made, and the line of their
    fence.
    """
    settings: str
    line: int
    """That of its fence in the file, from 1."""
    fixed: tuple[tuple[str, bool, int], ...] = ()


class Failure(NamedTuple):
    line: int
    """From 1."""
    message: str


def unmarked(text: str) -> tuple[str, list[tuple[CaretMark, int]]]:
    """Return the text without its lines of carets, and these with the numbers of their lines, from 0."""
    lines: list[str] = []
    marks: list[tuple[CaretMark, int]] = []
    line_start = size = 0
    for number, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+$", text)):
        found = _MARK.match(line.rstrip("\n"))
        if found:
            marks.append((CaretMark(found[2], line_start + found.start(1), line_start + found.end(1)), number))
        else:
            lines.append(line)
            line_start = size
            size += len(line)
    return "".join(lines), marks


def cases_in(text: str) -> list[RuleCase]:
    """Return the cases of a Markdown file, in order."""
    titles: dict[int, str] = {}
    settings: dict[int, str] = {}
    level = 0
    cases: list[RuleCase] = []
    for line, heading, info, content in _parts(text):
        if heading:
            level = heading
            titles = {each: title for each, title in titles.items() if each < level} | {level: info}
            settings = {each: toml for each, toml in settings.items() if each < level}
            continue
        name, *words = info.split()
        if name == "toml":
            settings[level] = content
        elif name in language_ids() and words[:1] == ["fixed"]:
            if cases:
                cases[-1] = cases[-1]._replace(fixed=(*cases[-1].fixed, (content, "unsafe" in words, line)))
        elif name in language_ids():
            plain, marks = unmarked(content)
            together = "\n".join([toml for _, toml in sorted(settings.items())])
            cases.append(RuleCase(" > ".join(titles.values()), name, plain, (*marks,), together, line))
    return cases


def example_failures(rule: Rule, rules: tuple[Rule, ...]) -> Iterator[str]:
    """The examples of a team's rule that are not what they say: `bad` has its finding, `good` and `fixed` have not."""
    settings = check_settings(as_given(tomllib.loads(rule.toml)), language_ids()).settings._replace(rules=rules)
    language_id = language_with(rule.layer).id

    def finds(text: str) -> bool:
        return any(each.code == rule.code for each in check(text, language_id, settings))

    if not finds(rule.bad):
        yield f"{rule.code}: its example bad has no such finding"
    if finds(rule.good):
        yield f"{rule.code}: its example good has such a finding"
    if rule.fix and (now := fix(rule.bad, language_id, unsafe=True, settings=settings).text) != rule.after_fix:
        yield f"{rule.code}: after its fix, the example bad is another text:\n{now}"


def failures(case: RuleCase, rules: tuple[Rule, ...] = ()) -> Iterator[Failure]:
    """Yield the differences between a case and what is found in its text, with the rules of a team too."""
    try:
        given = as_given(tomllib.loads(case.settings))
    except tomllib.TOMLDecodeError as error:
        yield Failure(case.line, f"the settings are not TOML: {error}")
        return
    checked = check_settings(given, language_ids())
    for problem in checked.problems:
        yield Failure(case.line, f"the settings: {problem.message}")
    settings = checked.settings._replace(rules=rules)
    found = [(_mark_of(each, case.text), each) for each in check(case.text, case.language_id, settings)]
    left = [mark for mark, _ in case.marks]
    lines = Lines(case.text)
    for mark, finding in found:
        if mark in left:
            left.remove(mark)
            continue
        line, column = lines.of(finding.start)
        # lines of carets are not part of the text
        above = len([each for each, _ in case.marks if case.text.count("\n", 0, each.start) + 1 < line])
        yield Failure(case.line + line + above, f"unexpected at column {column}: {finding.code} {finding.message}")
    for mark, number in case.marks:
        if mark in left:
            left.remove(mark)
            yield Failure(case.line + number + 1, f"expected {mark.code} here, and it is not found")
    for expected, unsafe, line in case.fixed:
        now = fix(case.text, case.language_id, unsafe=unsafe, settings=settings).text
        if now != expected:
            yield Failure(line, f"after fixes, the text is another one:\n{now}")


def _mark_of(finding: Finding, text: str) -> CaretMark:
    """Return the carets for a finding: on its first line, and at least one."""
    end = text.find("\n", finding.start)
    end = len(text) if end < 0 else end
    return CaretMark(finding.code, finding.start, max(min(finding.end, end), finding.start + 1))


def _parts(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield the headings and the named fences of Markdown: line from 1, level (0 for a fence), name, and content."""
    # few commands read cases
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(text)
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "heading_open" and following is not None:
            yield line, int(token.tag[1:]), following.content, ""
        elif token.type == "fence" and token.info.strip():
            yield line, 0, token.info.strip(), token.content


def file_failures(path: str, rules: tuple[Rule, ...] = ()) -> tuple[int, list[Failure]]:
    """Return the number of cases in a file, and their failures. Raises `OSError`, and `ValueError` without UTF-8."""
    with open(os.fspath(path), encoding="utf-8") as file:
        cases = cases_in(file.read())
    return len(cases), [failure for case in cases for failure in failures(case, rules)]
