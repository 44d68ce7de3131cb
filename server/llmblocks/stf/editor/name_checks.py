"""Problems that the index shows: duplicate message ids, missing embedded files, and an early CRLF."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from llmblocks.contract.other_files import other_files
from llmblocks.core.index import Index, Touched
from llmblocks.facts.name_checks import NameCheck, NamedProblem
from llmblocks.stf.editor.dialects import return_data
from llmblocks.stf.editor.names import DIALECT, FILE, MESSAGE, RETURN
from llmblocks.stf.rules import CARRIAGE_RETURN, DUPLICATE_MESSAGE_ID, EMBED_NOT_FOUND


def _affected(_: Index, touched: Touched) -> Collection[str]:
    return touched.names.get(MESSAGE, ())


def _duplicates(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    for name in index.repeated("definition", MESSAGE, names):
        found = index.definitions(MESSAGE, name)
        for each in found[1:]:
            yield NamedProblem(DUPLICATE_MESSAGE_ID, name, each, {"id": name}, ((found[0], "first given here"),))


def _paths(_: Index, touched: Touched) -> Collection[str]:
    return touched.names.get(FILE, ())


def _not_found(index: Index, paths: Iterable[str]) -> Iterator[NamedProblem]:
    for path in paths:
        found = index.references(FILE, path)
        if found and other_files(index).lacks(path):
            for each in found:
                yield NamedProblem(EMBED_NOT_FOUND, path, each, {"path": path})


def _undecided(_: Index, touched: Touched) -> Collection[str]:
    return ("",) if RETURN in touched.names or DIALECT in touched.names else ()


def _returns(index: Index, names: Iterable[str]) -> Iterator[NamedProblem]:
    for name in names:
        for each in index.definitions(RETURN, name):
            known = next(iter(index.names("definition", DIALECT)), "")
            yield NamedProblem(CARRIAGE_RETURN, name, each, return_data(known))


CHECKS: Final = (
    NameCheck(DUPLICATE_MESSAGE_ID, _affected, _duplicates),
    NameCheck(EMBED_NOT_FOUND, _paths, _not_found, across_files=True),
    NameCheck(CARRIAGE_RETURN, _undecided, _returns),
)
