"""Errors travel: a worker process hands them to the one that asked, and they are copied."""

from __future__ import annotations

import copy
import pickle

import pytest

from llmblocks.stf import ShapeError, StfError, decode, message_from_dict


def test_an_stf_error_is_the_same_in_another_process() -> None:
    with pytest.raises(StfError) as raised:
        decode("x\n@user\nhi\n@bogus", strict=True)
    for other in (pickle.loads(pickle.dumps(raised.value)), copy.copy(raised.value)):
        assert type(other) is StfError
        assert (str(other), other.line, other.kind) == (str(raised.value), 1, "unexpected_data")
        assert other.findings == raised.value.findings
        assert len(other.findings) == 2


def test_a_shape_error_is_the_same_in_another_process() -> None:
    with pytest.raises(ShapeError) as raised:
        message_from_dict({"role": 1})
    other = pickle.loads(pickle.dumps(raised.value))
    assert (str(other), other.misfits) == (str(raised.value), raised.value.misfits)
