"""Outlines of very long documents: what is outermost alone, and then the first of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.documents.text import Languages
from llmblocks.lsp.wire.limits import MAX_OUTLINED
from llmblocks.lsp.wire.rpc import encode
from llmblocks.settings.values import DEFAULTS

(OUTLINE,) = (each for each in TABLE if each.method == "textDocument/documentSymbol")
CALL = "!!!GADGET_START:Do:a\n!!!ARG:b\nc\n!!!GADGET_END\n"
UNITS = {
    "gadget": (CALL, ["Do:a"]),
    "stf": (f"@ai\n{CALL}@user id=u\nd\n", ["assistant: !!!GADGET_START:Do:a", "user u: d"]),
    "request": (f"=== USER ===\nhi\n\n=== ASSISTANT ===\n{CALL}", ["user: hi", "assistant"]),
}


def outline(language_id: str, units: int) -> tuple[str, list[Any]]:
    text = UNITS[language_id][0] * units
    opened = Languages(DEFAULTS).open(text, language_id, "file:///a", "utf-16")
    assert opened is not None
    return text, json.loads(encode(OUTLINE.reply(Asker(opened, {}))))


@pytest.mark.slow
@pytest.mark.parametrize("language_id", UNITS)
def test_an_outline_of_too_many_symbols_has_what_is_outermost_and_ends_with_a_last_one(language_id: str) -> None:
    _, names = UNITS[language_id]
    _, whole = outline(language_id, 9)
    assert any("children" in each for each in whole)
    # the outermost symbols are within the limit, and all of them are not
    units = MAX_OUTLINED // len(names)
    _, outermost = outline(language_id, units)
    assert [each["name"] for each in outermost] == names * units
    assert not any(each.get("children") for each in outermost)
    text, (*first, rest) = outline(language_id, units + 9)
    assert [each["name"] for each in first] == names * units
    assert rest["name"] == "… (the outline ends here)"
    start = {"line": len(first) // len(names) * UNITS[language_id][0].count("\n"), "character": 0}
    assert rest["range"] == {"start": start, "end": {"line": text.count("\n"), "character": 0}}
