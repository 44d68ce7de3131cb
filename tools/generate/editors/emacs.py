"""Emacs: the regular expressions of commands, the names of files, and the ids of languages, inside `llmblocks.el`."""

from __future__ import annotations

import json

from tools.generate.editors.shared import DIALECTS, EMBEDDED, IDS, PATHS, SUFFIXES, Path
from tools.generate.syntaxes.completion import SIGNS

# every name of a package begins with that of the package
MODES = {language: f"llmblocks-{language}-mode" for language in IDS}


def texts() -> dict[str, str]:
    """Return generated parts of a file that is written by hand."""
    dialects = "\n    ".join(
        f"(?\\{dialect.header}\n     :messages {_words(dialect.messages)}\n     :blocks {_words(dialect.blocks)}\n"
        f"     :lines {_words(dialect.lines)}\n     :others {_words(dialect.others)})"
        for dialect in DIALECTS
    )
    modes = "\n    ".join(f'({mode} . "{language}")' for language, mode in MODES.items())
    made = (
        f"(defconst llmblocks--dialects\n  '({dialects})\n"
        '  "The commands of each dialect of Simple Text Format, by their sign.")\n\n'
        f"(defconst llmblocks--languages\n  '({modes})\n"
        '  "The language identifier of each mode.")\n\n'
        f"(defconst llmblocks--embedded\n  '{_words(EMBEDDED)}\n"
        '  "The languages of texts in documents of other languages.")\n\n'
        f"(defconst llmblocks--signs\n  '{_words(SIGNS)}\n"
        '  "The fixed parts of the delimiters in raw completions.")\n'
    )
    return {"emacs/llmblocks.el#": made, "emacs/llmblocks.el#files": files()}


def files() -> str:
    """Return the modes by the names of files."""
    rows = [(f"\\\\{suffix}\\\\'", MODES[language]) for language, suffix in SUFFIXES]
    rows += [(pattern(path), MODES[language]) for language, path in PATHS]
    lines = "\n".join(f"  (add-to-list 'auto-mode-alist '(\"{pattern}\" . {mode}))" for pattern, mode in rows)
    return f";;;###autoload\n(progn\n{lines})\n"


def pattern(path: Path) -> str:
    """Return a regular expression, as a string of Lisp has it."""
    folder = f"/{path.folder}/".replace(".", r"\\.") if path.folder else "/"
    return folder + ("[0-9]+" if path.digits else ".*") + path.end.replace(".", r"\\.") + r"\\'"


def _words(words: tuple[str, ...]) -> str:
    quoted = " ".join(json.dumps(word, ensure_ascii=False) for word in words)
    return f"({quoted})"
