"""Documents of any size that look like what people open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

_PROSE = "I will write the next file now, then run the tests again and look at what still fails in the second part.\n"
_CODE = '  const value{n} = await compute({n}, options.limit ?? 100, "a label that makes this line about as long");\n'
_TALK = "An answer in plain words, about a hundred characters a line, give or take a few, as answers usually are.\n"


def gadget_document(size: int) -> str:
    """A model's response of about `size` characters, 100 a line: prose and calls, each of which writes a file."""
    return _upto(size, (_call(n) for n in count()))


def stf_document(size: int) -> str:
    """Return a chat history of about `size` characters, 100 a line, with arguments and comments."""
    return _upto(size, (_exchange(n) for n in count()))


def blocks_document(size: int) -> str:
    """Return a text of about `size` characters, 100 a line, with a block of thoughts every 13 lines."""
    return _upto(size, (f"<think depth={n % 9}>\n{_TALK * 4}</think>\n{_TALK * 8}" for n in count()))


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
