"""`llmblocks.toml`: the settings that a project keeps for everybody who works on it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from llmblocks.core.finding import Finding, Severity
from llmblocks.settings.given import Given, as_given

NAME = "llmblocks.toml"
_AT_LINE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_MOST_BYTES = 1 << 20


class SettingsFile(NamedTuple):
    """What a settings file says. Shape: `given` holds only what can be used; places of `findings` are in `text`."""

    given: dict[str, Given]
    findings: tuple[Finding, ...]
    text: str


def find_settings_file(folder: Path, roots: Iterable[Path]) -> Path | None:
    """The nearest settings file from a folder upwards, no further than the root that the folder is in."""
    within = [root for root in roots if folder == root or root in folder.parents]
    if not within:
        return None
    top = min(within, key=lambda root: len(root.parts))
    for each in (folder, *folder.parents):
        candidate = each / NAME
        try:
            if candidate.is_file():
                return candidate
        except OSError:
            # a folder that may not be looked into has no settings for us
            return None
        if each == top:
            return None
    return None


def read_settings_file(path: Path) -> SettingsFile:
    """Read and check a settings file. Errors: none; what cannot be read is a finding in it."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            return _unreadable("", f"the file is larger than {_MOST_BYTES >> 20} MiB")
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return _unreadable("", str(error))
    return read_settings_text(text)


def read_settings_text(text: str) -> SettingsFile:
    """Check the text of a settings file."""
    import tomllib

    text = text.replace("\r\n", "\n")
    try:
        given = as_given(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        return _unreadable(text, str(error))
    except RecursionError:
        return _unreadable(text, "nested too deeply")
    if not given:
        return SettingsFile({}, (), text)
    from llmblocks.settings.model import check_settings

    checked = check_settings(given)
    findings = tuple(
        Finding(problem.code, *_place(text, problem.path), problem.message, problem.severity)
        for problem in checked.problems
    )
    return SettingsFile(checked.given, findings, text)


def _unreadable(text: str, reason: str) -> SettingsFile:
    start = end = 0
    found = _AT_LINE.search(reason)
    if found:
        lines = text.split("\n")
        line = min(int(found[1]), len(lines)) - 1
        start = sum(len(each) + 1 for each in lines[:line])
        end = start + len(lines[line])
        reason = reason[: found.start()]
    message = f"the settings cannot be read: {reason} — the defaults are used"
    return SettingsFile({}, (Finding("C001", start, end, message, Severity.ERROR),), text)


def _place(text: str, path: tuple[str | int, ...]) -> tuple[int, int]:
    """Where the name of a setting stands, as well as can be told without a parser that keeps places."""
    at = 0
    start = end = 0
    for step in path:
        if not isinstance(step, str):
            break
        name = re.compile(rf"""(?m)(?:^|[\s.\[{{,"'])({re.escape(step)})["']?[ \t]*[=.\]]""")
        found = name.search(text, at) or name.search(text)
        if found is None:
            break
        start, end = found.span(1)
        at = end
    return start, end
