"""The table of features: an answer where a cell says what the feature is about, and none where it says nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from llmblocks.lsp.answers.commands import COMMANDS
from llmblocks.lsp.answers.table import TABLE, WORKSPACE_TABLE
from lsp.log_editor import ACTIONS, Editor, position
from tools.generate.docs import features as table

Json = Any
READ = {
    "name": "Read",
    "schema": {"type": "object", "properties": {"path": {"type": "string"}, "all": {"type": "boolean"}}},
}
CELLS = [(each, number, language_id) for each in table.FEATURES for number, language_id in enumerate(table.FORMATS)]
_NESTING = [each for each in table.FEATURES if each.nests]
NESTED = [
    (each, number, language_id, around)
    for each in _NESTING
    for number, language_id, around in ((0, "stf", "@ai\n{}"), (2, "stf", "@ai\n{}"), (2, "gadget", "see {}"))
    if each.about[number]
]
_IDS = [f"{each.name} in {language_id}" for each, _, language_id in CELLS]
_NESTED_IDS = [f"{each.name} of {[*table.FORMATS][number]} in {outer}" for each, number, outer, _ in NESTED]


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Editor:
    folder = tmp_path_factory.mktemp("features")
    (folder / "read.json").write_text(json.dumps(READ), "utf-8")
    (folder / "llmblocks.toml").write_text('[gadget.schemas]\n"*" = ["read.json"]\n', "utf-8")
    return Editor(folder, workspace=True, textDocument=ACTIONS)


@pytest.mark.parametrize(("feature", "number", "language_id"), CELLS, ids=_IDS)
def test_a_cell_is_true(editor: Editor, feature: Any, number: int, language_id: str) -> None:
    sample = feature.samples[number] or table.SAMPLES[language_id]
    assert is_answered(editor, feature, sample, language_id) == bool(feature.about[number])


@pytest.mark.parametrize(("feature", "number", "language_id", "around"), NESTED, ids=_NESTED_IDS)
def test_a_feature_works_nested(editor: Editor, feature: Any, number: int, language_id: str, around: str) -> None:
    sample = feature.samples[number] or table.SAMPLES[[*table.FORMATS][number]]
    assert is_answered(editor, feature, around.format(sample), language_id)


def test_the_table_has_every_request_for_a_document_and_every_command() -> None:
    methods = {each.method for each in table.FEATURES}
    # a request for a part of what another one gives, the check of a name, and what a client asks with an item
    parts = (
        "textDocument/semanticTokens/",
        "textDocument/rangeFormatting",
        "textDocument/rangesFormatting",
        "textDocument/prepareRename",
        "callHierarchy/",
    )
    served = {each.method for each in (*TABLE, *WORKSPACE_TABLE) if not each.method.startswith(parts)}
    served |= {*COMMANDS}
    # what code lenses run, what is about logs, and the results of commands as documents
    others = {"llmblocks.showProblem", "llmblocks.showResult", "llmblocks.showSession", "workspace/textDocumentContent"}
    assert served - methods == {"workspace/executeCommand", *others}


def is_answered(editor: Editor, feature: Any, sample: str, language_id: str) -> bool:
    sample = sample if "$0" in sample else f"$0{sample}"
    before, text = sample.partition("$0")[0], sample.replace("$0", "")
    editor.open("sample", text, language_id)
    place, whole = position(sample), {"start": position("$0"), "end": position(f"{text}\n$0")}
    params: Json = {"position": place, "positions": [place], "range": whole, "ch": before[-1:], **dict(feature.more)}
    if feature.method.startswith("llmblocks."):
        shown = editor.run(feature.method.removeprefix("llmblocks."), "sample", **params)
        return bool(shown["kind"] == "document")
    if feature.method == "textDocument/diagnostic":
        return bool(editor.pull("sample"))
    answer = editor.ask(feature.method, {"textDocument": {"uri": editor.uri("sample")}, **params})
    if feature.method == "textDocument/selectionRange":
        return "parent" in answer[0]
    return bool(answer["data"] if isinstance(answer, dict) and "data" in answer else answer)
