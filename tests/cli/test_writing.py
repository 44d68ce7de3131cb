"""Commands write files of users completely or not at all, and never by accident."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from commands import run
from llmblocks.cli.files import advice
from llmblocks.cli.output import Rewrite, print_json, replacement, rewrite
from llmblocks.cli.source import InputError

# `check --fix` and `format` both change it
UNTIDY = "@user  name='Jo' \nHello\n@*/\n"
COMMAND = [sys.executable, "-m", "llmblocks"]
REWRITERS = (["check", "--fix"], ["check", "--fix", "--unsafe-fixes"], ["format"])
LOOKERS = (["check", "--diff"], ["format", "--diff"], ["format", "--check"])
INVALID: dict[str, str | bytes] = {
    "no TOML": "rules = [\n",
    "no UTF-8": b"\xff",
    "a wrong value": '[rules]\nignore = ["S999"]\n',
    "overlapping markers": '[gadget.markers]\nstart = "<<"\nend = "<<END"\n',
    "a missing file to extend": 'extend = "missing.toml"\n',
    "an invalid file to extend": 'extend = "base/llmblocks.toml"\n',
    "missing markers": '[gadget]\nmarkersFrom = "missing.toml"\n',
    "a missing schema": '[gadget.schemas]\n"**" = ["missing.json"]\n',
    "an invalid schema": '[gadget.schemas]\n"**" = ["schema.json"]\n',
}


def written(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", INVALID)
@pytest.mark.parametrize("command", [*REWRITERS, *LOOKERS], ids=" ".join)
def test_nothing_is_written_or_suggested_with_invalid_settings(command: list[str], case: str, tmp_path: Path) -> None:
    written(tmp_path / "llmblocks.toml", INVALID[case])
    written(tmp_path / "base" / "llmblocks.toml", "rules = [\n")
    written(tmp_path / "schema.json", '{"name": 1}')
    for name in ("a.stf", "b.stf", "inside/c.stf"):
        written(tmp_path / name, UNTIDY)
    before = contents(tmp_path)
    done = run(tmp_path, *command, "a.stf", "b.stf", "inside")
    assert (done.returncode, contents(tmp_path), "@user" in done.stdout) == (2, before, False)
    # once, although it concerns three files
    assert done.stderr.count("files using these settings were skipped; ") == 1


def test_it_is_said_what_invalid_settings_must_be(tmp_path: Path) -> None:
    written(tmp_path / "llmblocks.toml", "stf.dialect = 'x'\nrules.ignore = ['G1O1']\n")
    written(tmp_path / "a.stf", UNTIDY)
    told = run(tmp_path, "format").stderr
    assert "stf.dialect is 'x' — files using these settings were skipped; it must be 'auto', '@' or ';'" in told
    assert "default" not in told


@pytest.mark.parametrize("command", REWRITERS, ids=" ".join)
def test_files_with_valid_settings_are_written_beside_others(command: list[str], tmp_path: Path) -> None:
    written(tmp_path / "bad" / "llmblocks.toml", "rules = [\n")
    bad, good = written(tmp_path / "bad" / "a.stf", UNTIDY), written(tmp_path / "good" / "a.stf", UNTIDY)
    assert run(tmp_path, *command).returncode == 2
    assert (bad.read_text("utf-8") == UNTIDY, good.read_text("utf-8") == UNTIDY) == (True, False)


@pytest.mark.slow
@pytest.mark.parametrize("portable", ["", "1"], ids=["copies", "new processes"])
def test_invalid_settings_are_seen_by_the_processes_of_many_files(portable: str, tmp_path: Path) -> None:
    written(tmp_path / "llmblocks.toml", '[gadget.schemas]\n"**" = ["missing.json"]\n')
    for number in range(100):
        written(tmp_path / f"{number}.stf", UNTIDY)
    before = contents(tmp_path)
    env = {**os.environ, "LLMBLOCKS_PORTABLE": portable}
    command = [*COMMAND, "check", "--fix", "-j2"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert contents(tmp_path) == before
    assert done.stderr.count("files using these settings were skipped") == 1
    assert "100 files could not be checked; 1 error in the settings" in done.stderr


@pytest.mark.parametrize("command", REWRITERS, ids=" ".join)
def test_what_git_ignores_is_written_only_if_it_is_named(command: list[str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    written(tmp_path / ".gitignore", "*.stf\n")
    for name, writes in {"": 0, ".": 0, "inside": 0, "--no-gitignore": 1, "inside/a.stf": 1}.items():
        file = written(tmp_path / "inside" / "a.stf", UNTIDY)
        run(tmp_path, *command, *filter(None, [name]))
        assert (file.read_text("utf-8") != UNTIDY) == writes


@pytest.mark.parametrize("command", REWRITERS, ids=" ".join)
@pytest.mark.parametrize(
    ("rules", "says", "target"),
    [
        (".gitignore", "out\n", "in/out/a.stf"),
        ("in/.gitignore", "/out/\n", "in/out/a.stf"),
        ("in/out/.gitignore", "*\n", "in/out/a.stf"),
        ("llmblocks.toml", '[files]\nextendExclude = ["out"]\n', "in/out/a.stf"),
        # in another repository
        ("../other/.gitignore", "out\n", "../other/out/a.stf"),
    ],
)
def test_a_link_to_what_is_left_out_is_left_out(
    command: list[str], rules: str, says: str, target: str, tmp_path: Path
) -> None:
    for name in ("own/.git", "other/.git"):
        (tmp_path / name).mkdir(parents=True)
    own = tmp_path / "own"
    file, ignores = written(own / target, UNTIDY), written(own / rules, says)
    (own / "link.stf").symlink_to(target)
    run(own, *command, ".")
    assert file.read_text("utf-8") == UNTIDY
    ignores.unlink()
    run(own, *command, ".")
    assert file.read_text("utf-8") != UNTIDY


@pytest.mark.parametrize("command", REWRITERS, ids=" ".join)
def test_what_settings_exclude_is_written_only_if_it_is_named_without_force(command: list[str], tmp_path: Path) -> None:
    written(tmp_path / "llmblocks.toml", '[files]\nextendExclude = ["out"]\n')
    file = written(tmp_path / "out" / "a.stf", UNTIDY)
    run(tmp_path, *command)
    run(tmp_path, *command, "--force-exclude", str(file))
    assert file.read_text("utf-8") == UNTIDY
    run(tmp_path, *command, str(file))
    assert file.read_text("utf-8") != UNTIDY


@pytest.mark.parametrize("command", REWRITERS, ids=" ".join)
@pytest.mark.parametrize("suffix", [".stf", "é.stf"])
def test_a_name_may_be_as_long_as_a_name_can_be(command: list[str], suffix: str, tmp_path: Path) -> None:
    file = written(tmp_path / ("n" * (255 - len(suffix.encode())) + suffix), UNTIDY)
    run(tmp_path, *command)
    assert file.read_text("utf-8") != UNTIDY
    assert [*tmp_path.iterdir()] == [file]


def test_a_file_that_is_open_elsewhere_is_a_reason_on_windows() -> None:
    refused = PermissionError(13, "Permission denied")
    assert advice(refused, windows=True) == "; check its permissions, and whether another program has it open"
    assert advice(refused, windows=False) == "; check its permissions"
    assert advice(OSError(36, "File name too long"), windows=True) == ""


@pytest.mark.skipif(os.name == "nt", reason="a file has no permission bits")
def test_a_file_that_may_not_be_written_stays_in_a_folder_that_may() -> None:
    # root may write everything, and others may not look into the folders of a test of root's
    is_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as folder:
        file = written(Path(folder) / "a.stf", UNTIDY)
        file.chmod(0o400)
        if is_root:
            os.chown(folder, NOBODY, NOBODY)
            os.chown(file, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            with pytest.raises(InputError, match="check its permissions"):
                rewrite(str(file), Rewrite.of(UNTIDY, "new"), "fixed")
        finally:
            if is_root:
                os.seteuid(0)
        assert file.read_text("utf-8") == UNTIDY


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("whole", [True, False], ids=["the group", "the first process"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing_beside_the_files(
    number: signal.Signals, whole: bool, jobs: str, tmp_path: Path
) -> None:
    many = "@user\nHello\n@*/\n" * 20
    for each in range(300):
        written(tmp_path / f"{each}.stf", many + "@ai\n" + "@user id=1 id=2\n" * 30)
    wrong = (tmp_path / "0.stf").read_bytes()
    with subprocess.Popen(
        [*COMMAND, "check", "--fix", "--output-format", "json", "--jobs", jobs],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        # files are being written when their findings come
        process.stdout.read(1)
        (os.killpg if whole else os.kill)(process.pid, number)
        process.stdout.read()
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    left = contents(tmp_path)
    assert len(left) == 300
    assert {*left.values()} == {wrong, wrong.replace(b"@*/\n", b"")}


NOBODY = 65534


@pytest.mark.skipif(not Path(os.devnull).is_char_device(), reason="this system has no such file")
def test_what_is_not_a_regular_file_is_not_rewritten(tmp_path: Path) -> None:
    file = tmp_path / "a.stf"
    file.symlink_to(os.devnull)
    with pytest.raises(InputError, match="not fixed: it is not a regular file"):
        rewrite(str(file), Rewrite.of("", "x"), "fixed")


@pytest.mark.parametrize(
    ("command", "outputs"),
    [
        ("check a.stf --output-file", ("a.stf", "link.stf", "settings")),
        ("convert a.stf --to openai --output-file", ("a.stf", "link.stf", "settings")),
        ("export a.stf --to openai --notes notes --output-file", ("a.stf", "link.stf", "settings")),
        ("report a.stf --output-file", ("a.stf", "link.stf", "settings")),
        ("diff a.stf b.stf --output-format html --output-file", ("a.stf", "link.stf", "b.stf")),
        ("session runs --output-format html --output-file", ()),
    ],
)
def test_an_output_replaces_neither_inputs_nor_logs_nor_settings(
    command: str, outputs: tuple[str, ...], tmp_path: Path
) -> None:
    for name in ("b.stf", "runs/0001.response", "llmblocks.toml", "settings"):
        written(tmp_path / name, "")
    written(tmp_path / "a.stf", "@user name=\nHi\n@ai\nHo\n")
    (tmp_path / "link.stf").symlink_to("a.stf")
    before = contents(tmp_path)
    for output in (*outputs, "llmblocks.toml", "runs/0001.response"):
        assert run(tmp_path, *command.split(), f"./{output}", "--settings", "settings").returncode == 2, output
        assert contents(tmp_path) == before


def test_a_value_that_is_nested_too_deeply_for_json_leaves_the_file(tmp_path: Path) -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    file = written(tmp_path / "out.json", "old")
    with pytest.raises(InputError, match="nested too deeply"):
        print_json(value, str(file))
    assert file.read_text("utf-8") == "old"


def test_a_file_is_replaced_when_all_has_been_written(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    with replacement(str(file)) as out:
        out.write(b"new")
        out.flush()
        assert file.read_bytes() == b"old"
    assert file.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a"]


def test_an_error_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    with suppress(KeyboardInterrupt), replacement(str(file)) as out:
        out.write(b"new")
        raise KeyboardInterrupt
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_keeps_its_names(tmp_path: Path) -> None:
    file, other = tmp_path / "a.stf", tmp_path / "b.stf"
    file.write_text("@user\nHi\n@*/\n", "utf-8")
    os.link(file, other)
    assert run(tmp_path, "check", "--fix", "a.stf", "b.stf").returncode == 0
    assert file.read_text("utf-8") == "@user\nHi\n"
    assert (os.stat(file).st_ino, os.stat(file).st_nlink) == (os.stat(other).st_ino, 2)
    assert sorted(os.listdir(tmp_path)) == ["a.stf", "b.stf"]


@pytest.mark.skipif(os.name == "nt", reason="modes and links are those of POSIX")
def test_a_new_file_has_the_mode_that_others_get(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    with replacement(str(tmp_path / "a")) as out:
        out.write(b"new")
    assert (tmp_path / "a").stat().st_mode == other.stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="devices are those of POSIX")
def test_a_device_is_written_directly() -> None:
    with replacement(os.devnull) as out:
        out.write(b"new")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
