"""The sessions of open documents: the findings in one file depend on the names in the others."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from llmblocks.languages.registry import LANGUAGES, language_of
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.plain import OpenDocument
from llmblocks.lsp.session.agent_logs import AgentLogs
from llmblocks.lsp.session.chore import Chore
from llmblocks.lsp.wire.limits import MAX_ANALYSED_BYTES
from llmblocks.lsp.wire.uris import path_of
from llmblocks.workspace.listing import FilesBeside, agent_number, file_number, log_number

if TYPE_CHECKING:
    from llmblocks.contract.other_files import OtherFiles
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.places import Encoding
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.workspace.results import ResultFiles


class _Log(NamedTuple):
    session: AgentLogs
    file: str
    number: int


@dataclass(eq=False)
class Logs:
    """Keeps the names of the sessions up to date, and the findings of open documents that depend on them.

    Missing names are reported only after all earlier files of a session have been read, in the background.
    """

    _config: Config
    _chore: Chore
    _visible: Collection[str] | None = None
    """The only folders whose files can be seen; None is all."""
    wants_refresh: bool = False
    """Set after work that changed findings of unedited documents."""
    _changed: dict[str, OpenDocument] = field(default_factory=dict)
    _live: dict[str, _Log] = field(default_factory=dict)
    _known: dict[tuple[str, str], AgentLogs] = field(default_factory=dict)
    _due: dict[AgentLogs, None] = field(default_factory=dict)
    _has_changed: bool = False
    _results: ResultFiles | None = None

    def other_files(self, language: Language, uri: str) -> OtherFiles:
        """Return the other files of the session of a document."""
        from llmblocks.workspace.other_logs import CallsBefore, OtherLogs, unlisted

        path = path_of(uri)
        log = self._log(language, path)
        if log is not None:
            session = log.session
            answer, ran = partial(session.results.answer, log.file), partial(session.ran, log.file)
            return OtherLogs(lambda: session.folder, log.number, answer, ran)
        answered = self._answered(language, path)
        if path is not None and answered is not None:
            return CallsBefore(answered.folder, file_number(os.path.basename(path)) or 0)
        if path is None or not language.names_files:
            return unlisted(language, unquote(uri))
        return FilesBeside(os.path.dirname(path), self._visible)

    def took(self, opened: OpenDocument) -> None:
        """Register an open document, or another text of one, which replaces the file."""
        text, log = opened.text, self._log_of(opened)
        if log is None:
            answered = None if text is None else self._answered(text.language, path_of(opened.uri))
            if answered is not None and not answered.is_listed:
                self._put(answered)
        elif text is not None and text.names is None:
            # no rule about names is on for it: the file suffices for the others
            self.closed(opened)
        else:
            log.session.took(log.file, log.number, opened)
            if text is not None:
                self._live[opened.uri] = log
            self._put(log.session)

    def closed(self, opened: OpenDocument) -> None:
        """Register a closed document, whose file counts again."""
        if (log := self._log_of(opened)) is not None:
            self._live.pop(opened.uri, None)
            log.session.closed(log.file, log.number)
            self._put(log.session)

    def text(self, uri: str, encoding: Encoding) -> AnalysedText | None:
        """Return the analysed text of a log on disk; None if it is not a log, too large, or unreadable."""
        path = path_of(uri)
        language = _language_of(path)
        if path is None or language is None or not language.is_log(path.replace(os.sep, "/")):
            return None
        from llmblocks.workspace.names import read_file

        with suppress(OSError):
            if (read := read_file(path, MAX_ANALYSED_BYTES)) is not None:
                return self._config.of_file(uri).languages.open(read[0], language.id, uri, encoding, self.other_files)
        return None

    def catch_up(self, opened: OpenDocument) -> None:
        """Make the waiting changes in the open documents of a session."""
        log = self._log_of(opened)
        for each in [*log.session.open.values()] if log else ():
            if each.text is not None:
                each.text.settle()
                self.edited(each)

    def look_at_files(self, opened: OpenDocument) -> None:
        """Find the files of a session that have changed since they were read, since not all clients report them."""
        from llmblocks.workspace.names import StoredNames, is_as_read

        if (log := self._log_of(opened)) is None:
            return
        for file, number in log.session.folder.files.items():
            names = log.session.folder.names_of(file)
            if isinstance(names, StoredNames) and not is_as_read(file, names.stamp):
                log.session.read_again(file, number)
                self._put(log.session)

    def files_changed(self, paths: Iterable[str]) -> None:
        """Register that files on disk were created, changed or deleted."""
        for path in paths:
            language = _language_of(path)
            number = None if language is None else log_number(language, path.replace(os.sep, "/"))
            if language is not None and number is not None:
                self._file_changed(language, path, number)
            elif language is not None and language.repeats:
                self._request_changed(path)

    def reconfigured(self) -> None:
        for session in self._known.values():
            if session.reconfigured():
                self._put(session)

    def _file_changed(self, language: Language, path: str, number: int) -> None:
        folder = os.path.dirname(path)
        session = self._known.get((language.id, folder))
        if session is not None:
            if path in session.open:
                # it was saved
                session.is_followed = False
            else:
                session.read_again(path, number)
            self._put(session)
        above = self._known.get((language.id, os.path.dirname(folder)))
        if above is not None and agent_number(os.path.basename(folder)) is not None:
            # the folder of a sub-agent comes with its first file
            above.is_listed = False
            self._put(above)

    def _request_changed(self, path: str) -> None:
        """Register a changed request, which has the outcomes of the calls before it."""
        folder, number = os.path.dirname(path), file_number(os.path.basename(path)) or 0
        for session in self._known.values():
            if session.path != folder or not session.open:
                continue
            for file, opened in session.open.items():
                if opened.is_arriving and session.folder.files.get(file, number) < number:
                    # llmist writes it once the response is complete
                    opened.is_arriving = False
                    if opened.text is not None and opened.text.told.arrive(arriving=False):
                        self._changed[opened.uri] = opened
            session.is_followed = False
            self._has_changed = True
            self._put(session)

    def edited(self, opened: OpenDocument) -> None:
        """Register the edits of an open document. They end here if they touch no name that other files use."""
        log = self._live.get(opened.uri)
        if log is not None and log.session.edited(log.file, opened):
            self._register(log.session.tell_others(log.file))
            if self._has_changed:
                self._chore.start(self._work)

    def take_changed(self) -> list[OpenDocument]:
        """Return the documents whose findings have changed, each once."""
        changed, self._changed = self._changed, {}
        return [*changed.values()]

    def _register(self, documents: Iterable[OpenDocument]) -> None:
        for opened in documents:
            self._changed[opened.uri] = opened
            self._has_changed = True

    def _put(self, session: AgentLogs) -> None:
        self._due.setdefault(session)
        self._chore.start(self._work)

    def _work(self) -> Iterator[None]:
        """Do the work of all sessions in steps, and register changed findings."""
        done = 0
        try:
            while self._due and not self._chore.is_cancelled:
                session = next(iter(self._due))
                for has_read in session.work():
                    done += bool(has_read)
                    left = sum([len(each.left) for each in self._due])
                    self._chore.show("reading logs", left)
                    if has_read:
                        self._chore.report(done, done + left)
                    yield
                    if self._chore.is_cancelled:
                        break
                else:
                    # otherwise it has changed since
                    if session.is_listed and not session.left:
                        del self._due[session]
                        self._register(session.tell())
                yield
        finally:
            # after an error, or if the client has cancelled it
            for session in self._due:
                session.left.clear()
            self._due.clear()
        self.wants_refresh, self._has_changed = self.wants_refresh or self._has_changed, False

    def _session(self, language: Language, path: str) -> AgentLogs:
        key = language.id, path
        if key not in self._known:
            from llmblocks.workspace.results import ResultFiles

            # read once for lenses and outcomes
            self._results = self._results or ResultFiles()
            self._known[key] = AgentLogs(language, path, self._config, self._results)
        return self._known[key]

    def _answered(self, language: Language, path: str | None) -> AgentLogs | None:
        """Return the session with the responses before a request; None for other files."""
        if path is None or not language.repeats or file_number(os.path.basename(path)) is None:
            return None
        running = next(each for each in LANGUAGES if each.paths and not each.repeats)
        return self._session(running, os.path.dirname(path))

    def _log_of(self, opened: OpenDocument) -> _Log | None:
        path = path_of(opened.uri)
        language = opened.text.language if opened.text is not None else _language_of(path)
        return None if language is None else self._log(language, path)

    def _log(self, language: Language, path: str | None) -> _Log | None:
        number = None if path is None else log_number(language, path.replace(os.sep, "/"))
        if path is None or number is None:
            return None
        return _Log(self._session(language, os.path.dirname(path)), path, number)


def _language_of(path: str | None) -> Language | None:
    known = None if path is None else language_of(path)
    return next((language for language in LANGUAGES if language.id == known), None)
