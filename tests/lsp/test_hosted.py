"""A document that embeds texts, in Markdown, JSON or code: each has the answers of a separate file, moved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.hosts import code
from lsp.hosting import (
    CALLS,
    FIRST,
    HOSTINGS,
    IN_MARKDOWN,
    OPTIONS,
    PROFILE,
    Both,
    absolute,
    client,
    stays_fresh,
    without_data,
)
from lsp.log_editor import Editor, applied
from oracle.client import Document, Profile

ABOUT_A_PLACE = ("hover", "completion", "signatureHelp", "definition", "documentHighlight")
OF_ALL = ("foldingRange", "documentSymbol", "documentLink")
in_every_host = pytest.mark.parametrize("name", HOSTINGS)
in_utf_16 = pytest.mark.parametrize("name", [name for name, each in HOSTINGS.items() if each.profile is PROFILE])


@in_every_host
def test_diagnostics_are_those_of_the_text(name: str) -> None:
    with Both(HOSTINGS[name]) as both:
        assert both.bare.diagnostics()
        assert both.host.diagnostics() == both.moved(both.bare.diagnostics())


@in_every_host
def test_every_place_of_a_text_has_its_answers(name: str) -> None:
    with Both(HOSTINGS[name]) as both:
        for offset in range(0, len(both.text), 3):
            place = both.inner.range(offset, offset)["start"]
            for method in ABOUT_A_PLACE:
                expected = both.bare.ask(method, position=place)
                found = both.host.ask(method, position=both.place(place))
                assert without_data(found) == without_data(both.moved(expected)), (method, place)


@in_every_host
def test_what_is_reported_of_all_of_a_document_is_reported_of_its_texts(name: str) -> None:
    with Both(HOSTINGS[name]) as both:
        for method in OF_ALL:
            expected = both.moved(both.bare.ask(method))
            # several lines of a text may be one of its host
            shown = [each for each in expected if "startLine" not in each or each["startLine"] < each["endLine"]]
            assert both.host.ask(method) == shown, method
        all_of_it = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        found = both.host.ask("inlayHint", range=all_of_it)
        assert found == both.moved(both.bare.ask("inlayHint", range=both.inner.range(0, len(both.text))))
        tokens = []
        for line, character, length, *rest in absolute(both.bare.ask("semanticTokens/full")["data"]):
            start, end = (both.place({"line": line, "character": at}) for at in (character, character + length))
            tokens.append((start["line"], start["character"], end["character"] - start["character"], *rest))
        assert absolute(both.host.ask("semanticTokens/full")["data"]) == tokens


@in_utf_16
def test_formatting_writes_as_the_host_does(name: str) -> None:
    with Both(HOSTINGS[name]) as both:
        expected = applied(both.text, both.bare.ask("formatting", options=OPTIONS))
        assert applied(both.host.text, both.host.ask("formatting", options=OPTIONS)) == both.in_host(expected)


@in_utf_16
def test_each_code_action_makes_the_same_of_the_text(name: str) -> None:
    with Both(HOSTINGS[name]) as both:
        count = 0
        for each in both.bare.diagnostics():
            expected = both.bare.ask("codeAction", range=each["range"], context={"diagnostics": [each]})
            asked = {"range": both.moved(each["range"]), "context": {"diagnostics": [both.moved(each)]}}
            found = both.host.ask("codeAction", **asked)
            assert [action["title"] for action in found] == [action["title"] for action in expected]
            for one, other in zip(found, expected, strict=True):
                if "edit" in other and both.bare.uri in other["edit"]["changes"]:
                    new = applied(both.text, other["edit"]["changes"][both.bare.uri])
                    assert applied(both.host.text, one["edit"]["changes"][both.host.uri]) == both.in_host(new)
                    assert one.get("diagnostics") == both.moved(other.get("diagnostics"))
                    count += 1
        assert count


@pytest.mark.parametrize("name", [name for name, each in HOSTINGS.items() if each.language_id == "gadget"])
def test_lenses_and_the_calls_that_wait_are_those_of_the_text(name: str) -> None:
    with Both(HOSTINGS[name]) as both:
        ask = client(both.hosting.profile).ask
        lenses = [each.ask("codeLens") for each in (both.host, both.bare)]
        assert [each["range"] for each in lenses[0]] == [both.moved(each["range"]) for each in lenses[1]] != []
        titles = [[ask("codeLens/resolve", each)["command"]["title"] for each in found] for found in lenses]
        assert titles[0] == titles[1]
        place = {"line": 7, "character": 18}
        items = both.bare.ask("prepareCallHierarchy", position=place)
        found = both.host.ask("prepareCallHierarchy", position=both.place(place))
        assert found == both.moved(items) != []
        one, other = (ask("callHierarchy/outgoingCalls", {"item": each[0]}) for each in (found, items))
        assert one == both.moved(other)


def test_nothing_is_reported_of_prose_and_other_lines_and_other_json() -> None:
    with Both(HOSTINGS["JSON"]) as both:
        assert both.host.ask("hover", position={"line": 1, "character": 3}) is None
    with Both(IN_MARKDOWN["gadget after ''"]) as both:
        for method in ABOUT_A_PLACE:
            nothing = both.host.ask(method, position={"line": 2, "character": 3})
            assert not (nothing["items"] if method == "completion" else nothing)
        ranges = both.host.ask("selectionRange", positions=[{"line": 2, "character": 3}])
        assert ranges == [{"range": {"start": {"line": 2, "character": 3}, "end": {"line": 2, "character": 3}}}]


def test_the_first_line_with_a_row_tells_the_form_also_after_blank_ones() -> None:
    host = Document(client(PROFILE), "jsonl", FIRST + IN_JSON[1])
    # invalid JSON has no form
    for change, names in (((0, 0, " \n\n"), ["A:a"]), ((3, 3, "x"), []), ((3, 3, FIRST), ["A:a"])):
        host.change([change])
        assert [each["name"] for each in host.ask("documentSymbol")] == names
    host.close()


def test_a_name_is_renamed_in_its_fence_alone() -> None:
    fence = "```gadget\n!!!GADGET_START:A:one\n!!!GADGET_END\n!!!GADGET_START:B:two:one\n!!!GADGET_END\n```\n"
    host = Document(client(PROFILE), "markdown", fence * 2)
    edit = host.ask("rename", position={"line": 1, "character": 20}, newName="first")
    assert applied(host.text, edit["changes"][host.uri]) == fence.replace("one", "first") + fence
    host.close()


def test_what_was_left_out_of_a_completion_comes_from_its_text() -> None:
    schemas = Profile("utf-16", schemas=True)
    host = Document(client(schemas), "markdown", "> ```gadget\n> !!!GADGET_START:\n> ```\n")
    items = host.ask("completion", position={"line": 1, "character": 18})["items"]
    assert items
    for item in items:
        assert item["textEdit"]["range"]["start"] == {"line": 1, "character": 18}
        assert client(schemas).ask("completionItem/resolve", item)["label"] == item["label"]
    host.close()


IN_FENCES = (
    *("word and more\n", "\n", "- item\n", "<!-- a\n", "-->\n", "```text\nx\n```\n", "> quoted\n", "1. one\n\n"),
    *(f"{lead}```gadget\n{lead}!!!GADGET_START:A:a\n{lead}!!!ARG:x\n{lead}1\n{lead}```\n" for lead in ("", "> ", "  ")),
    "- a\n\n  ```stf\n  @user\n    hi\n  ``` x\n  @ai\n  ```\n",
    *("~~~gadget\n!!!GADGET_START:A:a\n !!!GADGET_END\n", "```\n!!!GADGET_START:A\n```\n"),
)
WRITTEN = (
    *("x", "word ", "é", " ", "  ", "`", "```", "~", "\n", "> ", "- ", "<", "-->", "1", ":", "", "", "a\n"),
    *("@", "\t"),
)
IN_JSON = (
    FIRST,
    '{"messages": [{"role": "assistant", "content": "!!!GADGET_START:A:a\\n!!!ARG:x\\n1\\n"}]}\n',
    '{"messages": [{"role": "assistant", "content": "a\\u00e9\\n!!!ARG:x"}, {"role": "user", "content": "a"}]}\n',
    '{"messages": [{"role": "bot", "content": "a"}]}\r\n',
    '{"messages": [}\n',
    "\n",
    "{}\n",
)
JSON_WRITTEN = (
    *("x", "word ", "é", " ", '"', "\\", "\\n", "\n", "{", "}", "]", ",", "", "", "", "\r", '{"a": 1}\n', IN_JSON[1]),
)


def edits(written: tuple[str, ...], size: int, *lengths: int) -> Any:
    return st.lists(
        st.tuples(st.integers(0, size), st.sampled_from((0, 0, 0, 1, 1, 2, 6, *lengths)), st.sampled_from(written)),
        max_size=8,
    )


STARTS = (
    "// llmblocks: gadget\nconst a = `!!!GADGET_START:A:a\n!!!ARG:x\n1\n`;\n",
    "f(/* stf */ '@user\\nhi\\n@ai', 3);\n",
    "const b = /* gadget */ `!!!ARG:${x}\n!!!ARG:a`\n",
    "let é = 'é';\n",
    "`\n",
)
CODE_WRITTEN = (
    *("x", "word ", "é", " ", "'", "`", "\\", "\\n", "\n", "{", "${", "}", "//", "/*", "*/", "", "", ""),
    *("\r", "🎉", ";"),
)
HOSTS = {
    "markdown": ("", IN_FENCES, 6, edits(WRITTEN, 400)),
    "jsonl": (FIRST, IN_JSON, 6, edits(JSON_WRITTEN, 700, 90)),
    "typescript": ("", STARTS, 5, edits(CODE_WRITTEN, 400)),
}


@pytest.mark.parametrize("language_id", HOSTS)
def test_after_edits_a_host_is_what_it_is_when_opened_again(language_id: str) -> None:
    front, pieces, most, changes = HOSTS[language_id]
    if language_id == "typescript":
        needs_code()

    @settings(max_examples=examples(400), deadline=None)
    @given(st.lists(st.sampled_from(pieces), min_size=1, max_size=most).map("".join), changes)
    def law(text: str, edits: list[tuple[int, int, str]]) -> None:
        stays_fresh(language_id, front + text, edits)

    law()


def needs_code() -> None:
    pytest.importorskip("tree_sitter_typescript", reason="the extra llmblocks[code] is not installed")


def test_only_findings_are_reported_of_a_string_with_placeholders() -> None:
    needs_code()
    host = Document(client(PROFILE), "typescript", f"const call = /* gadget */ `${{x}}\n{CALLS}`;\n")
    assert [each["code"] for each in host.diagnostics()] == ["G101", "G102"]
    assert host.ask("documentSymbol") == []
    host.change([(0, 0, "\n\n")])
    client(PROFILE).serve()
    found, _ = host.diagnostics()
    assert found["range"]["start"] == {"line": 6, "character": 7}
    host.close()


def test_where_the_parser_is_missing_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "grammar", lambda _: None)
    host = Document(client(PROFILE), "python", "x = 1\n\ncall = (  # llmblocks: gadget\n    'a')\n")
    [told] = host.diagnostics()
    assert told["range"]["start"] == {"line": 2, "character": 0}
    assert "pip install 'llmblocks[code]'" in told["message"]
    for change, lines in (((0, 0, "\n"), [3]), ("x = 'a'\n", [])):
        host.change([change])
        client(PROFILE).serve()
        assert [each["range"]["start"]["line"] for each in host.diagnostics()] == lines
    host.close()


@pytest.mark.parametrize(("quote", "end"), [("`", "\n"), ("'", r"\\n")])
def test_the_places_of_a_snippet_stay_places_in_a_string(quote: str, end: str, tmp_path: Path) -> None:
    needs_code()
    editor = Editor(tmp_path, textDocument={"completion": {"completionItem": {"snippetSupport": True}}})
    marked = f"const a = /* stf */ {quote}@$0{quote};\n"
    editor.open("a.ts", marked.replace("$0", ""), "typescript")
    items = editor.at("completion", "a.ts", marked)["items"]
    (call,) = [each["textEdit"]["newText"] for each in items if each["label"] == "call"]
    assert call == f'call name="$1" id="${{2:c1}}"{end}{{$0\\}}'


@pytest.mark.parametrize(("most", "shown"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 4)])
def test_the_findings_of_all_texts_are_limited_together(most: int, shown: int) -> None:
    twice = "```gadget\n!!!GADGET_START:A\n!!!ARG:a\n!!!ARG:a\n!!!ARG:a\n!!!GADGET_END\n```\n"
    host = Document(client(Profile("utf-16", most=most)), "markdown", f"{twice}\ntext\n{twice}")
    found = host.diagnostics()
    host.close()
    assert [each["code"] for each in found[:shown]] == ["G101"] * shown
    if shown == 4:
        assert len(found) == 4
        return
    [told] = found[shown:]
    findings = "1 more finding is" if shown == 3 else f"{4 - shown} more findings are"
    assert told["message"].startswith(f"{findings} not shown")
    # as for any text, it is reported in the call that is not shown as a whole
    assert host.text.splitlines()[told["range"]["start"]["line"]].startswith("!!!")
