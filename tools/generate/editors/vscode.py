"""Visual Studio Code: the words of its source. `tools/generate/manifest.py` writes `package.json`."""

from __future__ import annotations

from tools.generate.editors.shared import CODE, DIALECTS, EMBEDDED, IDS


def texts() -> dict[str, str]:
    """Return generated parts of a file that is written by hand."""
    languages, embedded, code = (", ".join(f'"{language}"' for language in each) for each in (IDS, EMBEDDED, CODE))
    commands = "".join(f'  "{dialect.header}": "{"|".join(dialect.commands)}",\n' for dialect in DIALECTS)
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
