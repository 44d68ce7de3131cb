"""Helix: `languages.toml`, and the queries of the language that stands for a dialect."""

from __future__ import annotations

import json
from collections.abc import Iterable

from tools.generate.editors.shared import COMMENT_SIGNS, DIALECTS, IDS, PARSED, PATHS, SUFFIXES, simple_glob
from tools.generate.generated import BEGIN

_HEAD = f"""\
# {BEGIN}
# `hx --grammar build` builds no others; this line is the first of a file
use-grammars = {{ only = {json.dumps(PARSED)} }}

"""
_SERVER = """\
[language-server.llmblocks]
command = "llmblocks"
args = ["server"]

# no mistake is shown on the line that is being typed; for that, the server says when to look
[language-server.llmblocks.config]
calmTyping = true
[language-server.llmblocks.config.llmblocks.diagnostics]
delivery = "push"
"""
SEMICOLON = "stf-semicolon"
SETTINGS = "llmblocks-settings"
_SETTINGS = f"""\
# its mistakes, beside the servers of TOML
[[language]]
name = "{SETTINGS}"
language-id = "toml"
scope = "source.toml"
grammar = "toml"
file-types = [{{ glob = "llmblocks.toml" }}]
comment-tokens = ["#"]
language-servers = ["taplo", "tombi", "llmblocks"]
"""


def texts() -> dict[str, str]:
    """Return the generated files."""
    queries = {
        f"helix/runtime/queries/{language}/{name}.scm": f"; {BEGIN}\n; inherits: {of}\n"
        for language, of in ((SEMICOLON, "stf"), (SETTINGS, "toml"))
        for name in ("highlights", "injections", "tags")
    }
    return {"helix/languages.toml": _HEAD + "\n".join([_SERVER, *_languages(), *_grammars()]), **queries}


def _languages() -> Iterable[str]:
    at, semicolon = ([dialect.header + sign for sign in COMMENT_SIGNS] for dialect in DIALECTS)
    for language in IDS:
        names = [suffix[1:] for each, suffix in SUFFIXES if each == language]
        globs = [simple_glob(path) for each, path in PATHS if each == language]
        yield _language(language, names, globs, at + semicolon if language == "stf" else [])
    yield "# a chat of the other dialect: `:set-language stf-semicolon`\n" + _language(
        SEMICOLON, [], [], semicolon + at, of="stf"
    )
    yield _SETTINGS


def _language(name: str, suffixes: list[str], globs: list[str], comments: list[str], of: str = "") -> str:
    files = [json.dumps(each) for each in suffixes] + [f"{{ glob = {json.dumps(each)} }}" for each in globs]
    inside = "".join(f"\n  {each}," for each in files) + "\n" if globs else ", ".join(files)
    own = of or name
    rows = [
        f'name = "{name}"',
        *([f'language-id = "{of}"'] if of else []),
        f'scope = "source.{own}"',
        *([f'grammar = "{own}"'] if own in PARSED else []),
        # tree-sitter writes names without hyphens; nothing injects the other dialect
        *([] if of or own not in PARSED else [f'injection-regex = "^{own.replace("-", "[-_]")}$"']),
        f"file-types = [{inside}]",
        # a line of prose or of a value may be a paragraph
        "soft-wrap = { enable = true }",
        *([f"comment-tokens = {json.dumps(comments)}"] if comments else []),
        'roots = ["llmblocks.toml"]',
        'language-servers = ["llmblocks"]',
    ]
    return "[[language]]\n" + "\n".join(rows) + "\n"


def _grammars() -> Iterable[str]:
    for language in PARSED:
        yield (
            f'[[grammar]]\nname = "{language}"\n'
            f'source = {{ path = "/path/to/llmblocks/editors/tree-sitter/{language}" }}\n'
        )
