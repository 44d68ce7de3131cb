"""Strings of Python, TypeScript and JavaScript as texts of ours: which they are, their places, findings and fixes."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from hosts.test_hosted import BAD, CALL
from llmblocks import Settings, check, fix
from llmblocks.hosts.code import Code
from llmblocks.hosts.hosted import host_of_language

pytest.importorskip("tree_sitter_typescript", reason="the extra llmblocks[code] is not installed")
ROOT = Path(__file__).parent.parent.parent
NAMED = Settings(code={"*": {".*_CALL": "gadget", "say": "stf"}})  # type: ignore[arg-type]


def host(language_id: str, given: Settings = NAMED) -> Code:
    found = host_of_language(language_id, given)
    assert isinstance(found, Code)
    return found


def texts(text: str, language_id: str, given: Settings = NAMED) -> list[tuple[str, str]]:
    return [(each.language_id, each.text) for each in host(language_id, given).find(text)]


def codes(text: str, language_id: str) -> list[tuple[str, str]]:
    return [(each.code, text[each.start : each.end]) for each in check(text, language_id, NAMED)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('# llmblocks: gadget\nA = "a"\nB = "b"\n', [("gadget", "a")]),
        ('A = "a"  # llmblocks: gadget\nB = "b"\n', [("gadget", "b")]),
        ('# llmblocks: stf\n\nA = "a"\n', []),
        ('"# llmblocks: stf"\nA = "a"\n', []),
        ("f(  # llmblocks: custom-blocks\n    '''a\n  b''', 'c')\n", [("custom-blocks", "a\n  b")]),
        ('MY_CALL = "a"\nmy_call = "b"\nMY_CALLS = "c"\n', [("gadget", "a")]),
        ('f(MY_CALL="a", x={"MY_CALL": "b"})\n', [("gadget", "a"), ("gadget", "b")]),
        ('x.say("c")\nsay(("d"))\n', [("stf", "c"), ("stf", "d")]),
        ('MY_CALL = b"a"\nMY_CALL = "b\n', []),
        (r'MY_CALL = "\x41\u00e9\N{BULLET}\101\"\d\q"', [("gadget", 'Aé•A"\\d\\q')]),
        (r'MY_CALL = R"\n\"', []),
        (r'MY_CALL = r"\n\d"', [("gadget", "\\n\\d")]),
        ('MY_CALL = """a\\\nb\r\nc"""', [("gadget", "ab\nc")]),
        ('MY_CALL = f"a{{b}}"', [("gadget", "a{b}")]),
        ("é = 'é'\nMY_CALL = 'é🎉'\n", [("gadget", "é🎉")]),
        ('MY_CALL = "\\x4"', []),
    ],
)  # fmt: skip
def test_a_marked_or_named_string_of_python_is_a_document(text: str, expected: list[tuple[str, str]]) -> None:
    assert texts(text, "python") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("const a = /* gadget */ `a`, b = 'b';", [("gadget", "a")]),
        ("f(/* gadget */ x, `a`);", []),
        ("// llmblocks: stf\nconst a: string = 'a';\nconst b = 'b';", [("stf", "a")]),
        ("/* llmblocks: stf */ const a = `a`;", [("stf", "a")]),
        ("const MY_CALL = 'a' as const; x.MY_CALL = `b`;", [("gadget", "a"), ("gadget", "b")]),
        ("({ MY_CALL: 'c', 'OUR_CALL': \"d\" })", [("gadget", "c"), ("gadget", "d")]),
        ("class A { static MY_CALL = `a`; }\nt.say('b');", [("gadget", "a"), ("stf", "b")]),
        (r"const MY_CALL = `\u{1F389}\ud83c\udf89\x41\`\$\q\0`;", [("gadget", "🎉🎉A`$q\0")]),
        ("const a = /* gadget */ `a\\\nb\r\nc`;", [("gadget", "ab\nc")]),
        (r"// llmblocks: gadget" "\n" r"const a = String.raw`\n`;", [("gadget", "\\n")]),
        (r"const MY_CALL = '\u{110000}';", []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language_id", ["typescript", "typescriptreact"])
def test_a_marked_or_named_string_of_typescript_is_a_document(
    text: str, expected: list[tuple[str, str]], language_id: str
) -> None:
    assert texts(text, language_id) == expected
    if ": string" not in text and " as " not in text:
        for script in ("javascript", "javascriptreact"):
            assert texts(text, script) == expected


def python(text: str) -> st.SearchStrategy[str]:
    """Literals of Python for a text."""
    forms = [repr(text), json.dumps(text), json.dumps(text, ensure_ascii=False)]
    triple = text.replace("\\", "\\\\").replace('"', '\\"')
    forms += [f'"""{triple}"""', f'"""\\\n{triple}"""'] if "\r" not in text else []
    braces = triple.replace("{", "{{").replace("}", "}}")
    forms += [f'f"""{braces}"""'] if "\r" not in text else []
    forms += [f"r'''{text}'''"] if not {"'", "\r", "\\"} & {*text} else []
    return st.sampled_from(
        [each for each in forms if ast.literal_eval(each.removeprefix("f")) == text or each[0] == "f"]
    )


def script(text: str) -> st.SearchStrategy[str]:
    """Literals of JavaScript for a text."""
    inner = text.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$").replace("\r", "\\r")
    quoted = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return st.sampled_from([json.dumps(text), f"`{inner}`", f"'{quoted}'"])


AROUND = {
    "python": (
        *(python, "# llmblocks: {}\nx = {}\n", "é = 'é'  # llmblocks: {}\ny = [{}]\n"),
        "def f() -> None:\n    return g(  # llmblocks: {}\n        {},\n        3)\n",
    ),
    "typescript": (
        *(script, "// llmblocks: {}\nconst x: string = {};\n", "f('é🎉', /* {} */ {}, 3);\n"),
        "/* llmblocks: {} */\ng({{a: {}}});\n",
    ),
}


@st.composite
def hosts(draw: st.DrawFn) -> tuple[str, str, list[tuple[str, str]]]:
    """Return a file with its language and its texts."""
    language_id = draw(st.sampled_from([*AROUND]))
    literal, *around = AROUND[language_id]
    found = draw(st.lists(st.sampled_from(BAD), min_size=1, max_size=3))
    parts = [draw(st.sampled_from(around)).format(each, draw(literal(text))) for each, text in found]
    return language_id, "".join(parts), found


@settings(max_examples=examples(150), deadline=None)
@given(hosts())
def test_a_file_has_the_texts_of_its_strings_and_their_places(drawn: tuple[str, str, list[tuple[str, str]]]) -> None:
    language_id, text, found = drawn
    read = host(language_id).find(text)
    assert [(each.language_id, each.text) for each in read] == found
    for each in read:
        for offset, char in enumerate(each.text):
            start, end = each.span(offset, offset + 1)
            assert start < end
            assert text[start] == char or text[start] in "\\\r{}"
            assert each.inside(start) in (offset, offset - len(text[:start]) + len(text[:start].rstrip("\\\n")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'# llmblocks: gadget\nA = f"""{{x}}\n{CALL}{{y}}"""', [("G101", "path")]),
        ('# llmblocks: gadget\nA = f"""{x}\n!!!ARG:a\n"""', []),
        ('# llmblocks: gadget\nA = f"""!!!GADGET_START:R:{x}\n!!!ARG:{x}\n1\n!!!ARG:{x}\n1\n!!!GADGET_END\n"""', []),
        ('# llmblocks: gadget\nA = f"""!!!GADGET_START:R\n!!!ARG:a\n1\n!!!ARG:{x}\n1\n{y}"""', []),
        ('# llmblocks: custom-blocks\nA = f"<think>{x}"', []),
        ('# llmblocks: custom-blocks\nA = f"<think><answer>{x}</tool>"', []),
        ('# llmblocks: gadget\nA = f"""!!!GADGET_START:R:a:b\n!!!GADGET_END\n{x}"""', []),
        ('# llmblocks: stf\nA = f"{x}hello"', []),
    ],
)
def test_no_finding_depends_on_a_placeholder(text: str, expected: list[tuple[str, str]]) -> None:
    assert codes(text, "python") == expected
    assert fix(text, "python", unsafe=True).text == text
    script = text.replace("# ", "// ").replace('f"""', "`").replace('"""', "`").replace('f"', "`").rstrip('"`') + "`"
    script = script.replace("{x}", "${x}").replace("{y}", "${y}")
    assert codes(script, "typescript") == expected


def test_nothing_is_reported_of_code_of_others() -> None:
    """All code of this project, and what npm has of llmist."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.ts", "*.mjs", "*.js"], cwd=ROOT, capture_output=True, check=True
    )
    found: list[Any] = []
    names = [ROOT / name for name in listed.stdout.decode().split()]
    for path in {*names, *(ROOT / "tests" / "peers").glob("node_modules/llmist/dist/*.*js")} - {Path(__file__)}:
        language_id = {".py": "python", ".ts": "typescript"}.get(path.suffix, "javascript")
        # most tests have calls that nothing marks
        told = check(path.read_text(encoding="utf-8"), language_id, Settings(ignore=("unread-text",)))
        found += [(path, each) for each in told]
    assert found == []
