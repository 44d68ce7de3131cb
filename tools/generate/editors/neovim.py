"""Neovim: the table of filetypes, and the words of its Lua and its syntax files."""

from __future__ import annotations

from collections.abc import Iterable

from tools.generate.editors.shared import DIALECTS, EMBEDDED, IDS, PARSED, PATHS, SUFFIXES, Path
from tools.generate.generated import BEGIN
from tools.generate.syntaxes.completion import SIGNS

_HEAD = f"-- {BEGIN}\n"


def texts() -> dict[str, str]:
    """Return generated files, and a part of one that is written by hand."""
    return {
        "neovim/ftdetect/llmblocks.lua": ftdetect(),
        "neovim/lua/llmblocks/languages.lua": languages(),
        "neovim/queries/markdown/injections.scm": fences(),
        "neovim/syntax/stf.vim#": words(),
        "neovim/syntax/completion.vim#": f"syntax match completionSign +{_literal(SIGNS)}+\n",
    }


def words() -> str:
    """Return the patterns of the commands, by dialect."""
    rows = "".join(
        f"\\   '{dialect.header}': {{\n"
        f"\\     'messages': '{_either(dialect.messages)}',\n"
        f"\\     'blocks': '{_either(dialect.blocks)}',\n"
        f"\\     'lines': '{_either(dialect.lines)}',\n"
        f"\\     'others': '{_either(dialect.others)}',\n"
        "\\   },\n"
        for dialect in DIALECTS
    )
    return f"let s:commands = {{\n{rows}\\ }}\n"


def ftdetect() -> str:
    """Return the filetypes by the names of files."""
    suffixes = "".join(f'    {suffix[1:]} = "{language}",\n' for language, suffix in SUFFIXES)
    patterns = "".join(f'    ["{pattern(path)}"] = "{language}",\n' for language, path in PATHS)
    return f"{_HEAD}vim.filetype.add({{\n  extension = {{\n{suffixes}  }},\n  pattern = {{\n{patterns}  }},\n}})\n"


def pattern(path: Path) -> str:
    """Return a Lua pattern."""
    folder = "/".join(["", *map(_quoted, filter(None, [path.folder])), ""])
    name = "%d+" if path.digits else ".*"
    return f".*{folder}{name}{_quoted(path.end)}"


def languages() -> str:
    """Return the module that the other Lua files require."""
    rows = "".join(
        f'    ["{dialect.header}"] = {{\n'
        f"      messages = {_list(dialect.messages)},\n"
        f"      blocks = {_list(dialect.blocks)},\n"
        f"      lines = {_list(dialect.lines)},\n"
        f"      others = {_list(dialect.others)},\n"
        "    },\n"
        for dialect in DIALECTS
    )
    lists = f"  filetypes = {_list(IDS)},\n  embedded = {_list(EMBEDDED)},\n"
    return f"{_HEAD}return {{\n{lists}  dialects = {{\n{rows}  }},\n}}\n"


def fences() -> str:
    """Return the fences whose second word is one of ours; those whose first word is one are Neovim's own."""
    rows = "".join(
        "((fenced_code_block\n  (info_string) @_info\n  (code_fence_content) @injection.content)\n"
        f'  (#lua-match? @_info "^llmblocks[%s:,]+{language.replace("-", "%-")}")\n'
        f'  (#set! injection.language "{language.replace("-", "_")}"))\n'
        for language in EMBEDDED
        if language in PARSED
    )
    return f"; extends\n; {BEGIN}\n{rows}"


def _list(words: Iterable[str]) -> str:
    inside = ", ".join(f'"{word}"' for word in words)
    return f"{{ {inside} }}" if inside else "{}"


def _literal(texts: Iterable[str]) -> str:
    """Return a pattern for any one of some texts."""
    return r"\V\%(" + r"\|".join(texts) + r"\)"


def _quoted(text: str) -> str:
    return text.replace(".", "%.")


def _either(words: Iterable[str]) -> str:
    """Return a pattern for any one of some words; for none, one that matches nothing."""
    return r"\%(" + r"\|".join(words) + r"\)[A-Za-z0-9]\@!" if words else r"\%$^"
