"""Write the grammars of package.json from the table that the grammars themselves are made from.

`contributes.grammars` names every embedded language twice over; by hand it would fall behind.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE.parents[1] / "syntaxes"))

from source.languages import LANGUAGES  # noqa: E402 - found through the line above

# what VS Code's own grammars say of these languages: `>` in `=>` closes nothing
UNBALANCED = [
    "keyword.operator.relational",
    "keyword.operator.arrow",
    "keyword.operator.bitwise.shift",
    "keyword.operator.assignment.compound.bitwise",
    "storage.type.function.arrow",
    "punctuation.accessor.pointer",
    "punctuation.definition.tag",
    "meta.brace.angle",
    "meta.scope.case-pattern.shell",
    "markup.underline.link.markdown",
    "punctuation.definition.list.begin.markdown",
]


def manifest(text: str) -> str:
    """The text of package.json with its grammars made anew."""
    package = json.loads(text)
    embedded = {f"meta.embedded.block.{language.id}": language.id for language in LANGUAGES}
    ours = {"gadget": "source.gadget", "stf": "source.stf", "custom-blocks": "source.custom-blocks"}
    package["contributes"]["grammars"] = [
        *(
            {
                "language": language,
                "scopeName": scope,
                "path": f"./syntaxes/{language}.tmLanguage.json",
                "unbalancedBracketScopes": UNBALANCED,
                **({"embeddedLanguages": embedded} if language != "custom-blocks" else {}),
            }
            for language, scope in ours.items()
        ),
        {"scopeName": "source.json5.llmblocks", "path": "./syntaxes/json5.tmLanguage.json"},
        {
            "scopeName": "markdown.llmblocks",
            "path": "./syntaxes/markdown.tmLanguage.json",
            "injectTo": ["text.html.markdown"],
            "embeddedLanguages": {f"meta.embedded.block.{language}": language for language in ours},
        },
    ]
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write package.json, or with `--check` only say whether it is up to date."""
    path = HERE / "package.json"
    text = path.read_text(encoding="utf-8")
    made = manifest(text)
    if "--check" in arguments:
        if made != text:
            sys.stderr.write(
                "editors/vscode/package.json is not up to date: run python editors/vscode/scripts/manifest.py\n"
            )
        return int(made != text)
    path.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
