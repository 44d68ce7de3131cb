"""`llmblocks check --baseline`: a repository with old mistakes adopts the command, and fails for new ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run

_FILES, _CALLS = 50, 10
_BASELINE = "llmblocks-baseline.json"


def _call(name: str, value: int = 0) -> str:
    return f"!!!GADGET_START:{name}\n!!!ARG:a\n1\n!!!ARG:a\n{value}\n!!!GADGET_END\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with 500 mistakes, in a Markdown file and a data set too."""
    for number in range(_FILES - 2):
        calls = [f"Call {each}:\n{_call(f'G{each}', each)}" for each in range(_CALLS)]
        (tmp_path / f"f{number}.gadget").write_text("".join(calls), encoding="utf-8")
    fences = [f"# {each}\n\n```gadget\n{_call('M', each)}```\n" for each in range(_CALLS)]
    (tmp_path / "notes.md").write_text("\n".join(fences), encoding="utf-8")
    rows = [json.dumps({"messages": [{"role": "assistant", "content": _call("R", each)}]}) for each in range(_CALLS)]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "llmblocks.toml").write_text('[files.datasets]\n"rows.jsonl" = "openai"\n', encoding="utf-8")
    return tmp_path


def _checked(folder: Path, *options: str) -> tuple[int, str, str]:
    done = run(folder, "check", "--baseline", _BASELINE, *options)
    return done.returncode, done.stdout, done.stderr


def _adopt(folder: Path) -> None:
    status, out, err = _checked(folder, "--write-baseline")
    assert (status, out) == (0, "")
    assert err.endswith("500 findings written to the baseline\n")


def test_a_repository_of_500_mistakes_adopts_check_in_one_command_and_fails_for_the_first_new_one(
    repository: Path,
) -> None:
    assert run(repository, "check").returncode == 1
    _adopt(repository)
    status, out, err = _checked(repository)
    assert (status, out) == (0, "")
    assert "nothing found; 500 in the baseline" in err
    with (repository / "f7.gadget").open("a", encoding="utf-8") as file:
        file.write(_call("New"))
    status, out, err = _checked(repository)
    assert (status, out.count("\n")) == (1, 1)
    assert out.startswith("f7.gadget:74:8: error G101 ")
    assert "1 error; 500 in the baseline" in err


def test_no_edit_around_a_mistake_makes_it_new(repository: Path) -> None:
    _adopt(repository)
    one, two, three, four = [repository / f"f{number}.gadget" for number in range(4)]
    # a line above, and another text above each call
    one.write_text("New first line\n" + one.read_text().replace("Call", "The call"), encoding="utf-8")
    # a file with another name, and in another folder
    (repository / "old").mkdir()
    two.rename(repository / "old" / "renamed.gadget")
    # calls in another order
    calls = three.read_text().split("Call ")
    three.write_text("Call ".join([calls[0], *reversed(calls[1:])]), encoding="utf-8")
    # calls moved to another file
    calls = four.read_text().split("Call ")
    four.write_text("Call ".join(calls[:6]), encoding="utf-8")
    with (repository / "f9.gadget").open("a", encoding="utf-8") as file:
        file.write("Call ".join(["", *calls[6:]]))
    # the neighbour in the call itself
    other = repository / "f5.gadget"
    other.write_text(other.read_text().replace("!!!ARG:a\n1\n", "!!!ARG:a\n2\n"), encoding="utf-8")
    markdown = repository / "notes.md"
    markdown.write_text("Intro\n\n" + markdown.read_text().replace("# 3", "> # 3"), encoding="utf-8")
    rows = (repository / "rows.jsonl").read_text().split("\n")
    (repository / "rows.jsonl").write_text("\n".join(reversed(rows)), encoding="utf-8")
    assert _checked(repository)[:2] == (0, "")


def test_a_copy_of_an_old_mistake_is_new(repository: Path) -> None:
    _adopt(repository)
    (repository / "copy.gadget").write_text((repository / "f1.gadget").read_text(), encoding="utf-8")
    status, out, _ = _checked(repository)
    assert (status, out.count("\n")) == (1, _CALLS)
    assert all(line.startswith("copy.gadget") for line in out.splitlines())


def test_the_lines_around_equal_mistakes_decide_which_is_new(tmp_path: Path) -> None:
    file = tmp_path / "a.gadget"
    file.write_text(_call("A", 1), encoding="utf-8")
    assert _checked(tmp_path, "--write-baseline")[0] == 0
    file.write_text(_call("A", 2) + "Text\n" + _call("A", 1), encoding="utf-8")
    status, out, _ = _checked(tmp_path)
    assert (status, out.count("\n")) == (1, 1)
    assert out.startswith("a.gadget:4:8: ")


def test_fixed_findings_are_counted_and_leave_the_baseline(repository: Path) -> None:
    _adopt(repository)
    (repository / "f3.gadget").write_text("Nothing\n", encoding="utf-8")
    (repository / "f4.gadget").unlink()
    assert "10 findings of the baseline fixed" in _checked(repository)[2]
    # of one file alone: the entries of all others stay
    assert "480 findings written" in _checked(repository, "f3.gadget", "--write-baseline")[2]
    found = json.loads((repository / _BASELINE).read_text())["findings"]
    assert "f3.gadget" not in found
    assert "f4.gadget" not in found
    assert len(found) == _FILES - 2
    assert _checked(repository)[0] == 0


def test_the_baseline_of_the_settings_counts_in_every_command(repository: Path) -> None:
    settings = repository / "llmblocks.toml"
    settings.write_text(f'[rules]\nbaseline = "{_BASELINE}"\n{settings.read_text()}', encoding="utf-8")
    assert run(repository, "check").returncode == 1
    assert run(repository, "check", "--write-baseline", "--quiet").returncode == 0
    # from any folder, in several processes
    assert run(Path("/"), "check", "--jobs", "2", str(repository)).returncode == 0
    total = json.loads(run(repository, "report", "--output-format", "json", ".").stdout)["total"]
    assert (total["accepted"], total["severities"]["error"]) == (500, 500)
    done = run(repository, "report", ".")
    assert (done.returncode, "500 of 500 findings in the baseline" in done.stdout.replace("\n", " ")) == (0, True)


def test_sarif_has_all_findings_with_their_state(repository: Path) -> None:
    _adopt(repository)
    (repository / "new.gadget").write_text(_call("New"), encoding="utf-8")
    status, out, _ = _checked(repository, "--output-format", "sarif")
    results = json.loads(out)["runs"][0]["results"]
    states = [each["baselineState"] for each in results]
    assert (status, states.count("unchanged"), states.count("new")) == (1, 500, 1)
    assert all(each["partialFingerprints"]["llmblocks/v1"] for each in results)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "it is not JSON: Expecting property name enclosed in double quotes on line 1"),
        ("[]", "it is not a baseline of llmblocks"),
        ("[" * 100_000, "it is not a baseline of llmblocks"),
        ('{"findings": {}}', "it is not a baseline of llmblocks"),
        ('{"version": 2, "findings": {}}', "it has version 2, and this llmblocks reads version 1"),
        ('{"version": 1}', "it has no object findings"),
        ('{"version": 1, "findings": {"a": ["G101"]}}', "its findings of a are not a list of fingerprints"),
        ("\xff", "it is not UTF-8: byte 0xff at offset 0"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_an_error(content: str, why: str, tmp_path: Path) -> None:
    (tmp_path / _BASELINE).write_bytes(content.encode("latin-1"))
    (tmp_path / "a.gadget").write_text(_call("A"), encoding="utf-8")
    for more in ((), ("--write-baseline",)):
        status, _, err = _checked(tmp_path, *more)
        assert (status, f"--baseline {_BASELINE}: {why}" in err) == (2, True)
    (tmp_path / "llmblocks.toml").write_text(f'[rules]\nbaseline = "{_BASELINE}"\n', encoding="utf-8")
    done = run(tmp_path, "check")
    assert done.returncode == 2
    assert f"llmblocks.toml:2:1: error C001 rules.baseline is '{_BASELINE}' — {why}" in done.stdout
    assert "a.gadget:4:8: error G101" in done.stdout
