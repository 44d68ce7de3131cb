"""The oldest dependencies that pyproject.toml allows are enough."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

from environments import environment

ROOT = Path(__file__).parents[2]
TOOLS = ("pytest", "pytest-asyncio", "hypothesis")
# each dependency is used by some of these: json5, jsonschema, pydantic, rich, pygls and lsprotocol
TESTS = (
    "tests/formats/stf/test_stf_json5.py",
    "tests/formats/stf/test_stf_arguments.py",
    "tests/formats/stf/test_stf_encode.py",
    "tests/formats/gadget/test_gadget_parameters.py",
    "tests/lsp/test_settings.py",
    "tests/cli/test_colours.py",
    "tests/e2e/test_transport_rows.py::test_an_id_that_is_none_is_answered_without_one",
)


def lowest() -> list[str]:
    """Return each dependency at its lower bound, and the pinned tools."""
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = whole["project"]
    bounds = [re.fullmatch(r"([\w-]+)>=([\w.]+),<[\w.]+(?:;.*)?", each) for each in project["dependencies"]]
    assert all(bounds), "every dependency has both bounds"
    tools = [pin for pin in whole["dependency-groups"]["dev"] if pin.partition("==")[0] in TOOLS]
    assert len(tools) == len(TOOLS)
    return [*(f"{bound[1]}=={bound[2]}" for bound in bounds if bound), *tools]


def test_the_formats_work_with_the_lowest_allowed_versions() -> None:
    python = environment("lowest", lowest())
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
