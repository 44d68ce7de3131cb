"""Findings are counted when found, and their input is read once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws.texts import GADGET, STF, TAGS, texts
from llmblocks import check
from llmblocks.languages.language import Language
from llmblocks.languages.registry import LANGUAGES
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.stf.syntax.arguments import Arguments, parse_arguments
from llmblocks.stf.syntax.dialect import Dialect

CALLS = (
    *("!!!GADGET_START:Write:w1:a,b\n", "!!!GADGET_START:Write\n", "!!!ARG:a\n1\n", "!!!ARG:a/b\nx\n"),
    *("!!!ARG:a/2\n12345678901234567890\n", "!!!ARG:\n\n", "!!!ARG: a~1/\nx  \n", "!!!ARG:a```\n\n"),
    *("!!!GADGET_END\n", "!!!GADGET_END x\n", "!!!GADGET_END\n\n", "<think a=1 a=1>\n"),
    *("</think>\n", "\n@ai\n"),
)
ANY = texts(GADGET, STF, TAGS) | st.lists(st.sampled_from(CALLS), max_size=12).map("".join)
WITHOUT_SOME = Settings(ignore=("G101", "G006", "S00", "T"))
every_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.id)


@every_language
@settings(max_examples=LAWS, deadline=None)
@given(text=ANY)
def test_a_section_counts_as_many_findings_as_it_has(language: Language, text: str) -> None:
    for chosen in (DEFAULTS, WITHOUT_SOME):
        checker = Checker(language, chosen)
        document = language.open(text, chosen, checker.count_findings)
        assert [section.finding_count for section in document.sections] == [
            len(checker.findings(section)) for section in document.sections
        ]


def read_of(text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the arguments that are read while a text is checked."""
    found: list[str] = []

    def parse(text: str, start: int, end: int, dialect: Dialect, *, limit: int | None = None) -> Arguments:
        found.append(text[start:end].strip())
        return parse_arguments(text, start, end, dialect, limit=limit)

    monkeypatch.setattr("llmblocks.stf.editor.command_lines.parse_arguments", parse)
    check(text, "stf")
    return found


def test_the_arguments_of_a_short_text_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    chat = "".join([f"@user id=m{number}\nHello\n@ai id=a{number}\nHi\n" for number in range(10)])
    # an id that stands twice is looked for again
    chat += "@user id=m3\nAgain\n"
    read = read_of(chat, monkeypatch)
    assert len(read) == chat.count("id=")
    assert sorted({*read}) == sorted({f"id={name}{number}" for name in "ma" for number in range(10)})
