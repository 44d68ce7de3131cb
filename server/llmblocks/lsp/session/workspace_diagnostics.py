"""The findings of all files of the workspace, pulled by `workspace/diagnostic` or pushed."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.plain import OpenDocument
from llmblocks.lsp.session.chore import Chore
from llmblocks.lsp.session.publisher import Publisher, result_id_of
from llmblocks.lsp.session.requests import DocumentRequests
from llmblocks.lsp.session.workspace_files import WorkspaceFiles
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.dispatch import LATER, Dispatcher
from llmblocks.lsp.wire.limits import MAX_LOG_BYTES
from llmblocks.lsp.wire.params import a_list, a_text, an_object
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import identity, path_of, root_of
from llmblocks.workspace.listing import FilesBeside, file_number

_AT_ONCE = 16
"""The number of files that a step reads."""
_NOTHING = result_id_of([])


class Report(NamedTuple):
    """The findings of a file."""

    uri: str
    version: int | None
    result_id: str
    items: list[Json] | None = None
    """None if the client knows them."""


class _Checked(NamedTuple):
    """A checked file, which names the files in `looked`."""

    stamp: tuple[int, int]
    result_id: str
    looked: frozenset[str]


@dataclass(eq=False)
class _Pull:
    request_id: int | str
    known: dict[str, Report]
    """The client's reports, by the identity of a URI."""
    found: list[Json] = field(default_factory=list)
    same: list[Json] = field(default_factory=list)


@dataclass(eq=False)
class WorkspaceDiagnostics:
    """Checks the files of the workspace in the background, a little at each step.

    A file is read again if it or one of its dependencies has changed. Only the result id of a file is kept. A request
    of an up-to-date client is answered after the next change.
    """

    _config: Config
    _dispatcher: Dispatcher
    _requests: DocumentRequests
    _publisher: Publisher
    _files: WorkspaceFiles
    _chore: Chore
    _on: tuple[str, ...] = ()
    _checked: dict[str, _Checked] = field(default_factory=dict)
    _pushed: dict[str, Report] = field(default_factory=dict)
    _open: set[str] = field(default_factory=set)
    _pull: _Pull | None = None
    _serial: int = 0
    """Counts the changes of settings and files."""
    _is_due: bool = False

    def ask(self, params: Json) -> Json:
        """Handle workspace/diagnostic. Raises `RequestError`."""
        given = an_object(params, "params")
        known = {}
        for each in a_list(given.get("previousResultIds") or [], "previousResultIds"):
            told = an_object(each, "previousResultIds[]")
            uri = a_text(told.get("uri"), "previousResultIds[].uri")
            known[identity(uri)] = Report(uri, None, a_text(told.get("value"), "previousResultIds[].value"))
        # a client has one such request at a time
        self.end()
        self._pull = _Pull(self._dispatcher.postpone(self._drop), known)
        self._wake()
        return LATER

    def end(self) -> None:
        """Answer the waiting request with everything known so far."""
        if (pull := self._pull) is not None:
            self._drop()
            self._dispatcher.answer(pull.request_id, rpc.reply(pull.request_id, {"items": pull.found + pull.same}))

    def documents_changed(self) -> None:
        """Register that documents were opened, changed or closed."""
        opened = {identity(each.uri) for each in self._requests.documents}
        if self._pull is not None or opened != self._open:
            self._open = opened
            self._wake()

    def files_changed(self, paths: set[str]) -> None:
        """Register that files on disk were created, changed or deleted."""
        if not self._on:
            return
        sessions = {os.path.dirname(path) for path in paths if file_number(os.path.basename(path)) is not None}
        known = len(self._checked)
        self._checked = {
            path: checked
            for path, checked in self._checked.items()
            if path not in paths and os.path.dirname(path) not in sessions and checked.looked.isdisjoint(paths)
        }
        self._serial += 1
        if self._pull is None and (len(self._checked) < known or any(map(self._is_on, paths))):
            self._publisher.refresh()
        self._wake()

    def reconfigured(self) -> None:
        self._on = self._config.checked_folders(self._config.client.folders)
        self._checked.clear()
        self._serial += 1
        self._wake()

    def _drop(self) -> None:
        self._pull = None

    def _wake(self) -> None:
        if self._pull is not None or (self._publisher.pushes and (self._on or self._pushed)):
            self._is_due = True
            self._chore.start(self._work)

    def _work(self) -> Iterator[None]:
        try:
            while self._is_due:
                self._is_due = False
                if self._pull is not None:
                    yield from self._answer(self._pull)
                elif self._publisher.pushes:
                    yield from self._push()
        except Exception:
            # do not retry failed work forever
            self.end()
            raise

    def _answer(self, pull: _Pull) -> Iterator[None]:
        """Answer a request, if there is news or no work left."""
        pull.same.clear()
        for report in chain(self._of_open(pull.known), self._of_files(pull.known)):
            if report is None:
                yield
                if self._pull is not pull:
                    return
                if self._chore.is_cancelled:
                    break
                continue
            about = {"uri": report.uri, "version": report.version}
            result_id = {"resultId": report.result_id} if report.result_id else {}
            if report.items is None:
                pull.same.append({**about, "kind": "unchanged", **result_id})
            else:
                pull.found.append({**about, "kind": "full", **result_id, "items": report.items})
        if pull.found or not pull.same:
            self.end()

    def _push(self) -> Iterator[None]:
        """Send the findings of closed files; open documents get theirs separately."""
        for key in self._open:
            self._pushed.pop(key, None)
        for report in self._of_files(self._pushed):
            if report is None:
                yield
                if self._chore.is_cancelled:
                    return
            elif report.items:
                self._publisher.push(report.uri, None, report.items)
                self._pushed[identity(report.uri)] = report._replace(items=None)
            elif report.items is not None and self._pushed.pop(identity(report.uri), None) is not None:
                self._publisher.push(report.uri, None, [])

    def _of_open(self, known: Mapping[str, Report]) -> Iterator[Report | None]:
        """Yield the findings of open documents. None is a pause."""
        for each in self._requests.documents:
            if (each.text is not None or each.oversize) and self._is_on(path_of(each.uri)):
                items = self._publisher.items(each)
                yield _report(known, each.uri, each.version, result_id_of(items), items)
                yield None

    def _of_files(self, known: Mapping[str, Report]) -> Iterator[Report | None]:
        """Yield the findings of closed files, and empty ones for deleted files. None is a pause."""
        from llmblocks.workspace.names import is_as_read

        left, paths = {**known}, list[str]()
        for file in self._files.find():
            if file is None:
                yield None
            elif self._is_on(file.path):
                paths.append(file.path)
        for number, path in enumerate(paths):
            if number % _AT_ONCE == 0:
                yield None
            uri, checked, items = Path(path).as_uri(), self._checked.get(path), list[Json]()
            if self._requests.documents.get(uri) is not None:
                continue
            if checked is not None and not is_as_read(path, checked.stamp):
                checked = None
            if checked is None or (checked.result_id != _NOTHING and _differs(known, uri, checked.result_id)):
                self._chore.show("checking the workspace", len(paths))
                self._chore.report(number, len(paths))
                found = yield from self._check(path, uri)
                if found is None or self._requests.documents.get(uri) is not None:
                    continue
                checked, items = found
            left.pop(identity(uri), None)
            yield _report(known, uri, None, checked.result_id, items)
        for told in left.values():
            if self._requests.documents.get(told.uri) is None:
                yield Report(told.uri, None, "", [])

    def _check(self, path: str, uri: str) -> Generator[None, None, tuple[_Checked, list[Json]] | None]:
        """Check a file; None if it cannot be read, is too large, or is not UTF-8."""
        from llmblocks.workspace.names import read_file

        serial, read = self._serial, None
        with suppress(OSError):
            read = read_file(path, MAX_LOG_BYTES)
        if read is None:
            return None
        text, stamp = read
        opened = OpenDocument(uri, "", None)
        yield from self._requests.read(opened, text.removeprefix("\ufeff"))
        items = self._publisher.items(opened)
        if self._requests.documents.get(uri) is None:
            # settings are cached for open documents
            self._config.forget_document(uri)
        other = opened.text.other_files if opened.text is not None else None
        looked = frozenset(other.looked if isinstance(other, FilesBeside) else ())
        checked = _Checked(stamp, result_id_of(items), looked)
        if serial == self._serial:
            self._checked[path] = checked
        yield
        return checked, items

    def _is_on(self, path: str | None) -> bool:
        return path is not None and root_of(path, self._config.client.folders) in self._on


def _differs(known: Mapping[str, Report], uri: str, result_id: str) -> bool:
    """Return whether the client has other findings of a file."""
    told = known.get(identity(uri))
    return told is None or told.result_id != result_id


def _report(known: Mapping[str, Report], uri: str, version: int | None, result_id: str, items: list[Json]) -> Report:
    return Report(uri, version, result_id, items if _differs(known, uri, result_id) else None)
