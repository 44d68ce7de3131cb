"""Findings as values."""

from __future__ import annotations

import copy
import pickle

import pytest

from llmblocks import Finding
from llmblocks.core.places import Related
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity
from llmblocks.stf import StfFinding

FOUND = Finding("G101", 3, 5, FindingMessage("a"), Severity.WARNING, (Related(1, 2, "b"),), True, data={"a": 1})
TOLD = StfFinding("S101", 3, 5, FindingMessage("a"), related=(Related(1, 2, "b"),), data={"a": 1}, kind="end", line=2)
both = pytest.mark.parametrize("finding", [FOUND, TOLD], ids=["finding", "finding of the decoder"])


@both
def test_a_finding_never_changes(finding: Finding) -> None:
    with pytest.raises(AttributeError):
        finding.start = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del finding.start
    with pytest.raises((AttributeError, TypeError)):
        finding.other = 4  # type: ignore[attr-defined]


@both
def test_findings_are_equal_where_all_but_the_data_is(finding: Finding) -> None:
    same, other = finding.__replace__(data={}), finding.__replace__(end=6)
    assert finding == same
    assert hash(finding) == hash(same)
    assert finding != other
    assert finding != (finding.code, finding.start, finding.end)  # type: ignore[comparison-overlap]
    assert len({finding, same, other}) == 2
    # one of the decoder has a line, too
    assert Finding("S101", 3, 5, FindingMessage("a"), related=TOLD.related) != TOLD
    assert TOLD.__replace__(line=3) != TOLD


@both
def test_a_finding_can_be_copied_pickled_and_shown(finding: Finding) -> None:
    for twin in (copy.copy(finding), copy.deepcopy(finding), pickle.loads(pickle.dumps(finding))):
        assert (type(twin), twin, twin.data) == (type(finding), finding, finding.data)
    assert repr(finding).startswith(
        f"{type(finding).__name__}(code={finding.code!r}, start=3, end=5, message=FindingMessage(headline='a'"
    )
    assert repr(TOLD).endswith("kind='end', line=2)")


@both
def test_a_moved_finding_takes_its_related_places_along(finding: Finding) -> None:
    moved = finding.moved(10)
    assert (type(moved), moved.start, moved.end, moved.data) == (type(finding), 13, 15, finding.data)
    assert moved.related == (Related(11, 12, "b"),)
    assert moved.moved(-10) == finding


def test_a_finding_matches_by_its_fields() -> None:
    match FOUND:
        case Finding("G101", 3, 5):
            return
    pytest.fail("it is a finding")
