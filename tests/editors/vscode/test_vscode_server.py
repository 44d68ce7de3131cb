"""The server under the extension: found, chosen, restarted, killed, told apart."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.vscode.conftest import INTERPRETER
from editors.vscode.samples import CALLS
from editors.vscode.studio import Studio
from editors.vscode.test_vscode_bundle import COMPILED
from folders import written


def command_line(process: int) -> list[str]:
    """Return the command line of a process."""
    return Path(f"/proc/{process}/cmdline").read_text().split("\0")[:-1]


def test_the_bundled_server_runs_with_the_python_of_the_python_extension(studio: Studio) -> None:
    running = studio.probe("running")
    assert running["origin"].startswith("bundled server, Python 3.")
    program, *options = command_line(running["pid"])
    # a stand-in for the real extension, which no registry of ours has; what it chooses is on no PATH
    assert program == str(studio.home / "chosen-by-extension")
    assert options[0] == "-I"
    assert options[-2:] == [str(studio.extension / "bundled" / "run_server.py"), "server"]


def compiled(process: int) -> list[Path]:
    """Return the folder that the server is given for what is compiled."""
    option = "llmblocks_compiled="
    return [Path(each.removeprefix(option)) for each in command_line(process) if each.startswith(option)]


def test_what_is_compiled_is_unpacked_and_without_it_the_server_runs_and_says_so(studio: Studio, folder: Path) -> None:
    home = folder / "patterns"
    written(home / "llmblocks.toml", '[gadget]\nschemas."**" = ["gadgets.json"]\n')
    schema = {"type": "object", "properties": {"unit": {"type": "string", "pattern": r"^\p{Lu}$"}}}
    written(home / "gadgets.json", json.dumps({"name": "Count", "parameters": schema}))
    file = studio.opened(home / "call.gadget", "!!!GADGET_START:Count\n!!!ARG:unit\nä\n!!!GADGET_END\n")
    running = studio.probe("running")
    [made] = compiled(running["pid"])
    assert made.is_relative_to(studio.home / "user")
    assert {path.parent.name for path in made.rglob("*.so")} == COMPILED
    studio.probe("diagnostics", file=file, codes=["G206"])
    packed = studio.extension / "bundled" / "compiled.br"
    kept = packed.read_bytes()
    packed.write_text("no brotli")
    studio.probe("command", name="llmblocks.restartServer")
    without = studio.probe("running", unlike=running["pid"])
    assert compiled(without["pid"]) == []
    studio.probe("diagnostics", file=file, codes=[])
    studio.probe("command", name="llmblocks.showLog")
    studio.browser("text", selector=".output-view .view-line:has-text('patterns in schemas are not checked')")
    studio.probe("command", name="workbench.action.closePanel")
    packed.write_bytes(kept)
    studio.probe("command", name="llmblocks.restartServer")
    studio.probe("running", unlike=without["pid"])
    studio.probe("diagnostics", file=file, codes=["G206"])
    shutil.rmtree(home)


def test_an_interpreter_of_the_settings_that_is_too_old_is_reported_so(studio: Studio) -> None:
    old = next(Path.home().glob(".pyenv/versions/3.10*/bin/python3.10"), None) or shutil.which("python3.10")
    if old is None:
        pytest.skip("no Python 3.10 on this machine")
    studio.probe("configure", section=INTERPRETER, value=str(old))
    assert "it is Python 3.10" in studio.probe("running", kind="no-python")["why"]
    studio.probe("command", name="notifications.clearAll")


def test_the_server_of_the_environment_runs_when_the_settings_say_so(studio: Studio) -> None:
    before = studio.probe("running")["pid"]
    studio.probe("configure", section=INTERPRETER, value=sys.executable)
    between = studio.probe("running", unlike=before)["pid"]
    studio.probe("configure", section="llmblocks.server.importStrategy", value="fromEnvironment")
    running = studio.probe("running", unlike=between)
    assert running["origin"].startswith("installed server")
    assert command_line(running["pid"])[-3:] == ["-m", "llmblocks", "server"]


def test_a_command_of_the_settings_is_run_as_it_is(studio: Studio) -> None:
    before = studio.probe("running")["pid"]
    command = [sys.executable, "-m", "llmblocks", "server", "--log-level", "info"]
    studio.probe("configure", section="llmblocks.server.command", value=command)
    assert command_line(studio.probe("running", unlike=before)["pid"]) == command


def test_the_fifth_death_stops_it_until_somebody_asks(studio: Studio, folder: Path) -> None:
    studio.probe("command", name="llmblocks.restartServer")
    studio.probe("watch")
    last = studio.probe("running")
    for _ in range(4):
        os.kill(last["pid"], signal.SIGKILL)
        last = studio.probe("running", unlike=last["pid"])
    os.kill(last["pid"], signal.SIGKILL)
    stopped = studio.probe("running", kind="stopped")
    assert "SIGKILL" in stopped["why"]
    pauses = [state["pauseMs"] for state in studio.probe("watched") if state["kind"] == "waiting"]
    assert pauses == sorted(pauses)
    assert len(set(pauses)) == 4
    assert "fifth time" in studio.browser("text", selector=".notification-toast")
    studio.browser("click", selector=".notification-toast .monaco-button:has-text('Try Again')")
    studio.probe("running")
    file = str(folder / "calls.gadget")
    studio.probe("open", file=file)
    studio.probe("diagnostics", file=file, codes=["G101", "G102"])


def test_the_last_words_of_a_server_that_cannot_live_are_shown(studio: Studio) -> None:
    words = "Traceback (most recent call last):\n  File x\nValueError: no luck\n"
    dies = f"import sys; sys.stderr.write({words!r}); sys.exit(3)"
    studio.probe("configure", section="llmblocks.server.command", value=[sys.executable, "-c", dies])
    stopped = studio.probe("running", kind="stopped")
    assert stopped["why"] == "ended with status 3"
    assert stopped["lastWords"][-1] == "ValueError: no luck"
    said = studio.browser("text", selector=".notification-toast:has-text('no luck')")
    assert "Its last output: ValueError: no luck" in said
    studio.probe("command", name="notifications.clearAll")


def test_a_command_that_cannot_be_started_is_reported_at_once_with_a_way_out(studio: Studio) -> None:
    before = studio.probe("running")["pid"]
    studio.probe("watch")
    studio.probe("configure", section="llmblocks.server.command", value=["/nowhere/llmblocks", "server"])
    stopped = studio.probe("running", kind="stopped")
    assert stopped["why"] == "could not be started: there is no such program"
    assert [state["kind"] for state in studio.probe("watched")].count("starting") == 1
    toast = ".notification-toast:has-text('llmblocks.server.command')"
    assert "could not be started: there is no such program" in studio.browser("text", selector=toast)
    studio.browser("text", selector=f"{toast} .monaco-button:has-text('Open Settings')")
    studio.browser("click", selector=f"{toast} .monaco-button:has-text('Use the Bundled Server')")
    assert studio.probe("running", unlike=before)["origin"].startswith("bundled server")
    assert studio.probe("setting", section="llmblocks.server.command") is None


def test_the_log_says_each_thing_once_and_nothing_of_files_that_are_closed(studio: Studio) -> None:
    uri = studio.probe("untitled", language="gadget", text=CALLS)
    studio.probe("diagnostics", file=uri, codes=["G101", "G102"])
    studio.browser("type", text="more")
    studio.probe("command", name="workbench.action.revertAndCloseActiveEditor")
    studio.probe("configure", section="llmblocks.rules.ignore", value=["Z999"])
    file = studio.probe("untitled", language="gadget", text=CALLS)
    # what the server was sent before has been served
    studio.probe("diagnostics", file=file, codes=["C001", "G101", "G102"])
    log = "".join(path.read_text() for path in sorted((studio.home / "user" / "logs").rglob("*llmblocks.log")))
    [line] = [each for each in log.splitlines() if "Z999" in each]
    assert "[warning] llmblocks.lsp.client.config: C0" in line
    assert "was ignored" not in log
    assert f"process {studio.probe('running')['pid']}" in log


def test_the_status_bar_tells_the_version(studio: Studio, folder: Path) -> None:
    studio.probe("open", file=str(folder / "calls.gadget"))
    said = studio.status()
    assert f"llmblocks {studio.probe('running')['version']}" in said
    assert "bundled server" in said


def test_long_work_shows_its_progress_in_the_status_bar(studio: Studio, folder: Path) -> None:
    calls = "".join(f"!!!GADGET_START:Read:id_{number}\n!!!ARG:path\na.txt\n!!!GADGET_END\n" for number in range(1000))
    # seconds of work: VS Code shows none that is over at once
    many = [written(folder / "many" / f"{number:04}.response", calls) for number in range(1, 201)]
    studio.probe("open", file=str(many[0]))
    entry = "[id='status.progress']:has-text('llmblocks: reading logs')"
    studio.browser("text", selector=f"{entry}:has-text(' files')")
    shutil.rmtree(folder / "many")
    studio.browser("gone", selector=entry)
    studio.probe("running")


def test_the_steps_of_the_walkthrough_are_ticked(studio: Studio, folder: Path) -> None:
    ticked = "[data-done-step-id='llmblocks.llmblocks#start#{}'][aria-checked='true']"
    studio.probe("open", file=str(folder / "calls.gadget"))
    studio.probe("running")
    studio.probe("command", name="workbench.action.openWalkthrough", arguments=["llmblocks.llmblocks#start"])
    text = studio.browser("text", selector=".gettingStartedDetailsContent")
    assert text.index("Fix a mistake") < text.index("Choose a Python")
    # the server runs, and a file is open
    for step in ("python", "open"):
        studio.browser("text", selector=ticked.format(step))
    # VS Code hears of a command that its user runs, not of one that an extension runs
    studio.browser("click", selector=".getting-started-step h3:has-text('If something is wrong')")
    studio.browser("click", selector=".getting-started-step.expanded .monaco-button:has-text('Show Log')")
    studio.browser("text", selector=ticked.format("log"))


ROW = ".quick-input-list .monaco-list-row"


@pytest.fixture
def environments(studio: Studio, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Two environments in the workspace, whose names nobody can guess; the second one is broken."""
    for name in ("of-ours", "of-nobody"):
        written(folder / name / "pyvenv.cfg", "")
        (folder / name / "bin").mkdir()
    whole = folder / "of-ours" / "bin" / "python3"
    whole.symlink_to(Path(sys.executable).resolve())
    broken = written(folder / "of-nobody" / "bin" / "python3", "#!/bin/sh\necho nonsense\n")
    broken.chmod(0o755)
    yield whole, broken
    for program in (whole, broken):
        shutil.rmtree(program.parents[1])


def ask(studio: Studio) -> None:
    """Open the list, and wait until everything has been found."""
    studio.probe("begin", name="llmblocks.chooseInterpreter")
    studio.browser("text", selector=f"{ROW}:has-text(', current')", timeout=60000)


def choose(studio: Studio, typed: str, row: str) -> None:
    """Choose a row with the keys: a click may hit another one, as the list uses its rows again."""
    studio.browser("type", text=typed)
    studio.browser("text", selector=f"{ROW}.focused{row}")
    studio.browser("press", key="Enter")


def test_the_interpreters_that_there_are_can_be_chosen(studio: Studio, environments: tuple[Path, Path]) -> None:
    whole, broken = environments
    before = studio.probe("running")
    ask(studio)
    current = studio.browser("text", selector=f"{ROW}:has-text('the Python extension, current')")
    assert str(studio.home / "chosen-by-extension") in current
    assert "PATH, as python3" in studio.browser("text", selector=f"{ROW}:has-text('PATH, as python3')")
    # the list is longer than what is drawn of it
    choose(studio, "of-nobody", f":has-text('{broken}'):has-text('it answered \"nonsense\"')")
    said = studio.browser("text", selector=".notification-toast:has-text('cannot run with')")
    assert f'llmblocks cannot run with {broken}: it answered "nonsense". Nothing was changed.' in said
    assert studio.probe("setting", section=INTERPRETER) is None
    studio.probe("command", name="notifications.clearAll")
    ask(studio)
    choose(studio, "of-ours", f":has-text('{whole}')")
    after = studio.probe("running", unlike=before["pid"])
    assert studio.probe("setting", section=INTERPRETER) == str(whole)
    assert Path(f"/proc/{after['pid']}/cmdline").read_text().split("\0")[0] == str(whole)
    ask(studio)
    choose(studio, "automatically", ":has-text('empties the setting')")
    studio.probe("running", unlike=after["pid"])
    assert studio.probe("setting", section=INTERPRETER) is None


def test_a_path_that_is_entered_is_judged_while_it_is_typed(studio: Studio) -> None:
    before = studio.probe("running")
    ask(studio)
    choose(studio, "Enter a path", ":has-text('Enter a path…')")
    # what is typed before the box is there is lost
    studio.browser("text", selector=".quick-input-widget .quick-input-message:has-text('The path of a Python')")
    studio.browser("type", text="/nowhere/python3")
    said = studio.browser("text", selector=".quick-input-widget .quick-input-message:has-text('no such file')")
    assert "no such file" in said
    studio.browser("press", key="Control+a")
    studio.browser("type", text=sys.executable)
    studio.browser("gone", selector=".quick-input-widget .quick-input-message:has-text('no such file')")
    studio.browser("press", key="Enter")
    studio.probe("running", unlike=before["pid"])
    assert studio.probe("setting", section=INTERPRETER) == sys.executable
