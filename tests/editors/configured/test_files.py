"""The files for editors that no test runs have the form that each documents; bat reads the syntaxes of Sublime Text."""

from __future__ import annotations

import json
import os
import plistlib
import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from editors.debian import ROOT
from editors.programs import output
from folders import written
from llmblocks.languages.registry import LANGUAGES, language_of

EDITORS = ROOT / "editors"
IDS = [language.id for language in LANGUAGES]


@pytest.mark.parametrize("language", IDS)
def test_a_syntax_of_kate_is_complete(language: str) -> None:
    root = ElementTree.fromstring((EDITORS / "kate" / f"{language}.xml").read_bytes())
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
    server = json.loads((EDITORS / "kate" / "settings.json").read_text(encoding="utf-8"))["servers"][language]
    assert re.fullmatch(server["highlightingModeRegex"], root.attrib["name"])


def test_the_template_for_jetbrains_maps_all_files() -> None:
    template = json.loads((EDITORS / "jetbrains" / "template.json").read_text(encoding="utf-8"))
    assert {"id", "name", "programArgs", "fileTypeMappings"} == set(template)
    for mapping in template["fileTypeMappings"]:
        for pattern in mapping["fileType"]["patterns"]:
            # an IDE knows these two signs only
            assert not re.search(r"[\[\]{}/]", pattern)
            assert language_of(pattern.replace("????", "0001").replace("*", "a")) == mapping["languageId"]
    assert [mapping["languageId"] for mapping in template["fileTypeMappings"]] == IDS


def test_the_extension_of_zed_names_what_it_has() -> None:
    extension = tomllib.loads((EDITORS / "zed" / "extension.toml").read_text(encoding="utf-8"))
    [server] = extension["language_servers"].values()
    for language in LANGUAGES:
        folder = EDITORS / "zed" / "languages" / language.id
        config = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
        assert [f".{suffix}" for suffix in config["path_suffixes"]] == list(language.suffixes)
        assert config["name"] in server["languages"]
        assert server["language_ids"][config["name"]] == language.id
        if language.fixed:
            grammar = extension["grammars"][config["grammar"]]
            assert (ROOT / grammar["path"] / "grammar.js").exists()
        assert (folder / "highlights.scm").exists() == language.fixed
    assert (
        "zed_extension_api"
        in tomllib.loads((EDITORS / "zed" / "Cargo.toml").read_text(encoding="utf-8"))["dependencies"]
    )


HOME = ROOT / "editors" / "sublime"
CHAT = "@# note\n@user name='Ada'\na List<String> or <think>\n@/* off\n@ai\n@*/\n"
CALL = "!!!GADGET_START:Sum\n!!!ARG:numbers\none\n!!!GADGET_END\n"
Coloured = Callable[..., dict[str, str]]


@pytest.fixture(scope="module")
def coloured(bat: Path, tmp_path_factory: pytest.TempPathFactory) -> Coloured:
    """Return the colours of a file in bat: stretches of text, each with its escape sequence."""
    source, target, files = (tmp_path_factory.mktemp(name) for name in ("source", "target", "files"))
    (source / "syntaxes").mkdir()
    shutil.copytree(HOME, source / "syntaxes" / "llmblocks")
    output(bat, "cache", "--build", "--source", source, "--target", target)
    environment = os.environ | {"BAT_CACHE_PATH": str(target), "BAT_CONFIG_PATH": os.devnull}

    def of(name: str, text: str, *options: str) -> dict[str, str]:
        plain = ("--color=always", "--plain", "--theme=ansi", "--paging=never", *options)
        shown = output(bat, *plain, written(files / name, text), env=environment)
        return {text: colour for colour, text in re.findall(r"\x1b\[([1-9][0-9;]*)m([^\x1b\n]+)", shown)}

    return of


@pytest.mark.parametrize("header", ["@", ";"])
def test_a_chat_has_the_colours_of_its_dialect(coloured: Coloured, header: str) -> None:
    other = ";" if header == "@" else "@"
    found = coloured("chat.stf", CHAT.replace("@", header) + CALL + f"{header}ai\n{other}user\n")
    comment, keyword, string = found[f"{header}# note"], found["user"], found["'Ada'"]
    assert len({comment, keyword}) == 2
    assert found[f"{header}/* off"] == found[f"{header}ai"] == comment
    assert found["!!!GADGET_START:"] == found["!!!ARG:"] == found["!!!GADGET_END"] == found["ai"] == keyword
    assert found["one"] == string
    assert found["Sum"] not in (keyword, string)
    assert "think" in found
    assert "String" not in found
    assert f"{other}user" not in found


def test_calls_and_blocks_alone_have_colours(coloured: Coloured) -> None:
    found = coloured("a.gadget", f"<think>\n{CALL}")
    assert found["!!!ARG:"] != found["numbers"] != found["one"]
    assert "think" in found
    assert {"b", "c", "'d'"} <= set(coloured("a.blocks", "a List<String> is <b c='d'>old</b>\n"))
    completion = coloured("a.completion", "<|channel|>analysis<|message|>a <b><|end|>\n")
    assert set(completion) == {"<|channel|>", "<|message|>", "<|end|>"}


def test_settings_keep_the_end_of_files_and_name_the_server() -> None:
    for language in ("gadget", "stf", "custom-blocks", "completion"):
        settings = json.loads((HOME / f"{language}.sublime-settings").read_text(encoding="utf-8"))
        assert settings["ensure_newline_at_eof_on_save"] is False
        assert f"scope: source.{language}" in (HOME / f"{language}.sublime-syntax").read_text(encoding="utf-8")
    client = json.loads((HOME / "LSP.sublime-settings").read_text(encoding="utf-8"))["clients"]["llmblocks"]
    assert client["command"] == ["llmblocks", "server"]
    comments = plistlib.loads((HOME / "Comments.tmPreferences").read_bytes())
    assert comments["settings"]["shellVariables"][0] == {"name": "TM_COMMENT_START", "value": "@# "}


def test_the_messages_of_a_request_have_colours_and_what_the_assistant_calls(coloured: Coloured) -> None:
    text = f"=== USER ===\n!!!GADGET_START:Name:id\n=== ASSISTANT ===\n{CALL}=== USER ===\nResult (s1): done\n"
    found = coloured("run.request", text, "--language", "Requests of an Agent")
    assert found["!!!GADGET_START:"] == found["!!!ARG:"] == found["Result ("]
    assert {"ASSISTANT", "USER", "one"} <= found.keys()
    assert "done" not in found
