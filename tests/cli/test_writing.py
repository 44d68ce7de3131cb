"""Commands write files of users completely or not at all, and never by accident."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from commands import run, run_process
from llmblocks.cli.files import advice
from llmblocks.cli.output import Rewrite, print_json, replacement, rewrite
from llmblocks.cli.source import InputError

# `check --fix` and `format` both change it
UNTIDY = "@user  name='Jo' \nHello\n@*/\n"
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
NOBODY = 65534
each_rewriter = pytest.mark.parametrize("command", REWRITERS, ids=" ".join)


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


@each_rewriter
def test_files_with_valid_settings_are_written_beside_others(command: list[str], tmp_path: Path) -> None:
    written(tmp_path / "bad" / "llmblocks.toml", "rules = [\n")
    bad, good = written(tmp_path / "bad" / "a.stf", UNTIDY), written(tmp_path / "good" / "a.stf", UNTIDY)
    assert run(tmp_path, *command).returncode == 2
    assert (bad.read_text("utf-8") == UNTIDY, good.read_text("utf-8") == UNTIDY) == (True, False)


@pytest.mark.slow
@pytest.mark.parametrize("portable", ["", "1"], ids=["copies", "new processes"])
def test_invalid_settings_are_seen_by_the_processes_of_many_files(portable: str, tmp_path: Path) -> None:
    written(tmp_path / "llmblocks.toml", INVALID["a missing schema"])
    for number in range(100):
        written(tmp_path / f"{number}.stf", UNTIDY)
    before = contents(tmp_path)
    done = run_process(tmp_path, "check", "--fix", "-j2", LLMBLOCKS_PORTABLE=portable)
    assert (done.returncode, contents(tmp_path)) == (2, before)
    assert done.stderr.count(b"files using these settings were skipped") == 1
    assert b"100 files could not be checked; 1 error in the settings" in done.stderr


@each_rewriter
@pytest.mark.parametrize(
    ("rules", "text", "given"),
    [
        (
            ".gitignore",
            "*.stf\n",
            {"": False, ".": False, "inside": False, "--no-gitignore": True, "inside/a.stf": True},
        ),
        (
            "llmblocks.toml",
            '[files]\nextendExclude = ["inside"]\n',
            {"": False, "--force-exclude inside/a.stf": False, "inside/a.stf": True},
        ),
    ],
    ids=["git", "settings"],
)
def test_what_is_left_out_is_written_only_if_it_is_named(
    command: list[str], rules: str, text: str, given: dict[str, bool], tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    written(tmp_path / rules, text)
    for arguments, writes in given.items():
        file = written(tmp_path / "inside" / "a.stf", UNTIDY)
        run(tmp_path, *command, *arguments.split())
        assert (file.read_text("utf-8") != UNTIDY) == writes


@each_rewriter
@pytest.mark.parametrize(
    ("rules", "says", "target"),
    [
        (".gitignore", "out\n", "in/out/a.stf"),
        ("in/.gitignore", "/out/\n", "in/out/a.stf"),
        ("in/out/.gitignore", "*\n", "in/out/a.stf"),
        ("llmblocks.toml", '[files]\nextendExclude = ["out"]\n', "in/out/a.stf"),
    ],
)
def test_a_link_to_what_is_left_out_is_left_out(
    command: list[str], rules: str, says: str, target: str, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    file, ignores = written(tmp_path / target, UNTIDY), written(tmp_path / rules, says)
    (tmp_path / "link.stf").symlink_to(target)
    run(tmp_path, *command, ".")
    assert file.read_text("utf-8") == UNTIDY
    ignores.unlink()
    run(tmp_path, *command, ".")
    assert file.read_text("utf-8") != UNTIDY


@each_rewriter
def test_a_link_in_a_folder_to_a_file_elsewhere_is_only_read(command: list[str], tmp_path: Path) -> None:
    file = written(tmp_path / "other" / "a.stf", UNTIDY)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "link.stf").symlink_to(file)
    run(tmp_path, *command, "own")
    assert file.read_text("utf-8") == UNTIDY
    run(tmp_path, *command, "own/link.stf")
    assert file.read_text("utf-8") != UNTIDY


@each_rewriter
@pytest.mark.parametrize("suffix", [".stf", "é.stf"])
def test_a_name_may_be_as_long_as_a_name_can_be(command: list[str], suffix: str, tmp_path: Path) -> None:
    file = written(tmp_path / ("n" * (255 - len(suffix.encode())) + suffix), UNTIDY)
    run(tmp_path, *command)
    assert file.read_text("utf-8") != UNTIDY
    assert [*tmp_path.iterdir()] == [file]


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
    file = written(tmp_path / "a", "old")
    with suppress(KeyboardInterrupt), replacement(str(file)) as out:
        out.write(b"broken")
        raise KeyboardInterrupt
    assert contents(tmp_path) == {"a": b"old"}
    with replacement(str(file)) as out:
        out.write(b"new")
        out.flush()
        assert file.read_bytes() == b"old"
    assert contents(tmp_path) == {"a": b"new"}
    # a new one has the mode that others get
    with replacement(str(tmp_path / "b")) as out:
        out.write(b"new")
    assert (tmp_path / "b").stat().st_mode == written(tmp_path / "other", "").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="devices are those of POSIX")
def test_a_device_is_written_directly_and_not_rewritten(tmp_path: Path) -> None:
    with replacement(os.devnull) as out:
        out.write(b"new")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    (tmp_path / "a.stf").symlink_to(os.devnull)
    with pytest.raises(InputError, match="not fixed: it is not a regular file"):
        rewrite(str(tmp_path / "a.stf"), Rewrite.of("", "x"), "fixed")


def test_a_file_that_has_changed_meanwhile_or_is_gone_is_left(tmp_path: Path) -> None:
    file = written(tmp_path / "a.stf", "new")
    with pytest.raises(InputError, match="has changed in the meantime"):
        rewrite(str(file), Rewrite.of("old", "new"), "fixed")
    with pytest.raises(InputError, match="not fixed: No such file"):
        rewrite(str(tmp_path / "b.stf"), Rewrite.of("", "x"), "fixed")
    assert contents(tmp_path) == {"a.stf": b"new"}


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


def test_a_file_that_is_open_elsewhere_is_a_reason_on_windows() -> None:
    refused = PermissionError(13, "Permission denied")
    assert advice(refused, windows=True) == "; check its permissions, and whether another program has it open"
    assert advice(refused, windows=False) == "; check its permissions"
    assert advice(OSError(36, "File name too long"), windows=True) == ""
