"""The tags of diagnostics are those that the client knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor

TEXT = '!!!GADGET_START:G\nignored: \\"tags\\":[1], "tags":[1],\n!!!ARG:a\n1\n!!!GADGET_END\n'


@pytest.mark.parametrize(
    ("support", "tags"),
    [
        ({"tagSupport": {"valueSet": [1, 2]}}, [1]),
        ({"tagSupport": {"valueSet": [1]}}, [1]),
        ({"tagSupport": {"valueSet": [2]}}, None),
        ({"tagSupport": {"valueSet": []}}, None),
        ({"tagSupport": {}}, None),
        ({"tagSupport": True}, None),
        ({"tagSupport": {"valueSet": "12"}}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("pulls", [False, True])
def test_a_client_gets_the_tags_that_it_knows(
    support: Any, tags: list[int] | None, pulls: bool, tmp_path: Path
) -> None:
    features = {"diagnostic": support} if pulls else {"publishDiagnostics": support}
    editor = Editor(tmp_path, textDocument=features)
    editor.open("a.gadget", TEXT)
    if pulls:
        found = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": editor.uri("a.gadget")}})["items"]
    else:
        found = editor.told[editor.uri("a.gadget")]
    assert [(each["code"], each.get("tags")) for each in found] == [("G011", tags)]
