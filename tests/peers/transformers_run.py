"""Runs the response parser of transformers, or SGLang's copy of it, on what it is given: JSON lines in, JSON lines out.

in   {"template": {...}, "prefix": "...", "text": "...", "sizes": [0, 4], "tools": [...]}: a size of 0 is one chunk
out  [{"message": {...}, "closed": [[field, value], ...]} or {"error": "..."}, ...]: a result for each size
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
import types
from functools import cache
from typing import Any


def package_of(name: str) -> str:
    """The package of the parser. SGLang's is behind packages that import torch, and are left out here."""
    if name != "sglang":
        return "transformers.utils.chat_parsing"
    found = importlib.util.find_spec("sglang")
    assert found is not None
    path = [*(found.submodule_search_locations or ())]
    for each in ("sglang", "sglang.srt", "sglang.srt.parser"):
        package = types.ModuleType(each)
        package.__path__ = [f"{folder}{each.removeprefix('sglang').replace('.', '/')}" for folder in path]
        sys.modules[each] = package
    return "sglang.srt.parser.chat_parsing"


PACKAGE = package_of(*sys.argv[1:2] or ["transformers"])
ResponseParser = importlib.import_module(PACKAGE).ResponseParser
load_response_template = importlib.import_module(f"{PACKAGE}.response_templates").load_response_template


@cache
def template_of(key: str) -> Any:
    return load_response_template(json.loads(key))


def run(given: dict[str, Any], size: int) -> dict[str, Any]:
    try:
        parser = ResponseParser(
            template_of(json.dumps(given["template"])), prefix=given["prefix"], tools=given["tools"]
        )
        events = [*parser.initial_events]
        text = given["text"]
        for at in range(0, len(text), size or len(text) or 1):
            events += parser.feed(text[at : at + (size or len(text))])
        message, last = parser.finalize()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    closed = [[each["field"], each["value"]] for each in [*events, *last] if each["type"] == "region_close"]
    return {"message": message, "closed": closed}


for line in sys.stdin:
    given = json.loads(line)
    print(json.dumps([run(given, size) for size in given["sizes"]]), flush=True)
