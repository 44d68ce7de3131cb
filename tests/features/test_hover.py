"""Hovers of values, calls, arguments and tags."""

from __future__ import annotations

import pytest

from llmblocks.features.hover import Hover, hover
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import Settings
from llmblocks.tags.declared import Attribute, Tag
from llmblocks.tags.editor.blocks import tag_near
from marked import cursor

READ = GadgetSchema(
    "Read",
    "Reads a file.",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The path of the file."},
            "lines": {"type": "integer", "minimum": 1},
            "mode": {"enum": ["text", "bytes"]},
            "all": {"type": "boolean"},
            "tail": {"type": "integer", "default": 3},
            "only": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
        },
        "required": ["path"],
    },
)
THINK = Tag("think", "What the model thinks.", (Attribute("depth", True, "How deep.", ("1", "2")), Attribute("by")))
OTHERS = tuple([GadgetSchema(name) for name in ("Write", "G", "H")])
SETTINGS = Settings(gadgets=Gadgets((READ, *OTHERS)), declared_tags=(THINK,))


def explained(marked: str, language_id: str, settings: Settings = SETTINGS) -> Hover:
    text, offset = cursor(marked)
    language = find_language(language_id)
    found = hover(Ask(language.open(text, settings), language, settings, offset, offset))
    assert found is not None
    return found


def words(marked: str, language_id: str, settings: Settings = SETTINGS) -> str:
    return explained(marked, language_id, settings).text


CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\n12\n!!!ARG:lines\n4\n!!!GADGET_END\n"
FORMATS = (("gadget", "{}"), ("stf", "@ai\n{}"), ("gadget", "<note>\n{}</note>\n"))
in_every_format = pytest.mark.parametrize(("language_id", "around"), FORMATS)


@in_every_format
def test_a_call_shows_its_parameters_as_the_gadget_receives_them(language_id: str, around: str) -> None:
    found = words(around.format(CALL.replace("Read", "Re$0ad")), language_id)
    assert "Reads a file." in found
    assert '```json\n{\n  "path": "12",\n  "lines": 4,\n  "tail": 3\n}\n```' in found
    assert found.startswith("`Read r1`: gadget call, wave 1\n\nReads a file.\n\nThe gadget receives:")


@in_every_format
def test_without_a_schema_a_call_shows_what_the_runtime_decodes(language_id: str, around: str) -> None:
    found = words(around.format(CALL.replace("Read", "Wr$0ite")), language_id)
    assert '{\n  "path": 12,\n  "lines": 4\n}' in found


def test_a_call_that_the_runtime_rejects_shows_the_error_instead_of_parameters() -> None:
    found = words("!!!GADGET_ST$0ART:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n", "gadget")
    assert found.startswith("`G`: gadget call, rejected: Duplicate pointer: a\n")
    assert "```json" not in found


def test_a_call_against_its_schema_shows_the_error_of_the_validation() -> None:
    found = words("!!!GADGET_START:Re$0ad\n!!!ARG:lines\n1\n!!!GADGET_END\n", "gadget")
    assert found.startswith("`Read`: gadget call, rejected: path: Invalid input")
    assert "Without the error, the gadget would receive:" in found


def test_what_the_schema_does_not_have_is_dropped() -> None:
    closed = GadgetSchema("R", "", {"type": "object", "properties": {}, "additionalProperties": False})
    text = "!!!GADGET_START:$0R\n!!!ARG:x\n1\n!!!GADGET_END\n"
    found = words(text, "gadget", Settings(gadgets=Gadgets((closed,))))
    assert "Dropped, since the schema does not have them: `x`" in found


def test_a_dropped_parameter_of_a_rejected_call_is_not_among_those_it_would_receive() -> None:
    known = {"path": {"type": "string"}, "lines": {"type": "integer"}}
    shape = {"type": "object", "properties": known, "required": ["path"], "additionalProperties": False}
    settings = Settings(gadgets=Gadgets((GadgetSchema("R", "", shape),)))
    found = words("!!!GADGET_START:$0R\n!!!ARG:pth\nx\n!!!ARG:lines\n1\n!!!GADGET_END\n", "gadget", settings)
    assert 'Without the error, the gadget would receive:\n\n```json\n{\n  "lines": 1\n}' in found
    assert "Dropped, since the schema does not have them: `pth`" in found


def call(name: str, *dependencies: str) -> str:
    return f"!!!GADGET_START:G:{name}:{','.join(dependencies)}\n!!!GADGET_END\n"


@pytest.mark.parametrize(
    ("calls", "says"),
    [
        (call("a") + call("b", "a") + call("$0c", "b"), "wave 3"),
        (call("a") + call("b") + call("$0c", "b", "a"), "wave 2"),
        (call("a", "b") + call("$0b", "a"), "never ran: "),
        (call("$0a", "x"), "never ran: "),
        (call("$0a", "a"), "never ran: "),
        ("!!!GADGET_START:H\n!!!GADGET_END\n" + call("$0a", "gadget_1"), "wave 2"),
        ("!!!GADGET_START:H\n!!!GADGET_END\n" + call("$0a", "gadget_2"), "never ran: "),
    ],
)
@pytest.mark.parametrize(("language_id", "around"), FORMATS[:2])
def test_the_wave_of_a_call_follows_from_its_dependencies(calls: str, says: str, language_id: str, around: str) -> None:
    assert says in words(around.format(calls), language_id)


def test_what_an_earlier_response_has_run_is_not_waited_for() -> None:
    assert "wave 1" in words("@ai\n" + call("a") + "@ai\n" + call("$0b", "a"), "stf")


@pytest.mark.parametrize(
    ("calls", "says"),
    [
        (call("a") + call("b", "$0a"), "`a`: call of `G` in this response, wave 1"),
        (call("a") + call("b", "x", "a$0"), "`a`: call of `G` in this response, wave 1"),
        (call("b", "g$0one"), "`gone`: no call of this response or an earlier one has this id"),
        ("!!!GADGET_START:H\n!!!GADGET_END\n" + call("b", "gad$0get_1"), "`gadget_1`: call of `H`"),
    ],
)
@pytest.mark.parametrize(("language_id", "around"), FORMATS[:2])
def test_a_dependency_shows_the_call_that_it_is(calls: str, says: str, language_id: str, around: str) -> None:
    assert words(around.format(calls), language_id).startswith(says)


def test_a_dependency_on_an_earlier_response_is_not_waited_for() -> None:
    found = words("@ai\n" + call("a") + "@ai\n" + call("b", "a$0"), "stf")
    assert found.startswith("`a`: call of `G` in an earlier response, wave 1")
    # at the id of the call itself, dependencies are not shown
    assert words(call("a") + call("b$0", "a"), "gadget").startswith("`G b`: gadget call, wave 2")


@in_every_format
def test_a_value_shows_its_type_before_and_after_the_schema(language_id: str, around: str) -> None:
    found = words(around.format(CALL.replace("12", "1$02")), language_id)
    assert "Required: string. The path of the file." in found
    assert found.startswith("`path`: text, 2 characters\n")
    assert "As the schema says; without it: number `12`." in found
    assert "at least 1" in words(around.format(CALL.replace("lines", "li$0nes")), language_id)
    assert "`lines`: number `4`\n" in words(around.format(CALL.replace("lines", "li$0nes")), language_id)


@pytest.mark.parametrize(
    ("value", "code"), [("x  ", "G116"), ("```py\nx\n```", "G115"), ("a\rb", "G117"), ("12345678901234567890", "G118")]
)
@in_every_format
def test_a_value_shows_what_is_lost_of_it(value: str, code: str, language_id: str, around: str) -> None:
    text = f"!!!GADGET_START:G\n!!!ARG:a$0b\n{value}\n!!!GADGET_END\n"
    assert f"(`{code}`)" in words(around.format(text), language_id)
    assert "(`G1" not in words(around.format(text.replace(value, "plain")), language_id)


def test_an_unknown_parameter_is_reported() -> None:
    closed = GadgetSchema("R", "", {"type": "object", "properties": {}, "additionalProperties": False})
    text = "!!!GADGET_START:R\n!!!ARG:$0x\n1\n"
    assert "has no such parameter" in words(text, "gadget", Settings(gadgets=Gadgets((closed,))))


def test_a_large_value_is_cut_with_a_note() -> None:
    found = words(f"!!!GADGET_START:$0G\n!!!ARG:a\n{'x' * 5000}\n!!!GADGET_END\n", "gadget")
    assert len(found) < 2600
    assert "more characters." in found


@pytest.mark.parametrize(
    ("marked", "says"),
    [
        ("@user na$0me='Ada'\nhi\n", "`name` of `@user`: text, 3 characters"),
        ("@user name='A$0da'\nhi\n", "`name` of `@user`: text, 3 characters"),
        ("@ai\n@call {name: 'f', i$0d: '1'}\n{}\n", "`id` of `@call`: text, 1 character"),
        ("@user x$0yz=1\n", "has no effect"),
        ("@ai\n@call name=f\n{a$0: [1, 0x10,]}\n", '"a": [\n    1,\n    16\n  ]'),
        ("@raw\n{role: 'us$0er', content: 1e2}\n@end\n", '"role": "user"'),
        ("@raw\n{role: $0}\n@end\n", "cannot be read"),
    ],
)
def test_arguments_and_json5_are_explained_with_their_values(marked: str, says: str) -> None:
    assert says in words(marked, "stf")


@pytest.mark.parametrize(
    ("language_id", "around"), [("custom-blocks", "a {}"), ("gadget", "a {}"), ("stf", "@user\na {}")]
)
def test_tags_and_attributes_have_their_declared_description(language_id: str, around: str) -> None:
    tag = words(around.format("<thi$0nk depth=2>x</think>"), language_id)
    assert "What the model thinks." in tag
    assert "Other attributes: `by`" in tag
    attribute = words(around.format("<think de$0pth=2>x</think>"), language_id)
    assert "How deep." in attribute
    assert "Values: `1`, `2`" in attribute


@pytest.mark.parametrize("around", ["{}", "@user\n{}", "!!!GADGET_START:A\n!!!GADGET_END\n{}"])
def test_a_tag_that_is_not_registered_is_explained_on_its_line(around: str) -> None:
    language_id = "stf" if around.startswith("@") else "gadget"
    text = around.format("one\nsee <cita$0tion n=1>x</citation>, <b> and 1 < 2\nthree\n")
    found = explained(text, language_id)
    assert found.text == "`citation` is not a registered tag: it is text.\n\nA quick fix registers it in the settings."
    assert text.replace("$0", "")[found.start : found.end] == "see <citation n=1>x</citation>, <b> and 1 < 2"
    for other in ("<$0b>", "1 <$0 2", "$0see"):
        text, at = cursor(text.replace("$0", "").replace(other.replace("$0", ""), other))
        language = find_language(language_id)
        assert hover(Ask(language.open(text, SETTINGS), language, SETTINGS, at, at)) is None


def test_a_long_call_and_a_long_block_are_explained_as_any_other() -> None:
    body = "".join(map("!!!ARG:a{}\nvalue\n".format, range(3000)))
    text = f"!!!GADGET_START:Read:r1\n{body}!!!GADGET_END\n"
    for marked in (text.replace("Read", "Re$0ad"), text.replace("a2000\n", "a20$000\n")):
        assert "longer than" not in words(marked, "gadget")
    for before in ("", "some words " * 5_000):
        block = before + "<think by=me>\n" + "x\n" * 30_000 + "</think>\n"
        said = words(block.replace("<think", "<th$0ink"), "custom-blocks")
        assert "`by` = `me`" in said
        assert "Nothing closes it" not in said
        assert "End of the custom block `think`." in words(block.replace("</think", "</th$0ink"), "custom-blocks")


def test_a_block_whose_first_line_is_long_is_closed_where_it_ends() -> None:
    block = f"<think>a</think> text <think by=me>{'x' * 100_000}\n</think>\n"
    assert "Nothing closes it" not in words(block.replace("<think by", "<th$0ink by"), "custom-blocks")
    assert "End of the custom block `think`." in words(block.replace("\n</think", "\n</th$0ink"), "custom-blocks")
    assert "`by` = `me`" not in words(block.replace("<think>", "<th$0ink>"), "custom-blocks")
    section = find_language("custom-blocks").open(block, SETTINGS).section_at(0).section
    assert tag_near(section, block.index("text")) is None


def test_the_mark_of_a_long_value_is_cut_around_the_position() -> None:
    text = "!!!GADGET_START:G\n!!!ARG:a\n" + "some text\n" * 6000 + "!!!GADGET_END\n"
    found = [explained(text[:at] + "$0" + text[at:], "gadget") for at in range(20_000, 40_000, 1111)]
    assert {each.end - each.start for each in found} == {8192}
