"""Hostile schemas: for any schema, the server continues answering."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

from formats.gadget.test_gadget_hostile_schemas import REF, hostile
from fuzz.rounds import FIRST_SEED, LONGEST_SILENCE, seeds
from wire import BASIC, Wire, did_change, did_open, notification, request

Json = Any
SETTINGS = '[gadget.schemas]\n"*.gadget" = ["tools.json"]\n'
PARTS = ("a", "a?", "(a+)", "(a|a)", "(a*)*", "[ab]", r"\w", r"(\w|\d)", "(?:a{1,20})", "$", "^", r"(?<x>a)", "b?")
METHODS = ("hover", "completion", "codeLens", "inlayHint", "documentSymbol", "semanticTokens/full")


def pattern(random: Random) -> str:
    source = "".join(
        random.choice(PARTS) + random.choice(("", "+", "*", "{1,20}")) for _ in range(random.randrange(1, 5))
    )
    return f"^({source})+$" if random.random() < 0.5 else source


def schema(random: Random) -> Json:
    kind = random.random()
    if kind < 0.5:
        names = [str(number) for number in range(random.randrange(1, 8))]
        return {"$defs": {name: hostile(random, names) for name in names}, "$ref": REF.format(0)}
    if kind < 0.7:
        member = {"type": "string", "pattern": pattern(random)}
        return {"properties": {"a": member, "b": {"patternProperties": {pattern(random): member}}}}
    if kind < 0.9:
        wide = {
            f"p{number}": {"type": random.choice(("string", "number"))} for number in range(random.randrange(20_000))
        }
        return {"type": "object", "properties": wide, "required": [*wide][: random.randrange(5000)]}
    return {"properties": {"a": {"enum": [*range(random.randrange(100_000))]}}, "anyOf": [{"$ref": "#"}] * 50}


def call(random: Random) -> str:
    pointers = ["/".join(random.choices("ab01", k=random.randrange(1, 9))) for _ in range(random.randrange(12))]
    values = ("1", "a" * random.randrange(60) + "!", "true", "")
    body = "".join(f"!!!ARG:{each}\n{random.choice(values)}\n" for each in pointers)
    return f"!!!GADGET_START:G:i\n{body}!!!GADGET_END\n"


def test_no_schema_keeps_the_server_from_answering(tmp_path: Path) -> None:
    random, tools = Random(FIRST_SEED), tmp_path / "tools.json"
    (tmp_path / "llmblocks.toml").write_text(SETTINGS)
    tools.write_text("{}")
    uri = (tmp_path / "a.gadget").as_uri()
    with Wire() as wire:
        wire.initialize(rootUri=tmp_path.as_uri(), capabilities=BASIC["capabilities"])
        wire.send(did_open(uri, call(random)))
        for count, _ in enumerate(seeds(80, 1), 1):
            key = random.choice(("schema", "inputSchema"))
            tools.write_text(json.dumps([{"name": "G", key: schema(random)}] * random.choice((1, 1, 3))))
            changed = {"uri": tools.as_uri(), "type": 2}
            wire.send(notification("workspace/didChangeWatchedFiles", {"changes": [changed]}))
            for _ in range(random.randrange(1, 4)):
                wire.send(did_change(uri, count, {"text": call(random)}))
            place = {"line": random.randrange(4), "character": random.randrange(9)}
            asked = {"textDocument": {"uri": uri}, "position": place, "range": {"start": place, "end": place}}
            wire.send(request(f"q{count}", f"textDocument/{random.choice(METHODS)}", asked))
            wire.send(request(f"p{count}", "fuzz/probe"))
            try:
                wire.reply(f"p{count}", LONGEST_SILENCE)
            except TimeoutError as error:
                kept = Path(os.environ.get("TMPDIR", "/tmp")) / "hostile.json"
                kept.write_bytes(tools.read_bytes())
                raise AssertionError(f"seed {FIRST_SEED}, schema {count} (see {kept}): silent") from error
        faults = [each for each in wire.received if each.get("error", {}).get("code") == -32603]
        assert not faults, faults[0]
        assert wire.end(LONGEST_SILENCE) == 0
