"""All languages."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from llmblocks.core.chunks import expect_text
from llmblocks.languages.language import Language

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.settings.values import Settings

_CALL = "!!!GADGET_START:Search:s1\n!!!ARG:limits/0\n3\n!!!ARG:limits/2\n4\n!!!GADGET_END\n"
_BLOCK = '<think depth="2">where to look</think>\n'

LANGUAGES: tuple[Language, ...] = (
    Language(
        id="gadget",
        title="gadget calls",
        layers=("gadget", "tags"),
        suffixes=(".gadget",),
        # llmist numbers its logs, and writes them to any folder
        paths=("**/.llmist/logs/**/*.response", "**/+([0-9]).response"),
        sample=_BLOCK + _CALL,
        triggers='!:/,<" \n',
    ),
    Language(
        id="request",
        title="requests of an agent",
        layers=("request", "gadget", "tags"),
        # a request repeats the calls of the responses before it
        paths=("**/.llmist/logs/**/*.request", "**/+([0-9]).request"),
        repeats=True,
        sample="=== USER ===\nFind it\n\n=== ASSISTANT ===\n"
        + _BLOCK
        + _CALL
        + "\n=== USER ===\nResult (s1): 3 files\n",
        triggers='=!:/,<" \n',
    ),
    Language(
        id="stf",
        title="Simple Text Format",
        layers=("stf", "gadget", "tags"),
        suffixes=(".stf",),
        comment="@#",
        sample="@# a question\n@user name='Ada'\nHello\n@ai\n" + _BLOCK + _CALL,
        triggers="@; ='{,",
        names_files=True,
    ),
    Language(
        id="custom-blocks",
        title="custom blocks",
        layers=("tags",),
        suffixes=(".blocks",),
        sample=_BLOCK,
        triggers='</ "',
    ),
    Language(
        id="completion",
        title="raw completions",
        layers=("completions",),
        suffixes=(".completion",),
        sample="<think>\nwhere to look\n</think>\n"
        '<tool_call>\n{"name": "search", "arguments": {"query": "x"}}\n</tool_call>\n',
        triggers='</["={',
        # its delimiters depend on the template
        fixed=False,
    ),
)

HOSTS: tuple[Language, ...] = (
    Language(id="markdown", title="Markdown", layers=(), suffixes=(".md", ".markdown", ".mdx"), sample=""),
    Language(id="jsonl", title="JSON Lines", layers=(), suffixes=(".jsonl", ".ndjson"), sample="", data=True),
    Language(id="json", title="JSON", layers=(), suffixes=(".json",), sample="", data=True),
    Language(id="python", title="Python", layers=(), suffixes=(".py", ".pyi"), sample="", code=True),
    Language(id="typescript", title="TypeScript", layers=(), suffixes=(".ts", ".mts", ".cts"), sample="", code=True),
    Language(id="typescriptreact", title="TypeScript JSX", layers=(), suffixes=(".tsx",), sample="", code=True),
    Language(id="javascript", title="JavaScript", layers=(), suffixes=(".js", ".mjs", ".cjs"), sample="", code=True),
    Language(id="javascriptreact", title="JavaScript JSX", layers=(), suffixes=(".jsx",), sample="", code=True),
)
"""The languages of other documents that may embed texts of ours, which `hosts/` finds."""


def language_ids() -> tuple[str, ...]:
    """Return the ids of all languages."""
    return tuple(language.id for language in LANGUAGES)


@cache
def host_ids() -> tuple[str, ...]:
    """Return the ids of the documents that may embed texts."""
    return tuple(language.id for language in HOSTS)


def find_language(language_id: str) -> Language:
    """Return the language or the host with an id.

    Raises:
        ValueError: The id is unknown.
    """
    for language in (*LANGUAGES, *HOSTS):
        if language.id == language_id:
            return language
    raise ValueError(f"no language {language_id!r}: use one of {', '.join((*language_ids(), *host_ids()))}")


def language_of(name: str, settings: Settings | None = None) -> str | None:
    """Return the language id for the path of a file, by settings or else by its name, or None."""
    if settings is not None and (known := settings.language_of(name)) is not None:
        return known
    path = os.path.normpath(name).replace(os.sep, "/")
    return next((language.id for language in LANGUAGES if language.has_file(path)), None)


def known_language(language_id: str, name: str) -> str | None:
    """Return one of our language ids: the given one, or else by the path of a file; otherwise None."""
    return language_id if language_id in language_ids() else language_of(name)


def host_of(name: str, *, named: bool, given: bool = False) -> str | None:
    """Return the id of the host for the path of a file, or None.

    Args:
        name: The path.
        named: Whether settings name a file of data or code with this name. Otherwise it is only a host if `given`, and
            a single JSON document not even then.
        given: The given language id.
    """
    host = next((host for host in HOSTS if name.lower().endswith(host.suffixes)), None)
    if host is None or ((host.data or host.code) and not named and not (given and host.id != "json")):
        return None
    return host.id


def language_with(layer: str) -> Language:
    """Return the language with this outermost layer.

    Raises:
        StopIteration: It does not exist.
    """
    return next(language for language in LANGUAGES if language.layers[0] == layer)


def parse(text: str, language_id: str, settings: Settings | None = None) -> Document:
    """Parse a text once. Never raises for any text.

    Raises:
        ValueError: The language id is unknown.
        TypeError: The argument is not text.
    """
    expect_text(text, "parse")
    from llmblocks.settings.values import DEFAULTS

    return find_language(language_id).open(text, settings or DEFAULTS)


def open_document(text: str, language_id: str, settings: Settings | None = None) -> Document:
    """Return a document to edit. This is `parse`, named for that use."""
    return parse(text, language_id, settings)
