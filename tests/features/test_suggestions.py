"""Completion of schemas, of the names of a document, and of declared tags."""

from __future__ import annotations

import pytest

from llmblocks.contract.caret import Signature
from llmblocks.features.completion import Completion, complete, signature
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import Settings
from llmblocks.tags.declared import Attribute, Tag
from marked import cursor

READ = GadgetSchema(
    "Read",
    "Reads a file.",
    {
        "type": "object",
        "properties": {
            "lines": {"type": "integer"},
            "path": {"type": "string", "description": "The path of the file."},
            "mode": {"enum": ["text", "bytes"]},
            "all": {"type": "boolean"},
            "only": {"type": "array", "items": {"type": "object", "properties": {"name": {}, "size": {}}}},
            "at": {"type": "object", "properties": {"line": {"type": "integer"}}},
        },
        "required": ["path"],
    },
)
LIST = GadgetSchema("List")
THINK = Tag("think", "What the model thinks.", (Attribute("by"), Attribute("depth", True, "How deep.", ("1", "22"))))
SETTINGS = Settings(gadgets=Gadgets((READ, LIST)), declared_tags=(THINK,), tags=("think", "note"))


def asked(marked: str, language_id: str, settings: Settings = SETTINGS) -> Ask:
    text, offset = cursor(marked)
    language = find_language(language_id)
    return Ask(language.open(text, settings), language, settings, offset, offset)


def completions(marked: str, language_id: str, settings: Settings = SETTINGS) -> list[Completion]:
    return complete(asked(marked, language_id, settings))


def labels(marked: str, language_id: str, settings: Settings = SETTINGS) -> list[str]:
    return [each.label for each in completions(marked, language_id, settings)]


def made(marked: str, language_id: str, label: str) -> str:
    """Return the text with one of the completions in it."""
    text, _ = cursor(marked)
    (each,) = [each for each in completions(marked, language_id) if each.label == label]
    return text[: each.start] + each.text + text[each.end :]


FORMATS = (("gadget", "{}"), ("stf", "@ai\n{}"), ("gadget", "<note>\n{}</note>\n"))
in_every_format = pytest.mark.parametrize(("language_id", "around"), FORMATS)


@in_every_format
def test_whole_calls_come_with_their_required_arguments(language_id: str, around: str) -> None:
    first, second, *_ = completions(around.format("!!$0\n"), language_id)
    assert (first.label, second.label) == ("!!!GADGET_START:Read", "!!!GADGET_START:List")
    assert first.text == "!!!GADGET_START:Read:r1\n!!!ARG:path\n"
    assert first.snippet == "!!!GADGET_START:Read:${1:r1}\n!!!ARG:path\n$2\n!!!GADGET_END"
    assert second.snippet == "!!!GADGET_START:List:${1:l1}\n$0\n!!!GADGET_END"
    assert first.more is not None
    assert "- `path`: Required: string. The path of the file." in first.more()


@pytest.mark.parametrize(("more", "behind"), [({"tags": {}}, "$3"), ({}, "")])
def test_a_value_that_is_chosen_last_is_left_for_another_argument(more: dict[str, object], behind: str) -> None:
    schema = {"type": "object", "properties": {"mode": {"enum": ["on", "off"]}, **more}, "required": ["mode"]}
    settings = Settings(gadgets=Gadgets((GadgetSchema("Set", "", schema),)))
    first, *_ = completions("!!$0\n", "gadget", settings)
    assert first.snippet == f"!!!GADGET_START:Set:${{1:s1}}\n!!!ARG:mode\n${{2|on,off|}}{behind}\n!!!GADGET_END"


@in_every_format
def test_what_begins_a_marker_finds_calls_and_markers_by_their_words(language_id: str, around: str) -> None:
    assert labels(around.format("!Rea$0\n"), language_id) == ["!!!GADGET_START:Read"]
    assert made(around.format("\n!rea$0\n"), language_id, "!!!GADGET_START:Read").count("!") == 6
    assert "!!!GADGET_START:" in labels(around.format("!gad$0\n"), language_id)
    assert labels(around.format("!!!GADGET_START:Read:r1\n!ar$0\n"), language_id)[-1] == "!!!ARG:"
    assert labels(around.format("Oh !Rea$0\n"), language_id) == []
    assert labels(around.format("!important$0\n"), language_id) == []


@in_every_format
def test_gadgets_are_offered_in_a_header(language_id: str, around: str) -> None:
    call = "!!!GADGET_START:Other:o\n!!!GADGET_END\n"
    assert labels(around.format(call + "!!!GADGET_START:$0\n"), language_id) == ["Read", "List", "Other"]
    assert made(around.format("!!!GADGET_START:R$0xx:a\n"), language_id, "Read") == around.format(
        "!!!GADGET_START:Read:a\n"
    )


@in_every_format
def test_a_start_marker_in_a_header_begins_no_other(language_id: str, around: str) -> None:
    text = around.format("!!!GADGET_START:a !!!GADGET_START:R$0\n!!!GADGET_END\n")
    assert [each.label for each in completions(text, language_id) if each.kind == "function"] == []
    assert labels(around.format("!!!GADGET_START:$0 !!!GADGET_START:R\n"), language_id) == ["Read", "List"]


@in_every_format
@pytest.mark.parametrize(
    "line", ["!!!GADGET_START:<$0", "!!!GADGET_START:Read:<t$0", "!!!GADGET_START:Read\n!!!ARG:<$0"]
)
def test_no_block_begins_in_the_markup_of_a_call(language_id: str, around: str, line: str) -> None:
    offered = completions(around.format(line + "\n"), language_id)
    assert [each.label for each in offered if "block" in each.detail] == []


@in_every_format
@pytest.mark.parametrize("marker", ["!!!GADGET_END", "!!!ARG:path\na", "!!!GADGET_START:List\n"])
def test_a_value_replaces_no_marker_after_it(language_id: str, around: str, marker: str) -> None:
    call = around.format(f"!!!GADGET_START:Read:r1\n!!!ARG:mode\n{{}}{marker}\n")
    for written in ("$0", "te$0", "te$0xx", "$0text "):
        assert made(call.format(written), language_id, "bytes") == call.format(
            "bytes " if written.endswith(" ") else "bytes"
        )
    # with the caret in the marker, there is no value to choose
    assert "bytes" not in labels(call.replace("!!!", "!$0!!").replace("!$0", "!", 2).format("te"), language_id)


@in_every_format
def test_an_id_that_no_call_has_is_offered(language_id: str, around: str) -> None:
    assert labels(around.format("!!!GADGET_START:Read:$0\n"), language_id) == ["r1"]
    given = "!!!GADGET_START:Read:r1\n!!!GADGET_END\n!!!GADGET_START:Read:{}:a\n!!!GADGET_END\n"
    assert made(around.format(given.format("x$0y")), language_id, "r2") == around.format(given.format("r2"))


@in_every_format
def test_a_marker_replaces_the_rest_of_one(language_id: str, around: str) -> None:
    text = around.format("!!!GADGET_START:List\n!!!ARG:a\n1\n{}\n")
    assert "!!!GADGET_END" not in labels(text.format("!!!GAD$0GET_END"), language_id)
    assert made(text.format("!$0!!ARG:"), language_id, "!!!GADGET_END") == text.format("!!!GADGET_END")
    assert made(text.format("!!!GADGET_E$0 x"), language_id, "!!!GADGET_END") == text.format("!!!GADGET_END x")
    # a whole call is not put before other text
    assert "!!!GADGET_START:Read" not in labels(around.format("!!!$0 x\n"), language_id)


@in_every_format
def test_pointers_of_other_calls_are_offered_where_no_schema_knows(language_id: str, around: str) -> None:
    other = "!!!GADGET_START:Other\n!!!ARG:a\n1\n!!!ARG:b/c\n2\n!!!ARG:d/0\n3\n!!!GADGET_END\n"
    rest = "!!!GADGET_START:Else\n!!!ARG:e\n1\n!!!GADGET_END\n"
    text = around.format(other + rest + "!!!GADGET_START:Other\n!!!ARG:a\n1\n!!!ARG:$0\n!!!GADGET_END\n")
    assert labels(text, language_id) == ["b/c"]


def call(name: str, *dependencies: str) -> str:
    return f"!!!GADGET_START:G:{name}:{','.join(dependencies)}\n!!!GADGET_END\n"


@in_every_format
def test_ids_are_offered_as_dependencies_where_they_make_no_cycle(language_id: str, around: str) -> None:
    text = call("a") + call("b", "a") + call("c", "$0") + call("d", "c") + call("e", "d") + call("f")
    assert labels(around.format(text), language_id) == ["b", "a", "f"]
    given = call("a") + call("b") + call("c", "a", "$0x")
    assert labels(around.format(given), language_id) == ["b"]
    assert made(around.format(given), language_id, "b") == around.format(call("a") + call("b") + call("c", "a", "b"))


def test_ids_of_earlier_messages_are_offered_and_those_of_later_ones_are_not() -> None:
    assert labels("@ai\n" + call("a") + "@ai\n" + call("b", "$0") + "@ai\n" + call("c"), "stf") == ["a"]


ARG = "!!!GADGET_START:Read\n!!!ARG:path\nx\n!!!ARG:"


@pytest.mark.parametrize(("between", "expected"), [(7, ["near"]), (8, [])])
@pytest.mark.parametrize("before", ["", "\n", "text\n"])
def test_pointers_of_calls_that_are_too_far_away_are_not_offered(
    between: int, expected: list[str], before: str
) -> None:
    value = "a long value\n" * 100
    start = f"{before}!!!GADGET_START:Other\n!!!ARG:near\n{value}!!!GADGET_END\n"
    text = start + call("x") * between + "!!!GADGET_START:Other\n!!!ARG:$0\n!!!GADGET_END\n"
    assert labels(text, "gadget") == expected


@in_every_format
def test_pointers_come_from_the_schema_without_those_that_are_given(language_id: str, around: str) -> None:
    assert labels(around.format(ARG + "$0\n"), language_id) == ["lines", "mode", "all", "only/0/", "at/"]
    assert labels(around.format(ARG + "at/$0\n"), language_id) == ["at/line"]
    assert labels(around.format(ARG + "only/0/$0\n"), language_id) == ["only/0/name", "only/0/size"]
    end = "1\n!!!GADGET_END\n"
    assert made(around.format(ARG + "li$0xes\n" + end), language_id, "lines") == around.format(ARG + "lines\n" + end)


@in_every_format
@pytest.mark.parametrize(
    ("given", "expected"),
    [(("a/0", "a/1"), ["a/2"]), (("a/0/x", "a/0/y", "a/1/x"), ["a/1/y", "a/2/x"]), (("a", "b"), [])],
)
def test_arrays_continue(given: tuple[str, ...], expected: list[str], language_id: str, around: str) -> None:
    text = "!!!GADGET_START:Unknown\n" + "".join(f"!!!ARG:{each}\n1\n" for each in given) + "!!!ARG:$0\n"
    assert labels(around.format(text), language_id) == expected


@in_every_format
@pytest.mark.parametrize(("pointer", "expected"), [("mode", ["text", "bytes"]), ("all", ["true", "false"])])
def test_allowed_values_are_offered_as_values(pointer: str, expected: list[str], language_id: str, around: str) -> None:
    text = around.format(f"{ARG}{pointer}\n{expected[0][0]}$0zz\n!!!GADGET_END\n")
    assert labels(text, language_id) == expected
    assert made(text, language_id, expected[1]) == around.format(f"{ARG}{pointer}\n{expected[1]}\n!!!GADGET_END\n")
    assert labels(around.format(f"{ARG}lines\nz$0\n"), language_id) == []


@in_every_format
def test_a_completion_replaces_nothing_on_another_line_of_the_client(language_id: str, around: str) -> None:
    text = around.format("!!!GADGET_START:R$0\rx\n")
    (read, *_) = completions(text, language_id)
    assert (read.label, read.end) == ("Read", cursor(text)[1])
    assert labels(around.format("!!!GADGET_START:R\rx$0\n"), language_id) == []


@in_every_format
def test_required_arguments_are_offered_first(language_id: str, around: str) -> None:
    text = around.format("!!!GADGET_START:Read\n!!!ARG:all\ntrue\n$0")
    assert labels(text, language_id) == [
        *("!!!ARG:path", "!!!ARG:lines", "!!!ARG:mode", "!!!ARG:only/0/", "!!!ARG:at/"),
        *("!!!ARG:", "!!!GADGET_END", "!!!GADGET_START:"),
    ]
    path = "!!!ARG:path\nx\n"
    assert labels(f"{text[:-2]}{path}$0", language_id)[:2] == ["!!!GADGET_END", "!!!ARG:lines"]


@in_every_format
def test_an_end_marker_is_not_first_where_the_call_has_one(language_id: str, around: str) -> None:
    text = around.format("!!!GADGET_START:Read\n!!!ARG:path\nx\n$0\n!!!GADGET_END\n")
    found = labels(text, language_id)
    assert found[0] == "!!!ARG:lines"
    assert found[-2:] == ["!!!GADGET_END", "!!!GADGET_START:"]


@in_every_format
def test_an_argument_shows_the_type_and_the_description_of_its_parameter(language_id: str, around: str) -> None:
    call = around.format("!!!GADGET_START:Read\n{}$0")
    for written, name in (("", "!!!ARG:{}"), ("!!!ARG:", "{}")):
        found = {each.label: each for each in completions(call.format(written), language_id)}
        assert found[name.format("path")].aside == "string"
        assert found[name.format("path")].detail == "Required: string. The path of the file."
        assert found[name.format("lines")].aside == "integer"
        assert found[name.format("mode")].aside == "one of text, bytes"


@pytest.mark.parametrize("text", ["plain$0\n", "a long line of pr$0ose\n", "a: b$0\n", "x = '$0\n"])
@in_every_format
def test_nothing_is_offered_in_prose(text: str, language_id: str, around: str) -> None:
    assert labels(around.format(text), language_id) == []


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("@user $0\n", ["name", "id", "call_id"]),
        ("@user name='a b' $0\n", ["id", "call_id"]),
        ("@user na$0 id=1\n", ["name"]),
        ("@user {na$0}\n", ["name"]),
        ("@user {name: 1, $0}\n", ["id", "call_id"]),
        ("@ai\n@embed type=$0\n", ["audio", "file", "image"]),
        ("@ai\n@embed type='im$0'\n", ["image", "audio", "file"]),
        ("@user name=Ada\n@user name=Bob\n@user name=$0\n", ["Bob", "Ada"]),
        ("@ai\n@call name=f id=c1\n{}\n@tool call_id=$0\n", ["c1"]),
        ("@ai\n@call id=a\n{}\n@call id=b\n{}\n@tool call_id=b\n@tool call_id=$0\n", ["a", "b"]),
        ("@msg role=critic\n@msg role=$0\n", ["user", "assistant", "system", "developer", "tool", "critic"]),
        ("@user\nHi\n@msg role=$0\n", ["assistant", "user", "system", "developer", "tool"]),
        ("@user name=Ada\n@ai\n@call name=find\n{}\n@tool name=list\n@user name=$0\n", ["Ada"]),
        ("@user name=Ada\n@ai\n@call name=find\n{}\n@tool name=list\n@tool name=$0\n", ["list", "find"]),
        ("@user name='x $0'\n", []),
    ],
)
def test_arguments_of_commands(marked: str, expected: list[str]) -> None:
    assert labels(marked, "stf") == expected


def test_names_of_tools_are_known_as_such() -> None:
    text = "@user name=Ada\n@ai\nHello!\n\n@call name=find\n{}\n"
    assert labels(f"{text}@call name=$0\n", "stf") == ["find"]
    assert labels(f"{text}@user name=$0\n", "stf") == ["Ada"]


def test_an_argument_replaces_what_is_there() -> None:
    assert made("@ai\n@embed type='im$0xx' mime=y\n", "stf", "image") == "@ai\n@embed type='image' mime=y\n"
    assert made("@user na$0\n", "stf", "name") == "@user name=\n"


def test_an_id_of_a_call_comes_with_its_value() -> None:
    before = "@ai\n@call id=c1\n{}\n"
    assert made(before + "@call name=f i$0\n", "stf", "id") == before + '@call name=f id="c2"\n'
    assert made(before + "@call {name: 'f', $0}\n", "stf", "id") == before + "@call {name: 'f', id: \"c2\"}\n"
    assert [each.snippet for each in completions("@ai\n@call i$0\n", "stf")] == ['id="${1:c1}"']
    assert made(before + "@call name=f i$0=x\n", "stf", "id") == before + "@call name=f id=x\n"
    assert made("@user i$0\n", "stf", "id") == "@user id=\n"


@pytest.mark.parametrize(
    ("before", "written"),
    [
        ("@ai\n@call id=a\n{}\n", 'tool call_id="a"\n$0'),
        ("@ai\n@call id=a\n{}\n@tool call_id=a\nx\n@ai\n@call id=b\n{}\n", 'tool call_id="b"\n$0'),
        ("@ai\n@call id=a\n{}\n@call id=b\n{}\n", 'tool call_id="${1|b,a|}"\n$0'),
        ("@ai\n@call id=a\n{}\n@tool call_id=a\nx\n", 'tool call_id="${1|a|}"\n$0'),
        ("@ai\n@call id='\"'\n{}\n", ""),
        ("@ai\n@call id=$a\n{}\n", 'tool call_id="\\$a"\n$0'),
    ],
)
def test_an_answer_names_the_one_call_that_waits_for_it(before: str, written: str) -> None:
    found = {each.label: each.snippet for each in completions(f"{before}@$0\n", "stf")}
    assert found["tool"] == written


def test_the_role_that_answers_comes_first_in_a_raw_message() -> None:
    found = {each.label: each.snippet for each in completions("@user\nHi\n@$0\n", "stf")}
    assert found["raw"].startswith('raw\n{role: "${1|assistant,user,')
    assert labels("@user\nHi\n@raw\n{role: $0}\n@end\n", "stf")[:2] == ["assistant", "user"]


@pytest.mark.parametrize(
    ("marked", "label", "becomes"),
    [
        ("@msg na$0=x\n", "name", "@msg name=x\n"),
        ("@msg na$0mm = x\n", "name", "@msg name = x\n"),
        ("@msg {ro$0: 'x'}\n", "role", "@msg {role: 'x'}\n"),
        ("@msg {n$0x}\n", "name", "@msg {name: }\n"),
        ("@raw\n{ro$0l: 'u'}\n@end\n", "role", "@raw\n{role: 'u'}\n@end\n"),
        ("@raw\n{'co$0nt' : 'u'}\n@end\n", "content", "@raw\n{'content' : 'u'}\n@end\n"),
        ("@raw\n{ro$0xx}\n@end\n", "role", "@raw\n{role: }\n@end\n"),
        ("@raw\n{role: us$0xx}\n@end\n", "user", '@raw\n{role: "user"}\n@end\n'),
        ("@raw\n{content: [{type: 'te$0'}]}\n@end\n", "text", "@raw\n{content: [{type: 'text'}]}\n@end\n"),
        ("@ai\n<think de$0pt='1'>", "depth", "@ai\n<think depth='1'>"),
        ("@ai\n<think de$0pt>", "depth", "@ai\n<think depth=>"),
        ("@raw\n{}\n@e$0dn\n", "end", "@raw\n{}\n@end\n"),
    ],
)
def test_a_key_replaces_the_key_that_is_there(marked: str, label: str, becomes: str) -> None:
    assert made(marked, "stf", label) == becomes


@pytest.mark.parametrize(
    ("marked", "first"),
    [
        ("@$0", ["user", "assistant", "ai"]),
        ("@user\nx\n@$0", ["assistant", "ai", "user"]),
        ("@ai\nx\n@user\nx\n@$0", ["ai", "assistant", "user"]),
        ("@sys\nx\n@$0", ["user", "sys", "assistant"]),
        ("@user\nx\n@ai\n@call name=f\n{}\n@tool\n{}\n@a$0x", ["ai", "assistant", "tool", "user"]),
        (";dev\n;ai\nx\n;$0", ["user", "ai", "dev"]),
    ],
)
def test_the_command_that_likely_follows_comes_first(marked: str, first: list[str]) -> None:
    found = labels(marked, "stf")
    assert found[: len(first)] == first
    assert len(found) == len({*found})
    assert "end" not in found


def test_commands_of_a_message_come_last_where_there_is_none() -> None:
    assert [each for each in labels("@$0", "stf") if each in ("call", "embed", "raw", "tool")][-2:] == ["call", "embed"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("@raw\n$0", ["@end"]),
        ("@raw\n{role: 'x'}\n$0\n", ["@end"]),
        (";meta\n$0\n", [";end"]),
        ("@raw\n!!!$0\n@end\n", []),
        ("@raw\n<$0\n@end\n", []),
        ("@/*\n$0\n", ["@*/"]),
        (";user\n;/* why\n\n$0", [";*/"]),
        ("@/*\nwords $0\n", []),
        ("@/*\nx\n@*/$0\n", []),
        ("@raw\n{}\n@e$0nd\n", []),
    ],
)
def test_in_blocks_and_comments_only_their_ends_are_offered(marked: str, expected: list[str]) -> None:
    assert labels(marked, "stf") == expected


def test_aliases_and_snippets_of_commands() -> None:
    found = {each.label: each for each in completions("@$0\n", "stf")}
    assert found["ai"].detail.startswith("Another name of `@assistant`.")
    beside = {label: each.aside for label, each in found.items() if each.aside}
    assert beside == {
        "ai": "alias of assistant",
        "sys": "alias of system",
        "dev": "alias of developer",
        "msg": "alias of message",
    }
    assert found["raw"].snippet.endswith("@end\n$0")
    assert made("@us$0xx\n", "stf", "user") == "@user\n"


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("@raw\n{$0}\n@end\n", ["role", "content", "name"]),
        ("@raw\n{role: 'user', con$0}\n@end\n", ["content", "name", "id"]),
        ("@raw\n{role: 'user', content: '', $0}\n@end\n", ["name", "id", "extra"]),
        ("@raw\n{role: 'tool', content: '', $0}\n@end\n", ["name", "id", "call_id"]),
        ("@raw\n{role: 'critic', content: '', $0}\n@end\n", ["name", "id", "call_id"]),
        ("@raw\n{role: $0}\n@end\n", ["user", "assistant", "system"]),
        ("@raw\n{tool_calls: [{$0}]}\n@end\n", ["name", "arguments", "id"]),
        ("@raw\n{content: 'a, $0'}\n@end\n", []),
        ("@raw\n{role: 'user'}\n@$0", ["end"]),
        ("@raw\n{role: 'user'}\n$0", ["@end"]),
        (";meta\n{}\n;$0", ["end"]),
        ("@/*\nx\n@$0", ["@*/"]),
        ("@/*\nx\ny$0", []),
    ],
)
def test_keys_of_json5_and_the_ends_of_blocks_and_comments(marked: str, expected: list[str]) -> None:
    assert labels(marked, "stf")[:3] == expected


@pytest.mark.parametrize(
    ("language_id", "around"), [("custom-blocks", "a {}"), ("gadget", "a {}"), ("stf", "@user\na {}")]
)
def test_tags_their_attributes_and_values(language_id: str, around: str) -> None:
    assert labels(around.format("<$0"), language_id) == ["think", "note"]
    assert labels(around.format("<think $0"), language_id) == ["depth", "by"]
    assert labels(around.format("<think by=1 $0>"), language_id) == ["depth"]
    assert labels(around.format("<think depth=$0"), language_id) == ["1", "22"]
    assert labels(around.format("<think>x <$0"), language_id) == ["/think>"]
    assert labels(around.format("<think>x <think $0"), language_id) == []
    assert labels(around.format("<note $0"), language_id) == []
    text = around.format("<think depth='2$0x' by=1>")
    assert made(text, language_id, "22") == around.format("<think depth='22' by=1>")
    assert made(around.format("<think>x</thi$0n>"), language_id, "think>") == around.format("<think>x</think>")


def test_each_completion_is_offered_once_with_a_sentence() -> None:
    for marked in ("!!$0", "@$0", "<$0", ARG + "$0", ARG + "x\n1\n$0"):
        found = completions(marked, "stf")
        assert len({each.label for each in found}) == len(found)
        assert all(each.detail for each in found)


def signed(marked: str, language_id: str) -> Signature | None:
    return signature(asked(marked, language_id))


@in_every_format
def test_the_parameters_of_a_gadget_are_shown_while_its_arguments_are_written(language_id: str, around: str) -> None:
    found = signed(around.format("!!!GADGET_START:Read$0\n"), language_id)
    assert found is not None
    assert found.label == "Read(path, lines?, mode?, all?, only?, at?)"
    assert found.documentation == "Reads a file."
    assert found.active == -1
    found = signed(around.format(ARG + "mo$0de\nx\n"), language_id)
    assert found is not None
    for text in (ARG + "mode$0\n", ARG + "mode\nte$0\n", ARG + "only/0/name\nx$0\n!!!GADGET_END\n"):
        found = signed(around.format(text), language_id)
        assert found is not None
        assert found.active in (2, 4)
    assert found.parameters[4][0] == "only?"


@in_every_format
def test_no_signature_is_shown_outside_of_calls(language_id: str, around: str) -> None:
    for text in ("te$0xt\n", ARG + "mode\ntext\n!!!GADGET_END\nte$0xt\n", "!!!GADGET_START:Unknown$0\n"):
        assert signed(around.format(text), language_id) is None
    without = SETTINGS._replace(gadgets=Gadgets(()))
    assert signature(asked(around.format(ARG + "mode$0\n"), language_id, without)) is None


@pytest.mark.parametrize(
    "marked",
    ["@raw\n!!!GADGET_START:Read$0\n@end\n", "@# !!!GADGET_START:Read$0\n", ";meta\n!!!GADGET_START:Read:$0\n"],
)
def test_what_is_not_a_call_has_no_signature(marked: str) -> None:
    assert signature(asked(marked, "stf")) is None


@pytest.mark.parametrize("header", ["@user {name: 'Ada'}$0", "@user {name: 'Ada'$0}", '@user name="Ada"$0'])
def test_nothing_is_offered_after_a_value_in_quotes(header: str) -> None:
    assert labels(f"@ai name=Ada\nHi\n{header}\nHello\n", "stf") == []


def test_a_name_is_offered_inside_the_quotes_of_an_object() -> None:
    assert labels("@ai name=Ada\nHi\n@user {name: 'A$0'}\nHello\n", "stf") == ["Ada"]


def test_what_is_after_the_caret_may_be_in_the_next_section() -> None:
    call = "!!!GADGET_START:List\n!!!ARG:a\n1\n!!!GADGET_END\n"
    text = f"{call}$0{call}"
    # the marker that is there would be replaced by itself
    assert "!!!GADGET_START:" not in labels(text, "gadget")


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("@user name=$0'Ada'\n@ai name=Bob\n", "Bob", '@user name="Bob"\n@ai name=Bob\n'),
        ("@msg {role:$0 'ai', id: 'a'}\n", "user", "@msg {role:\"user\", id: 'a'}\n"),
        ("@raw\n{role:$0 'ai', content: ''}\n@end\n", "user", "@raw\n{role:\"user\", content: ''}\n@end\n"),
        ("@user name=$0 id='a'\n@ai name=Bob\n", "Bob", "@user name=\"Bob\" id='a'\n@ai name=Bob\n"),
    ],
)
def test_a_value_in_quotes_after_the_caret_is_replaced(text: str, label: str, expected: str) -> None:
    assert made(text, "stf", label) == expected


def test_no_pair_is_offered_before_an_object() -> None:
    assert labels("@msg $0{role: 'ai'}\n", "stf") == []


@pytest.mark.parametrize("marked", ["<think !!!GADGET_START:G$0", "<think x !!!GADGET_START:G:$0", "<th!!!ARG:a$0"])
@pytest.mark.parametrize("before", ["", "!!!GADGET_START:G\n!!!ARG:a\n1\n"])
def test_a_tag_that_a_call_interrupts_takes_no_attributes(before: str, marked: str) -> None:
    assert not {"by", "depth"} & {*labels(before + marked, "gadget")}


def test_a_block_may_begin_on_an_earlier_line() -> None:
    assert "name" in labels("@raw\n{\n  role: 'user',\n  content: 'Hi',\n  $0", "stf")


@in_every_format
@pytest.mark.parametrize(
    ("written", "before"),
    [
        ("!!!ARG:mode", ARG.removesuffix("!!!ARG:")),
        ("!!!ARG:mode\ntext", ARG.removesuffix("!!!ARG:")),
        ("!!!GADGET_START:Read", ""),
        ("!!!GADGET_END", ARG.removesuffix("!!!ARG:")),
    ],
)
def test_nothing_is_offered_after_what_is_complete(written: str, before: str, language_id: str, around: str) -> None:
    assert labels(around.format(f"{before}{written}$0\n"), language_id) == []
    assert labels(around.format(f"{before}{written[:-1]}$0\n"), language_id)


@pytest.mark.parametrize(
    "marked", ["@system$0", "@sys$0", ";user$0", "@user name$0", "@msg role=user$0", "@ai\n<think$0"]
)
def test_nothing_is_offered_after_a_complete_command_key_or_tag(marked: str) -> None:
    assert labels(f"{marked}\n", "stf") == []
    assert labels(f"{marked[:-3]}$0\n", "stf")


@pytest.mark.parametrize("language_id", ["gadget", "stf", "custom-blocks"])
def test_prose_opens_no_list(language_id: str) -> None:
    before = "@user\n" if language_id == "stf" else ""
    prose = "Hello! Read 2 < 3, \"think\" / note: user = 'role'; @ai, List<int>! Wow!!! mode text (all) true.\nAsk!\n"
    for end in range(1, len(prose)):
        # a bracket after a space may begin a tag
        if not prose[:end].endswith((" <", "\n")):
            assert labels(f"{before}{prose[:end]}$0", language_id) == [], prose[:end]


@in_every_format
def test_an_end_marker_takes_the_place_of_the_one_after_it(language_id: str, around: str) -> None:
    text = around.format(f"{ARG}lines\n1\n!!!$0\n!!!GADGET_END\nrest\n")
    (end,) = [each for each in completions(text, language_id) if each.label == "!!!GADGET_END"]
    plain, _ = cursor(text)
    assert plain[end.end : end.gone] == "\n!!!GADGET_END"
    text = around.format(f"{ARG}lines\n1\n!!!$0\nmore\n!!!GADGET_END\n")
    assert [each for each in completions(text, language_id) if each.gone > each.end] == []


def test_a_closing_tag_takes_the_place_of_the_one_after_it() -> None:
    for marked in ("<think>Hm.<$0</think> x", "<think>Hm.</thi$0</think> x"):
        text, _ = cursor(marked)
        (closing,) = completions(marked, "custom-blocks")
        assert text[: closing.start] + closing.text + text[closing.gone :] == "<think>Hm.</think> x"


@in_every_format
def test_a_pointer_brings_the_line_of_its_value_where_there_is_none(language_id: str, around: str) -> None:
    assert made(f"{around.partition('{')[0]}{ARG}mo$0", language_id, "mode").endswith(f"{ARG}mode\n")
    end = "\n!!!GADGET_END\n"
    assert made(around.format(ARG + "mo$0" + end), language_id, "mode") == around.format(ARG + "mode\n" + end)
    valued = "\ntext\n!!!GADGET_END\n"
    assert made(around.format(ARG + "mo$0" + valued), language_id, "mode") == around.format(ARG + "mode" + valued)


@in_every_format
def test_what_can_be_chosen_after_a_completion_is_known(language_id: str, around: str) -> None:
    def going_on(marked: str) -> set[str]:
        return {each.label for each in completions(around.format(marked), language_id) if each.goes_on}

    assert going_on("!!$0\n") >= {"!!!GADGET_START:Read", "!!!GADGET_START:"}
    assert going_on(ARG + "$0\n!!!GADGET_END") == {"mode", "all", "only/0/", "at/"}
    assert going_on(ARG + "lines\n1\n!$0") >= {"!!!ARG:mode", "!!!ARG:all", "!!!ARG:at/", "!!!ARG:"}


@pytest.mark.parametrize(
    "marked", ["@ai\n!!$0", "@$0", "@ai\n<$0", "@user $0", f"@ai\n{ARG}$0", f"@ai\n{ARG}x\n1\n$0", "@raw\n{$0"]
)
def test_all_completions_of_a_list_begin_at_one_place(marked: str) -> None:
    assert len({each.start for each in completions(marked, "stf")}) == 1


CALL = '<tool_call>\n{"name": "Read", "arguments": '
XML = "<tool_call>\n<function=Read>\n<parameter=path>\na.txt\n</parameter>\n"


@pytest.mark.parametrize(
    ("marked", "template", "active"),
    [
        (CALL + "{$0", "hermes", ""),
        (CALL + '{"path": "a", "mode": $0', "hermes", "mode"),
        (CALL + '{"path": "a", "mode": "t$0"}}\n</tool_call>', "hermes", "mode"),
        (CALL + '{"path": "a", $0}}\n</tool_call>', "hermes", ""),
        (XML + "<parameter=lines>\n$0", "qwen3-coder", "lines"),
        ("<|channel|>commentary to=functions.Read <|message|>{$0", "gpt-oss", ""),
        ('[TOOL_CALLS]Read[ARGS]{"path": "$0"}', "mistral-v11", "path"),
    ],
)
def test_a_call_in_a_completion_has_the_signature_of_its_tool(marked: str, template: str, active: str) -> None:
    found = signature(asked(marked, "completion", SETTINGS._replace(template=template)))
    assert found is not None
    assert found.label == "Read(path, lines?, mode?, all?, only?, at?)"
    order = ["path", "lines", "mode"]
    assert found.active == (order.index(active) if active else -1)


@pytest.mark.parametrize("marked", ["$0", "<think>$0", '<tool_call>{"name": "$0', f"{CALL}{{}}}}</tool_call>$0"])
def test_no_signature_is_shown_outside_of_calls_in_completions(marked: str) -> None:
    assert signature(asked(marked, "completion")) is None


def test_tools_and_arguments_are_offered_with_their_schemas() -> None:
    read, _ = completions('<tool_call>{"name": "$0', "completion")
    assert read.label == "Read"
    assert [each.detail for each in completions(CALL + '{"pa$0', "completion")][:1] == [
        "Required: string. The path of the file."
    ]
    assert "path" in labels(XML + "<parameter=$0", "completion", SETTINGS._replace(template="qwen3-coder"))
