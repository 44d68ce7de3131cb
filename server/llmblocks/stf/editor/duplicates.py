"""Duplicate message ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from llmblocks.core.index import Index, Touched
from llmblocks.core.named import NameCheck, NamedProblem
from llmblocks.stf.editor.names import MESSAGE
from llmblocks.stf.syntax.catalogue import DUPLICATE_MESSAGE_ID


def _affected(_: Index, touched: Touched) -> Collection[str]:
    return touched.names.get(MESSAGE, ())


def _duplicates(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    for name in index.repeated("definition", MESSAGE, names):
        found = index.definitions(MESSAGE, name)
        for each in found[1:]:
            yield NamedProblem(DUPLICATE_MESSAGE_ID, name, each, {"id": name}, ((found[0], "first given here"),))


CHECKS: Final = (NameCheck(DUPLICATE_MESSAGE_ID, _affected, _duplicates),)
