"""Requests in an editor: which calls have run, whose results are where, and what is only an instruction."""

from __future__ import annotations

import pytest

from llmblocks import check
from llmblocks.features.completion import complete
from llmblocks.features.hover import hover
from llmblocks.features.navigation import definitions, references, rename
from llmblocks.features.outline import outline
from llmblocks.features.streams import values
from llmblocks.features.structure import folding
from llmblocks.languages.ask import Ask, ask_all
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import DEFAULTS
from marked import cursor

LANGUAGE = find_language("request")
RUN = """\
=== SYSTEM ===
Call gadgets so:
!!!GADGET_START:Name:id
!!!ARG:a
!!!ARG:a

=== USER ===
How many tests?

=== ASSISTANT ===
!!!GADGET_START:Search:s1
!!!ARG:query
tests
!!!GADGET_END

=== USER ===
Result (s1): 3 files
[Media: m1 (image) → saved to: /tmp/m1.png]

=== ASSISTANT ===
Three.
"""


def ask(marked: str) -> Ask:
    text, at = cursor(marked)
    return Ask(LANGUAGE.open(text, DEFAULTS), LANGUAGE, DEFAULTS, at, at)


def explained(marked: str) -> str:
    found = hover(ask(marked))
    assert found is not None
    return found.text


def test_turns_calls_and_results_are_in_the_outline() -> None:
    document = LANGUAGE.open(RUN, DEFAULTS)
    shown = [
        f"{'  ' * each.depth}{each.name} | {each.detail}" for each in outline(ask_all(document, LANGUAGE, DEFAULTS))
    ]
    assert shown == [
        *("system: Call gadgets so: | ", "user: How many tests? | ", "assistant | ", "  Search:s1 | "),
        *("    query | tests", "Result s1: 3 files | ", "assistant | "),
    ]


def test_messages_fold_and_the_calls_of_the_model() -> None:
    document = LANGUAGE.open(RUN, DEFAULTS)
    lines = RUN.split("\n")
    found = [lines[each.start_line] for each in folding(ask_all(document, LANGUAGE, DEFAULTS))]
    assert found == [
        *("=== SYSTEM ===", "=== USER ===", "=== ASSISTANT ===", "!!!GADGET_START:Search:s1", "!!!ARG:query"),
        *("=== USER ===", "=== ASSISTANT ==="),
    ]


@pytest.mark.parametrize("role", ["SYSTEM", "USER"])
def test_an_instruction_is_not_a_mistake_and_a_repeated_call_may_be_one(role: str) -> None:
    call = "!!!GADGET_START:Name:id\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:b/\n!!!GADGET_END\n"
    assert check(f"=== {role} ===\n{call}\n", "request") == ()
    assert [each.code for each in check(f"=== ASSISTANT ===\n{call}\n", "request")] == ["G101", "G108"]


def test_no_ids_are_judged_in_a_request() -> None:
    call = "!!!GADGET_START:Name:id:missing\n!!!GADGET_END\n\n"
    assert check(f"=== ASSISTANT ===\n{call}{call}=== USER ===\nResult (gone): x\n", "request") == ()


def test_a_message_ends_the_calls_of_the_one_before() -> None:
    text = "=== ASSISTANT ===\n!!!GADGET_START:A:a\n!!!ARG:x\n1\n\n=== USER ===\nhi\n\n=== ASSISTANT ===\n!!!ARG:y\n"
    assert [each.code for each in check(text, "request")] == ["G004"]


def test_a_value_like_a_header_is_not_a_mistake_of_a_request() -> None:
    call = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n=== USER ===\nb\n!!!GADGET_END\n"
    assert check(f"=== ASSISTANT ===\n{call}\n=== USER ===\nResult (r1): x\n", "request") == ()
    assert check("=== ASSISTANT ===\n!!!GADGET_START:Read:r1\n!!!ARG:path\na\n", "request") == ()
    # in the response, nothing is cut, and what is cut there is a finding
    assert check(call, "gadget") == ()
    assert [each.code for each in check(call.partition("\nb")[0], "gadget")] == ["G008"]


def test_a_result_leads_to_its_call_and_back() -> None:
    (found,) = definitions(ask(RUN.replace("(s1)", "(s$01)")))
    assert RUN[: found.start].endswith("Search:")
    call, result = references(ask(RUN.replace("Search:s1", "Search:s$01")))
    assert RUN[: call.start].endswith("Search:")
    assert RUN[: result.start].endswith("Result (")


def test_a_repeated_id_means_the_call_before_it() -> None:
    call = "=== ASSISTANT ===\n!!!GADGET_START:G:a\n!!!GADGET_END\n\n=== USER ===\nResult (a): 1\n\n"
    (found,) = definitions(ask(f"{call}{call[:-6]}$0{call[-6:]}"))
    assert found.start > len(call)


def test_an_id_is_renamed_with_its_result() -> None:
    changed = rename(ask(RUN.replace("(s1)", "(s$01)")), "found")
    assert changed is not None


@pytest.mark.parametrize(
    ("marked", "says"),
    [
        ("=== SYS$0TEM ===", "instructions for the model"),
        ("=== US$0ER ===", "escapes nothing"),
        ("=$0== ASSISTANT ===", "Header of a message"),
    ],
)
def test_a_header_says_what_its_message_is(marked: str, says: str) -> None:
    assert says in explained(RUN.replace(marked.replace("$0", ""), marked, 1))


def test_a_result_names_the_gadget_of_its_call() -> None:
    assert explained(RUN.replace("(s1)", "(s$01)")) == "Result of the call `s1`: what `Search` returned."
    assert "does not repeat" in explained("=== USER ===\nRe$0sult (gone): x\n")


def test_media_say_where_they_are() -> None:
    assert explained(RUN.replace("[Media", "[Me$0dia")).startswith(
        "Media that a call returned: image `m1`, kept in `/tmp/m1.png`."
    )
    assert explained("=== USER ===\nResult (a): \n[Media: $0what") == "Media that a call returned."


@pytest.mark.parametrize("marked", ["!!!GADGET$0_START:Name", "!!!GADGET_START:Na$0me"])
def test_an_instruction_says_that_it_does_not_run(marked: str) -> None:
    assert "Instruction or example" in explained(RUN.replace(marked.replace("$0", ""), marked, 1))


def test_the_headers_are_offered_at_the_start_of_a_line() -> None:
    assert [each.text for each in complete(ask("=== U$0"))] == ["=== USER ==="]
    assert [each.text for each in complete(ask(f"{RUN}==$0"))][:1] == ["=== SYSTEM ==="]


def test_a_program_reads_messages_calls_and_results() -> None:
    items = values(RUN, LANGUAGE, DEFAULTS)["items"]
    assert [each["type"] for each in items] == ["message", "message", "call", "text", "result", "text"]
    assert items[2]["parameters"] == {"query": "tests"}
    assert items[4] == {
        "type": "result",
        "id": "s1",
        "text": "3 files",
        "media": [{"id": "m1", "kind": "image", "path": "/tmp/m1.png"}],
    }
