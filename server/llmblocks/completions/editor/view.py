"""The regions of a section, with their places."""

from __future__ import annotations

from functools import lru_cache

from llmblocks.completions.machine import TextRegion, machine_of, regions_of
from llmblocks.completions.scanner import State
from llmblocks.completions.template import Template
from llmblocks.core.layered import state_in
from llmblocks.core.query import Query
from llmblocks.core.section import Section


def is_first(section: Section) -> bool:
    """Return whether a completion begins with a section."""
    state = state_in(section.before, State)
    return state is not None and state.fresh


@lru_cache(maxsize=64)
def regions_by(template: Template) -> Query[Section, tuple[TextRegion, ...]]:
    """Return the query for the regions of sections, given a template."""
    machine = machine_of(template)
    return Query("regions", lambda section: (*regions_of(machine, section.text, fresh=is_first(section)),))


def region_at(section: Section, offset: int, template: Template) -> TextRegion | None:
    """Return the region at an offset; None in text outside of delimited regions."""
    for region in regions_by(template)(section):
        if region.start <= offset < max(region.end, region.start + 1) or (offset == region.end == section.length):
            return region if region.field is not None and region.field.open is not None else None
    return None
