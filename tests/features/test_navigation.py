"""Names: `$0` is the cursor; `⟦…⟧` are the places that are found, `«…»` those among them that define the name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from llmblocks.features.navigation import Refused, Renamed, definitions, highlights, references, rename
from llmblocks.features.structure import DocumentRange, linked
from llmblocks.languages.ask import Ask
from marked import bracketed, whole


def read(marked: str, language_id: str) -> tuple[Ask, list[tuple[int, int, bool]]]:
    """Return the question at the cursor, and the places that are marked."""
    text, at, found = bracketed(marked)
    return replace(whole(text, language_id), start=at, end=at), found


CALL = "!!!GADGET_START:A\n!!!GADGET_END\n"
CALLS = """\
!!!GADGET_START:Read:«a$0»
!!!GADGET_END
!!!GADGET_START:Read:b:⟦a⟧
!!!GADGET_END
!!!GADGET_START:Read:c:b,⟦a⟧
!!!GADGET_END
"""
TWO_RESPONSES = """\
@ai
!!!GADGET_START:Read:«a»
!!!GADGET_END
!!!GADGET_START:Read:b:⟦a⟧
!!!GADGET_END
@user
!!!GADGET_START:Read:c:⟦$0a⟧
!!!GADGET_END
@ai
!!!GADGET_START:Read:a
!!!GADGET_END
!!!GADGET_START:Read:d:a
!!!GADGET_END
"""
RESULTS = """\
=== ASSISTANT ===
!!!GADGET_START:G:a
!!!GADGET_END
=== USER ===
Result (a): 1
=== ASSISTANT ===
!!!GADGET_START:G:«a»
!!!GADGET_END
=== USER ===
Result (⟦a$0⟧): 2
"""
MESSAGES = "@user id=q1\nhi\n@ai\n@call name=look id=«c1»\n{}\n@tool call_id='⟦c$01⟧'\n42\n@tool id=c1\n"


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        (CALLS, "gadget"),
        (TWO_RESPONSES, "stf"),
        (MESSAGES, "stf"),
        (RESULTS, "request"),
        # the calls of a gadget belong together
        ("!!!GADGET_START:«Re$0ad»:a\n!!!GADGET_END\n!!!GADGET_START:«Read»:b\n", "gadget"),
        ("@ai\n" + CALLS.replace("«a$0»", "«a»").replace("b,⟦a⟧", "b,⟦a$0⟧"), "stf"),
    ],
)
def test_the_uses_of_a_name_are_its_references_and_its_definition(marked: str, language_id: str) -> None:
    ask, expected = read(marked, language_id)
    assert references(ask) == expected
    assert highlights(ask) == expected
    assert references(ask, with_definitions=False) == [each for each in expected if not each[2]]
    assert definitions(ask) == [each for each in expected if each[2]]


def test_a_call_without_an_id_is_the_definition_of_its_number() -> None:
    ask, expected = read(
        "!!!GADGET_START:«Read»\n!!!GADGET_END\n!!!GADGET_START:Write:w:gadget_$01\n!!!GADGET_END\n", "gadget"
    )
    assert definitions(ask) == expected
    assert rename(ask, "x") == Refused("the runtime gives the id `gadget_1`: write an id in the header of that call")


@pytest.mark.parametrize("marked", ["te$0xt", "!!!GADGET_START:A:b\n!!!ARG:a$0\n1\n!!!GADGET_END", "@us$0er\n", ""])
def test_there_is_nothing_where_there_is_not_a_name(marked: str) -> None:
    ask, _ = read(marked, "stf")
    assert (definitions(ask), references(ask), highlights(ask), rename(ask, "x")) == ([], [], [], None)


@pytest.mark.parametrize("marked", ["@ai\n" + CALLS, TWO_RESPONSES, MESSAGES, RESULTS])
def test_a_name_is_renamed_wherever_it_means_the_same(marked: str) -> None:
    ask, expected = read(marked, "request" if marked == RESULTS else "stf")
    assert rename(ask, "new") == Renamed(tuple([DocumentRange(start, end) for start, end, _ in expected]))


@pytest.mark.parametrize(
    ("marked", "new", "reason"),
    [
        (CALLS, "b", "`b` is another invocation id in this document"),
        (CALLS, "1a", "not an invocation id"),
        (CALLS, "", "not an invocation id"),
        (CALLS, "x:y", "not an invocation id"),
        (CALLS, "gadget_3", "without one"),
        (CALLS.replace("Read:«", "Re$0ad:«").replace("«a$0", "«a"), "X", "a program defines the names"),
        (MESSAGES, "a b", "would have to be quoted"),
        ("<think>x</th$0ink>", "thin", "`thin` is not a registered tag: use one of `think`"),
    ],
)
def test_a_name_that_would_break_the_format_is_refused(marked: str, new: str, reason: str) -> None:
    found = rename(read(marked if marked.startswith("@") else f"@ai\n{marked}", "stf")[0], new)
    assert isinstance(found, Refused)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("a <⟦thi$0nk⟧ x='1'>b <answer> </⟦think⟧> c", "custom-blocks"),
        ("@user\n<⟦think⟧>\n!\n</⟦thin$0k⟧>\n", "stf"),
        ("<think>b </thi$0nk >", "custom-blocks"),
        ("<thi$0nk/>", "custom-blocks"),
        ("<think>b$0b</think>", "custom-blocks"),
        # calls cut the content of a block
        (f"<thi$0nk>a\n{CALL}b {CALL}</think> <think>c</think>\n", "gadget"),
        (f"<think>c</think><think>a\n{CALL}</thi$0nk>\n", "gadget"),
        (f"@ai\n<think>a\n{CALL}@# c\n</thi$0nk>\n", "stf"),
        (f"<thi$0nk>a\n{CALL}b\n", "gadget"),
        (f"{CALL}</thi$0nk>\n", "gadget"),
    ],
)
def test_the_tags_of_a_block_are_edited_and_renamed_together(marked: str, language_id: str) -> None:
    ask, expected = read(marked, language_id)
    assert [(start, end, False) for start, end in linked(ask)] == expected
    assert highlights(ask) == expected
    if expected:
        assert rename(ask, "answer") == Renamed(tuple(linked(ask)))


@pytest.mark.parametrize(
    ("marked", "language_id"),
    [
        ("a <«thi$0nk» x='1'>b <answer> </⟦think⟧> c", "custom-blocks"),
        ("@user\n<«think»>\n!\n</⟦thin$0k⟧>\n", "stf"),
        ("<«think»>b</⟦thin$0k⟧>\n!!!GADGET_START:Read\n", "gadget"),
        ("<thi$0nk>b\n", "custom-blocks"),
    ],
)
def test_a_closing_tag_leads_to_the_opening_one_and_back(marked: str, language_id: str) -> None:
    ask, expected = read(marked, language_id)
    assert references(ask) == expected
    assert definitions(ask) == [each for each in expected if each[2]]
    assert references(ask, with_definitions=False) == [each for each in expected if not each[2]]
