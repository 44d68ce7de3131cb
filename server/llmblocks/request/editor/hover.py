"""The hover texts of requests."""

from __future__ import annotations

from typing import Final

from llmblocks.contract.markup import code
from llmblocks.contract.subject import Describe, Subject
from llmblocks.core.index import Index
from llmblocks.core.scan import Kind
from llmblocks.request.editor import kinds
from llmblocks.request.editor.names import INVOCATION
from llmblocks.request.syntax.messages import MEDIA_LINE

_ROLES: Final = {
    "SYSTEM": "Message of the system: instructions for the model. Calls in it are examples: none of them runs.",
    "USER": "Message of the user, or the result of a call. Calls in it are text: none of them runs.",
    "ASSISTANT": "Message of the model, as the runtime repeats it: calls that have run, with the parameters received.",
}
_UNESCAPED = "The runtime escapes nothing: a line of text that looks like this begins a message here, too."


def _role(subject: Subject[object]) -> str:
    return f"{_ROLES[subject.text]}\n\n{_UNESCAPED}"


def _sign(_: Subject[object]) -> str:
    return f"Header of a message.\n\n{_UNESCAPED}"


def _result(subject: Subject[object]) -> str:
    name = next(
        subject.section.text[start:end] for kind, start, end in subject.section.spans() if kind is kinds.RESULT_ID
    )
    called = _gadget(subject.index(), name)
    if called is None:
        return f"Result of the call {code(name)}, which this request does not repeat."
    return f"Result of the call {code(name)}: what {code(called)} returned."


def _gadget(index: Index, name: str) -> str | None:
    """The gadget of the last call with an id: its name is stated in front of the id."""
    defined = index.definitions(INVOCATION, name)
    if not defined:
        return None
    symbols = index.symbols(defined[-1].section)
    return symbols[symbols.index(defined[-1].symbol) - 1].name


def _media(subject: Subject[object]) -> str:
    found = MEDIA_LINE.fullmatch(subject.text)
    if found is None:
        return "Media that a call returned."
    kept = f", kept in {code(found['path'])}" if found["path"] else ""
    return f"Media that a call returned: {found['kind']} {code(found['id'])}{kept}. The model got it with this message."


def _example(_: Subject[object]) -> str:
    return "Instruction or example for the model: only calls in the messages of the assistant have run."


WORDS: Final[dict[Kind, Describe[object]]] = {
    kinds.SIGN: _sign,
    kinds.ROLE: _role,
    kinds.RESULT: _result,
    kinds.RESULT_ID: _result,
    kinds.RESULT_END: _result,
    kinds.MEDIA: _media,
    **dict.fromkeys((kinds.EXAMPLE, kinds.EXAMPLE_HEADER, kinds.EXAMPLE_POINTER), _example),
}
