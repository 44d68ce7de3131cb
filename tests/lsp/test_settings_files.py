"""Where the findings of a settings file stand, and what a file may hold at most."""

from __future__ import annotations

import tomllib
from functools import partial

import pytest

from formats.gadget.test_gadget_hostile_schemas import calls
from llmblocks.languages.registry import language_ids
from llmblocks.settings.check import MOST_PROBLEMS, check_settings
from llmblocks.settings.sources import SettingsFile, read_settings_text
from llmblocks.settings.values import DEFAULT_TAGS


def read(text: str) -> SettingsFile:
    return read_settings_text(text, language_ids())


MARKED = [
    # the same name stands in a comment, in a string and in another table before
    "# dialct = 1\nx = 'dialct'\n^ C002\n[stf]\ndialct = 1\n^^^^^^ C002\n",
    'stf.gadgetRoles = ["""\nloud = 1 ""\\""""]\n[rules]\nloud = 1\n^^^^ C002\n',
    "stf.gadgetRoles = ['''\nloud = 1 ''''']\n[rules]\nloud = 1\n^^^^ C002\n",
    "[tags]\nnames = [ # names = [3]\n  'a', 3, # 4\n       ^ C001\n  '', 'b' ]\n  ^^ C001\n",
    "tags.names = [1.5, 2]\n              ^^^ C001\n                   ^ C001\n",
    "[ gadget . 'markers' ]\n           ^^^^^^^^^ C004\nstart = ''\n",
    "gadget.markers.start = ''\n       ^^^^^^^ C004\n",
    "gadget = { markers = { start = '' } }\n           ^^^^^^^ C004\n",
    "gadget = { markers = { }, x = 1 }\n                          ^ C002\n",
    "rules = { severity = { G101 = 'loud', S001 = \"off\" } }\n                       ^^^^ C001\n",
    "rules.severity.\"\\u0047101\" = 'loud'\n               ^^^^^^^^^^^ C001\n",
    '"llmblocks.stf.dialect" = 3\n^^^^^^^^^^^^^^^^^^^^^^^ C001\n',
    '"x.stf.dialect" = 3\n^^^^^^^^^^^^^^^ C002\n',
    "[[stf]]\n  ^^^ C001\na = 1\n[[stf]]\na = 2\n",
    "[diagnostics]\nmaxPerDocument = 0x" + "f" * 900 + "\n^^^^^^^^^^^^^^ C001\n",
    "diagnostics.maxPerDocument = " + "1" * 1001 + "\n" + " " * 29 + "^" * 1001 + " C001\n",
    "files.maxSizeMB = nan\n      ^^^^^^^^^ C001\n",
    "stf.dialect = 1979-05-27 07:32:00\n    ^^^^^^^ C001\n",
    "[rules]\nignore = ['G101', 'nonsense']\n                  ^^^^^^^^^^ C001\n",
    "a = 1\nb = [1,\n^^^^^^^ C001\n\n",
    "x = 1979-02-31\n^^^^^^^^^^^^^^ C001\n",
    "." * 3 + "\n^^^ C001\n",
    "a." * 16 + "a = 1\n" + " " * 32 + "^ C001\n",
    "a = " + "[" * 17 + "]" * 17 + "\n" + " " * 20 + "^ C001\n",
    "a = " + "{a=" * 17 + "\n" + " " * 52 + "^ C001\n",
]


@pytest.mark.parametrize("marked", MARKED, ids=range(len(MARKED)))
def test_a_finding_is_at_its_exact_place(marked: str) -> None:
    lines: list[str] = []
    expected = []
    for line in marked.splitlines(keepends=True):
        if line.lstrip(" ").startswith("^"):
            above = sum(map(len, lines[:-1]))
            column, end = line.index("^"), line.rindex("^") + 1
            expected.append((above + column, above + end, line.split()[1]))
        else:
            lines.append(line)
    for newline in ("\n", "\r\n"):
        file = read("".join(lines).replace("\n", newline))
        assert [(each.start, each.end, each.code) for each in file.findings] == expected


def test_a_list_loses_only_its_bad_items() -> None:
    assert read("tags.names = ['a', 3, 'b', '', [], {}]\n").given == {"tags": {"names": ["a", "b"]}}
    # an empty list of tags would be none at all, which nobody has asked for
    assert read("tags.names = [3]\nstf.dialect = ';'\n").given["stf"] == {"dialect": ";"}
    assert "names" not in read("tags.names = [3]\nstf.dialect = ';'\n").given["tags"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gadget.markers.start = '" + "x" * 257 + "'", "it must not have more than 256 characters"),
        ("gadget.markers.start = '" + "x" * 1_000_000 + "'", "it must not have more than 256 characters"),
        ("tags.names = [" + "'a'," * 1001 + "]", "it must not have more than 1000 items"),
        ("tags.names = [" + "'a'," * 100_000 + "]", "it must not have more than 1000 items"),
        ("tags.names = ['" + "x" * 101 + "']", "it must not have more than 100 characters"),
        ("".join(f"k{number} = 1\n" for number in range(10_001)), "there are more than 10000 names"),
        ("".join(f"a{each} = [{'1,' * 1000}]\n" for each in range(10)), "there are more than 10000 names"),
        ("diagnostics.maxPerDocument = 1" + "0" * 5000, "a number has more than 1000 characters"),
        ("a." * 500 + "a = 1", "nested more than 16 levels"),
        ("[" + "a." * 300_000 + "a]", "nested more than 16 levels"),
        ("#" * (1 << 20) + "\n", ""),
    ],
    ids=range(11),
)
def test_what_is_too_much_is_one_finding(text: str, shown: str) -> None:
    found = read(text).findings
    assert len(found) == bool(shown)
    assert all(shown in str(each.message) and len(each.message) < 300 for each in found)
    assert read(text).given.get("tags", {}).get("names", DEFAULT_TAGS) == DEFAULT_TAGS


@pytest.mark.parametrize("item", ["'x{}'", "'G1'", "{}", "'a/../{}'"])
@pytest.mark.parametrize("key", ["rules.ignore", "files.exclude", "tags.names"])
def test_the_items_of_a_list_that_is_too_long_are_not_judged(key: str, item: str) -> None:
    steps = []
    for count in (1_001, 4_001):
        given = tomllib.loads(f"{key} = [{', '.join(item.format(number) for number in range(count))}]\n")
        (problem,) = check_settings(given, language_ids()).problems
        assert "it must not have more than 1000 items" in str(problem.message)
        steps.append(calls(partial(check_settings, given, language_ids())))
    assert steps[1] < steps[0] + 20 * 3_000, "an item is copied, and no more"


def test_the_findings_of_a_file_are_capped() -> None:
    file = read("".join(f"k{number} = 1\n" for number in range(5000)))
    assert len(file.findings) == MOST_PROBLEMS + 1
    assert "and 4900 more problems in the settings — they are not listed; correct these first" in {
        str(each.message) for each in file.findings
    }
    assert file.findings == read(file.text).findings


def test_rules_are_named_by_code_prefix_or_name_in_any_case() -> None:
    file = read("[rules]\nignore = ['duplicate-pointer', 'g102', 'S', ' G103 ']\nseverity.Index-Gap = 'hint'\n")
    assert file.given["rules"]["ignore"] == ["G101", "G102", "S", "G103"]
    (found,) = file.findings
    assert str(found.message) == (
        "rules.severity.Index-Gap: unknown rule 'Index-Gap' — it is left out; did you mean array-index-gap?"
    )


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ("duplicat-pointer", "did you mean duplicate-pointer?"),
        ("G1O1", "did you mean G101?"),
        ("xyzzy", "`llmblocks explain` lists them"),
        ("G101 ,", "did you mean G101?"),
    ],
)
def test_an_unknown_rule_is_a_finding_with_the_nearest_one(rule: str, hint: str) -> None:
    for text in (f"rules.ignore = ['{rule}']", f"rules.select = ['{rule}']", f"rules.severity.'{rule}' = 'off'"):
        (found,) = read(text).findings
        assert (found.code, hint in str(found.message)) == ("C001", True), found.message
