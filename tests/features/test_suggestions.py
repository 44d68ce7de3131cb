"""Completion of schemas, of the names of a document, and of declared tags; signatures."""

from __future__ import annotations

import pytest

from llmblocks.features.completion import Completion, complete, signature
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.settings.values import Settings
from llmblocks.tags.syntax import Attribute, Tag
from marked import asked, cursor

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

ARG = "!!!GADGET_START:Read\n!!!ARG:path\nx\n!!!ARG:"
OTHER = "!!!GADGET_START:Other:o\n!!!GADGET_END\n"
POINTERS = (
    "!!!GADGET_START:Other\n!!!ARG:a\n1\n!!!ARG:b/c\n2\n!!!ARG:d/0\n3\n!!!GADGET_END\n"
    "!!!GADGET_START:Else\n!!!ARG:e\n1\n!!!GADGET_END\n!!!GADGET_START:Other\n!!!ARG:a\n1\n!!!ARG:$0\n!!!GADGET_END\n"
)
BESIDE = "!!!ARG:lines !!!ARG:mode !!!ARG:{}only/0/ !!!ARG:at/"
"""The optional parameters that a call lacks."""


def call(name: str, *dependencies: str) -> str:
    return f"!!!GADGET_START:G:{name}:{','.join(dependencies)}\n!!!GADGET_END\n"


def arguments(*pointers: str) -> str:
    """Return a call of a gadget without a schema, which goes on with an argument."""
    return "!!!GADGET_START:Unknown\n" + "".join([f"!!!ARG:{each}\n1\n" for each in pointers]) + "!!!ARG:$0\n"


CALLED = "@ai\n@call id=c1\n{}\n"
ADA = "@user name=Ada\n@ai\n@call name=find\n{}\n@tool name=list\n"
IN_CALLS = (
    ("!Rea$0\n", "!!!GADGET_START:Read"),
    ("!!!GADGET_START:Read:r1\n!ar$0\n", f"!!!ARG:path {BESIDE.format('all !!!ARG:')} !!!ARG:"),
    ("Oh !Rea$0\n", ""),
    ("!important$0\n", ""),
    (OTHER + "!!!GADGET_START:$0\n", "Read List Other"),
    # a start marker in a header begins no other
    ("!!!GADGET_START:a !!!GADGET_START:R$0\n!!!GADGET_END\n", "a1"),
    ("!!!GADGET_START:$0 !!!GADGET_START:R\n", "Read List"),
    ("!!!GADGET_START:R\rx$0\n", ""),
    ("!!!GADGET_START:Read:$0\n", "r1"),
    # no schema knows, another call does
    (POINTERS, "b/c"),
    # no cycle of dependencies
    (call("a") + call("b", "a") + call("c", "$0") + call("d", "c") + call("e", "d") + call("f"), "b a f"),
    (call("a") + call("b") + call("c", "a", "$0x"), "b"),
    (ARG + "$0\n", "lines mode all only/0/ at/"),
    (ARG + "at/$0\n", "at/line"),
    (ARG + "only/0/$0\n", "only/0/name only/0/size"),
    (arguments("a/0", "a/1"), "a/2"),
    (arguments("a/0/x", "a/0/y", "a/1/x"), "a/1/y a/2/x"),
    (arguments("a", "b"), ""),
    (ARG + "mode\nt$0zz\n!!!GADGET_END\n", "text bytes"),
    (ARG + "all\nt$0zz\n!!!GADGET_END\n", "true false"),
    (ARG + "lines\nz$0\n", ""),
    # required arguments first; then the end, unless the call has one
    (
        "!!!GADGET_START:Read\n!!!ARG:all\ntrue\n$0",
        f"!!!ARG:path {BESIDE.format('')} !!!ARG: !!!GADGET_END !!!GADGET_START:",
    ),
    (
        "!!!GADGET_START:Read\n!!!ARG:all\ntrue\n!!!ARG:path\nx\n$0",
        f"!!!GADGET_END {BESIDE.format('')} !!!ARG: !!!GADGET_START:",
    ),
    (
        "!!!GADGET_START:Read\n!!!ARG:path\nx\n$0\n!!!GADGET_END\n",
        f"{BESIDE.format('all !!!ARG:')} !!!ARG: !!!GADGET_END !!!GADGET_START:",
    ),
    *[(text, "") for text in ("plain$0\n", "a long line of pr$0ose\n", "a: b$0\n", "x = '$0\n")],
    # complete
    (ARG + "mode$0\n", ""),
    (ARG + "mode\ntext$0\n", ""),
    ("!!!GADGET_START:Read$0\n", ""),
    ("!!!GADGET_START:Read\n!!!ARG:path\nx\n!!!GADGET_END$0\n", ""),
    ("!!!GADGET_START:Rea$0\n", "Read List"),
    # no block begins in the markup of a call
    ("!!!GADGET_START:<$0\n", "Read List"),
    ("!!!GADGET_START:Read:<t$0\n", "r1"),
    ("!!!GADGET_START:Read\n!!!ARG:<$0\n", "path lines mode all only/0/ at/"),
)
IN_CHATS = (
    ("@user $0\n", "name id call_id"),
    ("@user name='a b' $0\n", "id call_id"),
    ("@user na$0 id=1\n", "name"),
    ("@user {na$0}\n", "name"),
    ("@user {name: 1, $0}\n", "id call_id"),
    ("@user x$0\n", ""),
    ("me@$0\n", ""),
    ("@ai\n@embed type=$0\n", "audio file image"),
    ("@ai\n@embed type='im$0'\n", "image audio file"),
    ("@user name=Ada\n@user name=Bob\n@user name=$0\n", "Bob Ada"),
    ("@ai\n@call name=f id=c1\n{}\n@tool call_id=$0\n", "c1"),
    ("@ai\n@call id=a\n{}\n@call id=b\n{}\n@tool call_id=b\n@tool call_id=$0\n", "a b"),
    ("@msg role=critic\n@msg role=$0\n", "user assistant system developer tool critic"),
    ("@user\nHi\n@msg role=$0\n", "assistant user system developer tool"),
    (f"{ADA}@user name=$0\n", "Ada"),
    (f"{ADA}@tool name=$0\n", "list find"),
    ("@user name=Ada\n@ai\nHello!\n\n@call name=find\n{}\n@call name=$0\n", "find"),
    ("@user name='x $0'\n", ""),
    ("@ai\n" + call("a") + "@ai\n" + call("b", "$0") + "@ai\n" + call("c"), "a"),
    ("@ai name=Ada\nHi\n@user {name: 'A$0'}\nHello\n", "Ada"),
    ("@msg $0{role: 'ai'}\n", ""),
    # complete
    *[
        (f"@ai name=Ada\nHi\n@user {header}\nHello\n", "")
        for header in ("{name: 'Ada'}$0", "{name: 'Ada'$0}", 'name="Ada"$0')
    ],
    *[(f"{line}$0\n", "") for line in ("@system", "@sys", ";user", "@user name", "@msg role=user", "<think")],
    # the ends of blocks and comments
    ("@raw\n{role: 'x'}\n$0\n", "@end"),
    ("@raw\n{role: 'user'}\n@$0", "end"),
    (";meta\n$0\n", ";end"),
    ("@raw\n!!!$0\n@end\n", ""),
    ("@raw\n<$0\n@end\n", ""),
    ("@raw\n{}\n@e$0nd\n", ""),
    ("@/*\n$0\n", "@*/"),
    ("@/*\nx\n@$0", "@*/"),
    ("@/*\n@us$0\n", ""),
    ("@# !!!$0\n", ""),
    (";user\n;/* why\n\n$0", ";*/"),
    ("@/*\nwords $0\n", ""),
    ("@/*\nx\n@*/$0\n", ""),
    # keys and values of JSON5
    ("@raw\n{$0}\n@end\n", "role content id name call_id reasoning refusal tool_calls extra"),
    ("@raw\n{role: 'user', content: '', $0}\n@end\n", "id name extra"),
    ("@raw\n{\n  role: 'user',\n  content: 'Hi',\n  $0", "id name extra"),
    ("@raw\n{role: 'tool', content: '', $0}\n@end\n", "id name call_id extra"),
    ("@raw\n{tool_calls: [{$0}]}\n@end\n", "name arguments id call_id"),
    ("@raw\n{content: 'a, $0'}\n@end\n", ""),
    ("@user\nHi\n@raw\n{role: $0}\n@end\n", "assistant user system developer tool"),
    ("@user nam$0\n", "name"),
    ("@ai\n<thin$0\n", "think note"),
)
OF_MARKERS = (
    ("!!$0\n", "!!!GADGET_START:"),
    ("see !!!GAD$0\n", "!!!GADGET_START:"),
    ("!!!GADGET_START:G\n!!!ARG:a\n1\n$0", "!!!ARG: !!!GADGET_END !!!GADGET_START:"),
    ("!!!GADGET_START:G\n!!!ARG:a\n1\n!!!GADGET_E$0\n!!!ARG:b\n", "!!!GADGET_END"),
    ("!!!GADGET_START:G\n!!!ARG:a\n1\n!!!GADGET_END\n!!!A$0", ""),
    ("!!!GADGET_START:G\n!!!ARG:a\n1\n!!!A$0!!!GADGET_START:H\n", "!!!ARG:"),
)
OF_TAGS = (
    ("<$0", "think note"),
    ("<think $0", "depth by"),
    ("<think by=1 $0>", "depth"),
    ("<think depth=$0", "1 22"),
    ("<think>x <$0", "/think>"),
    ("<think>x <think $0", ""),
    ("<note $0", ""),
)
OTHERS = (
    ("gadget", "<<<START:G\n@pa$0", "@param:", Settings(markers=Markers("<<<START:", "<<<END:", "@param:"))),
    *[("gadget", marked, expected, Settings()) for marked, expected in OF_MARKERS],
    *[
        (language_id, around.format(marked), expected, SETTINGS)
        for language_id, around in (("custom-blocks", "a {}"), ("gadget", "a {}"), ("stf", "@user\na {}"))
        for marked, expected in OF_TAGS
    ],
    # a tag that a call interrupts takes no attributes
    *[
        ("gadget", before + marked, expected, SETTINGS)
        for before in ("", "!!!GADGET_START:G\n!!!ARG:a\n1\n")
        for marked, expected in (("<think x !!!GADGET_START:G:$0", "g1"), ("<th!!!ARG:a$0", ""))
    ],
    # a whole call is not put before other text, and the marker after the caret is there
    ("gadget", "!!!$0 x\n", "!!!GADGET_START:", SETTINGS),
)


@pytest.mark.parametrize(
    ("language_id", "marked", "expected", "settings"),
    [
        *[
            (language_id, around.format(*row[:1]), row[1], SETTINGS)
            for row in IN_CALLS
            for language_id, around in FORMATS
        ],
        *[("stf", *row, SETTINGS) for row in IN_CHATS],
        *OTHERS,
    ],
)
def test_what_can_follow_is_offered(language_id: str, marked: str, expected: str, settings: Settings) -> None:
    assert " ".join(labels(marked, language_id, settings)) == expected


CHOSEN_IN_CALLS = (
    ("!!!GADGET_START:R$0xx:a\n", "Read", "!!!GADGET_START:Read:a\n"),
    (
        OTHER + "!!!GADGET_START:Read:x$0y:a\n!!!GADGET_END\n",
        "r1",
        OTHER + "!!!GADGET_START:Read:r1:a\n!!!GADGET_END\n",
    ),
    (call("a") + call("b") + call("c", "a", "$0x"), "b", call("a") + call("b") + call("c", "a", "b")),
    (ARG + "li$0xes\n1\n!!!GADGET_END\n", "lines", ARG + "lines\n1\n!!!GADGET_END\n"),
    (ARG + "mode\nt$0zz\n!!!GADGET_END\n", "bytes", ARG + "mode\nbytes\n!!!GADGET_END\n"),
    (ARG + "all\nt$0zz\n!!!GADGET_END\n", "false", ARG + "all\nfalse\n!!!GADGET_END\n"),
    # a marker takes the place of the rest of one
    (ARG + "a\n1\n!$0!!ARG:\n", "!!!GADGET_END", ARG + "a\n1\n!!!GADGET_END\n"),
    (ARG + "a\n1\n!!!GADGET_E$0 x\n", "!!!GADGET_END", ARG + "a\n1\n!!!GADGET_END x\n"),
    # a pointer brings the missing line of its value
    (ARG + "mo$0\n!!!GADGET_END\n", "mode", ARG + "mode\n\n!!!GADGET_END\n"),
    (ARG + "mo$0\ntext\n!!!GADGET_END\n", "mode", ARG + "mode\ntext\n!!!GADGET_END\n"),
    # nothing on another line of the client goes
    ("!!!GADGET_START:R$0\rx\n", "Read", "!!!GADGET_START:Read\rx\n"),
)
CHOSEN_IN_CHATS = (
    ("@ai\n@embed type='im$0xx' mime=y\n", "image", "@ai\n@embed type='image' mime=y\n"),
    ("@user na$0\n", "name", "@user name=\n"),
    # an id of a call comes with its value
    (f"{CALLED}@call name=f i$0\n", "id", f'{CALLED}@call name=f id="c2"\n'),
    (f"{CALLED}@call {{name: 'f', $0}}\n", "id", f"{CALLED}@call {{name: 'f', id: \"c2\"}}\n"),
    (f"{CALLED}@call name=f i$0=x\n", "id", f"{CALLED}@call name=f id=x\n"),
    ("@user i$0\n", "id", "@user id=\n"),
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
    ("@us$0xx\n", "user", "@user\n"),
    ("@user name=$0 id='a'\n@ai name=Bob\n", "Bob", "@user name=\"Bob\" id='a'\n@ai name=Bob\n"),
)


@pytest.mark.parametrize(
    ("language_id", "marked", "label", "becomes"),
    [
        *[
            (language_id, around.format(marked), label, around.format(becomes))
            for marked, label, becomes in CHOSEN_IN_CALLS
            for language_id, around in FORMATS
        ],
        *[("stf", *row) for row in CHOSEN_IN_CHATS],
        *[
            (language_id, f"{before}{marked}", label, f"{before}{becomes}")
            for language_id, before in (("custom-blocks", "a "), ("gadget", "a "), ("stf", "@user\na "))
            for marked, label, becomes in (
                ("<think depth='2$0x' by=1>", "22", "<think depth='22' by=1>"),
                ("<think>x</thi$0n>", "think>", "<think>x</think>"),
            )
        ],
    ],
)
def test_what_is_chosen_takes_the_place_of_what_is_there(
    language_id: str, marked: str, label: str, becomes: str
) -> None:
    assert made(marked, language_id, label) == becomes


def test_a_marker_is_not_offered_where_it_would_replace_itself() -> None:
    call = "!!!GADGET_START:List\n!!!ARG:a\n1\n!!!GADGET_END\n"
    assert "!!!GADGET_START:" not in labels(f"{call}$0{call}", "gadget")
    assert "!!!GADGET_END" not in labels(ARG + "a\n1\n!!!GAD$0GET_END\n", "gadget")


def test_snippets_of_a_call_and_of_a_raw_message_have_what_follows() -> None:
    assert [each.snippet for each in completions("@ai\n@call i$0\n", "stf")] == ['id="${1:c1}"']
    found = {each.label: each.snippet for each in completions("@user\nHi\n@$0\n", "stf")}
    assert found["raw"].startswith('raw\n{role: "${1|assistant,user,')


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
@pytest.mark.parametrize("marker", ["!!!GADGET_END", "!!!ARG:path\na", "!!!GADGET_START:List\n"])
def test_a_value_replaces_no_marker_after_it(language_id: str, around: str, marker: str) -> None:
    call = around.format(f"!!!GADGET_START:Read:r1\n!!!ARG:mode\n{{}}{marker}\n")
    for written in ("$0", "te$0", "te$0xx", "$0text "):
        assert made(call.format(written), language_id, "bytes") == call.format(
            "bytes " if written.endswith(" ") else "bytes"
        )
    # with the caret in the marker, there is no value to choose
    assert "bytes" not in labels(call.replace("!!!", "!$0!!").replace("!$0", "!", 2).format("te"), language_id)


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
def test_an_argument_shows_the_type_and_the_description_of_its_parameter(language_id: str, around: str) -> None:
    call = around.format("!!!GADGET_START:Read\n{}$0")
    for written, name in (("", "!!!ARG:{}"), ("!!!ARG:", "{}")):
        found = {each.label: each for each in completions(call.format(written), language_id)}
        assert found[name.format("path")].aside == "string"
        assert found[name.format("path")].detail == "Required: string. The path of the file."
        assert found[name.format("lines")].aside == "integer"
        assert found[name.format("mode")].aside == "one of text, bytes"


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


@pytest.mark.parametrize(
    ("marked", "first"),
    [
        ("@$0", ["user", "assistant", "ai"]),
        ("@user\nx\n@$0", ["assistant", "ai", "user"]),
        ("@ai\nx\n@user\nx\n@$0", ["ai", "assistant", "user"]),
        ("@sys\nx\n@$0", ["user", "sys", "assistant"]),
        ("@user\nx\n@ai\n@call name=f\n{}\n@tool\n{}\n@a$0x", ["ai", "assistant", "tool", "user"]),
        (";dev\n;ai\nx\n;$0", ["user", "ai", "dev"]),
        # what begins with what is typed comes first
        ("@s$0", ["system", "sys", "user"]),
        ("@ a$0\n", ["assistant", "ai"]),
        (";me$0\n", ["message", "meta"]),
    ],
)
def test_the_command_that_likely_follows_comes_first(marked: str, first: list[str]) -> None:
    found = labels(marked, "stf")
    assert found[: len(first)] == first
    assert len(found) == len({*found})
    assert "end" not in found
    # before the first message, those that belong to one come last
    assert marked != "@$0" or [each for each in found if each in ("call", "embed", "raw", "tool")][-2:] == [
        "call",
        "embed",
    ]


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
def test_what_can_be_chosen_after_a_completion_is_known(language_id: str, around: str) -> None:
    def going_on(marked: str) -> set[str]:
        return {each.label for each in completions(around.format(marked), language_id) if each.goes_on}

    assert going_on("!!$0\n") >= {"!!!GADGET_START:Read", "!!!GADGET_START:"}
    assert going_on(ARG + "$0\n!!!GADGET_END") == {"mode", "all", "only/0/", "at/"}
    assert going_on(ARG + "lines\n1\n!$0") >= {"!!!ARG:mode", "!!!ARG:all", "!!!ARG:at/", "!!!ARG:"}


CALL = '<tool_call>\n{"name": "Read", "arguments": '
XML = "<tool_call>\n<function=Read>\n<parameter=path>\na.txt\n</parameter>\n"
PATH, LINES, MODE, ONLY = 0, 1, 2, 4
SIGNED = (
    ("!!!GADGET_START:Read$0\n", -1),
    (ARG + "mo$0de\nx\n", -1),
    *[(ARG + marked, MODE) for marked in ("mode$0\n", "mode\nte$0\n")],
    (ARG + "only/0/name\nx$0\n!!!GADGET_END\n", ONLY),
    *[(marked, None) for marked in ("te$0xt\n", ARG + "mode\ntext\n!!!GADGET_END\nte$0xt\n")],
    ("!!!GADGET_START:Unknown$0\n", None),
)


@pytest.mark.parametrize(
    ("language_id", "marked", "template", "active"),
    [
        *[(each, around.format(marked), "", active) for each, around in FORMATS for marked, active in SIGNED],
        # none of these is read as a call
        *[
            ("stf", marked.replace("CALL", "!!!GADGET_START:Read"), "", None)
            for marked in ("@raw\nCALL$0\n@end\n", "@# CALL$0\n", ";meta\nCALL:$0\n")
        ],
        ("completion", CALL + "{$0", "hermes", -1),
        ("completion", CALL + '{"path": "a", "mode": $0', "hermes", MODE),
        ("completion", CALL + '{"path": "a", "mode": "t$0"}}\n</tool_call>', "hermes", MODE),
        ("completion", CALL + '{"path": "a", $0}}\n</tool_call>', "hermes", -1),
        ("completion", XML + "<parameter=lines>\n$0", "qwen3-coder", LINES),
        ("completion", "<|channel|>commentary to=functions.Read <|message|>{$0", "gpt-oss", -1),
        ("completion", '[TOOL_CALLS]Read[ARGS]{"path": "$0"}', "mistral-v11", PATH),
        *[
            ("completion", marked, "", None)
            for marked in ("$0", "<think>$0", '<tool_call>{"name": "$0', f"{CALL}{{}}}}</tool_call>$0")
        ],
    ],
)
def test_the_signature_of_a_call_has_its_parameters(
    language_id: str, marked: str, template: str, active: int | None
) -> None:
    settings = SETTINGS._replace(template=template) if template else SETTINGS
    found = signature(asked(marked, language_id, settings))
    assert (found and (found.label, found.documentation, found.active)) == (
        None if active is None else ("Read(path, lines?, mode?, all?, only?, at?)", "Reads a file.", active)
    )
    assert found is None or found.parameters[ONLY][0] == "only?"
    assert signature(asked(marked, language_id, settings._replace(gadgets=Gadgets(())))) is None


def test_tools_and_arguments_are_offered_with_their_schemas() -> None:
    read, _ = completions('<tool_call>{"name": "$0', "completion")
    assert read.label == "Read"
    assert [each.detail for each in completions(CALL + '{"pa$0', "completion")][:1] == [
        "Required: string. The path of the file."
    ]
    assert "path" in labels(XML + "<parameter=$0", "completion", SETTINGS._replace(template="qwen3-coder"))
