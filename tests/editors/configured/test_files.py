"""The files for editors that no test runs have the form that each documents."""

from __future__ import annotations

import json
import re
import tomllib
from xml.etree import ElementTree

import pytest

from editors.debian import ROOT
from llmblocks.languages.registry import LANGUAGES, language_of

HOME = ROOT / "editors"
IDS = [language.id for language in LANGUAGES]


@pytest.mark.parametrize("language", IDS)
def test_a_syntax_of_kate_is_complete(language: str) -> None:
    root = ElementTree.fromstring((HOME / "kate" / f"{language}.xml").read_bytes())
    contexts = {context.attrib["name"] for context in root.iter("context")}
    styles = {item.attrib["name"] for item in root.iter("itemData")}
    for context in root.iter("context"):
        assert context.attrib["attribute"] in styles
        targets = [context.attrib["lineEndContext"], *(rule.attrib["context"] for rule in context)]
        for target in targets:
            name = re.sub(r"^(#pop)*!?", "", target)
            assert name in {"", "#stay"} | contexts or name.startswith("##"), target
        for rule in context.iter("RegExpr"):
            re.compile(rule.attrib["String"])
    server = json.loads((HOME / "kate" / "settings.json").read_text(encoding="utf-8"))["servers"][language]
    assert re.fullmatch(server["highlightingModeRegex"], root.attrib["name"])


def test_the_template_for_jetbrains_maps_all_files() -> None:
    template = json.loads((HOME / "jetbrains" / "template.json").read_text(encoding="utf-8"))
    assert {"id", "name", "programArgs", "fileTypeMappings"} == set(template)
    for mapping in template["fileTypeMappings"]:
        for pattern in mapping["fileType"]["patterns"]:
            # an IDE knows these two signs only
            assert not re.search(r"[\[\]{}/]", pattern)
            assert language_of(pattern.replace("????", "0001").replace("*", "a")) == mapping["languageId"]
    assert [mapping["languageId"] for mapping in template["fileTypeMappings"]] == IDS


def test_the_extension_of_zed_names_what_it_has() -> None:
    extension = tomllib.loads((HOME / "zed" / "extension.toml").read_text(encoding="utf-8"))
    [server] = extension["language_servers"].values()
    for language in LANGUAGES:
        folder = HOME / "zed" / "languages" / language.id
        config = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
        assert [f".{suffix}" for suffix in config["path_suffixes"]] == list(language.suffixes)
        assert config["name"] in server["languages"]
        assert server["language_ids"][config["name"]] == language.id
        if language.fixed:
            grammar = extension["grammars"][config["grammar"]]
            assert (ROOT / grammar["path"] / "grammar.js").exists()
        assert (folder / "highlights.scm").exists() == language.fixed
    assert (
        "zed_extension_api" in tomllib.loads((HOME / "zed" / "Cargo.toml").read_text(encoding="utf-8"))["dependencies"]
    )
