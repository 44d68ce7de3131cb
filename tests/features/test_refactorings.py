"""Refactorings: what is offered where, and what it makes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from llmblocks.core.edits import edited
from llmblocks.features.fixes import refactorings
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.languages.ask import Ask
from llmblocks.refactors.refactoring import LONGEST, Refactoring
from llmblocks.refactors.refactorings import REFACTORINGS
from llmblocks.settings.values import DEFAULTS, Settings
from marked import bracketed, whole

CALL = "!!!GADGET_START:G\n{}!!!GADGET_END\n"


def asked(marked: str, language_id: str, settings: Settings = DEFAULTS) -> Ask:
    """`«` and `»` mark the selection."""
    text, _, [(start, end, _)] = bracketed(marked)
    return replace(whole(text, language_id, settings), start=start, end=end)


def offers(marked: str, language_id: str, name: str, settings: Settings = DEFAULTS) -> list[tuple[str, str]]:
    """Return the offers of one refactoring: titles, and the texts that they make, or why they make none."""
    ask = asked(marked, language_id, settings)
    return [
        (offer.title, offer.refused or edited(ask.document.text, offer.edits))
        for each, offer in refactorings(ask)
        if each.name == name
    ]


def made(marked: str, language_id: str, name: str, settings: Settings = DEFAULTS) -> list[str]:
    return [text for _, text in offers(marked, language_id, name, settings)]


@pytest.mark.parametrize("row", REFACTORINGS, ids=lambda row: row.name)
def test_the_example_of_a_refactoring_is_true(row: Refactoring) -> None:
    assert made(row.before, row.language, row.name)[:1] == [row.after]


@pytest.mark.parametrize("around", ["{}", "@ai\nhi\n{}bye\n", ";ai\n{}", "<think>\na</think>\n{}"])
def test_json_becomes_arguments_and_a_call_with_arguments_stays_unchanged(around: str) -> None:
    language = "stf" if around[0] in "@;" else "gadget"
    arguments = CALL.format("!!!ARG:q\nbees\n!!!ARG:o/a/0\ntrue\n!!!ARG:o/a/1\nx\ny\n!!!ARG:n\n-1.5\n")
    json = CALL.format(
        '{\n  "q": "bees",\n  "o": {\n    "a": [\n      true,\n      "x\\ny"\n    ]\n  },\n  "n": -1.5\n}\n'
    )
    for mark in ("!!!«»GADGET", "«»!!!GADGET", "START:«»G"):
        marked = around.format(arguments).replace(mark.replace("«»", ""), mark, 1)
        # the runtime reads no JSON in place of arguments
        for selected in (marked, re.sub("«»(.*\n)", r"«\1»", marked)):
            assert made(selected, language, "arguments-to-json") == []
        marked = around.format(json).replace(mark.replace("«»", ""), mark, 1)
        assert made(marked, language, "json-to-arguments") == [around.format(arguments)]


def test_one_object_becomes_json_and_arguments_again() -> None:
    rest = "!!!ARG:z\n1\n"
    arguments = CALL.format(f"{rest}!!!ARG:o/a\n1\n!!!ARG:o/b/0\ntwo\n{rest.replace('z', 'y')}")
    json = CALL.format(f'{rest}!!!ARG:o\n{{\n  "a": 1,\n  "b": [\n    "two"\n  ]\n}}\n{rest.replace("z", "y")}')
    marked = arguments.replace("ARG:o/b", "ARG:«»o/b")
    assert offers(marked, "gadget", "arguments-to-json") == [
        ("Write `o` as JSON, which the runtime reads as text", json)
    ]
    assert made(json.replace('"two', '"«»two'), "gadget", "json-to-arguments") == [arguments]
    assert made(json.replace("ARG:z", "ARG:«»z"), "gadget", "json-to-arguments") == []
    # the cursor may stand after the pointer; in a value there is nothing to say about pointers
    assert made(arguments.replace("o/b/0\n", "o/b/0«»\n"), "gadget", "arguments-to-json") == [json]
    assert made(arguments.replace("two", "«»two"), "gadget", "arguments-to-json") == []


@pytest.mark.parametrize(
    ("json", "reason"),
    [
        ('{"a": null}', "a: null has no way to be written"),
        ('{"a": []}', "a: an empty list or dict has no value to write"),
        ('{"a": "1"}', "a: '1' would come back as 1"),
        ('{"a": "!!!ARG\\u003ab"}', "a: it holds the marker"),
        ('{"a/b": 1}', "a/b: the key 'a/b' holds a slash"),
    ],
)
def test_json_that_arguments_cannot_hold_is_refused(json: str, reason: str) -> None:
    ((title, refused),) = offers(CALL.format(f"«»{json}\n"), "gadget", "json-to-arguments")
    assert title == "Write this JSON as arguments"
    assert refused.startswith(reason)


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        (("i/0", "i/0", "i/1"), ("i/0", "i/1", "i/2")),
        (("i/1", "i/5"), ("i/0", "i/1")),
        (("i/0/a", "i/0/b", "i/2/a", "i/2/b"), ("i/0/a", "i/0/b", "i/1/a", "i/1/b")),
        (("i/0/a", "i/0/b", "i/0/a", "i/0/b"), ("i/0/a", "i/0/b", "i/1/a", "i/1/b")),
        (("i/0/x/1", "i/0/x/2"), ("i/0/x/0", "i/0/x/1")),
        (("i/0", "i/0", "other"), ("i/0", "i/1", "other")),
        (("i/1", "i/1/5"), ("i/0", "i/0/5")),
    ],
)
def test_elements_are_numbered_as_they_stand(given: tuple[str, ...], becomes: tuple[str, ...]) -> None:
    text = CALL.format("".join([f"!!!ARG:{each}\nv\n" for each in given]))
    wanted = CALL.format("".join([f"!!!ARG:{each}\nv\n" for each in becomes]))
    for around, language in (("{}", "gadget"), ("@ai\n{}", "stf")):
        for mark in ("ARG:«»", "ARG:i/0«»", "ARG:i/1«»"):
            marked = around.format(text).replace(mark.replace("«»", ""), mark, 1)
            if "«" in marked:
                assert made(marked, language, "renumber") == [around.format(wanted)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("@user name=Ada\nhi\n@ai\n@@x\n", ";user name=Ada\nhi\n;ai\n@x"),
        ("@user\n;a\n", ";user\n;;a"),
        ("@# c\n@user\n@/*\n@/*\n@*/\n@*/\nhi\n", ";# c\n;user\n;/*\n;/*\n;*/\n;*/\nhi"),
        ("@raw\n{role: 'u', content: 'c'}\n@end\n", ";raw\n{role: 'u', content: 'c'}\n;end"),
        ("@user\n\n\n", ";user\n\n"),
    ],
)
def test_a_chat_in_the_other_dialect_has_its_comments(one: str, other: str) -> None:
    assert made(one[0] + "«»" + one[1:], "stf", "convert-dialect") == [other]
    assert made(other[0] + "«»" + other[1:], "stf", "convert-dialect") == [one]


def test_a_conversion_says_what_is_lost() -> None:
    embed = "@«»user\nlook\n@# c\n@embed type=image\na.png\n"
    ((title, text),) = offers(embed, "stf", "convert-dialect")
    assert title == "Convert the chat to the `;` dialect, without its comments"
    assert text.startswith(";raw\n")
    assert "a.png" in text
    ((title, text),) = offers(embed.replace("@# c\n", ""), "stf", "convert-dialect")
    assert title == "Convert the chat to the `;` dialect"
    assert made(";«»meta\n{a: 1}\n;end\n;user\nx", "stf", "convert-dialect") == [
        "the `@` dialect has no place for metadata"
    ]
    assert made("@us«»er\n@@hi", "stf", "convert-dialect") == [";user\n@hi"]
    assert made("@us«»er\r\nhi\r\n", "stf", "convert-dialect") == [";user\nhi"]
    assert made("«»@user\nhi\n", "stf", "convert-dialect") == [";user\nhi"]
    assert made("hi\n@us«»er\nyes\n", "stf", "convert-dialect", Settings(default_role="ai")) == ["hi\n;user\nyes"]
    assert made("@«»user\n@nothing\n", "stf", "convert-dialect") == ["the chat has a mistake: S003 on line 2"]


def test_the_conversion_of_a_long_chat_is_left_to_the_command_line() -> None:
    for more, now in ((0, True), (1, False)):
        ask = asked("@us«»er\n@# c\n" + "x" * (LONGEST - len("@user\n@# c\n") + more), "stf")
        ((_, offer),) = refactorings(ask)
        assert bool(offer.edits) is now
        assert offer.refused == ("" if now else "the chat is long: use `llmblocks convert`")


WANTED = Settings(
    gadgets=Gadgets(
        [GadgetSchema("G", "", {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "object"}}})]
    )
)
RETURNS = "!!!GADGET_START:G\r\n!!!ARG:«»o/a\r\nx\r\ny\r\n!!!GADGET_END\r\n{}user\nHi\n"
OF_ROLE = "!!!GADGET_START:G\r\n!!!ARG:«»o/name\r\nAda\r\nHello\r\n!!!GADGET_END\r\n"


@pytest.mark.parametrize(
    ("name", "marked", "settings"),
    [
        *[("", marked, DEFAULTS) for marked in ("«»", "@user\nw«»x\n", "«»words")],
        *[
            ("json-to-arguments", CALL.format("«»" + body), DEFAULTS)
            for body in ("", "{}\n", "[1]\n", '{"a": 1, "a": 2}\n', "{a: 1}\n", '"x"\n', "{" * 5000)
        ],
        # a gadget that wants text keeps it
        ("json-to-arguments", CALL.format('!!!ARG:a«»\n{"x": 1}\n'), WANTED),
        # without an end, rejected, without arguments, a word, without a name, apart, in prose
        ("arguments-to-json", "!!!GADGET_START:«G\n»!!!ARG:a\n1\n", DEFAULTS),
        ("arguments-to-json", CALL.format("!!!ARG:a\n1\n!!!ARG:a\n2\n").replace(":G\n", ":«G\n»"), DEFAULTS),
        ("arguments-to-json", CALL.format("").replace(":G\n", ":«G\n»"), DEFAULTS),
        ("arguments-to-json", CALL.format("!!!ARG:a\n1\n").replace(":G\n", ":«G»\n"), DEFAULTS),
        ("arguments-to-json", CALL.format("!!!ARG:/a\n1\n").replace("ARG:", "ARG:«»"), DEFAULTS),
        ("arguments-to-json", CALL.format(f"!!!ARG:«»{'a/' * 997}b\n1\n"), DEFAULTS),
        (
            "arguments-to-json",
            CALL.format("!!!ARG:o/a\n1\n!!!ARG:z\n2\n!!!ARG:o/b\n3\n").replace("ARG:o/a", "ARG:«»o/a"),
            DEFAULTS,
        ),
        ("arguments-to-json", CALL.format("!!!ARG:a\n1\n") + "«te»xt", DEFAULTS),
        ("arguments-to-json", "@ai\n" + CALL.format("!!!ARG:o/a«»\n1\n@# why\n!!!ARG:o/b\n2\n"), DEFAULTS),
        # a command after the call says that `\r\n` ends no line: the value would lose it
        ("arguments-to-json", RETURNS.format(";"), Settings(default_role="user")),
        *[
            (
                "renumber",
                CALL.format("".join([f"!!!ARG:{each}\nv\n" for each in pointers])).replace(":i", ":«»i", 1),
                DEFAULTS,
            )
            for pointers in (("i/0", "i/1"), ("i/a", "i/a"), ("i", "i"), ("i/1/a", "i/x"))
        ],
        ("renumber", CALL.format("!!!ARG:i/1\n«»x\n"), DEFAULTS),
        ("renumber", CALL.format("!!!ARG:i/1\nx\n").replace("START:", "START:«»"), DEFAULTS),
        # on command lines alone
        *[("convert-dialect", marked, DEFAULTS) for marked in ("@user\nh«»i\n", "«@user»\n", "@# c«»\n@user\n")],
    ],
)
def test_there_is_no_offer(name: str, marked: str, settings: Settings) -> None:
    found = refactorings(asked(marked, "stf" if "@" in marked or settings.default_role else "gadget", settings))
    assert name not in [each.name for each, _ in found]
    assert name or not [*refactorings(asked(marked, "custom-blocks"))]


@pytest.mark.parametrize(
    ("name", "marked", "made_of_it", "settings"),
    [
        # lines of a chat are escaped
        (
            "json-to-arguments",
            '@ai\n!!!GADGET_START:G\n{"«»a": "x\\n@user\\n@@y"}\n!!!GADGET_END\n',
            "!!!ARG:a\nx\n@@user\n@@@y\n",
            DEFAULTS,
        ),
        ("json-to-arguments", CALL.format('!!!ARG:b«»\n{"x": 1}\n'), "!!!ARG:b/x\n1\n", WANTED),
        # with the schema, text that looks like a number is still text
        ("json-to-arguments", CALL.format('{"a": "1"«»}\n'), "!!!ARG:a\n1\n", WANTED),
        (
            "json-to-arguments",
            '@ai\r\n!!!GADGET_START:G\r\n{"a": «»1}\r\n!!!GADGET_END\r\n',
            "!!!ARG:a\r\n1\r\n",
            DEFAULTS,
        ),
        ("arguments-to-json", RETURNS.format("@"), '"x\\ny"', Settings(default_role="user")),
        ("arguments-to-json", OF_ROLE, '"Ada\\r\\nHello"', Settings(dialect=";", default_role="x")),
        ("arguments-to-json", OF_ROLE, '"Ada\\nHello"', Settings(dialect="@", default_role="x")),
        ("renumber", CALL.format("!!!ARG:i«»/1\nx\n"), "!!!ARG:i/0\nx\n", DEFAULTS),
        ("convert-dialect", "@us«»er\n@# why\n@@\n", ";user\n;# why\n@", DEFAULTS),
    ],
)
def test_what_is_made_fits_in(name: str, marked: str, made_of_it: str, settings: Settings) -> None:
    language = "stf" if marked[0] == "@" or settings.default_role else "gadget"
    (found,) = made(marked, language, name, settings)
    assert made_of_it in found
