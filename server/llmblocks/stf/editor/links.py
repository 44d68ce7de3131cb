"""Links of Simple Text Format: the paths and URLs of `@embed`."""

from __future__ import annotations

from llmblocks.contract.link import Link
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.stf.editor import kinds

_LONGEST = 4096


def _links(section: Section) -> tuple[Link, ...]:
    found: list[Link] = []
    is_embed = False
    if kinds.LINE_NAME not in section.kinds:
        return ()
    for kind, start, end in section.spans():
        if kind is kinds.LINE_NAME:
            is_embed = section.slice(start, end) == "embed"
        elif kind is kinds.BODY and is_embed:
            is_embed = False
            written = section.slice(start, min(end, start + _LONGEST + 1))
            target = written.strip()
            if target and len(written) <= _LONGEST and not target.startswith("data:"):
                start += len(written) - len(written.lstrip())
                found.append(Link(start, start + len(target), target))
        elif kind in _COMMANDS:
            is_embed = False
    return (*found,)


_COMMANDS = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME, kinds.BLOCK_NAME, kinds.UNKNOWN_NAME))
links: Query[Section, tuple[Link, ...]] = Query("stf links", _links)
