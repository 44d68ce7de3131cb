"""The packages that people import: every name is there, listed, and loaded when it is first asked for."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = ("llmblocks", "llmblocks.gadget", "llmblocks.report", "llmblocks.stf", "llmblocks.tags")
BELOW = ("compose", "gadget", "stf", "tags")


def printed(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_there_and_listed(package: str) -> None:
    """In a new interpreter: what an earlier test imported is an attribute already."""
    code = f"""
import {package} as p
listed = dir(p)
assert listed == sorted(set(listed))
assert len(p.__all__) == len(set(p.__all__))
print(sorted(set(p.__all__) - set(listed)), [name for name in listed if not hasattr(p, name)])
"""
    assert printed(code) == "[] []"


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_everything_can_be_imported_at_once(package: str) -> None:
    assert printed(f"from {package} import *; import {package} as p; print(set(p.__all__) - set(globals()))") == "set()"


@pytest.mark.slow
@pytest.mark.parametrize("name", BELOW)
def test_a_package_below_is_an_attribute(name: str) -> None:
    assert printed(f"import llmblocks; print(llmblocks.{name}.__name__)") == f"llmblocks.{name}"
    assert name in printed("import llmblocks; print(dir(llmblocks))")


@pytest.mark.parametrize("package", PACKAGES)
def test_listing_names_loads_nothing(package: str) -> None:
    code = f"import {package}, sys; before = set(sys.modules); dir({package}); print(set(sys.modules) - before)"
    assert printed(code) == "set()"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_is_not_there_is_an_attribute_error(package: str) -> None:
    module = import_module(package)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        _ = module.nothing
    assert not hasattr(module, "__wrapped__")
