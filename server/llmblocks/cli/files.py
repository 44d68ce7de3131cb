"""The files to check, with their languages and texts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import IO, TYPE_CHECKING

from llmblocks.cli.source import STDIN, InputError, SourceFile, is_remote
from llmblocks.core.system import WINDOWS, inside
from llmblocks.languages.registry import find_language, host_ids, host_of, language_ids
from llmblocks.settings.files import NAME
from llmblocks.settings.globs import Ignores

if TYPE_CHECKING:
    from llmblocks.cli.project import CommandProject

_PIECE = 1 << 20
_HERE = os.path.join(os.curdir, "")


def find(
    names: Sequence[str],
    language_id: str | None,
    project: CommandProject,
    *,
    stdin_name: str | None = None,
    ignored: bool = False,
    forced: bool = False,
    otherwise: str | None = None,
) -> Iterator[SourceFile | InputError]:
    """Yield the files to check, each once, those of a folder in the order of their names.

    A given file is always read, in the language `language_id` or that of its name. In a folder, all regular files are
    read if there is a `language_id`, otherwise those with a known name. Files that the settings exclude are skipped.

    Args:
        names: Files, folders, and `-` for standard input.
        language_id: The language of all files.
        project: The project.
        stdin_name: The assumed path of standard input.
        ignored: Also read files that git ignores.
        forced: Also apply exclusions to given files, and skip data and code without settings.
        otherwise: The language of given files whose names show none.
    """
    search = _Search(language_id, project, ignored=ignored)
    for name in names:
        piped = name == STDIN
        if forced and not piped and (_is_excluded(name, project) or not (language_id or _is_named(name, project))):
            continue
        if os.path.isdir(name):
            yield from search.walk(name)
        elif search.takes(name if piped else os.path.realpath(name)):
            shown = stdin_name if piped and stdin_name else name
            # the absolute path counts: `llmblocks check 0007.response` inside a folder of logs
            language = language_id or project.language_of(shown) or otherwise
            if language is None:
                yield InputError(_no_language(shown), shown)
            else:
                yield SourceFile(shown, language, piped)


def read(source: SourceFile, most_mb: float) -> str:
    """Return the unchanged text of a file; raise `InputError` if it cannot be read or is too large."""
    data, most = bytearray(), most_mb * 1e6
    with opened(source) as file:
        while len(data) <= most and (piece := file.read(_PIECE)):
            data += piece
    if len(data) > most:
        raise InputError(f"{source.name}: larger than {most_mb:g} MB; raise files.maxSizeMB in {NAME} to check it")
    return _decoded(source, data)


def read_lines(source: SourceFile, most_mb: float) -> Iterator[str]:
    """Yield the lines of a file without `\\n`, one in memory at a time.

    Raises:
        InputError: It cannot be read, or a line is too large.
    """
    most = int(most_mb * 1e6)
    with opened(source) as file:
        for number, line in enumerate(iter(lambda: file.readline(most + 1), b""), 1):
            if len(line) > most:
                raise InputError(
                    f"{source.name}:{number}: a line larger than {most_mb:g} MB; raise files.maxSizeMB in {NAME}"
                )
            yield _decoded(source, line, number).removesuffix("\n")


def size_of(source: SourceFile | InputError) -> int:
    """Return the bytes of a file; 0 for standard input and for a missing file, whose reading raises the error."""
    try:
        return 0 if isinstance(source, InputError) or source.is_stdin else os.stat(source.name).st_size
    except OSError:
        return 0


@contextmanager
def opened(source: SourceFile) -> Iterator[IO[bytes]]:
    """Open a file; raise `InputError`, even for later read errors."""
    try:
        if source.is_stdin:
            if sys.stdin is None:
                # Python has no stream if the descriptor was closed at the start
                raise InputError(f"{STDIN}: standard input is closed")
            yield sys.stdin.buffer
        elif is_remote(source.name):
            from llmblocks.cli.corpus.texts import opened_at

            with opened_at(source.name) as remote:
                yield remote
        else:
            with open(source.name, "rb") as file:
                yield file
    except OSError as error:
        raise InputError(f"{source.name}: cannot be read: {error.strerror or error}{advice(error)}") from error


def _decoded(source: SourceFile, data: bytes | bytearray, first: int = 1) -> str:
    """Decode bytes; `first` is the number of their first line."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first
        likely = "UTF-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "WINDOWS-1252"
        raise InputError(
            f"{source.name}:{line}: not UTF-8: byte 0x{data[error.start]:02x}; "
            f"convert the file first, for example with: iconv -f {likely} -t UTF-8"
        ) from error


def _is_excluded(name: str, project: CommandProject) -> bool:
    """Return whether the settings exclude a path, or a folder around it in this one."""
    here, path = os.getcwd(), os.path.abspath(name)
    folder = os.path.dirname(path) if inside(path, here) is None else here
    parts = os.path.relpath(path, folder).split(os.sep)
    top = folder
    for number, part in enumerate(parts):
        is_folder = number + 1 < len(parts) or os.path.isdir(path)
        if part not in (os.curdir, os.pardir) and project.excludes(folder, top)(part, is_folder=is_folder):
            return True
        folder = os.path.join(folder, part)
    return False


def _is_named(name: str, project: CommandProject) -> bool:
    """Return whether a file would be read in a folder, too; false only for data and code."""
    folder, base = os.path.split(path := os.path.abspath(name))
    host_id = None if os.path.isdir(path) else host_of(path, named=True)
    host = find_language(host_id) if host_id else None
    return host is None or not (host.data or host.code) or project.languages_in(folder)(base) is not None


class _Search:
    """The files found so far. For files in folders, only the folders are stored: a corpus has millions of files."""

    def __init__(self, language_id: str | None, project: CommandProject, *, ignored: bool) -> None:
        self._language_id, self._project, self._ignored = language_id, project, ignored
        self._files: set[str] = set()
        # by real path, for each searched folder: the language of an entry
        self._folders: dict[str, Callable[[str, bool], str | None]] = {}

    def takes(self, file: str) -> bool:
        """Register a named file or link; return whether it is new."""
        folder, name = os.path.split(file)
        language_of = self._folders.get(folder)
        is_found = language_of is not None and language_of(name, False) is not None and os.path.isfile(file)
        if is_found or file in self._files:
            return False
        self._files.add(file)
        return True

    def walk(self, top: str) -> Iterator[SourceFile | InputError]:
        """Yield the new files of a folder, and errors for unreadable folders; then the links to other files."""
        git = None if self._ignored else Ignores(top)
        waiting, links = [top], list[SourceFile]()
        while waiting:
            parent = waiting.pop()
            real = os.path.realpath(parent)
            if real in self._folders:
                continue
            try:
                with os.scandir(parent) as entries:
                    listed = sorted(entries, key=attrgetter("name"))
            except OSError as error:
                name = parent.removeprefix(_HERE)
                yield InputError(f"{name}: cannot be read: {error.strerror}{advice(error)}", name)
                continue
            language_of = self._folders[real] = self._languages_in(parent, top, git)
            shown = "" if parent == os.curdir else os.path.join(parent.removeprefix(_HERE), "")
            folders = []
            for entry in listed:
                name, is_folder = entry.name, entry.is_dir(follow_symlinks=False)
                language = language_of(name, is_folder)
                if language is None:
                    continue
                if is_folder:
                    folders.append(os.path.join(parent, name))
                elif entry.is_symlink():
                    links.append(SourceFile(shown + name, language, stays=True))
                # not a pipe, a socket or a device, of which reading may never end
                elif entry.is_file() and os.path.join(real, name) not in self._files:
                    yield SourceFile(shown + name, language)
            waiting += reversed(folders)
        for link in links:
            target = os.path.realpath(link.name)
            # one that leads nowhere is reported when it is read
            if (os.path.isfile(target) or not os.path.exists(target)) and self.takes(target):
                yield link

    def _languages_in(self, folder: str, top: str, git: Ignores | None) -> Callable[[str, bool], str | None]:
        """Return the function for the languages of a folder's entries: empty for a folder, None for a skipped entry."""
        excludes, language_of = self._project.excludes(folder, top), self._project.languages_in(folder)
        # without this object, which keeps the functions: only the garbage collector frees a cycle
        given = self._language_id

        def language(name: str, is_folder: bool) -> str | None:
            found = "" if is_folder else given or language_of(name)
            if found is None or excludes(name, is_folder=is_folder):
                return None
            return None if git is not None and git.ignores(folder, name, is_folder=is_folder) else found

        return language


def _no_language(name: str) -> str:
    *others, last = *language_ids(), *host_ids()
    known = f"{', '.join(others)} or {last}"
    if name == STDIN:
        return f"standard input has no name and so no language; pass --language with {known}"
    if not os.path.exists(name):
        return f"{name}: no such file"
    return f"{name}: cannot tell the language from the name; pass --language with {known}"


def advice(error: OSError, *, windows: bool = WINDOWS) -> str:
    """Return the remedy for a file that cannot be read or written, for the end of a message."""
    if not isinstance(error, PermissionError):
        return ""
    # which refuses a file that is open elsewhere with the same error
    return "; check its permissions" + (", and whether another program has it open" if windows else "")
