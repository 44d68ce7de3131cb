"""Imports from the archive of packages, module by module: to unpack all of it would take a third of a second."""

import sys
import zipfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

ARCHIVE = "/lib/packages.zip"
FILES = "/lib/compiled"
COMPILED = "pydantic_core"


class Compiled:
    """Unpacks the package with compiled code when it is first imported: such code is loaded from a file only."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of the package. Shape: None for every other name."""
        if name != COMPILED:
            return None
        with zipfile.ZipFile(ARCHIVE) as archive:
            archive.extractall(FILES, [each for each in archive.namelist() if each.startswith(f"{COMPILED}/")])
        return PathFinder.find_spec(name, [FILES])


sys.meta_path.insert(0, Compiled)
sys.path.insert(0, ARCHIVE)
