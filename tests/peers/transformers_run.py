"""Runs the response parser of transformers on what it is given: JSON lines in, JSON lines out.

in   {"template": {...}, "prefix": "...", "text": "...", "sizes": [0, 4], "tools": [...]}: a size of 0 is one chunk
out  [{"message": {...}, "closed": [[field, value], ...]} or {"error": "..."}, ...]: a result for each size
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

from transformers.utils.chat_parsing import ResponseParser
from transformers.utils.chat_parsing.response_templates import load_response_template


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
