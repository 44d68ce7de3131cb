"""The generated files of the editors: languages, file names, comment signs, commands and settings, from the server."""

from __future__ import annotations

from typing import Final

from tools.generate.editors import configured, emacs, helix, kate, neovim, npm, shared, tree_sitter
from tools.generate.generated import ROOT, between, read

EDITORS: Final = (neovim, emacs, helix, tree_sitter, configured, kate, npm)


def missing() -> list[str]:
    """Name what has to be written by hand, such as grammars, before the files of all languages can be generated."""
    lacks: list[str] = []
    for language in shared.IDS:
        queries = sorted({*tree_sitter.NEOVIM, *tree_sitter.HELIX}) if language in shared.PARSED else []
        by_hand = [f"tree-sitter/{language}/queries/{query}.scm" for query in queries]
        by_hand.append(f"sublime/{language}.sublime-syntax")
        if language not in shared.TITLES:
            lacks.append(f"{language} needs its name in TITLES of tools/generate/editors/shared.py\n")
        lacks += [f"{language} needs editors/{name}\n" for name in by_hand if not (ROOT / "editors" / name).exists()]
        if language not in kate.contexts():
            lacks.append(f"{language} needs its rules in contexts of tools/generate/editors/kate.py\n")
    return lacks


def texts() -> dict[str, str]:
    """Return the text of each file with something generated in it.

    Returns:
        An editor gives them by their names; of a part of one, a `#` and the name of the part follow.
    """
    found: dict[str, str] = {}
    for texts in (*[editor.texts() for editor in EDITORS], _vscode()):
        for where, made in texts.items():
            name, is_part, part = f"editors/{where}".partition("#")
            found[name] = between(found.get(name) or read(name), made, part) if is_part else made
    return found


def _vscode() -> dict[str, str]:
    """Return the words of the source for VS Code. `tools/generate/manifest.py` writes its `package.json`."""
    languages, embedded, code = (
        ", ".join(f'"{language}"' for language in each) for each in (shared.IDS, shared.EMBEDDED, shared.CODE)
    )
    commands = "".join(f'  "{dialect.header}": "{"|".join(dialect.commands)}",\n' for dialect in shared.DIALECTS)
    rows = [
        "/** The languages of the server. */",
        f"export const LANGUAGES = [{languages}] as const;",
        "/** Those that documents of other languages may hold. */",
        f"export const EMBEDDED = [{embedded}] as const;",
        "/** Those of code, whose strings may. */",
        f"export const CODE = [{code}] as const;",
        "",
        "/** The commands of each dialect, as a pattern. */",
        f"const COMMAND: Record<Dialect, string> = {{\n{commands}}};",
    ]
    return {"vscode/src/languages.ts#": "\n".join(rows) + "\n"}
