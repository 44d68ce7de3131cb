"""The conformance cases: texts of rules, and of recorded runs of the references, with what we read in them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any, Final

from llmblocks.cli.conformance import answer
from llmblocks.completions import find_template, template_names
from llmblocks.settings.rule_names import RULES
from tools.generate.generated import ROOT, read

FOLDER: Final = "docs/conformance/v1"
PAGE: Final = "docs/conformance.md"
_SHORT: Final = 400
"""The length of the texts of cases."""
_SIZES: Final = (_SHORT, 4, 1)
_LANGUAGES: Final = {"gadget": "gadget", "stf": "stf", "tags": "custom-blocks", "completions": "completion"}
Text = tuple[str, list[str], dict[str, Any]]
"""A name, chunks and settings."""


def texts() -> dict[str, str | None]:
    """Return the files of cases, and the templates that they name."""
    templates = {name: find_template(name).template.value for name in template_names()}
    files = {language: _file(layer, language) for layer, language in _LANGUAGES.items()}
    return {
        **{f"{FOLDER}/{language}.jsonl": text for language, text in files.items()},
        f"{FOLDER}/templates.json": json.dumps(templates, indent=1) + "\n",
        PAGE: _page({language: text.count("\n") for language, text in files.items()}),
    }


def _page(counts: dict[str, int]) -> str:
    """Return the page with the numbers of cases."""
    page, total = read(PAGE), sum(counts.values())
    for language, count in counts.items():
        page = re.sub(rf"^(\| `{language}\.jsonl` \|) \d+ \|$", rf"\1 {count} |", page, flags=re.MULTILINE)
    page = re.sub(r"has \d+ cases", f"has {total} cases", page)
    return re.sub(r"^(\| llmblocks \| all \|).*$", rf"\1 {total} | {total} |", page, flags=re.MULTILINE)


def _file(layer: str, language: str) -> str:
    lines: dict[str, str] = {}
    for number, (name, chunks, settings) in enumerate([*_recorded(layer), *_of_rules(layer), *_of_templates(layer)], 1):
        text = "".join(chunks)
        key = f"{text}\0{settings}"
        if key in lines or len(text) > _SHORT:
            continue
        case = {
            "id": f"{language}-{number:03}",
            "name": name,
            "language": language,
            "settings": settings,
            "chunks": chunks,
        }
        lines[key] = json.dumps({**case, **answer(case)})
    return "".join([f"{line}\n" for line in lines.values()])


def _recorded(layer: str) -> Iterator[Text]:
    """The inputs of the references whose answers are recorded in tests/vectors."""
    names = {"gadget": "llmist", "stf": "stf", "tags": "tags"}
    if layer not in names:
        return
    for line in (ROOT / "tests" / "vectors" / f"{names[layer]}.dev.jsonl").read_text("utf-8").split("\n"):
        case = json.loads(line) if line else {}
        chunks = case.get("chunks", [case.get("input")])
        if case and all(isinstance(each, str) for each in chunks):
            yield f"recorded: {case['name']}", chunks, _settings_of(layer, case["options"])


def _settings_of(layer: str, options: dict[str, Any]) -> dict[str, Any]:
    if layer == "tags":
        return {"tags": {"names": options["tags"]}}
    if layer == "stf":
        given = {"dialect": options["dialect"], "defaultRole": options.get("default_role")}
        return {"stf": {key: each for key, each in given.items() if each is not None}}
    markers = {key: options[f"{key}Prefix"] for key in ("start", "end", "arg") if f"{key}Prefix" in options}
    return {"gadget": {"markers": markers}} if markers else {}


def _of_rules(layer: str) -> Iterator[Text]:
    """The examples of rules that need neither schemas nor other files."""
    number = 0
    for rule in RULES:
        if rule.layer == layer and not rule.gadgets and not rule.files:
            settings = tomllib.loads(rule.toml)
            for what, text in (("bad", rule.bad), ("good", rule.good)):
                yield f"{rule.code}, {what}", _cut(text, _SIZES[number % 3]), settings
                number += 1


def _of_templates(layer: str) -> Iterator[Text]:
    """A completion of each template, whole and cut."""
    if layer != "completions":
        return
    from laws.completions import GOOD

    for name in template_names():
        for number, text in enumerate(GOOD[name]):
            for what, part in (("whole", text), ("cut", text[: len(text) * 2 // 3])):
                yield f"{name}, {what}", _cut(part, _SIZES[number % 3]), {"completion": {"template": name}}


def _cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]
