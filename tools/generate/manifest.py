"""The derived parts of the manifest of VS Code, `editors/vscode/package.json`.

`contributes.grammars` comes from the table of the grammars, the server's settings from their model,
and the file names from the server's table of languages.
"""

from __future__ import annotations

import json
import re
from typing import Any

from llmblocks.languages import registry
from llmblocks.languages.language import Language
from llmblocks.settings.files import NAME, NAMES, PYPROJECT
from llmblocks.settings.model import schema
from llmblocks.settings.schema import published
from tools.generate.docs.settings import settings_in
from tools.generate.generated import read
from tools.generate.syntaxes.languages import LANGUAGES

PACKAGE = "editors/vscode/package.json"

OURS = {language.id: f"source.{language.id}" for language in registry.LANGUAGES}
# in a fence, `request` is one of HTTP
FENCED = tuple(language for language in OURS if language != "request")
# the languages whose documents may hold texts of ours; src/embedded.ts says what to look for in each
HOSTS = ("markdown", "mdx", *(host.id for host in registry.HOSTS if host.code), "jsonl")
# the grammars for texts of ours in other languages, and where they go
INJECTED = {
    "markdown": ["text.html.markdown", "source.mdx"],
    "script": ["source.ts", "source.tsx", "source.js", "source.js.jsx"],
    "python": ["source.python"],
    "jsonl": ["source.json.lines"],
}
# as in VS Code's own grammars: `>` in `=>` closes nothing
UNBALANCED = [
    *("keyword.operator.relational", "keyword.operator.arrow", "keyword.operator.bitwise.shift"),
    *("keyword.operator.assignment.compound.bitwise", "storage.type.function.arrow", "punctuation.accessor.pointer"),
    *("punctuation.definition.tag", "meta.brace.angle", "meta.scope.case-pattern.shell"),
    *("markup.underline.link.markdown", "punctuation.definition.list.begin.markdown"),
]
SCHEMAS = "https://raw.githubusercontent.com/llmblocks/llmblocks/main/docs"

# fixed when the client starts
FOR_ALL_DOCUMENTS = frozenset(("diagnostics.delivery",))


def texts() -> dict[str, str]:
    """Return the manifest with its derived parts generated again."""
    package = json.loads(read(PACKAGE))
    # settings are completed in TOML
    package["activationEvents"] = [f"onLanguage:{language}" for language in (*OURS, *HOSTS, "toml")]
    for entry in package["contributes"]["languages"]:
        entry |= (
            {"filenames": list(NAMES)} if entry["id"] == "toml" else file_names(registry.find_language(entry["id"]))
        )
    package["contributes"]["grammars"] = grammars()
    # Even Better TOML reads these; it takes no schema from a file of another extension
    package["contributes"]["tomlValidation"] = [
        {"fileMatch": NAME, "url": f"{SCHEMAS}/settings.schema.json"},
        {"fileMatch": PYPROJECT, "url": f"{SCHEMAS}/pyproject.schema.json"},
    ]
    [server, *_] = package["contributes"]["configuration"]
    server["properties"]["llmblocks.server.embeddedIn"] |= {"items": {"enum": [*HOSTS]}, "default": [*HOSTS]}
    package["contributes"]["configuration"] = [server, *settings()]
    text = json.dumps(package, indent=2, ensure_ascii=False) + "\n"
    # the conditions of commands and keys: a request is written by a program
    return {PACKAGE: re.sub(r"\(gadget\|stf\|[a-z|-]+\)", f"({'|'.join(FENCED)})", text)}


def file_names(language: Language) -> dict[str, list[str]]:
    """Return the names of a language's files. VS Code has no pattern for "digits": llmist itself writes four."""
    patterns = [path.replace("+([0-9])", "[0-9]" * 4) for path in language.paths]
    return {"extensions": list(language.suffixes)} | ({"filenamePatterns": patterns} if patterns else {})


def grammars() -> list[dict[str, Any]]:
    """Return the grammars and their embedded languages."""
    embedded = {f"meta.embedded.block.{language.id}": language.id for language in LANGUAGES}
    # brackets are coloured and closed in embedded code alone: in prose, `:)` closes nothing. VS Code has no JSON5
    embedded |= dict.fromkeys(("meta.embedded.line.json5", "meta.embedded.block.json5"), "jsonc")
    return [
        *(
            {
                "language": language,
                "scopeName": scope,
                "path": f"./syntaxes/{language}.tmLanguage.json",
                "balancedBracketScopes": ["meta.embedded"],
                "unbalancedBracketScopes": UNBALANCED,
                **({"embeddedLanguages": embedded} if language in ("gadget", "request", "stf") else {}),
            }
            for language, scope in OURS.items()
        ),
        {"scopeName": "source.json5.llmblocks", "path": "./syntaxes/json5.tmLanguage.json"},
        *(
            {
                "scopeName": f"{name}.llmblocks",
                "path": f"./syntaxes/{name}.tmLanguage.json",
                "injectTo": scopes,
                "embeddedLanguages": {f"meta.embedded.block.{language}": language for language in FENCED},
            }
            for name, scopes in INJECTED.items()
        ),
    ]


def settings() -> list[dict[str, Any]]:
    """Return the server's settings, a category for each of its groups."""
    groups: dict[str, dict[str, Any]] = {}
    whole = schema()
    for path, leaf in settings_in(whole, ()):
        key = ".".join(path)
        if "*" in path:
            continue
        kept = plain(leaf)
        described = {"markdownDescription": kept.pop("description")}
        scope = "window" if key in FOR_ALL_DOCUMENTS else "resource"
        # the one setting that is in no group
        group = "files" if key == "extend" else path[0]
        groups.setdefault(group, {})[f"llmblocks.{key}"] = {**kept, "scope": scope, **described}
    return [{"title": whole["properties"][group]["title"], "properties": keys} for group, keys in groups.items()]


def plain(schema: Any) -> Any:
    """Return a JSON Schema without our own keywords, which VS Code does not know."""
    if isinstance(schema, list):
        return [*map(plain, schema)]
    return {name: plain(each) for name, each in published(schema).items()} if isinstance(schema, dict) else schema
