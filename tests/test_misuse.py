"""Wrong arguments of the library raise an error at once, which names the expected ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import llmblocks
from llmblocks import gadget, stf

OF_A_LANGUAGE = (llmblocks.parse, llmblocks.check, llmblocks.fix, llmblocks.feedback, llmblocks.format_text)
OF_TEXT = (gadget.coerce, gadget.decode_pointer, gadget.read_gadgets, stf.decode, stf.detect, stf.from_json)
TAKE_TEXT: dict[str, Callable[..., object]] = {
    each.__name__: each for each in (*OF_A_LANGUAGE, *OF_TEXT, stf.from_ndjson)
}


@pytest.mark.parametrize("name", TAKE_TEXT)
@pytest.mark.parametrize("given", [None, 3, b"", b"x", {}, ["a"]], ids=repr)
def test_anything_but_text_is_an_error_in_the_words_of_the_function(name: str, given: object) -> None:
    with pytest.raises(TypeError, match=f"^{name} takes a str, not .*{type(given).__name__}"):
        TAKE_TEXT[name](given, *["stf"] * (TAKE_TEXT[name] in OF_A_LANGUAGE))


def test_a_document_is_opened_from_text() -> None:
    with pytest.raises(TypeError, match="takes a str, not NoneType"):
        llmblocks.open_document(None, "stf")  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [None, 3, "run", {}], ids=repr)
def test_a_gadget_runs_a_function(given: Any) -> None:
    with pytest.raises(TypeError, match=f"^a gadget runs a function, not {type(given).__name__}"):
        gadget.Gadget(given)
