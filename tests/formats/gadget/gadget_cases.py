"""Hand-written gadget texts, one idea each. `tools/regenerate.py` asks llmist about them all."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from llmblocks.gadget import GadgetCall
from llmblocks.gadget.stream import read_calls

S, E, A = "!!!GADGET_START:", "!!!GADGET_END", "!!!ARG:"


def call(body: str, header: str = "G:i") -> str:
    return f"{S}{header}\n{body}\n{E}"


def arguments(*pairs: tuple[str, str]) -> str:
    return call("\n".join(f"{A}{pointer}\n{value}" for pointer, value in pairs))


def calls_of(text: str) -> list[GadgetCall]:
    return read_calls(text)[0]


def written(**fields: Any) -> Any:
    """Return an object with the attributes of a call, some of them given."""
    return SimpleNamespace(**{"name": "G", "invocation_id": "i", "dependencies": (), "parameters": {}, **fields})


POINTERS: dict[str, list[str]] = {
    "nested": ["a/b", "a/c/d", "e/0", "e/1/f"],
    "array gap": ["a/0", "a/2"],
    "array that starts at 1": ["a/1", "a/0"],
    "index 01 after 0": ["a/0", "a/01"],
    "index 1abc after 0": ["a/0", "a/1abc"],
    "index 1abc first": ["a/1abc"],
    "index 1.5, +1, ' 1'": ["a/0", "a/1.5", "b/0", "b/+1", "c/0", "c/ 1"],
    "index -1": ["a/0", "a/-1"],
    "index -0": ["a/0", "a/-0"],
    "index 0x1": ["a/0", "a/0x1"],
    "index -": ["a/0", "a/-"],
    "index huge": ["a/99999999999999999999"],
    "index past 1e21": ["a/0", "a/1000000000000000000000000"],
    "index of 400 digits": ["a/" + "9" * 400],
    "index 9007199254740993": ["a/9007199254740993"],
    "arabic digit": ["a/\u0660"],
    "key in a list": ["a/0", "a/b"],
    "key in the middle of a list": ["a/0/0", "a/b/0"],
    "empty segment in a list": ["a/0", "a/"],
    "index in a dict": ["a/b", "a/0"],
    "0 at the top": ["0", "1", "2/0"],
    "leading, doubled, trailing slash": ["/a", "b//c", "d/"],
    "only slashes": ["/", "//"],
    "escapes of RFC 6901": ["a~1b", "c~0d", "e%2Ff"],
    "blank": ["", "  ", "a"],
    "duplicate": ["a", "a"],
    "duplicate by trimming": ["a", " a\t"],
    "below a number": ["a", "a/b"],
    "below an index": ["a/0", "a/0/b"],
    "overwritten by a value": ["a/b", "a"],
    "overwritten element": ["a/0/x", "a/0"],
    "overwritten, then below": ["a/b", "a", "a/c"],
    "own names of objects": ["toString", "constructor", "hasOwnProperty", "length"],
    "length and push of a list": ["a/0", "a/length", "a/push"],
    "__proto__ alone": ["__proto__", "a"],
    "a/__proto__ alone": ["a/__proto__", "a/b"],
    "thirty segments": ["/".join("abcdefghij" * 3)],
    "spaces inside": ["a / b", " c/d "],
    "surrogates": ["\ud83d/\ude00", "😀"],
}

BELOW_TEXT = ("a/b", "a/0", "a/9", "a/length", "a/b/c", "a/1/c", "a/length/c", "a/00", "a/__proto__")

VALUES = [
    "42", " 42 ", "\t42", "42\r", "-7", "+5", "0", "-0", "007", "-01", "3.14", "3.", "0.10", ".5", "1e5", "1E5",
    "1_000", "1,000", "0x10", "Infinity", "NaN", "12345678901234567890", "9007199254740993", "-9007199254740993",
    "0.1234567890123456789", "1" * 310, "1." + "0" * 30, "123456789012345", "1234567890123456", "0." + "0" * 330 + "1",
    "true", " true ", "True", "false", "yes", "null", "undefined", "", '"42"', "[1,2]", '{"a":1}', "42abc", "4 2",
    "\u0663", "\uff11\uff12", "1.0", "1" + "0" * 23, "\u00a042", "\ufeff1", "\x1c1", "1\x85", "2024-01-01", "-", "--1",
    "42\n", "\n42", "   ", "\n", "\r", "v   ", "   v", "v\n\n", "\u2028v\u2029", "\u3000v\u3000", "\ufeffv\ufeff",
    "```js\ncode\n```", "x```", "x\n```\n```", "````", "x\n````", "~~~\nx\n~~~", "``` done", "😀", "\ud800", "a\0b",
]  # fmt: skip

FENCES = [
    "```\n!!!ARG:a\n1\n```", "```toml\n!!!ARG:a\n1\n```", "```JSON\n!!!ARG:a\n1\n```",
    "  ```yaml  \n!!!ARG:a\n1\n```  ",
    "```python\n!!!ARG:a\n1\n```", "```\n!!!ARG:a\n1", "!!!ARG:a\n1\n```", "````\n!!!ARG:a\n1\n````",
    "```\nhello\n!!!ARG:a\n1\n```", "```!!!ARG:a\n1```", "```\n!!!ARG:a\n1\n``` done", "```\n!!!ARG:a\n1\n\n\n```",
    "```\r\n!!!ARG:a\r\n1\r\n```", "```", "```\n```", "```json\n\n  ```", "``````", "```\n\n!!!ARG:a\n```\n```",
    "```\u2028\n!!!ARG:a\n1\n```", "```json", "```jſon\n!!!ARG:a\n1", "```\n!!!ARG:```\n1\n```",
]  # fmt: skip

HEADERS = [
    "G", "G:i", " G : i : d1 , d2 ", "G:", "G: ", "G:i:", "G:i:,,", "G:i:a,a,b,a", "G:i:a:b:c", "G:i:a,b:c", "", ":i",
    "::", ":::", "My Gadget:my id:dep one", "G:i\r", "G\t:\ti", "G:i:i", "Ünï:ïd:dép", "G:gadget_1", "ns.G/x:i-1.2",
    "Foo!!!GADGET_START:Bar", "Foo!!!GADGET_END", "Foo!!!ARG:x", "\ufeffG:\ufeffi\ufeff", "\x85G:\x1ci", "G:i,j",
]  # fmt: skip

TEXTS = [
    "hello world", "", " \n\t ", "see !!!GADGET_START:G:i\n!!!ARG:a\n1\n!!!GADGET_END", "abc !!!GADGET_END def",
    "abc !!!ARG:x\n1\n def", "!!!GADGET_START:G:i\n!!!ARG:a\n1!!!GADGET_END", "!!!GADGET_START:G:i\n!!!GADGET_ENDtail",
    "!!!GADGET_START:G:i\n!!!ARG:a\nuse !!!GADGET_END to end\n!!!GADGET_END\nq",
    "!!!GADGET_START:G:i\n!!!ARG:a\nfoo !!!ARG:b\nbar\n!!!GADGET_END",
    "!!!GADGET_START:G:i\n!!!ARG:a\nfoo !!!ARG:b bar\n!!!GADGET_END",
    "!!!GADGET_START:G:i\n!!!ARG:a\nfoo !!!GADGET_START:H:j\n!!!ARG:b\n1\n!!!GADGET_END",
    "!!!GADGET_START:G\n!!!GADGET_END!!!GADGET_START:H:x\n!!!GADGET_END!!!GADGET_START:I\n!!!GADGET_END",
    "!!!GADGET_START:G:i\n\n!!!GADGET_END\n\n  !!!GADGET_START:G:i\n\n!!!GADGET_END", "!!!gadget_start:G\n!!!arg:a\n1",
    "!!!!GADGET_START:G:i\n!!!!ARG:a\n1\n!!!!GADGET_END", "!!!GADGET_START:G:i\n!!!GADGET_END!!!GADGET_END\n",
    "!!!GADGET_START:G:i\n{\"a\": 1}\n!!!GADGET_END", "!!!GADGET_START:G:i\njunk\n!!!ARG:a\n1\n!!!GADGET_END",
    "text !!!GADGET_ST", "text !!!GADGET_START:G:i", "!!!GADGET_START:G:i\n", "!!!GADGET_START:G:i\n!!!ARG:a\n1",
    "!!!GADGET_START:G:i\n!!!ARG:a\n1\n!!!GADGET_EN", "!!!GADGET_START:G:i\n!!!ARG:a\n1\n!!!AR", "!!!GADGET_START:H  ",
    "!!!GADGET_START:G:i\n!!!ARG:a", "!!!GADGET_START:G:i\n!!!ARG:a!!!AR", "!!!GADGET_START:G:i\n\n!!!GADGET_END\n  \n",
    "!!!GADGET_START:G:i\n!!!ARG:a!!!ARG:b\n1\n!!!GADGET_END", "!!!GADGET_START:G:i\n!!!ARG:a\n!!!ARG:b\n!!!GADGET_END",
    "!!!GADGET_START:G:i\r\n!!!ARG:s\r\nhello\r\n!!!ARG:n\r\n42\r\n!!!ARG:t\r\nlast\r\n!!!GADGET_END",
]  # fmt: skip

CUSTOM: list[tuple[str, dict[str, str]]] = [
    ("<call>G:i\n<p>a\n1\n</call>rest", {"startPrefix": "<call>", "endPrefix": "</call>", "argPrefix": "<p>"}),
    ("[G:i\n~a\n1\n~b\nx]t", {"startPrefix": "[", "endPrefix": "]", "argPrefix": "~"}),
    ("@@G:i\n!!!ARG:a\n1\n!!!GADGET_END x", {"startPrefix": "@@"}),
    ("@ G:i\n# a\n1\n# b\n# \n2\n$ ", {"startPrefix": "@ ", "endPrefix": "$ ", "argPrefix": "# "}),
    ("<G:i\n `a\n1\n `b\n2\n>", {"startPrefix": "<", "endPrefix": ">", "argPrefix": " `"}),
    ("<G:i\n```a\n1\n```b\n2\n>", {"startPrefix": "<", "endPrefix": ">", "argPrefix": "```"}),
]


def hand_written() -> list[dict[str, Any]]:
    """Return every case, whole and character by character."""
    texts: list[tuple[str, str, dict[str, str]]] = []
    for name, pointers in POINTERS.items():
        texts.append((f"pointer: {name}", arguments(*((pointer, str(i)) for i, pointer in enumerate(pointers))), {}))
    for pointer in BELOW_TEXT:
        texts.append((f"below text: {pointer}", arguments(("a", "str"), (pointer, "1")), {}))
        texts.append((f"below no text: {pointer}", arguments(("a", ""), (pointer, "1")), {}))
    for value in VALUES:
        texts.append((f"last value {value[:30]!r}", arguments(("a", value)), {}))
        texts.append((f"value {value[:30]!r}", arguments(("a", value), ("z", "end")), {}))
    texts += [(f"fence {body!r}", call(body), {}) for body in FENCES]
    texts += [(f"header {header!r}", call(f"{A}a\n1", header), {}) for header in HEADERS]
    texts += [(f"text {text!r}", text, {}) for text in TEXTS]
    texts += [(f"markers {options}", text, options) for text, options in CUSTOM]
    ways = (("", lambda text: [text]), (", by character", list))
    return [{"name": name + way, "chunks": cut(text), "options": its} for name, text, its in texts for way, cut in ways]
