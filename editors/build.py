"""Generate what the editors share: `.venv/bin/python editors/build.py`.

Languages, file names, comment signs, commands and settings come from the tables of the server. `source/` writes them in
the words of each editor. With `--check`, only compare. What a language needs besides, such as grammars, is named.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from source import configured, emacs, helix, kate, neovim, npm, shared, tree_sitter, vscode

HERE: Final = Path(__file__).resolve().parent
EDITORS: Final = (neovim, emacs, helix, tree_sitter, configured, kate, vscode, npm)


def missing() -> list[str]:
    """What has to be written by hand before the files of all languages can be generated."""
    return [
        f"{language} needs {each}\n"
        for language in shared.IDS
        for source in (shared, tree_sitter, configured, kate)
        for each in source.missing(language)
    ]


def texts() -> dict[str, str]:
    """The text of each file with something generated in it, by its name in this folder."""
    found: dict[str, str] = {}
    for editor in EDITORS:
        found |= editor.texts()
        for where, made in editor.parts().items():
            name, _, part = where.partition("#")
            found[name] = shared.between(found.get(name) or _read(HERE / name), made, part)
    return found


def main(arguments: list[str]) -> int:
    """Write what is not up to date."""
    if lacks := missing():
        sys.stderr.write("".join(lacks) + "then run .venv/bin/python editors/build.py\n")
        return 1
    stale = {name: text for name, text in texts().items() if _read(HERE / name) != text}
    if "--check" in arguments:
        if stale:
            sys.stderr.write(f"{', '.join(stale)}: not up to date; run .venv/bin/python editors/build.py\n")
        return int(bool(stale))
    for name, text in stale.items():
        (HERE / name).parent.mkdir(parents=True, exist_ok=True)
        (HERE / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
