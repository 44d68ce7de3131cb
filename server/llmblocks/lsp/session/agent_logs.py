"""The logs of one agent: numbered files of a folder, read in steps, and the open documents among them."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.plain import OpenDocument
from llmblocks.lsp.wire.limits import MAX_LOG_BYTES, MAX_LOGS

if TYPE_CHECKING:
    from llmblocks.contract.other_files import CallOutcome
    from llmblocks.languages.language import Language
    from llmblocks.settings.values import Settings
    from llmblocks.workspace.names import FileNames
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
        self._has_changed = False
        """Whether open documents must be checked again."""

    @property
    def settings(self) -> Settings:
        """The current settings of its files."""
        return self._config.of_file(Path(self.path, "0001.response").as_uri()).languages.settings

    def took(self, file: str, number: int, opened: OpenDocument) -> None:
        names = None if opened.text is None else opened.text.names
        self.open[file] = opened
        self._put(file, number, names)
        # a client without file watching does not report new ones
        self.is_listed = self.is_followed = False

    def closed(self, file: str, number: int) -> None:
        """Let a file count again, instead of its document."""
        self.open.pop(file, None)
        self.folder.forget(file)
        self._has_changed = True
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
                self.folder.forget(file)
        self._settings, self.is_listed, self._has_changed = None, False, True
        return True

    def edited(self, file: str, opened: OpenDocument) -> bool:
        """Take the edits of an open document; return whether they matter for other documents."""
        told = None if opened.text is None else opened.text.told
        if told is None or not told.edited:
            return False
        touched, told.touched, told.edited = told.touched, {}, False
        if touched:
            self.folder.note(file, touched)
        elif file not in self.folder.mentioned:
            return False
        # after the files that are left, all documents are checked
        self._has_changed = self._has_changed or bool(self.left)
        return not self.left

    def tell(self) -> Iterator[OpenDocument]:
        """Check the open documents again if anything has changed; yield those with other findings."""
        if self._has_changed:
            self._has_changed = False
            yield from self.tell_others("")

    def tell_others(self, edited: str) -> Iterator[OpenDocument]:
        """Check the open documents again besides an edited one; yield those with other findings."""
        for file, opened in [*self.open.items()]:
            if file != edited and opened.text is not None and opened.text.told.other_files_changed():
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
        self.folder.take_list(files, agents)
        self._has_changed = True
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
                self.folder.remove(file)
                self._has_changed = True
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
        if found is None:
            logger.info("the names in %s are not known: %s", file, reason)
        self._put(file, number, found)

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
            self._has_changed = self._has_changed or bool(retold)
        except GeneratorExit:
            # the client has cancelled it
            self.is_followed = False
            raise

    def ran(self, file: str, name: str) -> Sequence[CallOutcome]:
        return () if self._live is None else self._live.ran(os.path.basename(file), name)

    def _put(self, file: str, number: int, names: FileNames | None) -> None:
        """Register the names of a file; None if they cannot be known."""
        self._has_changed = True
        if names is None:
            self.folder.lose(file)
        else:
            self.folder.put(file, number, names)
