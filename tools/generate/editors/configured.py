"""Zed, Kakoune, Sublime Text and JetBrains: file names, words and comment signs in the forms that each reads."""

from __future__ import annotations

import json
from collections.abc import Iterable

from llmblocks import __version__
from llmblocks.languages.registry import LANGUAGES
from tools.generate.editors.shared import COMMENT_SIGNS, DIALECTS, IDS, PARSED, PATHS, SUFFIXES, TITLES, wildcards
from tools.generate.editors.shared import Path as Pattern
from tools.generate.generated import BEGIN, ROOT
from tools.generate.syntaxes.completion import signs

_GRAMMARS = ROOT / "editors" / "tree-sitter"


def texts() -> dict[str, str]:
    """Return generated files, and parts of those that are written by hand."""
    return {
        "jetbrains/template.json": _json(_jetbrains()),
        "sublime/LSP.sublime-settings": _json({"clients": {"llmblocks": _sublime_client()}}),
        "sublime/Comments.tmPreferences": _sublime_comments(),
        **{f"sublime/{language}.sublime-settings": _json(_SUBLIME_SETTINGS) for language in IDS},
        **{f"zed/languages/{language}/config.toml": _zed_language(language) for language in IDS},
        **{
            f"zed/languages/{language}/{query}.scm": f"; {BEGIN}\n{path.read_text(encoding='utf-8')}"
            for language in IDS
            for query in ("highlights", "injections")
            if (path := _GRAMMARS / language / "queries" / f"{query}.scm").exists()
        },
        "zed/extension.toml": _zed_extension(),
        "kakoune/llmblocks.kak#": "".join(_kakoune()),
        **{f"sublime/{language}.sublime-syntax#": _sublime_files(language) for language in IDS},
        "sublime/stf.sublime-syntax#words": "".join(_sublime_words()),
        "sublime/completion.sublime-syntax#signs": f"variables:\n  signs: '{signs()}'\n",
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _suffixes(language: str) -> list[str]:
    return [suffix[1:] for each, suffix in SUFFIXES if each == language]


def _jetbrains() -> object:
    return {
        "id": "llmblocks",
        "name": "llmblocks",
        "programArgs": {"default": "llmblocks server"},
        "fileTypeMappings": [
            {"fileType": {"name": TITLES[language], "patterns": wildcards(language)}, "languageId": language}
            for language in IDS
        ],
    }


_SUBLIME_SETTINGS = {
    "ensure_newline_at_eof_on_save": False,
    "trim_trailing_white_space_on_save": "none",
    "translate_tabs_to_spaces": False,
    "auto_indent": False,
    "word_wrap": True,
}


def _sublime_client() -> object:
    return {
        "enabled": True,
        "command": ["llmblocks", "server"],
        "selector": " | ".join(f"source.{language}" for language in IDS),
    }


def _sublime_comments() -> str:
    signs = [dialect.header + sign for dialect in DIALECTS for sign in COMMENT_SIGNS]
    rows = "".join(
        f"      <dict><key>name</key><string>TM_COMMENT_START{'' if not at else f'_{at + 1}'}</string>"
        f"<key>value</key><string>{sign} </string></dict>\n"
        for at, sign in enumerate(signs)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- {BEGIN} -->\n<plist version="1.0">\n<dict>\n'
        "  <key>scope</key><string>source.stf</string>\n  <key>settings</key>\n  <dict>\n"
        f"    <key>shellVariables</key>\n    <array>\n{rows}    </array>\n  </dict>\n</dict>\n</plist>\n"
    )


def _sublime_files(language: str) -> str:
    return f"name: {TITLES[language]}\nscope: source.{language}\nfile_extensions: {json.dumps(_suffixes(language))}\n"


def _sublime_words() -> Iterable[str]:
    yield "variables:\n"
    for dialect in DIALECTS:
        yield f"  {dialect.key}_all: '(?:{'|'.join(dialect.commands)})(?![A-Za-z0-9])'\n"
        yield f"  {dialect.key}_messages: '(?:{'|'.join((*dialect.messages, 'raw'))})(?![A-Za-z0-9])'\n"


def _zed_language(language: str) -> str:
    comments = [dialect.header + "# " for dialect in DIALECTS] if language == "stf" else []
    rows = [
        f"# {BEGIN}",
        f'name = "{TITLES[language]}"',
        *([f'grammar = "{language.replace("-", "_")}"'] if language in PARSED else []),
        f"path_suffixes = {json.dumps(_suffixes(language))}",
        *([f"line_comments = {json.dumps(comments)}"] if comments else []),
        'soft_wrap = "editor_width"',
    ]
    return "\n".join(rows) + "\n"


def _zed_extension() -> str:
    grammars = "".join(
        f"\n[grammars.{language.replace('-', '_')}]\n"
        'repository = "https://github.com/llmblocks/llmblocks"\n'
        'rev = "main"\n'
        f'path = "editors/tree-sitter/{language}"\n'
        for language in PARSED
    )
    names = ", ".join(f'"{TITLES[language]}" = "{language}"' for language in IDS)
    return (
        f'# {BEGIN}\nid = "llmblocks"\nname = "llmblocks"\nversion = "{__version__}"\nschema_version = 1\n'
        'authors = ["The authors of llmblocks"]\n'
        'description = "Gadget calls, Simple Text Format, custom blocks and raw completions of language models."\n'
        'repository = "https://github.com/llmblocks/llmblocks"\n\n'
        f'[language_servers.llmblocks]\nname = "llmblocks"\nlanguages = {json.dumps(list(TITLES.values()))}\n'
        f"language_ids = {{ {names} }}\n{grammars}"
    )


def _kakoune() -> Iterable[str]:
    for language in LANGUAGES:
        patterns = [rf".*[.]{suffix}" for suffix in _suffixes(language.id)]
        patterns += [_kakoune_pattern(path) for each, path in PATHS if each == language.id]
        yield f"hook global BufCreate '{'|'.join(patterns)}' %{{ set-option buffer filetype {language.id} }}\n"
    yield f"declare-option -hidden str llmblocks_filetypes '{'|'.join(IDS)}'\n"
    yield f"declare-option -hidden str llmblocks_signs '{signs()}'\n"
    for dialect in DIALECTS:
        words = "|".join(dialect.commands)
        pattern = rf"{dialect.header}[ \t]*(?:{words})(?![A-Za-z0-9])"
        yield f"declare-option -hidden str llmblocks_{dialect.key}_commands '{pattern}'\n"
        # a lookahead of Kakoune holds no alternatives
        stops = "|".join(rf"^(?={dialect.header}{word}\s)" for word in (*dialect.messages, "raw"))
        yield f"declare-option -hidden str llmblocks_{dialect.key}_stops '{stops}'\n"


def _kakoune_pattern(path: Pattern) -> str:
    folder = f".*/{path.folder}/.*" if path.folder else "(?:.*/)?"
    return f"{folder}{'[0-9]+' if path.digits else ''}{path.end}".replace(".llmist", "[.]llmist").replace(
        path.end, f"[.]{path.end[1:]}"
    )
