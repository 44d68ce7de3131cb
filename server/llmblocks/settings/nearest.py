"""The search for the settings file of a folder."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator

NAME = "llmblocks.toml"
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def find_settings_file(folder: str, roots: Iterable[str]) -> str | None:
    """The nearest settings file from a folder upwards, no further than the root that the folder is in.

    Shape: all paths are absolute and normal.
    """
    within = {root for root in roots if root == folder or root in parents(folder)}
    if not within:
        return None
    top = min(within, key=len)
    for each in (folder, *parents(folder)):
        candidate = os.path.join(each, NAME)
        try:
            if stat.S_ISREG(os.stat(candidate).st_mode):
                return candidate
        except (OSError, ValueError) as error:
            # a folder that may not be looked into, or that no system can have, has no settings for us
            if getattr(error, "errno", None) not in _NOT_THERE:
                return None
        if each == top:
            return None
    return None


def parents(path: str) -> Iterator[str]:
    """The folders around a path, the nearest first."""
    while (above := os.path.dirname(path)) != path:
        yield above
        path = above
