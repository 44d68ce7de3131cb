"""`make generate` and `make new-rule`, in a copy of the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


class Copy:
    """The files of the repository in another folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
            if (ROOT / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, folder / name)
        # its tools are found there
        (ROOT / ".cache").mkdir(exist_ok=True)
        (folder / ".cache").symlink_to(ROOT / ".cache")

    def run(self, *arguments: str) -> tuple[int, str]:
        """Run a module of the copy. Shape: the exit status, and what it writes."""
        paths = os.pathsep.join(str(self.folder / each) for each in ("server", "tests"))
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": paths},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("copy"))


@pytest.mark.slow
def test_a_new_rule_of_each_letter_has_row_test_and_page(copy: Copy) -> None:
    codes = {
        "C005": "settings",
        "C012": "settings",
        "D090": "settings",
        "G290": "gadget",
        "S190": "stf",
        "T090": "tags",
    }
    for code, folder in codes.items():
        status, said = copy.run("tools.generate.new_rule", code, f"a-{code.lower()}")
        assert (status, said.partition(":")[0]) == (0, f"server/llmblocks/{folder}/rules.py"), said
    assert copy.run("tools.generate") == (0, "")
    for code in codes:
        page = (copy.folder / f"docs/rules/{code}.md").read_text("utf-8")
        assert page.startswith(f"# {code} a-{code.lower()}\n")
        assert f'"{code}"' in (copy.folder / "docs/settings.schema.json").read_text("utf-8")
        status, said = copy.run("pytest", "-q", f"tests/rules/test_{code.lower()}.py")
        assert status == 1, "it runs, and is red until the rule is written"
        assert f"{code}" in said
    tables = "tests/rules/test_tables.py"
    assert copy.run("pytest", "-q", tables, "-k", "stand_in_one_row or in_order")[0] == 0
    status, said = copy.run("tools.generate.new_rule", "T090")
    assert (status, "another rule has it" in said) == (2, True)


@pytest.mark.slow
def test_a_stale_file_of_each_generator_is_named_and_written_again(copy: Copy) -> None:
    names = [
        *("docs/commands.md", "editors/zed/extension.toml", "editors/vscode/package.json"),
        *("syntaxes/stf.tmLanguage.json", "docs/rules/G999.md"),
    ]
    before = [(copy.folder / name).read_text("utf-8") for name in names[:-1]]
    for name in names:
        with (copy.folder / name).open("a") as file:
            file.write("\n")
    status, said = copy.run("tools.generate", "--check")
    assert (status, [name for name in names if name not in said]) == (1, [])
    assert copy.run("tools.generate")[0] == 0
    assert [(copy.folder / name).read_text("utf-8") for name in names[:-1]] == before
    assert not (copy.folder / names[-1]).exists()
    assert copy.run("tools.generate", "--check")[0] == 0
