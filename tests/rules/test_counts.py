"""Findings are counted when found, and their input is read once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import LAWS
from laws.texts import GADGET, STF, TAGS, texts
from llmblocks.languages.language import Language
from llmblocks.languages.registry import LANGUAGES
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS, Settings

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
