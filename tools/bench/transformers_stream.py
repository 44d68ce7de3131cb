"""Feeds a text to the response parser of transformers: JSON in, seconds of processor time out."""

from __future__ import annotations

import json
import sys
from time import process_time

from transformers.utils.chat_parsing import ResponseParser

given = json.load(sys.stdin)
best = float("inf")
for _ in range(given["rounds"]):
    start = process_time()
    parser = ResponseParser(given["template"], prefix="")
    for chunk in given["chunks"]:
        parser.feed(chunk)
    parser.finalize()
    best = min(best, process_time() - start)
print(best)
