"""Reading numbered logs in the background."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.lsp.client.config import Config
from llmblocks.lsp.session.progress import Progress
from llmblocks.lsp.wire.limits import MAX_LOG_BYTES, MAX_LOGS

if TYPE_CHECKING:
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.open import OpenDocument
    from llmblocks.settings.values import Settings
    from llmblocks.workspace.live_session import LiveSession
    from llmblocks.workspace.log_folder import LogFolder
    from llmblocks.workspace.names import TouchedNames
    from llmblocks.workspace.results import ResultFiles

logger = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class KnownFolder:
    """A folder of numbered logs, with the remaining work for it.

    Open documents have not been notified yet of the names in `touched` and the places in the files `moved`.
    """

    language: Language
    path: str
    folder: LogFolder
    is_listed: bool = False
    """False if its files must still be listed."""
    settings: Settings | None = None
    open: dict[str, OpenDocument] = field(default_factory=dict)
    """Its open documents by path."""
    left: deque[tuple[str, int]] = field(default_factory=deque)
    """The files to read, with their numbers."""
    touched: TouchedNames = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)
    heard: int = -1
    """The state of the folder at their last notification."""
    session: LiveSession | None = None
    """The outcomes of its calls, read while documents are open, and again if it is not `is_followed`."""
    is_followed: bool = False
    retold: set[str] = field(default_factory=set)
    """The files whose new outcomes have not been passed to open documents."""

    def touch(self, touched: Mapping[str, set[str]]) -> None:
        """Remember names that were added or removed."""
        for kind, names in touched.items():
            self.touched.setdefault(kind, set()).update(names)


@dataclass(eq=False)
class LogReader:
    """Reads folders in steps."""

    _config: Config
    _progress: Progress
    is_busy: bool = False
    _results: ResultFiles | None = None
    _due: dict[KnownFolder, None] = field(default_factory=dict)
    _done: int = 0

    def put(self, known: KnownFolder) -> None:
        """Read the rest of a folder."""
        self._due.setdefault(known)

    def results(self) -> ResultFiles:
        """Return the results in requests, read once for lenses and outcomes."""
        if self._results is None:
            from llmblocks.workspace.results import ResultFiles

            self._results = ResultFiles()
        return self._results

    def settings_of(self, known: KnownFolder) -> Settings:
        """Return the settings of the files of a folder."""
        return self._config.of_file(Path(known.path, "0001.response").as_uri()).languages.settings

    def work(self) -> Iterator[KnownFolder | None]:
        """Do all remaining work in steps, and yield each folder that has been read."""
        self.is_busy = True
        try:
            while self._due and not self._progress.is_cancelled:
                yield from self._read_folder(next(iter(self._due)))
        finally:
            # after an error, or if the client has cancelled it
            for known in self._due:
                known.left.clear()
            self._due.clear()
            self._progress.end()
            self.is_busy, self._done = False, 0

    def _read_folder(self, known: KnownFolder) -> Iterator[KnownFolder | None]:
        if not known.is_listed:
            yield from self._list(known)
            yield None
        while known.left and not self._progress.is_cancelled:
            file, number = known.left.popleft()
            if file not in known.open:
                yield from self._read(known, file, number)
            self._done += 1
            self._progress.report(self._done, self._done + sum([len(each.left) for each in self._due]))
        if known.left or not known.is_listed:
            # it was cancelled, or has changed since
            return
        if known.open and not known.is_followed:
            yield from self._follow(known)
        if not known.left and known.is_listed and not self._progress.is_cancelled:
            self._due.pop(known)
            yield known

    def _follow(self, known: KnownFolder) -> Iterator[None]:
        """Find the outcomes of the calls in a folder."""
        from llmblocks.workspace.live_session import LiveSession

        # loading takes some milliseconds, once
        yield
        known.is_followed = True
        settings = self.settings_of(known)
        if known.session is None or known.session.settings.markers != settings.markers:
            known.session = LiveSession(known.path, known.language, settings, known.folder.index, self.results())
        work = known.session.update()
        while not self._progress.is_cancelled:
            try:
                next(work)
            except StopIteration as end:
                known.retold |= end.value
                return
            yield
        # continues where it stopped
        known.is_followed = False

    def _list(self, known: KnownFolder) -> Iterator[None]:
        from llmblocks.workspace.listing import NOTHING, listing

        known.is_listed, listed = True, NOTHING
        try:
            listed = yield from listing(known.path)
        except OSError as error:
            logger.info("%s cannot be listed: %s", known.path, error.strerror)
        files, agents = listed.numbers
        files |= {file: number for file, number in known.folder.files.items() if file in known.open}
        if len(files) > MAX_LOGS:
            logger.warning("there are more than %d logs: the names in %s are not known", MAX_LOGS, known.path)
            return
        known.touch(known.folder.take_list(files, agents))
        known.settings = self.settings_of(known)
        waiting = {*known.left}
        known.left.extend([each for each in known.folder.unread() if each not in waiting])
        self._progress.start("llmblocks: reading logs", len(known.left))

    def _read(self, known: KnownFolder, file: str, number: int) -> Iterator[None]:
        from llmblocks.workspace.names import read_names

        found, reason = None, "it is too large, or not in UTF-8"
        settings = known.settings or self.settings_of(known)
        try:
            found = yield from read_names(file, known.language, settings, MAX_LOG_BYTES)
        except FileNotFoundError:
            if file not in known.open:
                known.touch(known.folder.remove(file))
            return
        except OSError as error:
            reason = error.strerror or str(error)
        if file in known.open:
            # it has been opened: that text counts
            return
        if settings != (known.settings or self.settings_of(known)):
            # the settings have changed, and it was read with the old ones
            known.left.append((file, number))
            return
        known.moved.add(file)
        if found is None:
            logger.info("the names in %s are not known: %s", file, reason)
            known.touch(known.folder.lose(file))
        else:
            known.touch(known.folder.put(file, number, found))
