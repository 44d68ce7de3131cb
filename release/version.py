"""The version, which `server/llmblocks/__init__.py` states, in every other file that has to repeat it.

Usage: python release/version.py [--check | VERSION]. With a version, it becomes that of all files, and the changelog's
entries since the last version become its section. Run `make generate` afterwards.
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
HOME: Final = "server/llmblocks/__init__.py"
NUMBER: Final = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"
GRAMMARS: Final = tuple(
    sorted(path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("editors/tree-sitter/*/package.json"))
)
PLACES: Final = {
    "docs/tutorials/continuous-integration.md": ("rev: v{}\n", "llmblocks/llmblocks@v{}\n"),
    "action.yml": ("such as `{}`;",),
    "editors/emacs/llmblocks.el": (";; Version: {}\n",),
    "editors/vscode/package.json": ('  "version": "{}",\n',),
    "editors/npm/package.json": ('  "version": "{}",\n',),
    "editors/claude-code/.claude-plugin/plugin.json": ('  "version": "{}",\n',),
    "editors/zed/Cargo.toml": ('name = "llmblocks-zed"\nversion = "{}"\n',),
    **{f"{folder}/package.json": ('  "version": "{}",\n',) for folder in GRAMMARS},
    **{f"{folder}/pyproject.toml": ('\nversion = "{}"\n',) for folder in GRAMMARS},
    **{f"{folder}/tree-sitter.json": ('    "version": "{}",\n',) for folder in GRAMMARS},
    # what the playground shows in its pictures
    "tests/editors/shown/playground-problems.txt": ("\n{}\n",),
    "tests/editors/shown/playground-stream.txt": ("\n{}\n",),
}
"""The files, with the text around the version in each."""


def stated() -> str:
    """Return the version, from its one place."""
    (found,) = re.findall(rf'^__version__ = "({NUMBER})"$', (ROOT / HOME).read_text("utf-8"), re.MULTILINE)
    return str(found)


def with_version(text: str, around: tuple[str, ...], version: str) -> str:
    """Return the same text with another version at each place. Raises ValueError where a place is missing."""
    for each in around:
        before, after = map(re.escape, each.split("{}"))
        text, times = re.subn(f"({before}){NUMBER}({after})", rf"\g<1>{version}\g<2>", text)
        if not times:
            raise ValueError(f"nothing reads {each!r}")
    return text


def section(changelog: str, version: str) -> str:
    """The entries of a version in the changelog, without its heading; of one that has none yet, the unreleased ones."""
    for name in (version, "Unreleased"):
        found = re.search(rf"^## \[{re.escape(name)}\][^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
        if found:
            return found[1].strip() + "\n"
    raise ValueError(f"CHANGELOG.md has no section for {version}")


def released(changelog: str, version: str, date: str) -> str:
    """Return the changelog with the unreleased entries as the section of a version.

    Raises ValueError without a heading.
    """
    heading = "## [Unreleased]\n"
    if heading not in changelog:
        raise ValueError(f"CHANGELOG.md has no line {heading.strip()!r}")
    return changelog.replace(heading, f"{heading}\n## [{version}] - {date}\n", 1)


def main(arguments: list[str]) -> int:
    """Write the version, or compare."""
    check = arguments == ["--check"]
    version = stated()
    if arguments and not check:
        (version,) = arguments
        if not re.fullmatch(NUMBER, version):
            sys.stderr.write(f"{version}: not a version such as 1.2.3 or 1.2.3rc1\n")
            return 2
        _write(HOME, with_version((ROOT / HOME).read_text("utf-8"), ('__version__ = "{}"',), version))
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        _write("CHANGELOG.md", released((ROOT / "CHANGELOG.md").read_text("utf-8"), version, today))
    stale = []
    for name, around in PLACES.items():
        text = (ROOT / name).read_text("utf-8")
        if text != (new := with_version(text, around, version)):
            stale.append(name)
            if not check:
                _write(name, new)
    if check and stale:
        sys.stderr.write(f"{', '.join(stale)}: not version {version}; run python release/version.py\n")
    return int(check and bool(stale))


def _write(name: str, text: str) -> None:
    (ROOT / name).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
