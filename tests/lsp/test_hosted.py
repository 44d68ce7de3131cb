"""A document that embeds texts: each has the answers of a separate file, moved."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from lsp.log_editor import Editor
from oracle.client import Client, Document, Profile
from oracle.places import Places

Json = Any
CALLS = """\
!!!GADGET_START:Read:r1
!!!ARG:path
a é🎉
!!!ARG:path
a
!!!GADGET_END
<think>so</think>
!!!GADGET_START:Write:w1:r1
!!!ARG:lines/0
1
!!!ARG:lines/2
2
!!!GADGET_END
"""
CHAT = "@user id='q1'\nHello\n@ai   id='a1'\n<think>so</think>\n@/* a\nb\n@*/\n@tool  name='x' id='a1'\n"
TEXTS = {"gadget": CALLS, "stf": CHAT, "custom-blocks": "<think>a\n<note>b</note>\n"}
LEADS = {"": "```{}\n", "> ": "> ```{}\n", "  ": "- ```{}\n", "    > ": "12. > ~~~{}\n"}
PROFILE = Profile("utf-16")
ABOUT_A_PLACE = ("hover", "completion", "signatureHelp", "definition", "documentHighlight")
OF_ALL = ("foldingRange", "documentSymbol", "documentLink")


@cache
def client(profile: Profile) -> Client:
    return Client(profile)


class Both:
    """A text in a host, and in its own file."""

    def __init__(self, language_id: str, lead: str, profile: Profile = PROFILE) -> None:
        self.lead = lead
        self.text = TEXTS[language_id]
        head = f"# Title\n\nprose é🎉\n\n{LEADS[lead].format(language_id)}"
        lines = self.text.splitlines(keepends=True)
        fence = "~~~" if "~~~" in LEADS[lead] else "```"
        self.first = head.count("\n")
        self.host = Document(client(profile), "markdown", head + "".join(map(lead.__add__, lines)) + f"{lead}{fence}\n")
        self.bare = Document(client(profile), language_id, self.text)

    def __enter__(self) -> Both:
        return self

    def __exit__(self, *_: object) -> None:
        self.host.close()
        self.bare.close()

    def place(self, value: Json, *, ends: bool = False) -> Json:
        # the end of a range is before what the host has on the next line
        width = 0 if ends and not value["character"] else len(self.lead)
        if value["line"] == self.text.count("\n"):
            width = 0
        return {"line": value["line"] + self.first, "character": value["character"] + width}

    def moved(self, value: Json) -> Json:
        """Return the answers of the bare document, with the places of its host."""
        if isinstance(value, list):
            return [*map(self.moved, value)]
        if not isinstance(value, dict):
            return self.host.uri if value == self.bare.uri else value
        if "line" in value:
            return self.place(value)
        if value.keys() == {"start", "end"}:
            empty = value["start"] == value["end"]
            return {"start": self.place(value["start"]), "end": self.place(value["end"], ends=not empty)}
        if "newText" in value:
            span = {name: self.place(each) for name, each in value["range"].items()}
            return value | {"range": span, "newText": value["newText"].replace("\n", f"\n{self.lead}")}
        if "startLine" in value:
            return value | {name: value[name] + self.first for name in ("startLine", "endLine")}
        return {
            self.host.uri if name == self.bare.uri else name: each if name == "data" else self.moved(each)
            for name, each in value.items()
        }


def in_every_host(test: Any) -> Any:
    return pytest.mark.parametrize("lead", LEADS)(pytest.mark.parametrize("language_id", TEXTS)(test))


@in_every_host
def test_diagnostics_are_those_of_the_text(language_id: str, lead: str) -> None:
    with Both(language_id, lead) as both:
        assert both.bare.diagnostics()
        assert both.host.diagnostics() == both.moved(both.bare.diagnostics())


@in_every_host
def test_every_place_of_a_text_has_its_answers(language_id: str, lead: str) -> None:
    with Both(language_id, lead) as both:
        places = Places(both.text, "utf-16")
        for offset in range(0, len(both.text), 3):
            place = places.range(offset, offset)["start"]
            for method in ABOUT_A_PLACE:
                expected = both.bare.ask(method, position=place)
                found = both.host.ask(method, position=both.place(place))
                assert without_data(found) == without_data(both.moved(expected)), (method, place)


@in_every_host
def test_what_is_reported_of_all_of_a_document_is_reported_of_its_texts(language_id: str, lead: str) -> None:
    with Both(language_id, lead) as both:
        for method in OF_ALL:
            assert both.host.ask(method) == both.moved(both.bare.ask(method)), method
        whole = Places(both.text, "utf-16").range(0, len(both.text))
        all_of_it = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        found = both.host.ask("inlayHint", range=all_of_it)
        assert found == both.moved(both.bare.ask("inlayHint", range=whole))
        assert absolute(both.host.ask("semanticTokens/full")["data"]) == [
            (line + both.first, character + len(lead), *rest)
            for line, character, *rest in absolute(both.bare.ask("semanticTokens/full")["data"])
        ]


@in_every_host
def test_formatting_writes_after_the_signs_of_the_host(language_id: str, lead: str) -> None:
    with Both(language_id, lead) as both:
        options = {"tabSize": 4, "insertSpaces": True}
        expected = applied(both.text, both.bare.ask("formatting", options=options))
        found = applied(both.host.text, both.host.ask("formatting", options=options))
        head = both.host.text.splitlines(keepends=True)[: both.first]
        assert found.startswith("".join(head) + "".join(map(lead.__add__, expected.splitlines(keepends=True))))


@in_every_host
def test_each_code_action_makes_the_same_of_the_text(language_id: str, lead: str) -> None:
    with Both(language_id, lead) as both:
        head = "".join(both.host.text.splitlines(keepends=True)[: both.first])
        count = 0
        for each in both.bare.diagnostics():
            context = {"diagnostics": [each]}
            expected = both.bare.ask("codeAction", range=each["range"], context=context)
            asked = {"range": both.moved(each["range"]), "context": {"diagnostics": [both.moved(each)]}}
            found = both.host.ask("codeAction", **asked)
            assert [action["title"] for action in found] == [action["title"] for action in expected]
            for one, other in zip(found, expected, strict=True):
                if "edit" in other and both.bare.uri in other["edit"]["changes"]:
                    new = applied(both.text, other["edit"]["changes"][both.bare.uri])
                    (edits,) = one["edit"]["changes"].values()
                    now = applied(both.host.text, edits)
                    assert now.startswith(head + "".join(map(lead.__add__, new.splitlines(keepends=True))))
                    assert one.get("diagnostics") == both.moved(other.get("diagnostics"))
                    count += 1
        assert count


@pytest.mark.parametrize("lead", LEADS)
def test_lenses_and_the_calls_that_wait_are_those_of_the_text(lead: str) -> None:
    with Both("gadget", lead) as both:
        lenses = [each.ask("codeLens") for each in (both.host, both.bare)]
        assert [each["range"] for each in lenses[0]] == [both.moved(each["range"]) for each in lenses[1]] != []
        found = [client(PROFILE).ask("codeLens/resolve", each)["command"]["title"] for each in lenses[0]]
        assert found == [client(PROFILE).ask("codeLens/resolve", each)["command"]["title"] for each in lenses[1]]
        place = {"line": 7, "character": 18}
        items = both.bare.ask("prepareCallHierarchy", position=place)
        found = both.host.ask("prepareCallHierarchy", position=both.place(place))
        assert found == both.moved(items) != []
        (one, other) = (
            client(PROFILE).ask("callHierarchy/outgoingCalls", {"item": each[0]}) for each in (found, items)
        )
        assert one == both.moved(other)


def test_nothing_is_reported_of_prose() -> None:
    with Both("gadget", "") as both:
        for method in ABOUT_A_PLACE:
            nothing = both.host.ask(method, position={"line": 2, "character": 3})
            assert not (nothing["items"] if method == "completion" else nothing)
        ranges = both.host.ask("selectionRange", positions=[{"line": 2, "character": 3}])
        assert ranges == [{"range": {"start": {"line": 2, "character": 3}, "end": {"line": 2, "character": 3}}}]


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


STARTS = (
    *("word and more\n", "\n", "- item\n", "<!-- a\n", "-->\n", "```text\nx\n```\n", "> quoted\n", "1. one\n\n"),
    *(f"{lead}```gadget\n{lead}!!!GADGET_START:A:a\n{lead}!!!ARG:x\n{lead}1\n{lead}```\n" for lead in ("", "> ", "  ")),
    "- a\n\n  ```stf\n  @user\n    hi\n  ``` x\n  @ai\n  ```\n",
    "~~~gadget\n!!!GADGET_START:A:a\n !!!GADGET_END\n",
)
WRITTEN = (
    *("x", "word ", "é", " ", "  ", "`", "```", "~", "\n", "> ", "- ", "<", "-->", "1", ":", "", "", "a\n"),
    *("@", "\t"),
)
EDITS = st.tuples(st.integers(0, 400), st.sampled_from((0, 0, 0, 1, 1, 2, 6)), st.sampled_from(WRITTEN))


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(st.sampled_from(STARTS), min_size=1, max_size=6).map("".join), st.lists(EDITS, max_size=8))
def test_after_edits_a_host_is_what_it_is_when_opened_again(text: str, edits: list[tuple[int, int, str]]) -> None:
    stays_fresh("markdown", text, edits)


def stays_fresh(language_id: str, text: str, edits: list[tuple[int, int, str]]) -> None:
    """Check that an edited host has the answers of the same text, opened again."""
    host = Document(client(PROFILE), language_id, text)
    for at, length, new in edits:
        start = at % (len(host.text) + 1)
        host.change([(start, min(start + length, len(host.text)), new)])
        client(PROFILE).serve()
    fresh = Document(client(PROFILE), language_id, host.text)
    assert host.ask("documentSymbol") == fresh.ask("documentSymbol")
    # folds come in the order in which their texts were analysed
    folds = [sorted(map(str, each.ask("foldingRange"))) for each in (host, fresh)]
    assert folds[0] == folds[1]
    assert replaced(host.diagnostics(), host.uri, fresh.uri) == fresh.diagnostics()
    assert absolute(host.ask("semanticTokens/full")["data"]) == absolute(fresh.ask("semanticTokens/full")["data"])
    host.close()
    fresh.close()


def replaced(value: Json, old: str, new: str) -> Json:
    if isinstance(value, list):
        return [replaced(each, old, new) for each in value]
    if isinstance(value, dict):
        return {name: replaced(each, old, new) for name, each in value.items()}
    return new if value == old else value


def without_data(value: Json) -> Json:
    if isinstance(value, list):
        return [*map(without_data, value)]
    if isinstance(value, dict):
        return {name: without_data(each) for name, each in value.items() if name != "data"}
    return value


def absolute(data: list[int]) -> list[tuple[int, ...]]:
    found, line, character = [], 0, 0
    for at in range(0, len(data), 5):
        down, right, *rest = data[at : at + 5]
        line, character = line + down, right if down else character + right
        found.append((line, character, *rest))
    return found


def applied(text: str, edits: list[Json]) -> str:
    """Return the text after edits of a client that counts in UTF-16."""
    lines = text.splitlines(keepends=True)

    def offset(place: Json) -> int:
        line = lines[place["line"]] if place["line"] < len(lines) else ""
        inside = len(line.encode("utf-16-le")[: 2 * place["character"]].decode("utf-16-le"))
        return len("".join(lines[: place["line"]])) + inside

    for each in sorted(edits, key=lambda each: offset(each["range"]["start"]), reverse=True):
        start, end = offset(each["range"]["start"]), offset(each["range"]["end"])
        text = text[:start] + each["newText"] + text[end:]
    return text


@pytest.mark.parametrize(
    ("name", "language_id"), [("a.md", "markdown"), ("a.gadget", "gadget"), ("llmblocks.toml", "toml")]
)
def test_every_document_is_too_large_by_its_bytes(tmp_path: Path, name: str, language_id: str) -> None:
    editor = Editor(tmp_path, workspace=True)
    editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": {"files": {"maxSizeMB": 0.001}}}})
    editor.open(name, "\n", language_id)
    editor.replace(name, 0, 0, 0, "é" * 400)
    assert not any("not analysed" in each["message"] for each in editor.told[editor.uri(name)])
    editor.replace(name, 0, 0, 0, "é" * 400)
    assert [each["message"][:12] for each in editor.told[editor.uri(name)]] == ["not analysed"]
    # what is replaced does not count, once the whole text is known
    whole = [{"text": "\n"}]
    editor.tell(
        "textDocument/didChange", {"textDocument": {"uri": editor.uri(name), "version": 2}, "contentChanges": whole}
    )
    assert editor.told[editor.uri(name)] == []


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
