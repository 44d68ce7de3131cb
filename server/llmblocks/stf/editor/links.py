"""Links of Simple Text Format: the paths and URLs of `@embed`."""

from __future__ import annotations

from llmblocks.contract.link import Link
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.stf import kinds
from llmblocks.stf.editor.names import LONGEST_PATH, path_in


def _links(section: Section) -> tuple[Link, ...]:
    found: list[Link] = []
    for kind, start, end in section.spans() if kinds.PATH in section.kinds else ():
        if kind is kinds.PATH:
            path, at, stop = path_in(section.text[start : min(end, start + LONGEST_PATH + 1)], start)
            if path and not path.startswith("data:"):
                found.append(Link(at, stop, path))
    return (*found,)


links: Query[Section, tuple[Link, ...]] = Query("stf links", _links)
