from __future__ import annotations

from llmblocks.tags import BlockDefinition, prompt_text, with_prompt

DEFINITIONS = {
    "interpretation": BlockDefinition(
        description="Analytical insight derived from evidence.",
        instructions="Use when synthesizing information or drawing conclusions. Do not use for direct observations.",
    ),
    "done": BlockDefinition(description="Signals task completion.", transform=lambda block: []),
    "citation": BlockDefinition(
        instructions='Quote relevant passages from sources using <citation url="...">text</citation>.'
    ),
}
TEXT = """\
You can use the following XML tags in your output:
- <interpretation>: Analytical insight derived from evidence.
  Use when synthesizing information or drawing conclusions. Do not use for direct observations.
- <done>: Signals task completion.
- <citation>: Quote relevant passages from sources using <citation url="...">text</citation>."""
BLOCK = {"type": "text", "text": TEXT}


def test_the_listing_is_that_of_the_document() -> None:
    assert prompt_text(DEFINITIONS) == TEXT


def test_a_block_with_neither_text_is_left_out() -> None:
    assert prompt_text({**DEFINITIONS, "quiet": BlockDefinition()}) == TEXT
    assert prompt_text({"quiet": BlockDefinition()}) is None


def test_the_text_goes_to_the_last_system_message() -> None:
    user: dict[str, object] = {"role": "user", "content": "hi"}
    first: dict[str, object] = {"role": "system", "content": [{"type": "text", "text": "be kind"}]}
    last: dict[str, object] = {"role": "system", "content": [{"type": "text", "text": "be brief"}], "name": "x"}
    messages: list[dict[str, object]] = [first, user, last, user]
    assert with_prompt(messages, TEXT) == [
        first,
        user,
        {**last, "content": [{"type": "text", "text": "be brief"}, BLOCK]},
        user,
    ]
    assert messages == [first, user, last, user]


def test_a_system_message_is_made_where_there_is_none() -> None:
    user = {"role": "user", "content": "hi"}
    assert with_prompt([user], TEXT) == [{"role": "system", "content": [BLOCK]}, user]


def test_content_that_is_a_text_stays_one() -> None:
    assert with_prompt([{"role": "system", "content": "be kind"}], TEXT) == [
        {"role": "system", "content": f"be kind\n\n{TEXT}"}
    ]


def test_nothing_is_added_twice() -> None:
    contents: list[dict[str, object]] = [{"content": "x"}, {"content": []}, {}]
    for system in ([], *([{"role": "system", **content}] for content in contents)):
        once = with_prompt([*system, {"role": "user", "content": "hi"}], TEXT)
        assert with_prompt(once, TEXT) == once
