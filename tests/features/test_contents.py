"""Hover, completion and colours in blocks whose content is declared; colours of the markers and tags of settings.

The oracle reads the colours of random documents.
"""

from __future__ import annotations

import json

import pytest

from llmblocks.contents.content import Content
from llmblocks.features.completion import complete
from llmblocks.features.hover import hover
from llmblocks.features.marks import paint
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.settings.values import DEFAULT_TAGS, DEFAULTS, Settings
from llmblocks.tags.syntax import Tag
from marked import asked, cursor, whole

SCHEMA = {
    "properties": {
        "name": {"enum": ["read", "list"], "description": "What to call."},
        "on": {"type": "boolean"},
        "items": {"type": "array", "items": {"properties": {"path": {"type": "string"}, "size": {"const": 3}}}},
    },
    "required": ["name"],
}
CONTENTS = {
    "call": Content("json", json.dumps(SCHEMA)),
    "loose": Content("json5"),
    "verdict": Content(values=("yes", "no")),
    "score": Content("number"),
    "either": Content(
        "json", json.dumps({"properties": {"arguments": SCHEMA, "name": {"enum": ["f"]}}}), (), ("qwen-xml",)
    ),
    "calls": Content("gadget"),
}
CHOSEN = Settings(
    tags=(*DEFAULT_TAGS, *CONTENTS),
    declared_tags=tuple([Tag(name, content=content) for name, content in CONTENTS.items()]),
)
LANGUAGES = (("custom-blocks", "{}"), ("gadget", "Hi {}\n"), ("stf", "@ai\nHi\n{}\n"))
in_every_language = pytest.mark.parametrize(("language_id", "around"), LANGUAGES)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("<call>{$0</call>", ['<call>{"name": </call>', '<call>{"on": </call>', '<call>{"items": </call>']),
        (
            '<call>{"name": "read", "o$0": 1}</call>',
            ['<call>{"name": "read", "on": 1}</call>', '<call>{"name": "read", "items": 1}</call>'],
        ),
        ('<call>{"name": $0}</call>', ['<call>{"name": "read"}</call>', '<call>{"name": "list"}</call>']),
        ('<call>{"name": "r$0"}</call>', ['<call>{"name": "read"}</call>', '<call>{"name": "list"}</call>']),
        ('<call>\n{"on": f$0\n</call>', ['<call>\n{"on": false\n</call>', '<call>\n{"on": true\n</call>']),
        (
            '<call>{"items": [{"path": "{"}, {"size": $0}]</call>',
            ['<call>{"items": [{"path": "{"}, {"size": 3}]</call>'],
        ),
        ('<call>{"items": [{"path": "x", $0</call>', ['<call>{"items": [{"path": "x", "size": </call>']),
        ('<call>{"name": "read"$0}</call>', []),
        ('<call>{"name": "read"}$0</call>', []),
        ('<call>{"items": [1]$0}</call>', []),
        ("<call>$0</call>", []),
        ("<call>// {$0</call>", []),
        ("<verdict>\ny$0\n</verdict>", ["<verdict>\nyes\n</verdict>", "<verdict>\nno\n</verdict>"]),
        ("<verdict>$0</verdict>", ["<verdict>yes</verdict>", "<verdict>no</verdict>"]),
        ("<verdict>yes\n$0</verdict>", []),
        ("<loose>{$0}</loose>", []),
        ("<either><function=f>$0</either>", []),
        (
            '<either>{"arguments": {"on": $0}}</either>',
            [f'<either>{{"arguments": {{"on": {word}}}}}</either>' for word in ("true", "false")],
        ),
    ],
)
@in_every_language
def test_what_a_schema_knows_is_offered(marked: str, expected: list[str], language_id: str, around: str) -> None:
    marked = around.replace("{}", marked)
    text, _ = cursor(marked)
    found = [text[: each.start] + each.text + text[each.end :] for each in complete(asked(marked, language_id, CHOSEN))]
    assert [each for each in found if "GADGET" not in each] == [around.replace("{}", each) for each in expected]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (
            '<call>{"na$0me": "read"}</call>',
            "`name`: text, 4 characters\n\nRequired: one of `read`, `list`. What to call.",
        ),
        ('<call>{"items": [{"path": $0"x"}]}</call>', "`items.0.path`: text, 1 character\n\nOptional: string."),
        ('<call>{"items$0": []}</call>', "`items`: list of 0 items\n\nOptional: array."),
        ("<loose>{a: [1, tr$0ue]}</loose>", "`a.1`: `true`"),
        ("<verdict>y$0es</verdict>", "One of `yes`, `no`."),
        ("<ca$0ll>1</call>", "`call`: custom block\n\nIts content is JSON."),
        ("<call>{$0 </call>", None),
        ("<score>1$02</score>", None),
        (
            "<either><function=f><parameter=o$0n>true</parameter></either>",
            "`arguments.on`: `true`\n\nOptional: boolean.",
        ),
        ('<either>{"arguments": {"on": tr$0ue}}</either>', "`arguments.on`: `true`\n\nOptional: boolean."),
        ("<ei$0ther>1</either>", "`either`: custom block\n\nIts content is JSON or a call as Qwen 3 Coder writes it."),
    ],
)
@in_every_language
def test_a_hover_tells_what_the_schema_says(marked: str, expected: str | None, language_id: str, around: str) -> None:
    found = hover(asked(around.replace("{}", marked), language_id, CHOSEN))
    assert (found and found.text) == expected


def test_a_block_of_calls_answers_as_a_file_of_calls() -> None:
    call = "!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!GADGET_END\n"
    inside, alone = (
        hover(asked(text.replace("Read", "Re$0ad"), language_id, CHOSEN))
        for text, language_id in ((f"<calls>\n{call}</calls>", "custom-blocks"), (f"\n{call}", "gadget"))
    )
    assert inside is not None
    assert alone is not None
    assert (inside.start, inside.end, inside.text) == (alone.start + 7, alone.end + 7, alone.text)
    found = complete(asked("<calls>\n!!!GADGET_START:Read:r1\n!!!A$0\n</calls>", "custom-blocks", CHOSEN))
    assert [(each.text, each.start, each.end) for each in found][:1] == [("!!!ARG:", 32, 36)]


def colours(text: str, language_id: str, settings: Settings | None = None) -> list[tuple[str, str]]:
    ask = whole(text, language_id, settings or DEFAULTS)
    return [
        (each.role, placed.section.text[each.start : each.end])
        for placed in ask.document.placed()
        for each in paint(placed.section, ask.language.paints(ask.settings).by_kind)
    ]


@pytest.mark.parametrize(("language_id", "front"), [("gadget", ""), ("stf", "@ai\n")])
def test_the_grammars_of_editors_give_way_to_custom_markers(language_id: str, front: str) -> None:
    settings = Settings(markers=Markers("<<<START:", "<<<END:", "<<<ARG:"))
    text = (
        f"{front}!!!GADGET_START:H\n!!!ARG:a\n2\n<think>x</think>\n<<<START:G\n<<<ARG:a\n!!!ARG:b\n<<<END:\n<<<ARG:\n"
    )
    found = colours(text, language_id, settings)
    # what only looks like a call is text, and what looks like an argument in a value is part of it
    assert [each for role, each in found if role == "text"] == ["!!!GADGET_START:H", "!!!ARG:a", "2", "x", "<<<ARG:"]
    assert [each for role, each in found if role == "string"] == ["!!!ARG:b"]
    assert ("type", "think") in found
    assert not [each for role, each in colours(text, language_id) if role == "text"]


@pytest.mark.parametrize(
    ("language_id", "front"), [("custom-blocks", ""), ("gadget", ""), ("stf", "@ai\n"), ("gadget", "<citation>")]
)
def test_the_grammars_of_editors_give_way_to_other_tags(language_id: str, front: str) -> None:
    text = f"{front}a <think n='1'>x</think> <thinker> </answer\n<citation>y</citation>"
    found = colours(text, language_id, Settings(tags=("citation",)))
    assert [each for role, each in found if role == "text"] == ["<think n='1'>", "</think>", "<thinker>", "</answer"]
    assert ("type", "citation") in found
    more = colours(text, language_id, Settings(tags=(*DEFAULTS.tags, "citation")))
    assert [each for role, each in more if role == "text"] == ["<thinker>"]


@pytest.mark.parametrize("text", ["@user\n@embed\nhttps://x/1: true\n", "@user\n{a: 1}\n", "@raw\n" + "1" * 70_000])
def test_what_is_not_a_json5_is_not_coloured_as_such(text: str) -> None:
    assert {role for role, _ in colours(text, "stf")} == {"keyword"}


@pytest.mark.parametrize("language_id", ["custom-blocks", "gadget"])
def test_a_content_is_coloured_as_what_it_is(language_id: str) -> None:
    text = '<call>{"a": [1, "x", true]}</call><score> 3 </score><verdict>no</verdict><think>{"a": 1}</think>'
    text += '<either><function=f>\n<parameter=on></either><either>"x"</either>'
    assert [each for each in colours(text, language_id, CHOSEN) if each[0] not in ("operator", "type")] == [
        *(("property", '"a"'), ("number", "1"), ("string", '"x"'), ("keyword", "true"), ("number", "3")),
        *(("string", "no"), ("property", "f"), ("property", "on"), ("string", '"x"')),
    ]
