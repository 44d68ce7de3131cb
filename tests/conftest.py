"""Fixtures for every test."""

from __future__ import annotations

import gc
import signal
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from examples import LAWS, USUAL

if TYPE_CHECKING:
    from xdist.scheduler import Scheduling

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell that runs the tests in the background ignores SIGINT, and the programs under test would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # so does `nohup` with this one
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Tests run beside others: a slow example is not a failure. "default": where the environment has CI, Hypothesis has
# settings which ignore the seed, so a run there would draw other examples than the same command on a desk.
settings.register_profile(
    "scaled",
    settings.get_profile("default"),
    max_examples=min(LAWS, USUAL),
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("scaled")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--hypothesis-seed", None) is not None:
        # Hypothesis takes constants from the modules that happen to be loaded, so with the same seed each change of the
        # program, and each order of the tests, would give other documents
        providers._get_local_constants = Constants


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage neither while 11,500 tests are collected nor, afterwards, among them, and else less often."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


LONGEST = (
    *("tests/editors/vscode", "tests/site/test_site.py", "tests/editors/playground", "tests/editors/web"),
    *("tests/editors/npm", "tests/recipes/test_recipes.py", "tests/editors/emacs", "tests/editors/neovim"),
    *("tests/laws/test_laws.py", "tests/e2e/test_life.py", "tests/editors/helix", "tests/editors/treesitter"),
    *("tests/oracle/test_oracle.py", "tests/editors/grammars", "tests/editors/configured"),
    *("tests/lowest/test_lowest_versions.py", "tests/integrations/test_integrations.py"),
    *("tests/laws/test_fixes_together.py", "tests/e2e/test_transport_rows.py", "tests/e2e/test_extensions.py"),
    *("tests/laws/test_fixes.py", "tests/cli/test_many.py", "tests/e2e/test_endings.py", "tests/e2e/test_methods.py"),
    *("tests/fuzz/test_fuzzed_traffic.py", "tests/laws/test_linear_told.py", "tests/formats/stf/test_stf_laws.py"),
)
"""Files for `--dist loadfile` to begin with, the longest first, so that none remains at the end."""
APART = "tests/oracle/test_oracle.py"
"""A file whose tests are long, and share nothing: each may run in another process."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rank = {scope: number for number, scope in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(scope_of(item.nodeid).partition("::")[0], len(rank)))


def scope_of(test: str) -> str:
    """Return the unit of one process: a file, or the folder of an editor, whose files share sessions."""
    file = test.partition("::")[0]
    if file == APART:
        return test
    return file.rpartition("/")[0] if file.startswith("tests/editors/") else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """`--dist loadfile`, with a folder of an editor as one file."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Files(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return scope_of(nodeid)

    return Files(config, log)
