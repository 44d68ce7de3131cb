"""Conversion of a chat to the other dialect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from llmblocks.core.edits import Edit, edited
from llmblocks.languages.ask import Ask
from llmblocks.refactors.refactoring import LONGEST, Offer, Refactoring, header_of, tokens_of
from llmblocks.stf import kinds
from llmblocks.stf.stream import decode
from llmblocks.stf.syntax import DIALECTS, Dialect
from llmblocks.stf.values.messages import Transcript
from llmblocks.stf.writing import encode

_HEADERS = kinds.NAMES | {kinds.HEADER}


def _offer(ask: Ask) -> Iterator[Offer]:
    document = ask.document
    here = [*tokens_of(document, ask.start, ask.start + 1), *tokens_of(document, max(ask.start - 1, 0), ask.start)]
    if ask.start != ask.end or ask.settings.dialect != "auto" or _HEADERS.isdisjoint([each.kind for each in here]):
        return
    there = DIALECTS[header_of(ask, ask.start)].other
    title = f"Convert the chat to the `{there.header}` dialect"
    if len(document) > LONGEST:
        yield Offer(title, later=partial(_convert, ask, there, title))
    else:
        yield _convert(ask, there, title)


def _convert(ask: Ask, there: Dialect, title: str) -> Offer:
    text = ask.document.text
    role = ask.settings.default_role or None
    before = decode(text, default_role=role)
    if before.findings:
        first = before.findings[0]
        return Offer(title, refused=f"the chat has a mistake: {first.code} on line {first.line}")
    if before.has_metadata and "meta" not in there.commands:
        return Offer(title, refused=f"the `{there.header}` dialect has no place for metadata")
    edits = _by_line(text, there)
    if _same(before, edited(text, edits), there, role):
        return Offer(title, edits)
    try:
        made = encode(before, dialect=there.header)
    except (ValueError, TypeError) as error:
        return Offer(title, refused=str(error))
    if not _same(before, made, there, role):
        return Offer(title, refused=f"the `{there.header}` dialect cannot hold these messages")
    comments = not ask.language.comments.isdisjoint([token.kind for token in ask.document.tokens()])
    return Offer(f"{title}, without its comments" if comments else title, (Edit(0, len(text), made),))


def _by_line(text: str, there: Dialect) -> tuple[Edit, ...]:
    """Replace the first character of each line. This is exact unless one dialect has commands that the other lacks."""
    here = there.other
    header, other = here.header, there.header
    becomes = {header * 2: header, header: other, other: other * 2, "\r\n": "\n"}
    pattern = rf"^(?:{header}{header}?|{other})|(?<=\A\ufeff)[{header}{other}]|\r\n"
    if here.final_newline_is_content:
        end = [Edit(len(text), len(text), "\n")]
    else:
        end = [Edit(len(text) - len(last), len(text), "") for last in re.findall(r"\r?\n\Z", text)]
    found = [Edit(each.start(), each.end(), becomes[each[0]]) for each in re.finditer(pattern, text, re.MULTILINE)]
    return (*[each for each in found if not end or each.end <= end[0].start], *end)


def _same(before: Transcript, made: str, there: Dialect, role: str | None) -> bool:
    """Return whether a text in the other dialect is detected as one, and has the same messages."""
    after = decode(made, default_role=role)
    return (
        not after.findings
        and repr(after.as_dict()) == repr(before.as_dict())
        and repr(decode(made, dialect=there.header, default_role=role).as_dict()) == repr(before.as_dict())
    )


CONVERT: Final = Refactoring(
    name="convert-dialect",
    layer="stf",
    summary="Converts a chat to the other dialect, from any of its command lines.",
    keeps="the messages and the metadata; the title says when comments are lost",
    offer=_offer,
    language="stf",
    before="@# a question\n@us«»er name=Ada\n@@me: hello\n; yes\n@ai\nHi.\n",
    after=";# a question\n;user name=Ada\n@me: hello\n;; yes\n;ai\nHi.",
)
