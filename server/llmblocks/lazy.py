"""Names of a package that are imported on first access."""

from __future__ import annotations

import sys

# not from typing, which every start of the command line would have to load
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    GetAttribute = Callable[[str], Any]
    Dir = Callable[[], list[str]]


def lazily(
    package: str, modules: Mapping[str, Iterable[str]], packages: Iterable[str] = ()
) -> tuple[GetAttribute, Dir]:
    """Create the `__getattr__` and the `__dir__` of a package.

    Shape:  `modules` gives, for each module below the package, the names that come from it; `packages` are packages
            below it that are attributes themselves.
    Errors: `AttributeError` for every other name, from `__getattr__`.
    """
    origins = {name: module for module, names in modules.items() for name in names}
    below = frozenset(packages)

    def get(name: str) -> Any:
        from importlib import import_module

        if name in origins:
            found = getattr(import_module(f"{package}.{origins[name]}"), name)
        elif name in below:
            found = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # found without this function from now on
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *origins, *below})

    return get, names
