"""The logs of one agent: numbered files of a folder, read in steps, and the open documents among them."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.plain import OpenDocument
from llmblocks.lsp.wire.limits import MAX_LOG_BYTES, MAX_LOGS

if TYPE_CHECKING:
    from llmblocks.contract.other_files import CallOutcome
    from llmblocks.languages.language import Language
    from llmblocks.settings.values import Settings
    from llmblocks.workspace.log_folder import TouchedNames
    from llmblocks.workspace.results import LiveSession, ResultFiles

logger = logging.getLogger(__name__)


class AgentLogs:
    """The names in the logs of one agent, and the outcomes of its calls. Open documents with names replace files."""

    def __init__(self, language: Language, path: str, config: Config, results: ResultFiles) -> None:
        from llmblocks.workspace.log_folder import LogFolder

        self.path = path
        self.folder = LogFolder()
        self.open: dict[str, OpenDocument] = {}
        self.is_listed = False
        """False if its files must still be listed."""
        self.is_followed = False
        """False if the outcomes must be read again, which they are while documents are open."""
        self.left: deque[tuple[str, int]] = deque()
        """The files to read, with their numbers."""
        self._live: LiveSession | None = None
        self._language = language
        self._config = config
        self.results = results
        self._settings: Settings | None = None
        # of these, open documents have not been notified
        self._touched: TouchedNames = {}
        self._moved: set[str] = set()
        self._retold: set[str] = set()
        self._heard = -1

    @property
    def settings(self) -> Settings:
        """The current settings of its files."""
        return self._config.of_file(Path(self.path, "0001.response").as_uri()).languages.settings

    def took(self, file: str, number: int, opened: OpenDocument) -> None:
        names = None if opened.text is None else opened.text.names
        self.open[file] = opened
        self._touch(self.folder.lose(file) if names is None else self.folder.put(file, number, names))
        self._moved |= {file, opened.uri}
        # a client without file watching does not report new ones
        self.is_listed = self.is_followed = False

    def closed(self, file: str, number: int, opened: OpenDocument) -> None:
        """Let a file count again, instead of its document."""
        self.open.pop(file, None)
        self._touch(self.folder.forget(file))
        self._moved |= {file, opened.uri}
        self.left.append((file, number))

    def read_again(self, file: str, number: int) -> None:
        """Read a changed file; until then, its old names count."""
        self.is_followed = False
        self.left.append((file, number))
        self.folder.outdate(file)

    def reconfigured(self) -> bool:
        """Read everything again if the settings have changed; return whether they have."""
        if self._settings is None or self._settings == self.settings:
            return False
        for file in self.folder.files:
            if file not in self.open:
                self._touch(self.folder.forget(file))
        self._settings, self.is_listed = None, False
        return True

    def edited(self, file: str, opened: OpenDocument) -> bool:
        """Take the edits of an open document; return whether they matter for other documents."""
        told = None if opened.text is None else opened.text.told
        if told is None or not told.edited:
            return False
        touched, told.touched, told.edited = told.touched, {}, False
        if touched:
            self.folder.note(file, touched)
            self._touch(touched)
        elif file not in self.folder.mentioned:
            return False
        self._moved |= {file, opened.uri}
        return not self.left

    def tell(self, besides: str = "") -> Iterator[OpenDocument]:
        """Check names in open documents again, besides an edited one; yield those with other findings."""
        until = self.folder.known_until()
        touched, moved, is_new = self._touched, self._moved, self._heard != until
        self._touched, self._moved, self._heard = {}, set(), until
        retold = set() if besides else self._retold
        self._retold = self._retold - retold
        has_moved = not moved.isdisjoint(self.folder.mentioned)
        for file, opened in [*self.open.items()]:
            if (text := opened.text) is None or file == besides:
                continue
            is_new_here = is_new or os.path.basename(file) in retold
            changed = (is_new_here or bool(touched)) and text.told.other_files_changed(None if is_new_here else touched)
            if (has_moved and text.told.places_moved(moved)) or changed:
                yield opened

    def work(self) -> Iterator[bool | None]:
        """Do all remaining work in steps, and yield True for each file that was read."""
        if not self.is_listed:
            yield from self._list()
            yield None
        while self.left:
            file, number = self.left.popleft()
            if file not in self.open:
                yield from self._read(file, number)
            yield True
        if self.open and not self.is_followed and self.is_listed:
            yield from self._follow()

    def _list(self) -> Iterator[None]:
        from llmblocks.workspace.listing import NOTHING, listing

        self.is_listed, listed = True, NOTHING
        try:
            listed = yield from listing(self.path)
        except OSError as error:
            logger.info("%s cannot be listed: %s", self.path, error.strerror)
        files, agents = listed.numbers
        files |= {file: number for file, number in self.folder.files.items() if file in self.open}
        if len(files) > MAX_LOGS:
            logger.warning("there are more than %d logs: the names in %s are not known", MAX_LOGS, self.path)
            return
        self._touch(self.folder.take_list(files, agents))
        self._settings = self.settings
        waiting = {*self.left}
        self.left.extend([each for each in self.folder.unread() if each not in waiting])

    def _read(self, file: str, number: int) -> Iterator[None]:
        from llmblocks.workspace.names import read_names

        found, reason = None, "it is too large, or not in UTF-8"
        settings = self._settings or self.settings
        try:
            found = yield from read_names(file, self._language, settings, MAX_LOG_BYTES)
        except FileNotFoundError:
            if file not in self.open:
                self._touch(self.folder.remove(file))
            return
        except OSError as error:
            reason = error.strerror or str(error)
        if file in self.open:
            # it has been opened: that text counts
            return
        if settings != (self._settings or self.settings):
            # the settings have changed, and it was read with the old ones
            self.left.append((file, number))
            return
        self._moved.add(file)
        if found is None:
            logger.info("the names in %s are not known: %s", file, reason)
        self._touch(self.folder.lose(file) if found is None else self.folder.put(file, number, found))

    def _follow(self) -> Iterator[None]:
        from llmblocks.workspace.results import LiveSession

        # loading takes some milliseconds, once
        yield
        self.is_followed = True
        settings = self.settings
        if self._live is None or self._live.settings.markers != settings.markers:
            self._live = LiveSession(self.path, self._language, settings, self.folder.names_of, self.results)
        try:
            retold = yield from self._live.update()
            self._retold |= retold
        except GeneratorExit:
            # the client has cancelled it
            self.is_followed = False
            raise

    def ran(self, file: str, name: str) -> Sequence[CallOutcome]:
        return () if self._live is None else self._live.ran(os.path.basename(file), name)

    def _touch(self, touched: Mapping[str, set[str]]) -> None:
        for kind, names in touched.items():
            self._touched.setdefault(kind, set()).update(names)
