"""The packages that people import: every name is there, listed, and loaded when it is first asked for."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = ("llmblocks", "llmblocks.gadget", "llmblocks.report", "llmblocks.stf", "llmblocks.tags")
BELOW = ("compose", "gadget", "stf", "tags")


def run(code: str) -> None:
    """Run a program in a new interpreter: what an earlier test imported is an attribute already."""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_there_and_listed_and_loaded_when_it_is_asked_for(package: str) -> None:
    run(f"""
import sys, {package} as p
before = set(sys.modules)
listed = dir(p)
assert set(sys.modules) == before
assert listed == sorted(set(listed))
assert len(p.__all__) == len(set(p.__all__))
assert set(p.__all__) <= set(listed)
assert [name for name in listed if not hasattr(p, name)] == []
""")
    run(f"from {package} import *; import {package} as p; assert set(p.__all__) <= set(globals())")


@pytest.mark.slow
@pytest.mark.parametrize("name", BELOW)
def test_a_package_below_is_an_attribute(name: str) -> None:
    run(f"import llmblocks; assert '{name}' in dir(llmblocks); assert llmblocks.{name}.__name__ == 'llmblocks.{name}'")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_is_not_there_is_an_attribute_error(package: str) -> None:
    module = import_module(package)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        _ = module.nothing
    assert not hasattr(module, "__wrapped__")
