"""The files that a document names by their paths."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Collection, Mapping

from llmblocks.contract.other_files import OtherFiles
from llmblocks.core.system import WINDOWS

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_FILE = re.compile(r"file://(?=/)", re.IGNORECASE)
_DRIVE = re.compile(r"/?[A-Za-z]:[\\/]")
_ELSEWHERE = ("//", "\\\\", "~")
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL)


class FilesBeside(OtherFiles):
    """Looks for files, without reading them, for a document in a folder that is not a session.

    It looks only below the folders `visible`; None is everywhere.
    """

    __slots__ = ("_folder", "_looked", "_visible")

    def __init__(self, folder: str, visible: Collection[str] | None = None) -> None:
        self._looked: dict[str, bool] = {}
        self._folder = folder
        self._visible = visible

    @property
    def looked(self) -> Mapping[str, bool]:
        return self._looked

    def lacks(self, path: str) -> bool:
        """Return whether a path leads to no file.

        False for a URL, for a path of another computer or system, and outside of the visible folders.
        """
        written = _FILE.sub("", path, count=1)
        # on Windows, accessing a path on another computer would send it the user's name
        if written.startswith(_ELSEWHERE) or _URL.match(written):
            return False
        if _DRIVE.match(written):
            if not WINDOWS:
                return False
            written = written.lstrip("/")
        spellings = {written: None}
        if "%" in written:
            from urllib.parse import unquote

            spellings |= {unquote(written): None}
        if os.sep == "/":
            spellings |= {each.replace("\\", "/"): None for each in spellings}
        paths = [os.path.normpath(os.path.join(self._folder, each)) for each in spellings]
        for each in paths:
            self._looked[each] = not is_missing(each)
        visible = None if self._visible is None else tuple([f"{each.rstrip('/')}/" for each in self._visible])
        return all((visible is None or each.startswith(visible)) and not self._looked[each] for each in paths)


def is_missing(path: str) -> bool:
    """Return whether there is certainly no file at a path."""
    try:
        os.stat(path)
    except OSError as error:
        return error.errno in _NOT_THERE
    except ValueError:
        # a NUL, or half of a surrogate pair
        return True
    return False
