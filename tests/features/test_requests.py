"""Requests in an editor: whose results are where, and what is only an instruction. `golden/hovers.txt` has hovers."""

from __future__ import annotations

from llmblocks.features.completion import complete
from llmblocks.features.navigation import definitions, references, rename
from llmblocks.features.outline import outline
from llmblocks.features.streams import values
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


def test_turns_calls_and_results_are_in_the_outline() -> None:
    document = LANGUAGE.open(RUN, DEFAULTS)
    shown = [
        f"{'  ' * each.depth}{each.name} | {each.detail}" for each in outline(ask_all(document, LANGUAGE, DEFAULTS))
    ]
    assert shown == [
        *("system: Call gadgets so: | ", "user: How many tests? | ", "assistant | ", "  Search:s1 | "),
        *("    query | tests", "Result s1: 3 files | ", "assistant | "),
    ]


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
