"""Errors travel: a worker process hands them to the one that asked, and they are copied."""

from __future__ import annotations

import copy
import pickle

import pytest

from llmblocks.gadget import GadgetStream, ParameterError, RenderError, parse_parameters, render
from llmblocks.gadget.stream import CallEnded
from llmblocks.gadget.syntax.pointer import PointerError


def test_a_parameter_error_is_the_same_in_another_process() -> None:
    with pytest.raises(ParameterError) as raised:
        parse_parameters("!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:b/1\n3")
    for other in (pickle.loads(pickle.dumps(raised.value)), copy.copy(raised.value)):
        assert type(other) is ParameterError
        assert str(other) == other.message == "Duplicate pointer: a"
        assert other.errors == raised.value.errors
        assert len(other.errors) == 2


def test_a_render_error_is_the_same_in_another_process() -> None:
    call = GadgetStream().feed("!!!GADGET_START:G:i\n!!!ARG:a\n1\n!!!GADGET_END")[-1]
    assert isinstance(call, CallEnded)
    assert call.call.parameters is not None
    call.call.parameters["a"] = "x !!!GADGET_END"
    with pytest.raises(RenderError) as raised:
        render(call.call)
    other = pickle.loads(pickle.dumps(raised.value))
    assert (str(other), other.pointer, other.message) == (str(raised.value), "a", raised.value.message)


def test_a_pointer_error_is_the_same_in_another_process() -> None:
    other = pickle.loads(pickle.dumps(PointerError("array_gap", "Array index gap: expected 0, got 1", 1)))
    assert (str(other), other.kind, other.place) == ("Array index gap: expected 0, got 1", "array_gap", 1)
