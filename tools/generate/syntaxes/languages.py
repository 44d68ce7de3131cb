"""The languages whose text is coloured inside values and code fences, and how each is recognised."""

from __future__ import annotations

from typing import NamedTuple

from tools.generate.editors.shared import EMBEDDED

OURS = {language: f"source.{language}" for language in EMBEDDED}
"""The scopes of our languages in other documents."""


class Language(NamedTuple):
    """A language that an editor may have a grammar for; where it has none, the text stays plain."""

    id: str  # VS Code's language id, used for `meta.embedded.block.<id>`
    scope: str  # the grammar's scope
    files: str  # extensions and whole file names, blank-separated
    names: str  # what follows a code fence or stands in a `language` argument


LANGUAGES = (
    Language("typescript", "source.ts", ".ts .mts .cts", "typescript ts"),
    Language("typescriptreact", "source.tsx", ".tsx", "tsx"),
    Language("javascript", "source.js", ".js .mjs .cjs", "javascript js node"),
    Language("javascriptreact", "source.js.jsx", ".jsx", "jsx"),
    Language("python", "source.python", ".py .pyi", "python py python3"),
    Language("json", "source.json", ".json .webmanifest", "json"),
    Language("jsonc", "source.json.comments", ".jsonc tsconfig.json", "jsonc"),
    Language("json5", "source.json5.llmblocks", ".json5", "json5"),
    Language("yaml", "source.yaml", ".yml .yaml", "yaml yml"),
    Language("toml", "source.toml", ".toml", "toml"),
    Language("ini", "source.ini", ".ini .cfg .editorconfig", "ini properties"),
    Language("html", "text.html.basic", ".html .htm", "html"),
    Language("vue", "text.html.vue", ".vue", "vue"),
    Language("svelte", "source.svelte", ".svelte", "svelte"),
    Language("css", "source.css", ".css", "css"),
    Language("scss", "source.css.scss", ".scss", "scss"),
    Language("less", "source.css.less", ".less", "less"),
    Language("xml", "text.xml", ".xml .svg .xsd .plist", "xml svg"),
    Language("markdown", "text.html.markdown", ".md .markdown .mdx", "markdown md"),
    Language("shellscript", "source.shell", ".sh .bash .zsh .bashrc", "shell sh bash zsh console"),
    Language("powershell", "source.powershell", ".ps1 .psm1", "powershell ps1 pwsh"),
    Language("bat", "source.batchfile", ".bat .cmd", "bat cmd"),
    Language("rust", "source.rust", ".rs", "rust rs"),
    Language("go", "source.go", ".go", "go golang"),
    Language("java", "source.java", ".java", "java"),
    Language("kotlin", "source.kotlin", ".kt .kts", "kotlin kt"),
    Language("swift", "source.swift", ".swift", "swift"),
    Language("c", "source.c", ".c .h", "c"),
    Language("cpp", "source.cpp", ".cpp .cc .cxx .hpp .hh", "cpp c++"),
    Language("csharp", "source.cs", ".cs", "csharp cs c#"),
    Language("ruby", "source.ruby", ".rb Rakefile Gemfile", "ruby rb"),
    Language("php", "text.html.php", ".php", "php"),
    Language("perl", "source.perl", ".pl .pm", "perl"),
    Language("lua", "source.lua", ".lua", "lua"),
    Language("r", "source.r", ".r .R", "r"),
    Language("dart", "source.dart", ".dart", "dart"),
    Language("sql", "source.sql", ".sql", "sql"),
    Language("dockerfile", "source.dockerfile", ".dockerfile Dockerfile", "dockerfile docker"),
    Language("makefile", "source.makefile", ".mk Makefile", "makefile make"),
    Language("diff", "source.diff", ".diff .patch", "diff patch"),
    Language("gadget", "source.gadget", ".gadget", "gadget"),
    Language("stf", "source.stf", ".stf", "stf"),
    Language("custom-blocks", "source.custom-blocks", ".blocks", "custom-blocks"),
)


def file_pattern(language: Language) -> str:
    """Return a regular expression for the paths of a language's files."""
    ends = "|".join(escape(name) for name in language.files.split() if name.startswith("."))
    whole = "|".join(escape(name) for name in language.files.split() if not name.startswith("."))
    pattern = rf"\S.*(?:{ends})" if whole == "" else rf"(?:\S.*(?:{ends})|(?:\S.*[/\\])?(?:{whole}))"
    return pattern if ends else rf"(?:\S.*[/\\])?(?:{whole})"


def name_pattern(language: Language) -> str:
    """Return a regular expression for a language's names, to be read without regard to case."""
    return "|".join(escape(name) for name in language.names.split())


def escape(text: str) -> str:
    """Escape what means something in a regular expression; `re.escape` also escapes what Oniguruma need not see."""
    return "".join(f"\\{char}" if char in r"\.+*?()[]{}|^$#" else char for char in text)
