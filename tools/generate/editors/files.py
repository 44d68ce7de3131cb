"""The generated files of the editors: languages, file names, comment signs, commands and settings, from the server."""

from __future__ import annotations

from typing import Final

from tools.generate.editors import configured, emacs, helix, kate, neovim, npm, shared, tree_sitter, vscode
from tools.generate.generated import between, read

EDITORS: Final = (neovim, emacs, helix, tree_sitter, configured, kate, vscode, npm)


def missing() -> list[str]:
    """Name what has to be written by hand, such as grammars, before the files of all languages can be generated."""
    return [
        f"{language} needs {each}\n"
        for language in shared.IDS
        for source in (shared, tree_sitter, configured, kate)
        for each in source.missing(language)
    ]


def texts() -> dict[str, str]:
    """Return the text of each file with something generated in it.

    Returns:
        An editor gives them by their names; of a part of one, a `#` and the name of the part follow.
    """
    found: dict[str, str] = {}
    for editor in EDITORS:
        for where, made in editor.texts().items():
            name, is_part, part = f"editors/{where}".partition("#")
            found[name] = between(found.get(name) or read(name), made, part) if is_part else made
    return found
