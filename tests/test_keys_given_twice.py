"""One policy for a key that is given twice: told at its place or refused, in every reader of JSON, JSON5 and TOML."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import llmblocks
from llmblocks import check
from llmblocks.gadget import read_gadgets
from llmblocks.languages.registry import language_ids
from llmblocks.settings.file import read_settings_text
from llmblocks.settings.llmist import ConfigurationError, read_markers

SERVER = Path(llmblocks.__file__).parent
READERS = {
    "json5/reader.py": "S206, see test_repeated_keys",
    "stf/values/arguments.py": "S206, see test_repeated_keys",
    "stf/convert/plain.py": "refused, see test_stf_convert_given; convert reads its JSON with it, see test_values",
    "stf/convert/anthropic/writing.py": "a loss, see test_stf_convert_anthropic",
    "tags/pipeline/accumulator.py": "stays text, see test_tag_accumulator",
    "refactors/calls.py": "no refactoring is offered",
    "completions/calls.py": "read by completions/content.py",
    "completions/content.py": "the last one counts, as to transformers",
    "completions/writing.py": "written by our own process",
    "completions/shipped.py": "the last one counts, as to transformers",
    "completions/tools.py": "the last one counts, as to transformers",
    "gadget/schemas/reading.py": "C003, see below",
    "settings/baseline.py": "written by --write-baseline",
    "settings/file.py": "C001, see below",
    "settings/ignoring.py": "reads what settings/file.py has accepted",
    "settings/llmist.py": "refused, see below",
    "settings/places.py": "one string of a file that has been read",
    "settings/content_schemas.py": "refused, see test_contents",
    "contents/judging.py": "T103, see test_contents; the schema has been read by settings/content_schemas.py",
    "settings/schema.py": "written by make generate",
    "gadget/schemas/child.py": "written by our own process",
    "gadget/schemas/models.py": "written by our own process",
    "gadget/running/matching.py": "written by our own process",
    "gadget/running/parameters.py": "written by our own process",
    "gadget/running/validation.py": "the header of a token: the last one counts, as to JSON.parse of llmist's zod",
    "lsp/front/protocol.py": "written by our own process",
    "report/as_json.py": "written by our own process",
    "cli/assistant.py": "written by our own process",
    "cli/exporting.py": "written by our own process",
    "cli/rule_page.py": "the settings of an example: TOML refuses a key that is given twice",
    "hosts/json_row.py": "each of the texts is checked; of two roles the last one counts, as to those who read the row",
    "cli/corpus/kept.py": "written by our own process",
    "cli/javascript.py": "written by JSON.stringify from objects, in which a key is there once",
    "lsp/wire/rpc.py": "written by an editor from its objects, in which a key is there once",
}
"""Every module that reads JSON or TOML, and what becomes of a key that is given twice there."""
_READS = re.compile(r"\bjson\.loads?\(|\btomllib\.loads?\(|\bJSONDecoder\(")


def test_every_reader_has_a_policy() -> None:
    found = {
        path.relative_to(SERVER).as_posix()
        for path in SERVER.rglob("*.py")
        if _READS.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(READERS)


def test_a_schema_file_tells_it_at_its_place() -> None:
    text = '[{"name": "a", "schema": {"properties": {\n"x": {"type": "string"},\n"x": {"type": "number"}}}}]'
    read = read_gadgets(text)
    (finding,) = read.findings
    assert text[finding.start : finding.end] == '{"type": "number"}'
    assert "an object has the key 'x' twice — the first value is lost" in str(finding.message)
    assert [gadget.name for gadget in read.gadgets] == ["a"]
    assert read.complete


@pytest.mark.parametrize("text", ["[rules]\nignore = []\nignore = []\n", "[rules]\n[tags]\n[rules]\n"])
def test_a_settings_file_is_refused_at_its_place(text: str, tmp_path: Path) -> None:
    (finding,) = read_settings_text(text, language_ids()).findings
    assert finding.code == "C001"
    assert text[finding.start : finding.end] == text.splitlines()[2]
    (tmp_path / "cli.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError):
        read_markers(str(tmp_path / "cli.toml"))


def test_a_chat_tells_it() -> None:
    assert [each.code for each in check("@user {name: 'a', name: 'b'}\nx\n", "stf")] == ["S206"]
