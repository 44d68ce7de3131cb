"""The rules of a team: in Python, on the command line and in an editor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from extensions import forget_rules
from llmblocks import Settings, check, fix
from llmblocks.cli.commands import main
from llmblocks.extension import Rule, Section, Severity, Spot, blocks, calls, installed_rules, load_rules, messages
from llmblocks.rules.cases import cases_in
from llmblocks.settings.extensions import ExtensionError
from llmblocks.settings.rule_names import BY_CODE
from lsp.log_editor import Editor

Json = Any
PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "rules-of-your-team.md"
_SHOWN = re.compile(r'^```\w+ title="(?:tools/my_rules.py|llmblocks.toml)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
MODULE, SETTINGS = _SHOWN.findall(PAGE.read_text("utf-8"))
WRONG = "!!!GADGET_START:DeleteEverything:d1\n!!!GADGET_END\n"


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    forget_rules()


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the tutorial."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "my_rules.py").write_text(MODULE, "utf-8")
    (tmp_path / "llmblocks.toml").write_text(SETTINGS, "utf-8")
    (tmp_path / "a.gadget").write_text(WRONG, "utf-8")
    return tmp_path


def _rule(find: Callable[[Section], Iterator[Spot]], layer: str = "gadget", **fields: Json) -> Rule:
    named = {"layer": layer, "code": "X002", "name": "own", **fields}
    return Rule("found {it}", "s", "b", "g", Severity.WARNING, check=find, **named)


def test_a_rule_runs_in_several_processes_and_in_embedded_texts(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(100):
        (team / f"f{number}.md").write_text(f"# {number}\n\n```gadget\n{WRONG}```\n", "utf-8")
    assert main(["check", "--trust", "--jobs", "2", "--statistics"]) == 1
    assert "101  X001  forbidden-gadget" in capsys.readouterr().out


@pytest.mark.parametrize(("trusted", "codes"), [(True, []), (False, ["C001"])])
def test_an_open_settings_file_names_rules_where_it_is_trusted(team: Path, trusted: bool, codes: list[str]) -> None:
    settings = "[rules]\nextend = ['tools/my_rules.py']\nignore = ['X001']\n"
    (team / "llmblocks.toml").write_text(settings, "utf-8")
    editor = Editor(team, workspace=True, options={"trusted": trusted})
    editor.open("llmblocks.toml", language_id="toml")
    assert editor.codes("llmblocks.toml") == codes
    # unsaved
    editor.replace("llmblocks.toml", 2, 0, 0, " ")
    assert editor.codes("llmblocks.toml") == codes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "no such file or directory"),
        ("", "it defines no rule"),
        ("raise RuntimeError('a')", "RuntimeError: a"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("def", "SyntaxError: invalid syntax"),
        (MODULE.replace("X001_", "G101_"), "its code is not an X"),
        (MODULE.replace("X001_", ""), "its code is not an X"),
        (MODULE.replace('layer="gadget"', 'layer="html"'), "its layer is 'html'; use one of gadget, "),
        (MODULE.replace("check=forbidden,", ""), "it has no function check"),
        (MODULE.replace("fix=replaced", 'fix="a.b"'), "its fix is not a function"),
        (MODULE.replace("FORBIDDEN_GADGET", "DUPLICATE_POINTER"), "llmblocks has a rule duplicate-pointer"),
        (MODULE + "X001_ANOTHER = X001_FORBIDDEN_GADGET._replace(about='')\n", "another rule has this code"),
    ],
)
def test_an_extension_that_cannot_be_used_is_an_error_in_the_settings(
    text: str | None, why: str, team: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = team / "tools" / "my_rules.py"
    file.unlink() if text is None else file.write_text(text, "utf-8")
    assert main(["check", "--trust"]) == 2
    out, _ = capsys.readouterr()
    assert out.startswith("llmblocks.toml:2:11: error C001 ")
    assert why in out
    with pytest.raises(ExtensionError, match=re.escape(why)):
        load_rules("tools/my_rules.py")


@pytest.mark.parametrize(
    ("find", "why"),
    [
        (lambda section: 5, "TypeError: 'int' object is not iterable"),
        (lambda section: [5], "TypeError: "),
        (lambda section: [Spot(0, 10_000, {"it": "a"})], "0 to 10000 is not a place in a section of"),
        (lambda section: [Spot(2, 1, {"it": "a"})], "2 to 1 is not a place"),
        (lambda section: [Spot("a", 1, {"it": "a"})], "TypeError: "),  # type: ignore[arg-type]
        (lambda section: [Spot(0, 1)], "KeyError: 'it'"),
        (lambda section: section.nothing, "AttributeError: "),
    ],
)
def test_a_rule_that_fails_is_a_finding_and_others_continue(find: Any, why: str) -> None:
    text = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
    found = check(text, "gadget", Settings(rules=(_rule(find),)))
    assert [each.code for each in found] == ["C001", "G101"]
    assert why in found[0].message.note


@pytest.mark.parametrize(
    ("repairs", "changes"),
    [
        ([("Remove it", [(16, 17, "")], True)], True),
        # a safe one that changes a value, and some that fail
        ([("Rename it", [(16, 18, "B")], True)], False),
        *[(each, False) for each in (None, [("t", [(5, 2, "")], False)], [("t", [(0, 10_000, "")], False)], [5])],
    ],
)
def test_a_fix_is_made_if_it_can_be_and_keeps_its_promise(repairs: Json, changes: bool) -> None:
    def find(section: Section) -> Iterator[Spot]:
        blanks = [call.name_span[0] - len("!!!GADGET_START:") for call in calls(section)]
        return (Spot(0, 1, {"it": "a blank"}) for blank in blanks if blank > 0)

    rule = _rule(find, fix=lambda finding, text: repairs)
    BY_CODE[rule.code] = rule
    text = "!!!GADGET_START: A:a1\n!!!GADGET_END\n"
    done = fix(text, "gadget", settings=Settings(rules=(rule,)), unsafe=True)
    assert done.text == (text.replace(": A", ":A") if changes else text)


def test_a_rule_reads_calls_blocks_and_messages() -> None:
    def find(section: Section) -> Iterator[Spot]:
        for call in calls(section):
            yield Spot(*call.name_span, {"it": call.id})
            assert (call.dependencies, call.parameters) == (("b",), {"n": 5})
            for argument in call.arguments:
                yield Spot(*argument.pointer_span, {"it": argument.value})
                yield Spot(*argument.value_span, {"it": argument.value})
        for block in blocks(section):
            yield Spot(*block.tag_span, {"it": block.attributes["a"]})
            yield Spot(*block.content_span, {"it": block.content})
        for message in messages(section):
            yield Spot(*message.role_span, {"it": message.role})
            yield Spot(*message.header_span, {"it": message.text})

    text = "@ai name='n'\n<think a=\"1\">so</think>\n!!!GADGET_START:Call:a:b\n!!!ARG:n\n5\n!!!GADGET_END\n"
    found = [each for each in check(text, "stf", Settings(rules=(_rule(find, "stf"),))) if each.code == "X002"]
    marked = {text[each.start : each.end] for each in found}
    assert marked == {"ai", "@ai name='n'", "think", "so", "Call", "n", "5\n"}


def test_a_rule_of_an_installed_package_applies_everywhere(
    team: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (team / "llmblocks.toml").unlink()
    (team / "acme_rules.py").write_text(MODULE, "utf-8")
    package = team / "acme-1.0.dist-info"
    package.mkdir()
    (package / "entry_points.txt").write_text("[llmblocks.rules]\nacme = acme_rules\n\n[other]\na = b\n", "utf-8")
    monkeypatch.syspath_prepend(team)
    assert main(["check", "a.gadget"]) == 1
    assert "X001" in capsys.readouterr().out
    assert [rule.code for rule in installed_rules()] == ["X001"]
    assert main(["explain", "X001"]) == 0
    assert capsys.readouterr().out.startswith("# X001 forbidden-gadget\n")
    (package / "entry_points.txt").write_text("[llmblocks.rules]\nacme = no_such_module\n", "utf-8")
    assert main(["check", "a.gadget"]) == 2
    assert "the rules of no_such_module: ModuleNotFoundError" in capsys.readouterr().err


def _editor(team: Path, **options: Json) -> Editor:
    editor = Editor(team, workspace=True, options=options)
    editor.open("a.gadget")
    editor.wait()
    return editor


def test_an_editor_that_trusts_the_folder_shows_the_rule_and_its_fix(team: Path) -> None:
    file = team / "tools" / "my_rules.py"
    file.write_text(MODULE.replace("    check=forb", '    page="https://example.com/X001",\n    check=forb'), "utf-8")
    editor = _editor(team, trusted=True)
    [item] = editor.told[editor.uri("a.gadget")]
    assert (item["code"], item["codeDescription"]) == ("X001", {"href": "https://example.com/X001"})
    asked = {"textDocument": {"uri": editor.uri("a.gadget")}, "range": item["range"], "context": {"diagnostics": []}}
    assert "Call Archive" in [each["title"] for each in editor.ask("textDocument/codeAction", asked)]
    # saved again
    file.write_text(MODULE.replace("X001", "X003").replace('DeleteEverything":', 'Delete":'), "utf-8")
    editor.touch("tools/my_rules.py")
    editor.wait()
    assert editor.codes("a.gadget") == []


def test_an_editor_that_does_not_trust_the_folder_runs_no_code_of_it(team: Path) -> None:
    (team / "tools" / "my_rules.py").write_text("raise SystemExit('imported')", "utf-8")
    editor = _editor(team, trusted=False)
    assert editor.codes("a.gadget") == []
    [item] = editor.told[editor.uri("llmblocks.toml")]
    assert (item["code"], item["severity"]) == ("C001", 3)
    assert "not imported" in item["message"]
    assert editor.requests("window/showMessageRequest") == []


@pytest.mark.parametrize(("answer", "codes"), [({"title": "Import"}, ["X001"]), ({"title": "Not now"}, []), (None, [])])
def test_an_editor_that_says_nothing_of_trust_asks_once(team: Path, answer: Json, codes: list[str]) -> None:
    editor = Editor(team, workspace=True, window={"showMessage": {}})
    editor.open("a.gadget")
    editor.wait()
    assert editor.codes("a.gadget") == []
    [asked] = editor.requests("window/showMessageRequest")
    assert "my_rules.py" in asked["params"]["message"]
    editor.answer(asked, result=answer)
    editor.wait()
    assert editor.codes("a.gadget") == codes
    editor.close("a.gadget")
    editor.open("a.gadget")
    editor.wait()
    assert len(editor.requests("window/showMessageRequest")) == 1


def test_settings_hold_below_their_heading_alone() -> None:
    cases = [
        *cases_in("# a\n```toml\nA\n```\n## b\n```toml\nB\n```\n```stf\n```\n## c\n```stf\n```\n# d\n```stf\n```\n")
    ]
    assert [(each.title, each.settings) for each in cases] == [("a > b", "A\n\nB\n"), ("a > c", "A\n"), ("d", "")]


def test_a_file_of_cases_that_is_not_utf_8_is_reported(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (team / "bad.md").write_bytes(b"\xff")
    assert main(["test-rules", "bad.md"]) == 2
    assert "bad.md: it is not UTF-8" in capsys.readouterr().err
