"""The repository of a folder."""

from __future__ import annotations

import os
from collections.abc import Callable

from llmblocks.cli.source import STDIN
from llmblocks.core.system import inside
from llmblocks.settings.files import parents

SIGNS = (".git", ".hg", ".jj", ".svn")
"""The entries of the root of a repository."""


def root_of(folder: str) -> str | None:
    """Return the root of the repository that an absolute path is in, or None."""
    around = (folder, *parents(folder))
    return next((each for each in around if any(os.path.exists(os.path.join(each, sign)) for sign in SIGNS)), None)


def paths_from_root() -> Callable[[str], str]:
    """Return the mapping of file paths to paths for services: from the root of the repository around this folder.

    Without a repository, from this folder; absolute for a file outside. `/` separates.
    """
    here = os.getcwd()
    top = root_of(here) or here

    def path_from_root(path: str) -> str:
        if path == STDIN:
            return path
        whole = os.path.abspath(path)
        rest = inside(whole, top)
        return (whole if rest is None else rest).replace(os.sep, "/")

    return path_from_root
