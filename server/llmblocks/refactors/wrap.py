"""Wrapping of a selection in a call or a custom block."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from llmblocks.contract.markup import code
from llmblocks.core.edits import Edit
from llmblocks.gadget import kinds as gadget
from llmblocks.gadget.call import read_body
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.schemas.parameters import parameters_of
from llmblocks.languages.ask import Ask
from llmblocks.refactors.promises import LONGEST, one_more_block, one_more_call
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.selected import escape_at, newline_of, numbers_matter, said_in, tokens_of
from llmblocks.stf import kinds as stf
from llmblocks.tags import kinds as tags

_FREE = frozenset((gadget.TEXT, tags.TEXT, stf.TEXT, stf.ESCAPE))
_MOST = 8
_LONGEST_REASON = 200


def _selected(ask: Ask) -> str | None:
    """Return the selected text as the inner formats read it; None where it is not only text."""
    if ask.end - ask.start > LONGEST:
        return None
    if any(each.kind not in _FREE for each in tokens_of(ask.document, ask.start, ask.end)):
        return None
    text = said_in(ask)
    return text if text.strip() else None


def _in_call(ask: Ask) -> Iterator[Offer]:
    text = _selected(ask)
    if text is None or numbers_matter(ask):
        return
    markers = ask.settings.markers
    newline = newline_of(ask, ask.start)
    lead, tail = _lines(ask, newline)
    close = "" if text.endswith(newline) else newline
    whole = text.replace(newline, "\n").removesuffix("\n")
    for name, pointer, title in _gadgets(ask):
        schema = ask.settings.gadgets.schema(name)
        body = f"{markers.arg}{pointer}\n{whole}\n"
        read, _ = read_body(body, markers.arg).decoded(schema.expected if schema else None)
        value = read.get(pointer) if read else None
        if not isinstance(value, str) or value != whole:
            read_as, written = (json.dumps(each, ensure_ascii=False) for each in (value, whole))
            yield Offer(title, refused=f"the runtime would read {read_as}, not {written}"[:_LONGEST_REASON])
            continue
        begin = f"{lead}{markers.start}{name}{newline}{markers.arg}{pointer}{newline}{escape_at(ask, ask.start)}"
        end = f"{close}{markers.end}{tail}{escape_at(ask, ask.end) if tail else ''}"
        yield Offer(title, (Edit(ask.start, ask.start, begin), Edit(ask.end, ask.end, end)))


def _gadgets(ask: Ask) -> Iterator[tuple[str, str, str]]:
    """Yield the gadgets that take a text, with the pointer of it."""
    known = ask.settings.gadgets
    if not known:
        yield "Name", "text", "Wrap the selection in a gadget call"
    found = 0
    for each in known:
        pointer = _takes_text(each)
        if pointer and found < _MOST:
            found += 1
            yield each.name, pointer, f"Wrap the selection in a call of {code(each.name)}"


def _takes_text(each: GadgetSchema) -> str:
    schema = each.prepared
    if schema is None:
        return "text"
    found = [one.pointer for one in parameters_of(schema) if schema.expected(one.pointer) == "string"]
    return found[0] if found else ""


def _in_block(ask: Ask) -> Iterator[Offer]:
    text = _selected(ask)
    if text is None:
        return
    newline = newline_of(ask, ask.start)
    lead, _ = _lines(ask, newline)
    for name in ask.settings.tags[:_MOST]:
        begin, end, first = f"<{name}>", f"</{name}>", ask.start
        if text.endswith("\n"):
            # whole lines: the tags stand on lines of their own
            begin, end = f"{lead}{begin}{newline}{escape_at(ask, first)}", f"{end}{newline}"
        elif any(kind is stf.ESCAPE and start == first for kind, start, _ in tokens_of(ask.document, first, first + 1)):
            first += 1  # no line begins behind a tag
        yield Offer(
            f"Wrap the selection in a block {code(name)}", (Edit(ask.start, first, begin), Edit(ask.end, ask.end, end))
        )


def _lines(ask: Ask, newline: str) -> tuple[str, str]:
    """What puts a wrapped selection on lines of its own: before it, and after it."""
    document = ask.document
    lead = "" if ask.start == 0 or document.slice(ask.start - 1, ask.start) in ("\n", "\ufeff") else newline
    behind = document.slice(ask.end, ask.end + 2)
    selected = document.slice(ask.end - 1, ask.end)
    tail = "" if behind.startswith(("\n", "\r\n")) and selected != "\n" else newline
    return lead, tail


IN_CALL: Final = Refactoring(
    name="wrap-in-call",
    kind="refactor.extract",
    layer="gadget",
    summary="Makes the selected text the value of an argument, in a new call.",
    keeps="the text: it is the value of the argument",
    promise=one_more_call,
    offer=_in_call,
    language="gadget",
    before="I look for «bees and wasps» now.\n",
    after="I look for \n!!!GADGET_START:Name\n!!!ARG:text\nbees and wasps\n!!!GADGET_END\n now.\n",
)
IN_BLOCK: Final = Refactoring(
    name="wrap-in-block",
    kind="refactor.extract",
    layer="tags",
    summary="Makes the selected text the content of a custom block.",
    keeps="the text: it is the content of the block",
    promise=one_more_block,
    offer=_in_block,
    language="custom-blocks",
    before="Hello.\n«where to look\n»Bye.\n",
    after="Hello.\n<think>\nwhere to look\n</think>\nBye.\n",
)
