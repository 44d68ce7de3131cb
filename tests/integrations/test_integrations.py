"""The hooks of pre-commit and the GitHub Action, as their users run them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from llmblocks import format_text

ROOT = Path(__file__).parents[2]
UNTIDY = "@user   name='Ada'\nHello"
UNKNOWN = "!!!GADGET_START:Read:r1\n!!!GADGET_END\n"
MISTAKE = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


def test_pre_commit_reports_a_mistake_and_formats_in_a_new_repository(tmp_path: Path) -> None:
    """It installs the package of this commit into its own environment."""
    (tmp_path / "a.gadget").write_text(MISTAKE, encoding="utf-8")
    (tmp_path / "a.stf").write_text(UNTIDY, encoding="utf-8")
    # neither is a file of ours
    (tmp_path / "a.py").write_text("!!!ARG:a\n", encoding="utf-8")
    (tmp_path / "http.request").write_text("GET / HTTP/1.1\n", encoding="utf-8")
    # this one is excluded
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "b.gadget").write_text(MISTAKE, encoding="utf-8")
    (tmp_path / "llmblocks.toml").write_text('files.extendExclude = ["old"]\n', encoding="utf-8")
    for command in (("init", "-q"), ("add", ".")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), "--all-files"],
        cwd=tmp_path,
        env={**os.environ, "PRE_COMMIT_HOME": str(ROOT / ".cache" / "pre-commit")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "a.gadget:4:8: error G101 Duplicate pointer: a" in done.stdout
    assert "2 files checked" in done.stdout
    assert {*re.findall(r"hook id: (\S+)", done.stdout)} == {"llmblocks-check", "llmblocks-fix", "llmblocks-format"}
    assert "files were modified by this hook" in done.stdout
    assert (tmp_path / "a.stf").read_text(encoding="utf-8") == format_text(UNTIDY, "stf") != UNTIDY
    assert (tmp_path / "a.gadget").read_text(encoding="utf-8") == MISTAKE


def declared(folder: Path) -> None:
    """A repository whose settings are those that `config discover` writes, with three mistakes that only they show."""
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "tools.ts").write_text(
        'createGadget({ name: "Read", schema: z.object({ path: z.string() }) });\n', encoding="utf-8"
    )
    subprocess.run(
        [sys.executable, "-m", "llmblocks", "config", "discover", "--write"], cwd=folder, check=True, timeout=60
    )
    with (folder / "llmblocks.toml").open("a", encoding="utf-8") as file:
        file.write('[files]\ncode = { "prompts.py" = {} }\nstrings = { "rows.jsonl" = { "said" = "gadget" } }\n')
    (folder / "call.gadget").write_text(UNKNOWN, encoding="utf-8")
    (folder / "prompts.py").write_text(f'# llmblocks: gadget\nPROMPT = """\n{UNKNOWN}"""\n', encoding="utf-8")
    (folder / "rows.jsonl").write_text(json.dumps({"said": UNKNOWN}) + "\n", encoding="utf-8")
    # settings name none of these
    (folder / "other.jsonl").write_text("[]\n", encoding="utf-8")
    (folder / "other.json").write_text("[]\n", encoding="utf-8")
    (folder / "other.py").write_text(f'# llmblocks: gadget\nPROMPT = """\n{UNKNOWN}"""\n', encoding="utf-8")


def places_of(output: str) -> set[str]:
    """Return the files of the findings about a missing parameter."""
    return {*re.findall(r"^(?:::error file=)?(\S+?)[:,].*?G203", output, re.MULTILINE)}


def test_pre_commit_checks_what_settings_from_discover_name(tmp_path: Path) -> None:
    declared(tmp_path)
    for command in (("init", "-q"), ("add", ".")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), "llmblocks-check", "--all-files"],
        cwd=tmp_path,
        env={**os.environ, "PRE_COMMIT_HOME": str(ROOT / ".cache" / "pre-commit")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "exit code: 1" in done.stdout, done.stdout
    assert places_of(done.stdout) == {"call.gadget", "prompts.py", "rows.jsonl"}, done.stdout


def test_the_action_annotates_a_mistake(tmp_path: Path) -> None:
    """Its scripts, in the shell of a runner."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.gadget").write_text(MISTAKE, encoding="utf-8")
    # a repository may have modules with names of Python's or ours
    for name in ("json.py", "llmblocks.py"):
        (tmp_path / "work" / name).write_text("raise SystemExit(3)\n", encoding="utf-8")
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    install, sarif = re.findall(r"run: \|\n((?:        .*\n)+)", text)
    check = re.search(r"run: '(.*)'", text)
    assert check is not None
    env = {
        **os.environ,
        "RUNNER_TEMP": str(tmp_path),
        "PYTHON": sys.executable,
        "PYTHONPATH": str(tmp_path / "llmblocks"),
        "ACTION": str(ROOT),
        "VERSION": "",
        "PATHS": ".",
        "ARGUMENTS": "",
    }
    subprocess.run(["bash", "-euc", install], cwd=tmp_path / "work", env=env, check=True)
    subprocess.run(["bash", "-euc", sarif], cwd=tmp_path / "work", env=env, check=True)
    (run,) = json.loads((tmp_path / "llmblocks.sarif").read_text(encoding="utf-8"))["runs"]
    assert [found["ruleId"] for found in run["results"]] == ["G101"]
    # a file that could not be checked is not hidden
    (tmp_path / "noise.stf").write_bytes(b"\xff")
    assert subprocess.run(["bash", "-euc", sarif], cwd=tmp_path / "work", env=env | {"PATHS": ".."}).returncode == 2
    done = subprocess.run(
        ["bash", "-euc", check[1]], cwd=tmp_path / "work", env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "::error file=" in done.stdout
    assert "title=G101 duplicate-pointer::Duplicate pointer: a" in done.stdout
    declared(tmp_path / "declared")
    done = subprocess.run(
        ["bash", "-euc", check[1]], cwd=tmp_path / "declared", env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, places_of(done.stdout)) == (1, {"call.gadget", "prompts.py", "rows.jsonl"}), done.stderr


def test_the_action_uses_others_at_a_commit() -> None:
    """A tag may be moved to another commit."""
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (.+)", action)
    assert len(used) == 2
    for each in used:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each), each
    steps = dict(re.findall(r"    - name: (.+)\n((?:      .*\n)+)", action))
    # where an upload is refused, the check runs nevertheless, and fails if something was found
    assert "continue-on-error: true" in steps["Upload SARIF"]
    assert "!cancelled()" in steps["Check"]
    assert "continue-on-error" not in steps["Write SARIF"] + steps["Check"]
