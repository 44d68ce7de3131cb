"""The contents of blocks against what the settings declare."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from examples import examples
from llmblocks import Settings, check, fix, open_document
from llmblocks.contents.content import Content
from llmblocks.core.edits import edited
from llmblocks.facts.rule import Rule
from llmblocks.features.fixes import quick_fixes
from llmblocks.languages.registry import find_language
from llmblocks.rules.cases import cases_in
from llmblocks.rules.checker import Checker
from llmblocks.rules.project import Project
from llmblocks.settings.rule_names import RULES
from llmblocks.settings.values import DEFAULT_TAGS
from llmblocks.tags.editor.problems import LONGEST
from llmblocks.tags.syntax import Tag
from marked import asked

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"enum": ["read", "list"]},
        "arguments": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "a/b": {"type": "integer"}},
            "additionalProperties": False,
        },
        "list": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["name"],
}
CONTENTS = {
    "call": Content("json", json.dumps(SCHEMA)),
    "raw": Content("json"),
    "loose": Content("json5"),
    "score": Content("number", '{"maximum": 10}'),
    "verdict": Content(values=("yes", "no")),
    "either": Content("json", json.dumps(SCHEMA), others=("qwen-xml",)),
    "any": Content("number", others=("json5", "qwen-xml")),
    "calls": Content("gadget"),
    "chat": Content("stf"),
}
CHOSEN = Settings(
    tags=(*DEFAULT_TAGS, *CONTENTS),
    declared_tags=tuple([Tag(name, content=content) for name, content in CONTENTS.items()]),
)


def told(text: str, language_id: str = "custom-blocks") -> list[tuple[str, str]]:
    found = check(text, language_id, CHOSEN)
    return [(each.code, text[each.start : each.end]) for each in found if each.code not in ("T001", "T011")]


CASES = [*cases_in((Path(__file__).parent / "contents.md").read_text("utf-8"))]


@pytest.mark.parametrize("text", [case.text for case in CASES if "!!!" not in case.text])
def test_a_content_is_judged_between_calls_and_in_a_chat_as_alone(text: str) -> None:
    expected = told(text)
    assert told(f"Hi {text}", "gadget") == expected
    assert told(f"@ai\nHi {text}", "stf") == expected
    assert not [each for each in check(text, "custom-blocks", Settings(tags=CHOSEN.tags)) if each.code > "T1"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[" * 1000 + "]" * 1000, []),
        ("9" * 5000, []),
        # a text of any length is judged but for one that is longer than a key may cost
        (f'"{"x " * (LONGEST // 4)}', [("T103", '"')]),
        (f'"{"x " * LONGEST}', []),
    ],
)
def test_a_long_content_is_judged_up_to_a_length(content: str, expected: list[tuple[str, str]]) -> None:
    for language_id, before in (("custom-blocks", ""), ("gadget", "Hi "), ("stf", "@ai\nHi ")):
        assert told(f"{before}<raw>{content}</raw>", language_id) == expected


def test_a_message_has_the_words_of_the_schema_and_a_remedy() -> None:
    text = '<call>{"name": "raed", "arguments": {"path": 1, "pth": 2}}</call>'
    messages = [str(each.message) for each in check(text, "custom-blocks", CHOSEN)]
    assert messages == [
        'name: Invalid option: expected one of "read"|"list" — the schema of <call> does not allow it; '
        "change the value",
        "arguments.path: Invalid input: expected string, received nu… — "
        "arguments.path: Invalid input: expected string, received number; the schema of <call> does not allow it; "
        "change the value",
        "'pth' is not a property — the schema of <call> has no such key; did you mean `path`?",
    ]
    (found,) = check("<verdict>yse</verdict>", "custom-blocks", CHOSEN)
    assert str(found.message).endswith("did you mean yes?")


def test_a_content_with_text_of_another_format_is_not_judged() -> None:
    text = '@ai\n<call>{"name":\n@# a comment\n"raed"}</call>\n'
    assert told(text, "stf") == []
    assert told("<raw>[1,\n!!!GADGET_START:A\n!!!GADGET_END\n2]</raw>", "gadget")[1:] == []


_TAGS = {"gadget": "calls", "stf": "chat"}


@pytest.mark.parametrize(
    "rule", [each for each in RULES if each.fix and each.layer in _TAGS], ids=lambda rule: rule.code
)
def test_a_fix_in_a_block_is_the_fix_of_its_content(rule: Rule) -> None:
    tag, inner = _TAGS[rule.layer], rule.bad if rule.bad.endswith("\n") else f"{rule.bad}\n"
    text = f"<{tag}>{inner}</{tag}>"
    if "{" not in inner:
        text = f"Hi\n{text}\nBye\n"
    for unsafe in (False, True):
        alone = fix(inner, rule.layer, settings=CHOSEN, unsafe=unsafe)
        done = fix(text, "custom-blocks", settings=CHOSEN, unsafe=unsafe)
        assert done.text == text.replace(inner, alone.text)
        assert edited(text, done.edits) == done.text
        assert [each.finding.code for each in done.applied] == [each.finding.code for each in alone.applied]
        assert done.left == check(done.text, "custom-blocks", CHOSEN)


def test_no_block_is_fixed_where_comments_silence_findings() -> None:
    text = "<!-- llmblocks-ignore S003 -->\n<chat>\n@usr\nHello\n</chat>"
    assert fix(text, "custom-blocks", settings=CHOSEN, unsafe=True).text == text


def test_an_editor_offers_the_fixes_of_the_content() -> None:
    text = "Hi\n<chat>\n@usr\nHello\n</chat>\n"
    fixes = [each.fix for each in quick_fixes(asked(text.replace("usr", "$0usr"), "custom-blocks", CHOSEN))]
    assert edited(text, fixes[0].edits) == text.replace("@usr", "@user")
    inner = text[text.index("\n@usr") : text.index("</chat>")]
    alone = asked(inner.replace("usr", "$0usr"), "stf", CHOSEN)
    assert [each.title for each in fixes][:1] == [each.fix.title for each in quick_fixes(alone)][:1]


def test_an_edit_of_a_content_finds_what_a_fresh_look_finds() -> None:
    chosen = random.Random(7)
    pieces = (
        *("<call>", "</call>", '{"name": ', '"read"', "}", "\n", ' "x', "<calls>", "!!!ARG:x\n", "</calls>", "\\"),
        *("<either>", "</either>", "<function=read>", "<parameter=path>", "</parameter>", "</function>"),
    )
    for language_id in ("custom-blocks", "gadget", "stf"):
        checker = Checker(find_language(language_id), CHOSEN)
        document = open_document("@ai\n", language_id, CHOSEN)
        for _ in range(examples(150)):
            start = chosen.randrange(len(document) + 1)
            end = min(len(document), start + chosen.choice((0, 0, 0, 3, 30)))
            document.edit(start, end, "".join(chosen.choices(pieces, k=chosen.choice((0, 1, 3, 9)))))
            fresh = open_document(document.text, language_id, CHOSEN)
            assert [*checker.all(document)] == [*checker.all(fresh)], document.text


def test_the_schemas_that_settings_name_are_files_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/call.json").write_text(json.dumps(SCHEMA), "utf-8")
    settings = "[tags.declared.call]\nschema = 'schemas/call.json'\n[tags.declared.gone]\nschema = 'gone.json'\n"
    (tmp_path / "llmblocks.toml").write_text(settings, "utf-8")
    project = Project(lambda _: [str(tmp_path)])
    found = project.settings_for(str(tmp_path / "a.blocks"))
    assert found.declared_tags == (Tag("call", content=Content("json", json.dumps(SCHEMA))), Tag("gone"))
    assert project.named_files() == {str(tmp_path / name) for name in ("schemas/call.json", "gone.json")}
