"""The table of languages, and that what it says is so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks.completions.editor.layer import LAYER as COMPLETIONS
from llmblocks.contract.layer import Layer
from llmblocks.gadget.editor.layer import LAYER as GADGET
from llmblocks.languages.language import Language
from llmblocks.languages.registry import LANGUAGES, find_language, language_with
from llmblocks.request.editor.layer import LAYER as REQUEST
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.stf.editor.layer import LAYER as STF
from llmblocks.tags.editor.layer import LAYER as TAGS

VSCODE = Path(__file__).parents[2] / "editors" / "vscode" / "languages"
LAYERS: tuple[Layer[Settings], ...] = (GADGET, REQUEST, STF, TAGS, COMPLETIONS)
"""For the type checker too: the settings have what every layer reads."""

every_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.id)


@every_language
def test_a_language_loads_the_layers_that_it_names(language: Language) -> None:
    assert [layer.name for layer in language.loaded] == list(language.layers)
    assert all(layer in LAYERS for layer in language.loaded)


@every_language
def test_a_sample_has_something_of_each_layer(language: Language) -> None:
    kinds = {token.kind for token in language.open(language.sample, DEFAULTS).tokens()}
    assert all(kinds & layer.paint().keys() for layer in language.loaded)


def test_a_sample_of_calls_has_a_finding() -> None:
    for language in (find_language("gadget"), find_language("stf")):
        assert list(Checker(language, DEFAULTS).all(language.open(language.sample, DEFAULTS)))


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.id)
def test_an_editor_comments_lines_out_as_the_language_says(language: Language) -> None:
    configuration = json.loads((VSCODE / f"{language.id}.json").read_text("utf-8"))
    comments = configuration.get("comments", {}).get("lineComment", {"comment": ""})
    assert comments["comment"] == language.comment


@pytest.mark.parametrize(
    ("paths", "name", "expected"),
    [
        (("**/a/**/*.b",), "a/x.b", True),
        (("**/a/**/*.b",), "/z/A/y/x.B", True),
        (("**/a/**/*.b",), "/za/x.b", False),
        (("**/a/*.b",), "/a/y/x.b", False),
        (("**/+([0-9]).b",), "/x/0.b", True),
        (("**/+([0-9]).b",), "/x/0a.b", False),
        ((), "", False),
    ],
)
def test_paths_are_glob_patterns(paths: tuple[str, ...], name: str, expected: bool) -> None:
    assert Language("x", "x", (), "", paths=paths).has_file(name) is expected


def test_a_layer_is_found_where_it_is_outermost() -> None:
    assert [language_with(layer).id for layer in ("gadget", "request", "stf", "tags")] == [
        *("gadget", "request", "stf", "custom-blocks")
    ]


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no language 'x': use one of gadget, request, stf, custom-blocks"):
        find_language("x")
