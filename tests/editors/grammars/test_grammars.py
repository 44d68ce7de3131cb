"""The TextMate grammars: right by assertion and by snapshot, at home in shiki, and linear in the length of a line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from editors.grammars.textmate import HERE, MODULES, ROOT, node, tokenize
from llmblocks.stf.syntax import AT_COMMANDS, SEMICOLON_COMMANDS, Command


@pytest.fixture(scope="session")
def foreign() -> list[str]:
    """The files of the grammars of other languages, for tools that read files."""
    listed = node("languages.mjs", str(ROOT / ".cache" / "grammars"))
    return [argument for path in listed.splitlines() for argument in ("--grammar", path)]


@pytest.mark.parametrize("case", sorted((HERE / "cases").iterdir()), ids=lambda path: path.name)
def test_scopes_are_as_asserted(case: Path, foreign: list[str]) -> None:
    tool = MODULES / "vscode-tmgrammar-test" / "dist" / "unit.js"
    node(tool, "--config", "tmgrammar.json", *foreign, str(case.relative_to(HERE)))


@pytest.mark.parametrize("name", ["session.gadget", "chat.stf"])
def test_scopes_are_those_of_the_snapshot(name: str, foreign: list[str]) -> None:
    # a wanted change: UPDATE_SNAPSHOTS=1 make test-grammars, and read the diff
    update = ["--updateSnapshot"] if os.environ.get("UPDATE_SNAPSHOTS") else []
    tool = MODULES / "vscode-tmgrammar-test" / "dist" / "snapshot.js"
    node(tool, "--config", "tmgrammar.json", *foreign, *update, f"snapshots/{name}")


def test_shiki_colours_every_grammar() -> None:
    colours = json.loads(node("shiki.mjs"))
    marker, value, code, tag, comment = (colours[key] for key in ("marker", "value", "code", "tag", "comment"))
    assert len({marker, value, code, tag, comment, colours["plain"]}) >= 5, colours
    assert comment == colours["typescript comment"]
    assert code == colours["typescript keyword"]
    # in the themes of VS Code and of the docs, light and dark, nothing of ours is louder than what it is like
    for theme in colours["calm"]:
        assert theme["key"] == theme["quoted"] == theme["key of JSON"], theme
        assert theme["sign"] == theme["comment of TypeScript"], theme


@pytest.mark.parametrize(("header", "commands"), [("@", AT_COMMANDS), (";", SEMICOLON_COMMANDS)])
def test_a_command_is_known_to_the_grammar_exactly_if_the_dialect_has_it(
    header: str, commands: dict[str, Command]
) -> None:
    names = sorted({*AT_COMMANDS, *SEMICOLON_COMMANDS} - {"end"})
    # its own command before each name decides the dialect
    texts = [f"{header}user\n{header}{name}\n" for name in names]
    known = [
        any(scope.startswith("keyword.") for token in tokens if token.line == 1 for scope in token.scopes)
        for tokens in tokenize("source.stf", texts)
    ]
    assert dict(zip(names, known, strict=True)) == {name: name in commands for name in names}


# Shorter texts are searched in another way, whose cost has a bound. A number of pieces that 12 divides: quotes are
# closed in each of the lengths, or in none.
LENGTH, PIECES_AT_ONCE = 1100, 12

# where a long line stands: behind other lines, and after its own beginning
JSON5 = ("", '"', "'", "/*", "// ")
STF = (
    "", "@user ", "@user {", "@user a='", ";user ", "@# ", "@user\n", "@call\n", "@call {", "@embed\n", "@raw\n",
    ";meta\n", "@/*\n", "@user\n!!!GADGET_START:a\n!!!ARG:a\n",
)  # fmt: skip
GADGET = (
    "", "!!!GADGET_START:", "!!!GADGET_START:a:b:", "!!!GADGET_START:a\n", "!!!GADGET_START:a\n!!!ARG:",
    "!!!GADGET_START:a\n!!!ARG:a\n", "!!!GADGET_START:a\n!!!ARG:a\n```", "!!!GADGET_START:a\n!!!ARG:filePath\n",
    "!!!GADGET_START:a\n!!!ARG:path\nb.json5\n!!!ARG:content\n", "```",
)  # fmt: skip
TAGS = ("", "<a ", '<a b="', "<a\n", "</")
COMPLETION = ("", "<tool_call>", '<tool_call>{"', "<think>", "<|channel|>analysis to=functions.")
SCRIPT = ("// llmblocks: gadget\n", "// llmblocks: stf\na = `b\n", '/* gadget */ "')
PYTHON = ("# llmblocks: gadget\n", '# llmblocks: stf\n"""', "# llmblocks: gadget\n'''b\n")
JSONL = ('{"a": "!!!GADGET_START:',)
PLACES = {
    "source.json5.llmblocks": JSON5, "source.stf": STF, "source.gadget": GADGET, "source.custom-blocks": TAGS,
    "source.completion": COMPLETION,
    # without the grammar that they are injected into, which is not ours
    "script.llmblocks": SCRIPT, "python.llmblocks": PYTHON, "jsonl.llmblocks": JSONL,
}  # fmt: skip

# what the line is full of
PIECES = (
    '\\"', "\\'", '"', "'", '"a":', '"a\\"b":', "a='b' ", 'aa="', "{", "[1, ", "1", "1.", "0x1 ", "-", " ", "a ", "a:",
    "//", "/*", "/*/", "*/", "@", "<a ", '<a b="', "<a b ", "<a '\"", "</a>", "!!!", "!!!ARG:", "!!!GADGET_END", "```",
    "a/", ".ts ", "\\u0041", "é", "<tool_call", "<|message|>", "<｜DSML｜invoke name=",
)  # fmt: skip
# what it ends in: something that makes a rule take back what it has read
ENDS = ("a", "!", '"')


def lines() -> Iterator[tuple[str, str, str, str]]:
    """Yield every place, with every piece. The ends take turns."""
    for scope, places in PLACES.items():
        for at, place in enumerate(places):
            for number, piece in enumerate(PIECES):
                yield scope, place, piece, ENDS[(at + number) % len(ENDS)]
    # each letter of an invalid number was read once for each letter before it
    yield from (("source.json5.llmblocks", "", piece, "a") for piece in ("1", "1.", "1e5", "0x"))


def test_a_line_of_twice_the_length_costs_twice_as_much() -> None:
    asked = list(lines())
    request = []
    for scope, place, piece, end in asked:
        *before, start = place.split("\n")
        count = PIECES_AT_ONCE * (1 + LENGTH // PIECES_AT_ONCE // len(piece))
        texts = [start + piece * (times * count) + end for times in (1, 2, 4)]
        request.append({"scope": scope, "before": before, "lines": texts})
    found: list[list[int]] = json.loads(node("steps.mjs", stdin=json.dumps(request)))
    for line, costs in zip(asked, found, strict=False):
        assert costs, f"{line} costs so much that it was given up"
        once, twice, four_times = costs
        assert four_times - twice < 2.2 * (twice - once), f"{line} costs {costs}"
    assert len(found) == len(asked)


IMAGES = ROOT / "docs" / "images"
THEMES = {"light": "github-light", "dark": "github-dark"}
TEXTS = {
    "gadget": """\
I will write the file now.
!!!GADGET_START:WriteFile:w1:r1,r2
!!!ARG:filePath
src/retry.ts
!!!ARG:content
export const attempts = 3; // the first one included
!!!ARG:options/0/mode
420
!!!ARG:options/0/version
1e5
!!!GADGET_END
""",
    "stf": """\
@# a comment: no model ever sees it
@user {name: 'mira', id: 'turn-1'}
What is still open for 2.4?
@ai id='turn-2'
Let me look.
@call {name: 'list_issues', call_id: "c1"}
{milestone: '2.4', limit: 0x14, /* both */ labels: ["blocker", null]}
@/* for later
  @embed type=image
@*/
""",
    "custom-blocks": """\
<think depth="2">
The workers can share one cache.
</think>
Yes, if only one of them writes: 1 < 2.
<tool name='chart' source=builds.csv />
""",
}


def test_the_pictures_of_the_docs_are_up_to_date() -> None:
    pictures = [
        {
            "name": f"{lang}-{shade}.svg",
            "lang": lang,
            "theme": theme,
            "title": f"{lang}, coloured",
            "text": text.rstrip(),
        }
        for lang, text in TEXTS.items()
        for shade, theme in THEMES.items()
    ]
    drawn: dict[str, str] = json.loads(node("pictures.mjs", stdin=json.dumps({"pictures": pictures})))
    for name, svg in drawn.items():
        if os.environ.get("UPDATE_SNAPSHOTS"):
            (IMAGES / name).write_text(svg, encoding="utf-8")
        assert (IMAGES / name).read_text(encoding="utf-8") == svg, f"docs/images/{name} is not up to date"
