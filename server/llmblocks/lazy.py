"""Names of a package that are imported on first access, from its stub, `__init__.pyi`, which type checkers read."""

from __future__ import annotations

import sys

# not from typing, which every start of the command line would have to load
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def lazily(package: str, spec: Any) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Create the `__getattr__` and the `__dir__` of a package, which also has `__all__`.

    Each line of its stub imports one name: `from llmblocks.facts.finding import Finding as Finding`. `__getattr__`
    raises `AttributeError` for other names.
    """
    origins: dict[str, str] = {}

    def known() -> dict[str, str]:
        if not origins:
            for line in spec.loader.get_data(f"{spec.origin.rpartition('.')[0]}.pyi").decode().splitlines():
                if line.startswith("from "):
                    _, module, _, name, *_ = line.split()
                    origins[name] = f"{package}.{name}" if module == package else module
        return origins

    def get(name: str) -> Any:
        found: Any
        if name == "__all__":
            found = [each for each, module in known().items() if module != f"{package}.{each}"]
        elif name.startswith("__") or name not in known():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        else:
            from importlib import import_module

            module = import_module(origins[name])
            found = module if module.__name__ == f"{package}.{name}" else getattr(module, name)
        # found without this function from now on
        setattr(sys.modules[package], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *known()})

    return get, names
