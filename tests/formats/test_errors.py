"""Errors travel: a worker process hands them to the one that asked, and they are copied."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from formats.gadget.gadget_cases import written
from llmblocks.gadget import ParameterError, RenderError, parse_parameters, render
from llmblocks.gadget.syntax.pointer import PointerError
from llmblocks.stf import ShapeError, StfError, decode, message_from_dict


def point() -> None:
    raise PointerError("array_gap", "Array index gap: expected 0, got 1", 1)


@pytest.mark.parametrize(
    ("wrong", "kind", "fields"),
    [
        (lambda: parse_parameters("!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:b/1\n3"), ParameterError, ("message", "errors")),
        (lambda: render(written(parameters={"a": "x !!!GADGET_END"})), RenderError, ("pointer", "message")),
        (point, PointerError, ("kind", "place")),
        (lambda: decode("x\n@user\nhi\n@bogus", strict=True), StfError, ("line", "kind", "findings")),
        (lambda: message_from_dict({"role": 1}), ShapeError, ("misfits",)),
    ],
)
def test_an_error_is_the_same_in_another_process(
    wrong: Callable[[], object], kind: type[Exception], fields: tuple[str, ...]
) -> None:
    with pytest.raises(kind) as raised:
        wrong()
    for other in (pickle.loads(pickle.dumps(raised.value)), copy.copy(raised.value)):
        assert type(other) is kind
        assert str(other) == str(raised.value)
        for field in fields:
            assert getattr(raised.value, field)
            assert getattr(other, field) == getattr(raised.value, field)
