"""Messages and tags of diagnostics are of the kinds that the client announces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor

TEXT = '!!!GADGET_START:G\n!!!ARG:a_*<b>`\n1\n!!!ARG:a_*<b>`\n2\n!!!ARG:x\n\\"message\\":"a"\n!!!GADGET_END\n'
LINES = (
    "Duplicate pointer: a_*<b>`\n"
    "note: llmist rejects the whole call\n"
    "help: rename or remove one of them; first given 2 lines above"
)
MARKDOWN = (
    "**Duplicate pointer: a\\_\\*\\<b\\>\\`**\n\n"
    "note: llmist rejects the whole call\n\n"
    "help: rename or remove one of them; first given 2 lines above"
)


def told(tmp_path: Path, features: dict[str, Any], text: str) -> list[Any]:
    editor = Editor(tmp_path, textDocument=features)
    editor.open("a.gadget", text)
    if "diagnostic" in features:
        asked = {"textDocument": {"uri": editor.uri("a.gadget")}}
        return [*editor.ask("textDocument/diagnostic", asked)["items"]]
    return [*editor.told[editor.uri("a.gadget")]]


@pytest.mark.parametrize("features", [{}, {"diagnostic": {}}, {"diagnostic": {"markupMessageSupport": "yes"}}])
def test_a_message_is_three_lines(features: dict[str, Any], tmp_path: Path) -> None:
    (found,) = told(tmp_path, features, TEXT)
    assert (found["code"], found["message"]) == ("G101", LINES)


def test_a_client_that_announces_markup_gets_markdown(tmp_path: Path) -> None:
    (found,) = told(tmp_path, {"diagnostic": {"markupMessageSupport": True}}, TEXT)
    assert found["message"] == {"kind": "markdown", "value": MARKDOWN}
    assert found["relatedInformation"][0]["message"] == "first given here"


def test_code_in_a_message_stays_code_in_markdown(tmp_path: Path) -> None:
    (found,) = told(tmp_path, {"diagnostic": {"markupMessageSupport": True}}, "!!!GADGET_END\n")
    assert found["message"]["value"].startswith("**`!!!GADGET_END` outside any call**\n\nnote: ")


TAGGED = '!!!GADGET_START:G\nignored: \\"tags\\":[1], "tags":[1],\n!!!ARG:a\n1\n!!!GADGET_END\n'


@pytest.mark.parametrize("features", [{"diagnostic": {}}, {"publishDiagnostics": {}}])
def test_an_unnecessary_text_has_its_tag(features: Any, tmp_path: Path) -> None:
    assert [(each["code"], each["tags"]) for each in told(tmp_path, features, TAGGED)] == [("G011", [1])]
