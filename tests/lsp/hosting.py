"""Texts in a host and in their own files, and what a client makes of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from typing import Any, NamedTuple

from oracle.client import Client, Document, Profile
from oracle.places import Places

Json = Any
CALLS = """\
!!!GADGET_START:Read:r1
!!!ARG:path
a é🎉
!!!ARG:path
a
!!!GADGET_END
<think>so</think>
!!!GADGET_START:Write:w1:r1
!!!ARG:lines/0
1
!!!ARG:lines/2
2
!!!GADGET_END
"""
CHAT = "@user id='q1'\nHello\n@ai   id='a1'\n<think>so</think>\n@/* a\nb\n@*/\n@tool  name='x' id='a1'\n"
TEXTS = {"gadget": CALLS, "stf": CHAT, "custom-blocks": "<think>a\n<note>b</note>\n"}
FIRST = '{"messages": [{"role": "assistant", "content": "Hi"}]}\n'
ESCAPED = CALLS.replace("\n1\n", '\n"\\/1\n') + "\n\n\n!!!GADGET_START:Read:r2: r1 ,w1 \n!!!GADGET_END"
PROFILE = Profile("utf-16")
OPTIONS = {"tabSize": 4, "insertSpaces": True}


@cache
def client(profile: Profile) -> Client:
    return Client(profile)


class Hosting(NamedTuple):
    """A text in a host: between `head` and `tail`, with a `lead` before its lines, as `write` writes it."""

    host_id: str
    language_id: str
    text: str
    head: str
    tail: str
    write: Callable[[str], str]
    lead: str = ""
    profile: Profile = PROFILE


def _in_json(ascii_only: bool, profile: Profile = PROFILE) -> Hosting:
    head, tail = f'{FIRST}{{"n": "\U0001f389", "messages": [{{"content": "', '", "role": "assistant"}]}\n'
    write = partial(_escaped, ascii_only=ascii_only)
    return Hosting("jsonl", "gadget", ESCAPED, head, tail, write, profile=profile)


def _escaped(text: str, ascii_only: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]


LEADS = {"": "```", "> ": "> ```", "  ": "- ```", "    > ": "12. > ~~~"}
IN_MARKDOWN = {
    f"{language_id} after {lead!r}": Hosting(
        "markdown",
        language_id,
        TEXTS[language_id],
        f"# Title\n\nprose é🎉\n\n{fence}{language_id}\n",
        f"{lead}{fence[-3:]}\n",
        str,
        lead,
    )
    for language_id in TEXTS
    for lead, fence in LEADS.items()
}
_IN_QUOTES = CALLS.replace("\n1\n", "\n$`1\n") + "\n\n\n!!!GADGET_START:Read:r2: r1 ,w1 \n!!!GADGET_END\n"


def _in_template(text: str) -> str:
    return text.replace("`", "\\`").replace("$", "\\$")


IN_CODE = {
    host_id: Hosting(host_id, "gadget", _IN_QUOTES, head, tail, write)
    for host_id, head, tail, write in (
        ("python", '"é🎉"\n\ncall = (  # llmblocks: gadget\n    """', '""")\n', str),
        ("typescript", "'é🎉'; const call = /* gadget */ `", "`;\n", _in_template),
        ("javascriptreact", "const a = <b>{/* gadget */ `", "`}</b>;\n", _in_template),
    )
}
HOSTINGS = {
    **IN_MARKDOWN,
    **(IN_CODE if find_spec("tree_sitter_typescript") else {}),
    "JSON": _in_json(ascii_only=False),
    "JSON in ASCII": _in_json(ascii_only=True),
    "JSON, pulled": _in_json(ascii_only=False, profile=Profile("utf-8", pulls=True)),
}


class Both:
    """A text in a host, and in its own file."""

    def __init__(self, hosting: Hosting) -> None:
        self.hosting = hosting
        self.text, profile = hosting.text, hosting.profile
        self.leads = [hosting.lead if at == 0 or self.text[at - 1] == "\n" else "" for at in range(len(self.text))]
        written = [lead + hosting.write(each) for lead, each in zip(self.leads, self.text, strict=True)]
        self.starts = [len(hosting.head)]
        for each in written:
            self.starts.append(self.starts[-1] + len(each))
        self.host = Document(client(profile), hosting.host_id, hosting.head + "".join(written) + hosting.tail)
        self.bare = Document(client(profile), hosting.language_id, self.text)
        self.inner, self.outer = (Places(each.text, profile.encoding) for each in (self.bare, self.host))

    def __enter__(self) -> Both:
        return self

    def __exit__(self, *_: object) -> None:
        self.host.close()
        self.bare.close()

    def place(self, value: Json, *, ends: bool = False) -> Json:
        offset = self.inner.offset(value)
        # the end of a range is before what the host has on the next line
        lead = "" if ends or offset == len(self.text) else self.leads[offset]
        outside = self.starts[offset] + len(lead)
        return self.outer.range(outside, outside)["start"]

    def moved(self, value: Json) -> Json:
        """Return the answers of the bare document, with the places of its host."""
        if isinstance(value, list):
            return [*map(self.moved, value)]
        if not isinstance(value, dict):
            return self.host.uri if value == self.bare.uri else value
        if "line" in value:
            return self.place(value)
        if value.keys() == {"start", "end"}:
            return {
                "start": self.place(value["start"]),
                "end": self.place(value["end"], ends=value["start"] != value["end"]),
            }
        if "newText" in value:
            span = {name: self.place(each) for name, each in value["range"].items()}
            new = self.hosting.write(value["newText"]).replace("\n", f"\n{self.hosting.lead}")
            return value | {"range": span, "newText": new}
        if "startLine" in value:
            lines = {
                name: self.place({"line": value[name], "character": 0})["line"] for name in ("startLine", "endLine")
            }
            return value | lines
        return {
            self.host.uri if name == self.bare.uri else name: each if name == "data" else self.moved(each)
            for name, each in value.items()
        }

    def in_host(self, text: str) -> str:
        """Return another text in the same host."""
        lines = self.hosting.write(text).splitlines(keepends=True)
        end = "\n" if self.hosting.host_id == "markdown" and not text.endswith("\n") else ""
        return self.hosting.head + "".join(map(self.hosting.lead.__add__, lines)) + end + self.hosting.tail


def stays_fresh(language_id: str, text: str, edits: list[tuple[int, int, str]]) -> None:
    """Check that an edited host has the answers of the same text, opened again."""
    host = Document(client(PROFILE), language_id, text)
    for at, length, new in edits:
        start = at % (len(host.text) + 1)
        host.change([(start, min(start + length, len(host.text)), new)])
        client(PROFILE).serve()
    fresh = Document(client(PROFILE), language_id, host.text)
    assert host.ask("documentSymbol") == fresh.ask("documentSymbol")
    # folds come in the order in which their texts were analysed
    folds = [sorted(map(str, each.ask("foldingRange"))) for each in (host, fresh)]
    assert folds[0] == folds[1]
    assert str(host.diagnostics()).replace(host.uri, fresh.uri) == str(fresh.diagnostics())
    assert absolute(host.ask("semanticTokens/full")["data"]) == absolute(fresh.ask("semanticTokens/full")["data"])
    host.close()
    fresh.close()


def without_data(value: Json) -> Json:
    if isinstance(value, list):
        return [*map(without_data, value)]
    if isinstance(value, dict):
        return {name: without_data(each) for name, each in value.items() if name != "data"}
    return value


def absolute(data: list[int]) -> list[tuple[int, ...]]:
    found, line, character = [], 0, 0
    for at in range(0, len(data), 5):
        down, right, *rest = data[at : at + 5]
        line, character = line + down, right if down else character + right
        found.append((line, character, *rest))
    return found
