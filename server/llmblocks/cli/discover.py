"""`llmblocks config discover`: settings for the tags and gadgets that code declares."""

from __future__ import annotations

import os
import sys

from llmblocks.cli.outcome import counted
from llmblocks.cli.output import print_json, write_output
from llmblocks.cli.project import CommandProject
from llmblocks.cli.replacement import Rewrite, replacement, rewrite
from llmblocks.cli.source import InputError
from llmblocks.discovery.find import find
from llmblocks.discovery.offer import DeclarationOffer, offered
from llmblocks.settings.files import NAME, PYPROJECT, TABLE


def discover(project: CommandProject, folder: str, *, as_json: bool, write: bool, file: str | None = None) -> int:
    """Print the declarations in a folder's code that its settings lack, or write them. Raises `InputError`."""
    if not os.path.isdir(folder):
        raise InputError(f"{folder}: not a folder")
    top = os.path.abspath(folder)
    around = project.around(os.path.join(top, "-"))
    base = top if around.file is None else os.path.dirname(around.file)
    try:
        found = offered(find(top), project.settings_for(os.path.join(top, "-")), base)
    except ValueError as error:
        raise InputError(str(error)) from error
    for each in () if as_json else found.conflicts:
        sys.stderr.write(f"llmblocks config discover: {each}\n")
    if as_json:
        print_json(found.as_json(), file)
    elif not found.tags and not found.sources:
        sys.stderr.write("nothing new is declared in TypeScript or JavaScript here\n")
    elif write:
        _write(found, os.path.join(base, NAME) if around.file is None else around.file)
    else:
        write_output(found.as_toml(), file)
    return 0


def _write(found: DeclarationOffer, path: str) -> None:
    """Add settings to a file, or create it. Raises `InputError`."""
    try:
        before = None
        if os.path.exists(path):
            with open(path, encoding="utf-8", newline="") as file:
                before = file.read()
        text = found.added(before or "", TABLE if os.path.basename(path) == PYPROJECT else ())
        if text is None:
            raise InputError(f"{path}: the settings cannot be added to those that it has; add them by hand")
        if before is None:
            with replacement(path) as out:
                out.write(text.encode("utf-8"))
        else:
            rewrite(path, Rewrite.of(before, text), "extended")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    tags, files = counted(len(found.tags), "tag"), counted(len(found.sources), "file")
    declare = "declares" if len(found.sources) == 1 else "declare"
    sys.stderr.write(f"{path}: added {tags}, {files} that {declare} gadgets\n")
