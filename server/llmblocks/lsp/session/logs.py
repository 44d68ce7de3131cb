"""The sessions of open documents: the findings in one file depend on the names in the others."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from llmblocks.languages.registry import LANGUAGES, language_of
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.open import OpenDocument
from llmblocks.lsp.session.log_reader import KnownFolder, LogReader
from llmblocks.lsp.wire.limits import MAX_ANALYSED_BYTES
from llmblocks.lsp.wire.uris import path_of
from llmblocks.workspace.files_beside import FilesBeside
from llmblocks.workspace.listing import agent_number, file_number, log_place

if TYPE_CHECKING:
    from llmblocks.contract.other_files import Answer, CallOutcome, OtherFiles
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.places import Encoding
    from llmblocks.lsp.documents.text import AnalysedText

logger = logging.getLogger(__name__)


class _Log(NamedTuple):
    """A numbered file of a folder."""

    known: KnownFolder
    file: str
    number: int


@dataclass(eq=False)
class Logs:
    """Keeps the names of the sessions up to date, and the findings of open documents that depend on them.

    Missing names are reported only after all earlier files of a session have been read, in the background.
    """

    _config: Config
    _reader: LogReader
    _schedule: Callable[[Iterator[None]], None]
    """Takes background work."""
    _visible: Collection[str] | None = None
    """The only folders whose files can be seen; None is all."""
    wants_refresh: bool = False
    """Set after work that changed findings of unedited documents."""
    _changed: dict[str, OpenDocument] = field(default_factory=dict)
    _live: dict[str, _Log] = field(default_factory=dict)
    _known: dict[tuple[str, str], KnownFolder] = field(default_factory=dict)
    _has_changed: bool = False

    def other_files(self, language: Language, uri: str) -> OtherFiles:
        """Return the other files of the session of a document."""
        from llmblocks.workspace.log_folder import CallsBefore, OtherLogs, unlisted

        path = path_of(uri)
        log = self._log(language, path)
        if log is not None:
            ran = partial(self._ran, log.known, os.path.basename(log.file))
            return OtherLogs(lambda *, later: log.known.folder, log.number, partial(self._answer, log.file), ran)
        known = self._answered(language, path)
        if path is not None and known is not None:
            return CallsBefore(known.folder, file_number(os.path.basename(path)) or 0)
        if path is None or not language.names_files:
            return unlisted(language, unquote(uri))
        return FilesBeside(os.path.dirname(path), self._visible)

    def took(self, opened: OpenDocument) -> None:
        """Register an open document, or another text of one, which replaces the file."""
        log = self._log_of(opened)
        if log is None:
            answered = None if opened.text is None else self._answered(opened.text.language, path_of(opened.uri))
            if answered is not None and not answered.is_listed:
                self._put(answered)
            return
        known, file, number = log
        text = opened.text
        if text is not None and text.names is None:
            # no rule about names is on for it: the file suffices for the others
            self.closed(opened)
            return
        known.open[file] = opened
        if text is None or text.names is None:
            known.touch(known.folder.lose(file))
        else:
            known.touch(known.folder.put(file, number, text.names))
            self._live[opened.uri] = log
        known.moved |= {file, opened.uri}
        # a client without file watching does not report new ones
        known.is_listed = known.is_followed = False
        self._put(known)

    def closed(self, opened: OpenDocument) -> None:
        """Register a closed document, whose file counts again."""
        log = self._log_of(opened)
        if log is None:
            return
        known, file, number = log
        known.open.pop(file, None)
        self._live.pop(opened.uri, None)
        known.touch(known.folder.forget(file))
        known.moved |= {file, opened.uri}
        known.left.append((file, number))
        self._put(known)

    def text(self, uri: str, encoding: Encoding) -> AnalysedText | None:
        """Return the analysed text of a log on disk; None if it is not a log, too large, or unreadable."""
        path = path_of(uri)
        language = _language_of(path)
        if path is None or language is None or not language.is_log(path.replace(os.sep, "/")):
            return None
        from llmblocks.workspace.names import read_file

        read = None
        with suppress(OSError):
            read = read_file(path, MAX_ANALYSED_BYTES)
        if read is None:
            return None
        return self._config.of_file(uri).languages.open(read[0], language.id, uri, encoding, self.other_files)

    def catch_up(self, opened: OpenDocument) -> None:
        """Make the waiting changes in the open documents of a session."""
        log = self._log_of(opened)
        for each in [*log.known.open.values()] if log else ():
            if each.text is not None:
                each.text.settle()
                self.edited(each)

    def look_at_files(self, opened: OpenDocument) -> None:
        """Find the files of a session that have changed since they were read, since not all clients report them."""
        from llmblocks.workspace.names import StoredNames, is_as_read

        log = self._log_of(opened)
        if log is None:
            return
        known = log.known
        for file, number in known.folder.files.items():
            names = known.folder.index.names_of(file)
            if isinstance(names, StoredNames) and not is_as_read(file, names.stamp):
                self._read_again(known, file, number)

    def files_changed(self, uris: Iterable[str]) -> None:
        """Register that files on disk were created, changed or deleted."""
        for path in filter(None, map(path_of, uris)):
            language = _language_of(path)
            number = None if language is None else _number(language, path)
            if language is not None and number is not None:
                self._file_changed(language, path, number)
            elif language is not None and language.repeats:
                self._request_changed(path)

    def reconfigured(self) -> None:
        """Read the folders with other settings again."""
        for known in self._known.values():
            if known.settings is not None and known.settings != self._reader.settings_of(known):
                for file in known.folder.files:
                    if file not in known.open:
                        known.touch(known.folder.forget(file))
                known.settings, known.is_listed = None, False
                self._put(known)

    def _file_changed(self, language: Language, path: str, number: int) -> None:
        folder = os.path.dirname(path)
        known = self._known.get((language.id, folder))
        if known is not None and path not in known.open:
            self._read_again(known, path, number)
        elif known is not None:
            # it was saved
            known.is_followed = False
            self._put(known)
        above = self._known.get((language.id, os.path.dirname(folder)))
        if above is not None and agent_number(os.path.basename(folder)) is not None:
            # the folder of a sub-agent comes with its first file
            above.is_listed = False
            self._put(above)

    def _request_changed(self, path: str) -> None:
        """Register a changed request, which has the outcomes of the calls before it."""
        folder = os.path.dirname(path)
        for known in self._known.values():
            for file, opened in known.open.items():
                number = file_number(os.path.basename(path)) or 0
                if known.path == folder and opened.is_arriving and known.folder.files.get(file, number) < number:
                    # llmist writes it once the response is complete
                    opened.is_arriving = False
                    if opened.text is not None and opened.text.told.arrive(arriving=False):
                        self._changed[opened.uri] = opened
            if known.path == folder and known.open:
                known.is_followed = False
                self._has_changed = True
                self._put(known)

    def _read_again(self, known: KnownFolder, file: str, number: int) -> None:
        known.is_followed = False
        known.left.append((file, number))
        known.folder.outdate(file)
        self._put(known)

    def edited(self, opened: OpenDocument) -> None:
        """Register the edits of an open document. They end here if they touch no name that other files use."""
        log, told = self._live.get(opened.uri), None if opened.text is None else opened.text.told
        if log is None or told is None or not told.edited:
            return
        known, file, _ = log
        touched, told.touched, told.edited = told.touched, {}, False
        if touched:
            known.folder.index.note(file, touched)
            known.touch(touched)
        elif file not in known.folder.mentioned:
            return
        known.moved |= {file, opened.uri}
        if not known.left:
            self._tell(known, besides=file)

    def take_changed(self) -> list[OpenDocument]:
        """Return the documents whose findings have changed, each once."""
        changed, self._changed = self._changed, {}
        return [*changed.values()]

    def _tell(self, known: KnownFolder, besides: str = "") -> None:
        """Check names in open documents again, after changes of other files of their session."""
        until = known.folder.known_until()
        touched, moved, is_new = known.touched, known.moved, known.heard != until
        known.touched, known.moved, known.heard = {}, set(), until
        retold = set() if besides else known.retold
        known.retold = known.retold - retold
        has_moved = not moved.isdisjoint(known.folder.mentioned)
        for file, opened in [*known.open.items()]:
            text = opened.text
            if text is None or file == besides:
                continue
            is_retold = os.path.basename(file) in retold
            changed = (is_new or is_retold or bool(touched)) and text.told.other_files_changed(
                None if is_new or is_retold else touched
            )
            if (has_moved and text.told.places_moved(moved)) or changed:
                self._changed[opened.uri] = opened
                self._has_changed = True
        if self._has_changed:
            self._start()

    def _work(self) -> Iterator[None]:
        for known in self._reader.work():
            if known is not None:
                self._tell(known)
            yield
        self.wants_refresh, self._has_changed = self.wants_refresh or self._has_changed, False

    def _folder(self, language: Language, path: str) -> KnownFolder:
        from llmblocks.workspace.log_folder import LogFolder

        known = self._known.get((language.id, path))
        if known is None:
            known = self._known[language.id, path] = KnownFolder(language, path, LogFolder())
        return known

    def _answer(self, file: str, name: str, count: int) -> Answer | None:
        return self._reader.results().answer(file, name, count)

    def _ran(self, known: KnownFolder, file: str, name: str) -> Sequence[CallOutcome]:
        return () if known.session is None else known.session.ran(file, name)

    def _answered(self, language: Language, path: str | None) -> KnownFolder | None:
        """Return the folder with the responses before a request; None for other files."""
        if path is None or not language.repeats or file_number(os.path.basename(path)) is None:
            return None
        running = next(each for each in LANGUAGES if each.paths and not each.repeats)
        return self._folder(running, os.path.dirname(path))

    def _log_of(self, opened: OpenDocument) -> _Log | None:
        path = path_of(opened.uri)
        language = opened.text.language if opened.text is not None else _language_of(path)
        return None if language is None else self._log(language, path)

    def _log(self, language: Language, path: str | None) -> _Log | None:
        number = None if path is None else _number(language, path)
        if path is None or number is None:
            return None
        return _Log(self._folder(language, os.path.dirname(path)), path, number)

    def _put(self, known: KnownFolder) -> None:
        self._reader.put(known)
        self._start()

    def _start(self) -> None:
        if not self._reader.is_busy:
            self._reader.is_busy = True
            self._schedule(self._work())


def _number(language: Language, path: str) -> int | None:
    place = log_place(language, path.replace(os.sep, "/"))
    return None if place is None else place.number


def _language_of(path: str | None) -> Language | None:
    known = None if path is None else language_of(path)
    return next((language for language in LANGUAGES if language.id == known), None)
