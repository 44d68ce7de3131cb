"""Findings as JSON."""

from __future__ import annotations

import json

from llmblocks import check, findings_as_json

TEXT = "hi\r\n!!!GADGET_START:A\r\n!!!ARG:😀x\n1\n!!!ARG:😀x\n2\n!!!GADGET_END\n"


def test_a_finding_has_offsets_lines_and_its_related_places() -> None:
    (found,) = findings_as_json(check(TEXT, "gadget"), TEXT)
    start = TEXT.rindex("😀x")
    assert found == {
        "start": start,
        "end": start + 2,
        "line": 5,
        "column": 8,
        "endLine": 5,
        "endColumn": 10,
        "code": "G101",
        "name": "duplicate-pointer",
        "severity": "error",
        "message": "Duplicate pointer: 😀x — llmist rejects the whole call; rename or remove one of them; "
        "first given 2 lines above",
        "headline": "Duplicate pointer: 😀x",
        "note": "llmist rejects the whole call",
        "help": "rename or remove one of them; first given 2 lines above",
        "related": [
            {
                "start": 30,
                "end": 32,
                "line": 3,
                "column": 8,
                "endLine": 3,
                "endColumn": 10,
                "message": "first given here",
            }
        ],
    }
    assert json.loads(json.dumps(found)) == found
