"""The exports of `llmblocks.stf`."""

from __future__ import annotations

import pkgutil
from types import ModuleType

import pytest

import llmblocks.stf

EXPORTS: list[str] = llmblocks.stf.__all__  # type: ignore[attr-defined] # a stub needs none


@pytest.mark.parametrize("name", EXPORTS)
def test_every_export_is_there(name: str) -> None:
    assert not isinstance(getattr(llmblocks.stf, name), ModuleType)


def test_no_module_has_the_name_of_an_export() -> None:
    # Once such a module is imported, its name in the package is the module, and the export is gone.
    modules = {module.name for module in pkgutil.iter_modules(llmblocks.stf.__path__)}
    assert modules.isdisjoint(EXPORTS)


def test_a_name_that_is_not_exported_is_reported() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        llmblocks.stf.nonsense  # type: ignore[attr-defined] # noqa: B018
