"""The texts of benches: documents of any size, what models write, and what makes a careless reader slow."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

START, ARG, END = "!!!GADGET_START:", "!!!ARG:", "!!!GADGET_END"
CALL = '<tool_call>\n{"name": "search", "arguments": {"query": "the quick brown fox", "limit": 20}}\n</tool_call>\n'
_PROSE = "I will write the next file now, then run the tests again and look at what still fails in the second part.\n"
_CODE = '  const value{n} = await compute({n}, options.limit ?? 100, "a label that makes this line about as long");\n'
_TALK = "An answer in plain words, about a hundred characters a line, give or take a few, as answers usually are.\n"
_WORDS = ("the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "and", "some", "more", "words")


def prose(size: int) -> str:
    """Return the same words for a size in each run."""
    return " ".join(random.Random(1).choices(_WORDS, k=size // 4))[:size]


def repeated(part: str, size: int) -> str:
    """Return a part again and again, with its number in place of braces."""
    return "".join([part.format(number) for number in range(max(size // len(part.format(100)), 1))])


def completion(size: int) -> str:
    """Reasoning, an answer, and some calls."""
    return f"<think>\n{prose(size * 3 // 4)}\n</think>\n{prose(size // 8)}\n" + CALL * (size // 8 // len(CALL))


def conversation(messages: int) -> str:
    """Messages of 100 characters, header and all, by two speakers in turn."""
    line = "Some words that are as long as what people say, and then some more, and the number {:7}.\n"
    return "".join(f"@{'ai' if n % 2 else 'user'}\n{line.format(n)}" for n in range(messages))


def conversation_with_arguments(messages: int) -> str:
    """As many of the same length, each with an id."""
    line = "Some words that are as long as what people say, and some more, and the number {:7}.\n"
    return "".join(f"@{'ai' if n % 2 else 'user'} id=m{n}\n{line.format(n)}" for n in range(messages))


def conversation_with_everything(messages: int) -> str:
    """As long, each with an id, and three of four with a comment, an escape or a call."""
    more = ("", "@# a comment\nafter it\n", "@@ an escape\n", '@call name=look id=c\n{"at": "it"}\n')
    body = "Some words that are as long as what people say, and some more."
    return "".join(f"@{'ai' if n % 2 else 'user'} id=m{n}\n{body}\n{more[n % 4]}" for n in range(messages))


def gadget(size: int) -> dict[str, str]:
    """Return what models write: one long value, no call, many small calls."""
    head = f"{START}WriteFile:w1\n{ARG}path\nsrc/a.py\n{ARG}content\n"
    lines = repeated("line {0} of a file, with some text in it, and one more\n", size)
    small = (
        f"Now step {{0}}: writing the file.\n{START}WriteFile:call_{{0}}:call_x{{0}}\n{ARG}path\nsrc/file_{{0}}.py\n"
        f"{ARG}mode\n420\n{ARG}content\ndef f{{0}}():\n    return {{0}}\n\nprint(f{{0}}())\n{END}\n"
    )
    return {
        "one gadget": f"{head}{lines[: size - len(head) - 15]}\n{END}\n",
        "plain text": lines,
        "small gadgets": repeated(small, size),
    }


def gadget_hostile(size: int) -> dict[str, str]:
    pointers = repeated(f"\n{ARG}s/b{{0}}\n1", size // 2)
    return {
        "pointers below a long text": f"{START}G\n{ARG}s\n{'é' * (size // 2)}{pointers}\n{END}",
        "header without an end": START + "x" * size,
        "pointer without an end": f"{START}G\n{ARG}" + "x" * size,
        "only !": "!" * size,
        "only ! in a value": f"{START}G\n{ARG}a\n" + "!" * size,
        "only start markers": START * (size // 16),
        "only headers": f"{START}x\n" * (size // 18),
        "only argument markers": f"{START}G\n" + ARG * (size // 7),
        "only newlines in a value": f"{START}G\n{ARG}a\n" + "\n" * size,
    }


def stf(size: int) -> dict[str, str]:
    return {
        "bare messages": conversation(size // 100),
        "one message of short lines": "@user\n" + "Some words of a line that goes on.\n" * (size // 35),
        "one message on one line": "@user\n" + "x" * size,
    }


def stf_hostile(size: int) -> dict[str, str]:
    return {
        "lines of @/*": "@/*\n" * (size // 4),
        "one line of @/*": "@/*" * (size // 3),
        "lines of @*/": "@*/\n" * (size // 4),
        "one command line": "@msg " + "key=v " * (size // 6),
        "one word after a command": "@msg " + "a" * size,
        "a command line of =": "@msg " + "=" * size,
        "a string that never ends": '@msg name="' + "a" * size,
        "backslashes that never end": '@msg name="' + "\\" * size,
        "words, and one = at the end": "@msg " + "ab " * (size // 3) + "=",
        "one line of JSON5": "@msg {" + "a:[1],// '\"" * (size // 11),
        "brackets": "@raw\n" + "[" * size + "\n@end\n",
        "a list in a raw message": "@raw\n{role:'u',content:'',extra:[" + "1," * (size // 2) + "]}\n@end\n",
        "comments inside a message": "@user\n" + "x\n@#\n" * (size // 5),
        "escapes": "@user\n" + "@@\n" * (size // 3),
        "data before a message": "x\n" * (size // 2),
        "blank lines": "\n" * size,
        "carriage returns": "@user\r\n" + "\r" * size,
    }


def tags(size: int) -> dict[str, str]:
    words = prose(200)
    return {
        "one tag": f"<think>{prose(size)}</think>",
        "5,000 tags": repeated(f"{words[:85]}<think>{words[:100]}</think>", size),
        "5,000 tags, attributes": repeated(f'{words[:80]}<think k="{{0}}">{words[:95]}</think>', size),
        "HTML, unregistered tags": repeated(f"<p>{words[:40]}<b>{words[:8]}</b> {words[:30]}</p>\n", size),
        "plain text": prose(size),
    }


def tags_hostile(size: int) -> dict[str, str]:
    return {
        "only <": "<" * size,
        "only </": "</" * (size // 2),
        "endless attribute list": "<think " + "a=1 " * (size // 4),
        "endless value": '<think a="' + "x" * size,
        "endless tag name": "<" + "a" * size,
        "only </ in a block": "<think>" + "</" * (size // 2),
        "endless name in a block": "<think></" + "a" * size,
    }


def gadget_document(size: int) -> str:
    """A model's response of about `size` characters, 100 a line: prose and calls, each of which writes a file."""
    return _upto(size, (_call(n) for n in count()))


def stf_document(size: int) -> str:
    """Return a chat history of about `size` characters, 100 a line, with arguments and comments."""
    return _upto(size, (_exchange(n) for n in count()))


def completion_document(size: int) -> str:
    """Completions of about `size` characters: reasoning, an answer, and six calls as Hermes writes them."""
    return _upto(size, (_completion(n) for n in count()))


def _completion(n: int) -> str:
    call = f'<tool_call>\n{{"name": "read", "arguments": {{"path": "src/part{n}.ts", "line": %d}}}}\n</tool_call>\n'
    calls = "".join([call % line for line in range(6)])
    return f"<think>\n{_PROSE}</think>\n{_TALK}{calls}{_TALK}"


def _call(n: int) -> str:
    needs = f":write_{n - 1}" if n % 10 else ""
    return (
        _PROSE
        + f"\n!!!GADGET_START:WriteFile:write_{n}{needs}\n!!!ARG:filePath\nsrc/part{n}/module.ts\n!!!ARG:content\n"
        + "".join(_CODE.format(n=line) for line in range(14))
        + "!!!ARG:options/overwrite\ntrue\n!!!ARG:options/tags/0\ngenerated\n!!!GADGET_END\n\n"
    )


def _exchange(n: int) -> str:
    return (
        f"@user name=ada id=q{n}\n"
        + _TALK * 4
        + f"@# asked again on day {n}\n"
        + _TALK
        + "@ai\n"
        + _TALK * 8
        + "@@mentions are escaped at the start of a line\n"
    )


def _upto(size: int, parts: Iterator[str]) -> str:
    found, length = [], 0
    for part in parts:
        found.append(part)
        length += len(part)
        if length >= size:
            break
    return "".join(found)
