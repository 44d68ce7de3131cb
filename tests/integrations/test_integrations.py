"""The hooks of pre-commit and the GitHub Action, as their users run them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from commands import COMMAND
from llmblocks import format_text

ROOT = Path(__file__).parents[2]
UNTIDY = "@user   name='Ada'\nHello"
UNKNOWN = "!!!GADGET_START:Read:r1\n!!!GADGET_END\n"
MISTAKE = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


def pre_commit(folder: Path, *hooks: str) -> str:
    """Return the output of our hooks in a new repository; they report something."""
    for command in (("init", "-q"), ("add", ".")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), *hooks, "--all-files"],
        cwd=folder,
        env={**os.environ, "PRE_COMMIT_HOME": str(ROOT / ".cache" / "pre-commit")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_pre_commit_reports_a_mistake_and_formats_in_a_new_repository(tmp_path: Path) -> None:
    """It installs the package of this commit into its own environment."""
    # neither is a file of ours, and this one is excluded
    others = {"a.py": "!!!ARG:a\n", "http.request": "GET / HTTP/1.1\n", "old/b.gadget": MISTAKE}
    ours = {"a.gadget": MISTAKE, "a.stf": UNTIDY, "llmblocks.toml": 'files.extendExclude = ["old"]\n'}
    write(tmp_path, ours | others)
    out = pre_commit(tmp_path)
    assert "a.gadget:4:8: error G101 Duplicate pointer: a" in out
    assert "2 files checked" in out
    assert {*re.findall(r"hook id: (\S+)", out)} == {"llmblocks-check", "llmblocks-fix", "llmblocks-format"}
    assert "files were modified by this hook" in out
    assert (tmp_path / "a.stf").read_text(encoding="utf-8") == format_text(UNTIDY, "stf") != UNTIDY
    assert (tmp_path / "a.gadget").read_text(encoding="utf-8") == MISTAKE


def declared(folder: Path) -> None:
    """A repository whose settings are those that `config discover` writes, with three mistakes that only they show."""
    write(folder, {"src/tools.ts": 'createGadget({ name: "Read", schema: z.object({ path: z.string() }) });\n'})
    subprocess.run([*COMMAND, "config", "discover", "--write"], cwd=folder, check=True, timeout=60)
    with (folder / "llmblocks.toml").open("a", encoding="utf-8") as file:
        file.write('[files]\ncode = { "prompts.py" = {} }\nstrings = { "rows.jsonl" = { "said" = "gadget" } }\n')
    code = f'# llmblocks: gadget\nPROMPT = """\n{UNKNOWN}"""\n'
    rows = json.dumps({"said": UNKNOWN}) + "\n"
    write(folder, {"call.gadget": UNKNOWN, "prompts.py": code, "rows.jsonl": rows})
    # settings name none of these
    write(folder, {"other.jsonl": "[]\n", "other.json": "[]\n", "other.py": code})


def places_of(output: str) -> set[str]:
    """Return the files of the findings about a missing parameter."""
    return {*re.findall(r"^(?:::error file=)?(\S+?)[:,].*?G203", output, re.MULTILINE)}


def test_pre_commit_checks_what_settings_from_discover_name(tmp_path: Path) -> None:
    declared(tmp_path)
    out = pre_commit(tmp_path, "llmblocks-check")
    assert "exit code: 1" in out, out
    assert places_of(out) == {"call.gadget", "prompts.py", "rows.jsonl"}, out


def test_the_action_annotates_a_mistake(tmp_path: Path) -> None:
    """Its scripts, in the shell of a runner."""
    # a repository may have modules with names of Python's or ours
    modules = dict.fromkeys(("json.py", "llmblocks.py"), "raise SystemExit(3)\n")
    write(tmp_path / "work", {"a.gadget": MISTAKE, **modules})
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    install, sarif = re.findall(r"run: \|\n((?:        .*\n)+)", text)
    (check,) = re.findall(r"run: '(.*)'", text)
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

    def run(script: str, folder: str = "work", **more: str) -> tuple[int, str]:
        command = ["bash", "-euc", script]
        done = subprocess.run(command, cwd=tmp_path / folder, env=env | more, capture_output=True, text=True)
        return done.returncode, done.stdout

    assert run(install)[0] == run(sarif)[0] == 0
    (log,) = json.loads((tmp_path / "llmblocks.sarif").read_text(encoding="utf-8"))["runs"]
    assert [found["ruleId"] for found in log["results"]] == ["G101"]
    # a file that could not be checked is not hidden
    (tmp_path / "noise.stf").write_bytes(b"\xff")
    assert run(sarif, PATHS="..")[0] == 2
    status, out = run(check)
    assert status == 1
    assert "::error file=" in out
    assert "title=G101 duplicate-pointer::Duplicate pointer: a" in out
    declared(tmp_path / "declared")
    status, out = run(check, "declared")
    assert (status, places_of(out)) == (1, {"call.gadget", "prompts.py", "rows.jsonl"})
    # where an upload is refused, the check runs nevertheless, and fails if something was found
    steps = dict(re.findall(r"    - name: (.+)\n((?:      .*\n)+)", text))
    assert "continue-on-error: true" in steps["Upload SARIF"]
    assert "!cancelled()" in steps["Check"]
    assert "continue-on-error" not in steps["Write SARIF"] + steps["Check"]
