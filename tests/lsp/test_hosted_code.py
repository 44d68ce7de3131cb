"""A string of code as a text of ours: it has the answers of a separate file, moved."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from llmblocks.hosts import code
from lsp.hosting import CALLS, OPTIONS, applied, stays_fresh
from lsp.log_editor import Editor
from lsp.test_hosted import edits
from oracle.client import Client, Document, Profile

pytest.importorskip("tree_sitter_typescript", reason="the extra llmblocks[code] is not installed")
Json = Any
PROFILE = Profile("utf-16")
HEADS = {
    "python": '"é🎉"\n\ncall = (  # llmblocks: gadget\n    """',
    "typescript": "'é🎉'; const call = /* gadget */ `",
    "javascriptreact": "const a = <b>{/* gadget */ `",
}
TAILS = {"python": '""")\n', "typescript": "`;\n", "javascriptreact": "`}</b>;\n"}
TEXT = CALLS.replace("\n1\n", "\n$`1\n") + "\n\n\n!!!GADGET_START:Read:r2: r1 ,w1 \n!!!GADGET_END\n"


@cache
def client() -> Client:
    return Client(PROFILE)


def written(language_id: str, text: str) -> str:
    """Return a text between the quotes."""
    return text if language_id == "python" else text.replace("`", "\\`").replace("$", "\\$")


in_each = pytest.mark.parametrize("language_id", HEADS)


@in_each
def test_findings_and_edits_are_those_of_the_text(language_id: str) -> None:
    head, tail = HEADS[language_id], TAILS[language_id]
    host = Document(client(), language_id, head + written(language_id, TEXT) + tail)
    bare = Document(client(), "gadget", TEXT)
    assert [each["message"] for each in host.diagnostics()] == [each["message"] for each in bare.diagnostics()]
    for one, other in zip(host.diagnostics(), bare.diagnostics(), strict=True):
        lines = (
            TEXT.splitlines()[other["range"]["start"]["line"]],
            host.text.splitlines()[one["range"]["start"]["line"]],
        )
        assert lines[1].endswith(written(language_id, lines[0]))
        actions = bare.ask("codeAction", range=other["range"], context={"diagnostics": [other]})
        found = host.ask("codeAction", range=one["range"], context={"diagnostics": [one]})
        for mine, its in zip(found, actions, strict=True):
            if bare.uri in its.get("edit", {}).get("changes", {}):
                expected = applied(TEXT, its["edit"]["changes"][bare.uri])
                now = applied(host.text, mine["edit"]["changes"][host.uri])
                assert now == head + written(language_id, expected) + tail
    expected = applied(TEXT, bare.ask("formatting", options=OPTIONS))
    assert expected != TEXT
    assert applied(host.text, host.ask("formatting", options=OPTIONS)) == head + written(language_id, expected) + tail
    assert host.ask("hover", position={"line": 0, "character": 2}) is None
    host.close()
    bare.close()


def test_only_findings_are_reported_of_a_string_with_placeholders() -> None:
    text = f"const call = /* gadget */ `${{x}}\n{CALLS}`;\n"
    host = Document(client(), "typescript", text)
    assert [each["code"] for each in host.diagnostics()] == ["G101", "G102"]
    assert host.ask("documentSymbol") == []
    host.change([(0, 0, "\n\n")])
    client().serve()
    found, _ = host.diagnostics()
    assert found["range"]["start"] == {"line": 6, "character": 7}
    host.close()


STARTS = (
    "// llmblocks: gadget\nconst a = `!!!GADGET_START:A:a\n!!!ARG:x\n1\n`;\n",
    "f(/* stf */ '@user\\nhi\\n@ai', 3);\n",
    "const b = /* gadget */ `!!!ARG:${x}\n!!!ARG:a`\n",
    "let é = 'é';\n",
    "`\n",
)
WRITTEN = (
    *("x", "word ", "é", " ", "'", "`", "\\", "\\n", "\n", "{", "${", "}", "//", "/*", "*/", "", "", ""),
    *("\r", "🎉", ";"),
)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(STARTS), min_size=1, max_size=5).map("".join), edits(WRITTEN, 400))
def test_after_edits_a_host_is_what_it_is_when_opened_again(text: str, edits: list[tuple[int, int, str]]) -> None:
    stays_fresh("typescript", text, edits)


def test_where_the_parser_is_missing_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "grammar", lambda _: None)
    host = Document(client(), "python", "x = 1\n\ncall = (  # llmblocks: gadget\n    'a')\n")
    [told] = host.diagnostics()
    assert told["range"]["start"] == {"line": 2, "character": 0}
    assert "pip install 'llmblocks[code]'" in told["message"]
    host.change([(0, 0, "\n")])
    client().serve()
    assert host.diagnostics()[0]["range"]["start"]["line"] == 3
    host.change([(0, len(host.text), "x = 'a'\n")])
    client().serve()
    assert host.diagnostics() == []
    host.close()


@pytest.mark.parametrize(("quote", "end"), [("`", "\n"), ("'", r"\\n")])
def test_the_places_of_a_snippet_stay_places_in_a_string(quote: str, end: str, tmp_path: Path) -> None:
    editor = Editor(tmp_path, textDocument={"completion": {"completionItem": {"snippetSupport": True}}})
    before = f"const a = /* stf */ {quote}@"
    editor.open("a.ts", f"{before}{quote};\n", "typescript")
    place = {"textDocument": {"uri": editor.uri("a.ts")}, "position": {"line": 0, "character": len(before)}}
    items = editor.ask("textDocument/completion", place)["items"]
    (call,) = [each["textEdit"]["newText"] for each in items if each["label"] == "call"]
    assert call == f'call name="$1" id="${{2:c1}}"{end}{{$0\\}}'
