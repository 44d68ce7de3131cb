"""`llmblocks check --baseline`: a repository with old mistakes adopts the command, and fails for new ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run

BASELINE = "llmblocks-baseline.json"
FILES, CALLS = 50, 10


def call(name: str, value: int = 0) -> str:
    return f"!!!GADGET_START:{name}\n!!!ARG:a\n1\n!!!ARG:a\n{value}\n!!!GADGET_END\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with 500 mistakes, in a Markdown file and a data set too, and their baseline."""
    rows = [json.dumps({"messages": [{"role": "assistant", "content": call("R", each)}]}) for each in range(CALLS)]
    files = {
        **{
            f"f{number}.gadget": "".join([f"Call {each}:\n{call(f'G{each}', each)}" for each in range(CALLS)])
            for number in range(FILES - 2)
        },
        "notes.md": "\n".join([f"# {each}\n\n```gadget\n{call('M', each)}```\n" for each in range(CALLS)]),
        "rows.jsonl": "\n".join(rows),
        "llmblocks.toml": '[files.datasets]\n"rows.jsonl" = "openai"\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert run(tmp_path, "check").returncode == 1
    status, out, err = checked(tmp_path, "--write-baseline")
    assert (status, out) == (0, "")
    assert err.endswith("500 findings written to the baseline\n")
    return tmp_path


def checked(folder: Path, *options: str) -> tuple[int, str, str]:
    done = run(folder, "check", "--baseline", BASELINE, *options)
    return done.returncode, done.stdout, done.stderr


def test_a_repository_with_a_baseline_fails_for_new_mistakes_alone(repository: Path) -> None:
    status, out, err = checked(repository)
    assert (status, out) == (0, "")
    assert "nothing found; 500 in the baseline" in err
    # a copy of an old one is new, too
    (repository / "copy.gadget").write_text((repository / "f1.gadget").read_text(), "utf-8")
    with (repository / "f7.gadget").open("a", encoding="utf-8") as file:
        file.write(call("New"))
    status, out, err = checked(repository)
    *copies, new = out.splitlines()
    assert (status, len(copies)) == (1, CALLS)
    assert all(line.startswith("copy.gadget:") for line in copies)
    assert new.startswith("f7.gadget:74:8: error G101 ")
    assert "11 errors; 500 in the baseline" in err


def test_no_edit_around_a_mistake_makes_it_new(repository: Path) -> None:
    def changed(name: str, *replaced: tuple[str, str], before: str = "") -> None:
        text = (repository / name).read_text()
        for old, new in replaced:
            text = text.replace(old, new)
        (repository / name).write_text(before + text, "utf-8")

    # a line above, and another text above each call; the neighbour in the call itself
    changed("f0.gadget", ("Call", "The call"), before="New first line\n")
    changed("f5.gadget", ("!!!ARG:a\n1\n", "!!!ARG:a\n2\n"))
    changed("notes.md", ("# 3", "> # 3"), before="Intro\n\n")
    # a file with another name, and in another folder
    (repository / "old").mkdir()
    (repository / "f1.gadget").rename(repository / "old" / "renamed.gadget")
    # in another order, and in another file
    three, four = repository / "f2.gadget", repository / "f3.gadget"
    first, *calls = three.read_text().split("Call ")
    three.write_text("Call ".join([first, *reversed(calls)]), "utf-8")
    calls = four.read_text().split("Call ")
    four.write_text("Call ".join(calls[:6]), "utf-8")
    with (repository / "f9.gadget").open("a", encoding="utf-8") as file:
        file.write("Call ".join(["", *calls[6:]]))
    rows = (repository / "rows.jsonl").read_text().split("\n")
    (repository / "rows.jsonl").write_text("\n".join(reversed(rows)), "utf-8")
    assert checked(repository)[:2] == (0, "")


def test_fixed_findings_are_counted_and_leave_the_baseline(repository: Path) -> None:
    (repository / "f3.gadget").write_text("Nothing\n", "utf-8")
    (repository / "f4.gadget").unlink()
    assert "10 findings of the baseline fixed" in checked(repository)[2]
    # of one file alone: the entries of all others stay
    assert "480 findings written" in checked(repository, "f3.gadget", "--write-baseline")[2]
    found = json.loads((repository / BASELINE).read_text())["findings"]
    assert len(found) == len({*found} - {"f3.gadget", "f4.gadget"}) == FILES - 2
    assert checked(repository)[0] == 0


def test_the_baseline_of_the_settings_counts_in_every_command(repository: Path) -> None:
    settings = repository / "llmblocks.toml"
    settings.write_text(f'[rules]\nbaseline = "{BASELINE}"\n{settings.read_text()}', "utf-8")
    (repository / BASELINE).unlink()
    assert run(repository, "check").returncode == 1
    assert run(repository, "check", "--write-baseline", "--quiet").returncode == 0
    # from any folder, in several processes
    assert run(Path("/"), "check", "--jobs", "2", str(repository)).returncode == 0
    total = json.loads(run(repository, "report", "--output-format", "json", ".").stdout)["total"]
    assert (total["accepted"], total["severities"]["error"]) == (500, 500)
    done = run(repository, "report", ".")
    assert (done.returncode, "500 of 500 findings in the baseline" in done.stdout.replace("\n", " ")) == (0, True)


def test_sarif_has_all_findings_with_their_state(repository: Path) -> None:
    (repository / "new.gadget").write_text(call("New"), "utf-8")
    status, out, _ = checked(repository, "--output-format", "sarif")
    results = json.loads(out)["runs"][0]["results"]
    states = [each["baselineState"] for each in results]
    assert (status, states.count("unchanged"), states.count("new")) == (1, 500, 1)
    assert all(each["partialFingerprints"]["llmblocks/v1"] for each in results)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "it is not JSON: Expecting property name enclosed in double quotes on line 1"),
        ("[]", "it is not a baseline of llmblocks in version 1"),
        ("[" * 100_000, "it is nested too deeply"),
        ('{"findings": {}}', "it is not a baseline of llmblocks in version 1"),
        ('{"version": 2, "findings": {}}', "it is not a baseline of llmblocks in version 1"),
        ('{"version": 1}', "it has no object findings"),
        ('{"version": 1, "findings": {"a": ["G101"]}}', "its findings of a are not a list of fingerprints"),
        ("\xff", "it is not UTF-8: byte 0xff at offset 0"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_an_error(content: str, why: str, tmp_path: Path) -> None:
    (tmp_path / BASELINE).write_bytes(content.encode("latin-1"))
    (tmp_path / "a.gadget").write_text(call("A"), "utf-8")
    for more in ((), ("--write-baseline",)):
        status, _, err = checked(tmp_path, *more)
        assert (status, f"--baseline {BASELINE}: {why}" in err) == (2, True)
    (tmp_path / "llmblocks.toml").write_text(f'[rules]\nbaseline = "{BASELINE}"\n', "utf-8")
    done = run(tmp_path, "check")
    assert done.returncode == 2
    assert f"llmblocks.toml:2:1: error C001 rules.baseline is '{BASELINE}' — {why}" in done.stdout
    assert "a.gadget:4:8: error G101" in done.stdout
