"""The findings of earlier runs, by the content of the file, its settings, and the version."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import Any, NamedTuple, cast

from llmblocks import __version__
from llmblocks.cli.checked_file import CheckedFile
from llmblocks.cli.report.reported import from_row, to_row
from llmblocks.cli.source import CACHE_FOLDER, SourceFile
from llmblocks.facts.severity import Severity
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import Settings

_FILE = "findings.sqlite3"
_SHAPE = 5
"""Raised when the rows change."""
_MOST = 200_000
_AT_ONCE = 500
_TABLES = """
CREATE TABLE IF NOT EXISTS findings (key BLOB PRIMARY KEY, found BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS stamps (stamp BLOB PRIMARY KEY, key BLOB NOT NULL);
"""
_BY_KEY = "SELECT key, found FROM findings WHERE key = ?"
_BY_STAMP = "SELECT key, found FROM stamps JOIN findings USING (key) WHERE stamp = ?"
_SEAL = 8
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
"""The errors of a database that is whole."""
_SECOND = 1_000_000_000
_SURE = 2 * _SECOND
"""A file that has not changed for so long gets another time when it changes, on every file system."""

_CLEAN = CheckedFile()


class CachedFile(NamedTuple):
    """A file as the cache knows it.

    Shape: `how` is a digest of all that the findings depend on besides the content. `stamp` is one of it and of the
           file's path, size and times; empty for a file that has just changed: its next change may not show.
    """

    how: bytes
    stamp: bytes = b""


class Cache:
    """The findings of earlier runs. A cache that cannot be used holds nothing and forgets everything.

    Shape: findings are kept by content; the stamp of a file that has not changed leads to them without reading it.
           SQLite keeps the cache whole when two runs share it, or one is killed. What a disk damages shows in its seal,
           and the cache is begun again.
    """

    def __init__(self, folder: str, *, detailed: bool) -> None:
        self._common = f"{_SHAPE}\0{__version__}\0{_stamp_of_code()}\0{detailed}\0".encode()
        self._hows: dict[tuple[str, int], tuple[Settings, bytes]] = {}
        self._folders: dict[str, bytes] = {}
        self._new: list[tuple[bytes, bytes]] = []
        self._new_stamps: list[tuple[bytes, bytes]] = []
        self._now = time.time_ns()
        self._reads, self._has_written = 0, False
        self._path = os.path.join(folder, _FILE)
        self._database = _opened(folder)
        self.is_empty = self._first("SELECT key FROM findings LIMIT 1") is None

    def entry(self, source: SourceFile, path: str, status: os.stat_result, settings: Settings) -> CachedFile:
        """A file. Shape: `path` is absolute, `status` that of the file before it is read."""
        how = self._how(source.language_id, settings)
        if find_language(source.language_id).is_log(path.replace(os.sep, "/")):
            # its findings depend on the files beside it
            how = _digest(how, os.fsencode(path), self._folder(os.path.dirname(path)))
        if status.st_mtime_ns > self._now - _SURE:
            return CachedFile(how)
        times = f"\0{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
        return CachedFile(how, _digest(how, os.fsencode(path), times.encode()))

    def unchanged(self, source: SourceFile, entry: CachedFile) -> CheckedFile | None:
        """The outcome for a file that has not changed since."""
        return self._read(source, _BY_STAMP, entry.stamp) if entry.stamp else None

    def same(self, source: SourceFile, entry: CachedFile, digest: bytes) -> CheckedFile | None:
        """The outcome for a file with this content."""
        key = _digest(entry.how, digest)
        found = self._read(source, _BY_KEY, key)
        if found is not None and entry.stamp:
            self._new_stamps.append((entry.stamp, key))
        return found

    def put(self, entry: CachedFile, checked: CheckedFile) -> None:
        """Keep the outcome for a file, which has the digest of the content that was checked."""
        key = _digest(entry.how, checked.digest)
        clean = not checked.counts and checked.texts == _CLEAN.texts
        outcome = "" if clean else json.dumps([[*map(to_row, checked.found)], checked.counts, checked.texts])
        self._new.append((key, sealed(key, outcome.encode())))
        if entry.stamp:
            self._new_stamps.append((entry.stamp, key))
        if len(self._new) == _AT_ONCE:
            self._write()

    def close(self) -> None:
        """Write what is new."""
        self._write()
        if self._database is not None:
            with self._whole():
                for table in ("findings", "stamps") if self._has_written else ():
                    self._database.execute(
                        f"DELETE FROM {table} WHERE rowid <= (SELECT max(rowid) FROM {table}) - ?", (_MOST,)
                    )
                self._database.commit()
        if self._database is not None:
            self._database.close()

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Errors of the database: none. One that is damaged is removed and forgotten."""
        try:
            yield
        # what Python cannot decode is damaged, too
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if _is_damage(error):
                self._discard()

    def _discard(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
            with suppress(OSError):
                os.unlink(self._path)

    def _read(self, source: SourceFile, query: str, key: bytes) -> CheckedFile | None:
        row = self._first(query, key)
        if row is None:
            return None
        own, kept = row
        if not (isinstance(own, bytes) and isinstance(kept, bytes)) or sealed(own, outcome := kept[_SEAL:]) != kept:
            self._discard()
            return None
        if not outcome:
            return _CLEAN
        try:
            found, counts, texts = json.loads(outcome)
            return CheckedFile(
                tuple([from_row(source.name, source.language_id, each) for each in found]),
                tuple([(str(code), Severity(severity), int(number)) for code, severity, number in counts]),
                texts=int(texts),
            )
        except (ValueError, TypeError, IndexError):
            return None

    def _first(self, query: str, *values: bytes) -> tuple[Any, ...] | None:
        if self._database is None:
            return None
        with self._whole():
            # a transaction of its own for each row would lock the file each time, one for all keep others from writing
            if self._reads % _AT_ONCE == 0:
                self._database.commit()
                self._database.execute("BEGIN")
            self._reads += 1
            return cast("tuple[Any, ...] | None", self._database.execute(query, values).fetchone())
        return None

    def _write(self) -> None:
        if self._database is not None and (self._new or self._new_stamps):
            # another run may be writing, or the disk be full
            with self._whole():
                self._database.commit()
                self._reads, self._has_written = 0, True
                self._database.executemany("INSERT OR REPLACE INTO findings (key, found) VALUES (?, ?)", self._new)
                self._database.executemany("INSERT OR REPLACE INTO stamps (stamp, key) VALUES (?, ?)", self._new_stamps)
                self._database.commit()
        self._new.clear()
        self._new_stamps.clear()

    def _how(self, language_id: str, settings: Settings) -> bytes:
        key = language_id, id(settings)
        known = self._hows.get(key)
        if known is None:
            # with the settings, so that no others get their id
            written = repr(settings).encode("utf-8", "backslashreplace")
            known = self._hows[key] = settings, _digest(self._common, f"{language_id}\0".encode(), written)
        return known[1]

    def _folder(self, folder: str) -> bytes:
        """A value that changes with the files of a folder."""
        if folder not in self._folders:
            made = blake2b()
            with suppress(OSError), os.scandir(folder) as entries:
                for entry in sorted(entries, key=lambda each: each.name):
                    line = repr(entry.name)
                    if entry.is_file():
                        found = entry.stat()
                        line += f" {found.st_size} {found.st_mtime_ns}"
                    if entry.name != CACHE_FOLDER:
                        made.update(f"{line}\n".encode())
            self._folders[folder] = made.digest()
        return self._folders[folder]


def sealed(key: bytes, content: bytes) -> bytes:
    """What is kept by a key, behind a digest of both."""
    return _digest(key, content)[:_SEAL] + content


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF not in _PASSING


def _digest(*parts: bytes) -> bytes:
    made = blake2b(digest_size=20)
    for part in parts:
        made.update(part)
    return made.digest()


def _stamp_of_code() -> str:
    """A value that changes with the code of a checkout; an installed package has only its version."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not os.path.exists(os.path.join(package, *[os.pardir] * 2, "pyproject.toml")):
        return ""
    latest = number = 0
    for folder, _, names in os.walk(package):
        for name in names:
            if name.endswith(".py"):
                number += 1
                with suppress(OSError):
                    latest = max(latest, os.stat(os.path.join(folder, name)).st_mtime_ns)
    return f"{number} {latest}"


def _opened(folder: str) -> sqlite3.Connection | None:
    path = os.path.join(folder, _FILE)
    try:
        _make(folder)
    except OSError:
        return None
    for _ in range(2):
        try:
            return _connected(path)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if not _is_damage(error):
                return None
            # no database, or half of one
            try:
                os.unlink(path)
            except OSError:
                return None
    return None


def _connected(path: str) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=1)
    try:
        # whole after the death of a process; after that of the machine, it is begun again
        database.execute("PRAGMA synchronous = OFF")
        database.executescript(_TABLES)
    except BaseException:
        database.close()
        raise
    return database


def _make(folder: str) -> None:
    if os.path.isdir(folder):
        return
    os.makedirs(folder)
    with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as file:
        file.write("*\n")
