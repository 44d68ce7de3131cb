"""Language server traffic as no client should send it: valid, mutated, out of order, and plain noise."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

Json = Any

URIS = (
    *("file:///w/a.gadget", "file:///w/b%20c%25.stf", "file:///w/d.blocks", "untitled:Untitled-1"),
    *("vscode-notebook-cell:/w/n.ipynb#W0sZmlsZQ%3D%3D", "weird uri with spaces and ü", "file://host:99999/a\0b"),
    *("http://[::1", "", "file:///w/a%23b.gadget", "file:///w/a#b.gadget", "file:///w/../../etc/a.gadget"),
    *("file:///c%3A/w/a.gadget", "file://server/share/a.stf", "FILE:///w/a.gadget", "file:a.gadget"),
    *("file:///w/%ff%00%zz.blocks", "file:///w/a\n2026-01-01 ERROR forged\x1b[2J.gadget"),
    *("file:///w/\ud800\u202e.stf", "untitled:a?b=c#d", "git:/w/a.gadget?%7B%22ref%22%3A%22%22%7D"),
    *("data:text/plain,x", "file:///w/" + "long/" * 400 + "a.gadget", ":", "//", "%"),
)
LANGUAGE_IDS = ("gadget", "stf", "custom-blocks", "plaintext", "")
PIECES = (
    *("a", " ", "\n", "\r\n", "\r", "\u2028", "\0", "\U0001f600", "\ud83d", "é"),
    *("!!!GADGET_START:Write:w:a,b\n", "!!!GADGET_START:", "!!!ARG:a\n1\n", "!!!ARG:a/0\n", "!!!ARG:a/7\n"),
    *("!!!ARG:__proto__/x\n", "!!!GADGET_END", "\n@user\n", "\n@/*\n", "\n@*/\n"),
    *('\n@message {role: "user", n: 1e999}\n', "<think>", "</think>", '<a b="c>">'),
)
ODD: tuple[Json, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, -(2**63), 10**30, 1.5, float("1e308"), "", "x", "\ud800", [], {}, [[]]),
    *([None], {"line": 0, "character": 0}, "file:///w/a.gadget"),
)
METHODS = (
    *("textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/references"),
    *("textDocument/rename", "textDocument/prepareRename", "textDocument/documentHighlight"),
    *("textDocument/foldingRange", "textDocument/documentSymbol", "textDocument/diagnostic"),
    *("workspace/diagnostic", "textDocument/semanticTokens/full", "textDocument/semanticTokens/full/delta"),
    *("textDocument/semanticTokens/range", "textDocument/formatting"),
    *("textDocument/codeAction", "textDocument/inlayHint"),
)


def some_text(random: Random, most: int = 40) -> str:
    return "".join(random.choices(PIECES, k=random.randrange(most)))


def some_position(random: Random) -> Json:
    reach = random.choice((3, 30, 3000, 2**31 - 1))
    return {"line": random.randrange(reach), "character": random.randrange(reach)}


def some_settings(random: Random) -> Json:
    given: tuple[Json, ...] = (
        *(None, {}, odd(random)),
        {"diagnostics": {"maxPerDocument": random.choice((1, 3, "many", -1))}},
        {"files": {"maxSizeMB": random.choice((0.0001, 50, None, [], "big"))}},
        {"gadget": {"markers": {"start": random.choice(("<<", "", "!!!GADGET_END", 5))}}},
        {"stf.dialect": random.choice(("@", ";", "?"))},
        {"tags": {"names": random.choice((["a", "b"], "a", [1], []))}},
        {"rules": {"severity": {"G1": random.choice(("off", "hint", "loud"))}, "select": random.choice((["G"], 3))}},
    )
    return random.choice(given)


def odd(random: Random) -> Json:
    """Return a value that is rarely right, as a new object, since it may be changed further."""
    return copy.deepcopy(random.choice(ODD))


def valid(random: Random, request_id: Json, versions: dict[str, int], asked: list[Json]) -> Json:
    """Return one message of a well-behaved client, more or less."""
    uri = random.choice(URIS)
    document: Json = {"uri": uri}
    span = {"start": some_position(random), "end": some_position(random)}
    kind = random.random()
    if kind < 0.18:
        versions[uri] = random.randrange(5)
        item = {"languageId": random.choice(LANGUAGE_IDS), "version": versions[uri], "text": some_text(random)}
        return notification("textDocument/didOpen", {"textDocument": document | item})
    if kind < 0.5:
        versions[uri] = versions.get(uri, 0) + 1
        changes: list[Json] = []
        for _ in range(random.randrange(4)):
            place = {"start": some_position(random), "end": some_position(random)}
            change = {"range": place, "rangeLength": 1, "text": some_text(random, 6)}
            changes.append(change if random.random() >= 0.1 else {"text": some_text(random)})
        document["version"] = versions[uri]
        return notification("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
    if kind < 0.72:
        folder = {"uri": uri, "name": "w"}
        notifications: dict[str, Json] = {
            "textDocument/didClose": {"textDocument": document},
            "textDocument/didSave": {"textDocument": document},
            "workspace/didChangeConfiguration": {"settings": {"llmblocks": some_settings(random)}},
            "$/cancelRequest": {"id": random.choice(asked or [0])},
            "$/setTrace": {"value": random.choice(("off", "messages", "verbose", "loud"))},
            "workspace/didChangeWorkspaceFolders": {"event": {"added": [folder], "removed": [folder]}},
        }
        return notification(*random.choice([*notifications.items()]))
    if kind < 0.74:
        answered = random.choice((f"llmblocks-{random.randrange(9)}", 5))
        return {"jsonrpc": "2.0", "id": answered, "result": some_settings(random)}
    if kind < 0.78:
        method = random.choice(("workspace/diagnostic", "initialize", "no/such", "workspace/symbol", "$/odd"))
        about = {"previousResultIds": [{"uri": uri, "value": "1"}], "capabilities": {}}
        return notification(method, about) | {"id": request_id}
    params: Json = {"textDocument": document, "position": some_position(random), "newName": "x"}
    params |= {"range": span, "context": {"diagnostics": []}, "options": {"tabSize": 2}}
    return notification(random.choice(METHODS), params) | {"id": request_id}


def mutated(random: Random, message: Json) -> Json:
    """Return the same message with one to three of its values replaced, removed or doubled."""
    message = copy.deepcopy(message)
    for _ in range(random.randrange(1, 4)):
        holders = [message, *_inside(message)]
        holder = random.choice(holders)
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            continue
        key = random.choice(keys)
        action = random.random()
        if action < 0.25:
            del holder[key]
        elif action < 0.35 and isinstance(holder, dict):
            holder[random.choice(("id", "method", "params", "text", "uri", "range", "x"))] = odd(random)
        else:
            holder[key] = odd(random)
    return message


def noise(random: Random, message: Json) -> bytes:
    """Return the body of a message with some of its bytes changed."""
    body = bytearray(json.dumps(message).encode())
    for _ in range(random.randrange(1, 5)):
        if body:
            body[random.randrange(len(body))] = random.randrange(256)
    return bytes(body[: random.randrange(len(body) + 1)] if random.random() < 0.3 else body)


def notification(method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _inside(value: Json) -> list[Json]:
    children = value.values() if isinstance(value, dict) else value
    found = []
    for child in children:
        if isinstance(child, dict | list):
            found += [child, *_inside(child)]
    return found
