"""After every edit, the regions and findings of a completion are those that the oracle reads in its text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import examples
from laws.completions import NOISE, pieces_of
from laws.laws import Edit
from llmblocks.completions.scanner import regions_by
from llmblocks.completions.shipped import find_template, template_names
from llmblocks.core.document import Document
from llmblocks.languages.registry import find_language
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS, Settings

COMPLETION = find_language("completion")


class Region(NamedTuple):
    """A region. From the start of its opening delimiter to the end of its closing one, with its content."""

    field: str
    start: int
    content: int
    content_end: int
    end: int
    closed: bool


def regions(template: Mapping[str, Any], text: str) -> Iterator[Region]:
    """The regions of a text that something opens, in order."""
    fields: Mapping[str, Mapping[str, Any]] = template["fields"]
    at, open_at, content, name = 0, 0, 0, ""
    while True:
        found: list[tuple[int, int, int, str]] = []
        for each, field in fields.items():
            is_implicit = "open" not in field and "open_pattern" not in field
            if not name and not is_implicit:
                found += _matches(field, "open", text, at, 0, each)
            if name == each or (not name and is_implicit):
                found += _matches(field, "close", text, at, 1, each)
        if not found:
            break
        # the earliest, then the longest, then an opening one, then the name
        start, length, kind, field_name = min(found)
        end = start - length
        if name:
            yield Region(name, open_at, content, start, end, True)
            name = ""
        elif kind == 0:
            name, open_at, content = field_name, start, end
        at = end
    if name:
        yield Region(name, open_at, content, len(text), len(text), False)


def _matches(
    field: Mapping[str, Any], key: str, text: str, at: int, kind: int, name: str
) -> list[tuple[int, int, int, str]]:
    if key in field:
        texts = [field[key]] if isinstance(field[key], str) else field[key]
        source = "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
    elif f"{key}_pattern" in field:
        source = field[f"{key}_pattern"]
    else:
        return []
    # a delimiter that takes no text would be found again where it was found
    found = re.compile(source, re.DOTALL).search(text, at)
    return [] if found is None else [(found.start(), -len(found[0]), kind, name)]


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def read(document: Document, name: str) -> list[Region]:
    """The regions that the editor shows."""
    regions_in = regions_by(find_template(name).template)
    found: list[Region] = []
    for placed in document.placed():
        for each in regions_in(placed.section):
            if each.field is not None and each.field.open is not None:
                start, content, stop, end = (
                    placed.start + at for at in (each.start, each.content, each.content_end, each.end)
                )
                found.append(Region(each.field.name, start, content, stop, end, each.closed))
    return found


def agree(document: Document, name: str, settings: Settings) -> None:
    """Check the regions of a document, and its findings about regions that end nowhere, and about JSON."""
    template, text = find_template(name).template.value, document.text
    expected = [*regions(template, text)]
    assert read(document, name) == expected, text
    found = {(each.code, each.start) for each in Checker(COMPLETION, settings).all(document)}
    codes = {code for code, _ in found}
    for region in expected:
        field = template["fields"][region.field]
        is_plain = field.get("content") == "json" and not field.get("content_args")
        within = {code for code, start in found if region.start <= start <= region.end}
        expected_one = {"M001", "M008", "M009"} if region.field == "thinking" else {"M001", "M005", "M008", "M009"}
        is_wrong = is_plain and not is_json(text[region.content : region.content_end])
        if is_wrong or (region.field == "thinking" and not region.closed):
            assert within & expected_one or codes & {"M008"}, (text, region, found)
    for code, start in found:
        if code in ("M005", "M007"):
            assert any(each.start <= start <= each.end for each in expected) or "content" in template["fields"], text


@pytest.mark.parametrize("name", template_names())
def test_an_edited_completion_has_the_regions_that_the_oracle_reads(name: str) -> None:
    settings_of = DEFAULTS._replace(template=name)
    piece = st.one_of(st.sampled_from(pieces_of(name)), st.sampled_from(NOISE))
    text = st.lists(piece, max_size=14).map("".join)
    edit = st.builds(Edit, st.integers(0, 999), st.integers(0, 40), st.lists(piece, max_size=3).map("".join))

    @settings(max_examples=examples(400), deadline=None, suppress_health_check=list(HealthCheck))
    @given(text, st.lists(edit, max_size=5))
    def holds(text: str, edits: list[Edit]) -> None:
        document = COMPLETION.open(text, settings_of)
        agree(document, name, settings_of)
        for each in edits:
            start, end = each.place(len(document))
            document.edit(start, end, each.text)
            agree(document, name, settings_of)

    holds()
