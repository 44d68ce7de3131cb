"""The tags and gadgets that a project's code declares, offered as settings."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from folders import write
from llmblocks.discovery.find import find, offered, tags_in_code
from llmblocks.settings.values import DEFAULTS, Settings

pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")

MODEL = """\
import { createAdapter } from "@agentick/core/model";
const more = { done: { description: "Signals completion.", transform() { return []; } } };
export const model = createAdapter({
  metadata: { customBlocks: "none" },
  customBlocks: {
    interpretation: { description: "An \\u0041 insight.", instructions: `Wrap it.` },
    debugInfo: { tag: "debug-info" },
    "a-b": {},
    ...more,
    [computed]: {},
    "no name": {},
    think: {},
  },
});
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MODEL, ["interpretation", "debug-info", "a-b", "done", "think"]),
        ("const customBlocks = { x: {} }; createAdapter({ customBlocks });", ["x"]),
        ("const b = { x: {} }; use(agentick.customBlockTransform(b as const));", ["x"]),
        ("new StreamTagParser({ tags: { x: { onStart() {} }, y: {} } })", ["x", "y"]),
        ("createAdapter({ customBlocks: imported }); customBlockTransform(); new StreamTagParser()", []),
        ("// customBlocks: { x: {} }\nconst s = 'customBlocks: { x: {} }';", []),
        ("const a = b, b = a; createAdapter({ customBlocks: { ...a } })", []),
        ("createAdapter({ customBlocks: { x: {", []),
    ],
)
def test_tags_are_those_that_the_code_registers(text: str, expected: list[str]) -> None:
    for name in ("a.ts", "a.tsx", "a.mjs"):
        if name == "a.mjs" and " as const" in text:
            continue
        found = [*tags_in_code(text, name)]
        assert [each.name for each in found] == expected
        assert all(text.count("\n", 0, each.start) == each.line for each in found)


def test_what_is_not_in_force_is_offered(tmp_path: Path) -> None:
    files = {
        "src/model.ts": MODEL,
        "src/tools.ts": "export class Read extends Gadget({ schema: z.object({}) }) {}",
        "src/model.d.ts": MODEL.replace("a-b", "typed"),
        "node_modules/x/a.ts": MODEL.replace("a-b", "theirs"),
        ".cache/a.ts": MODEL.replace("a-b", "hidden"),
        "notes.md": MODEL,
    }
    offer = offered(find(str(write(tmp_path, files))), DEFAULTS, str(tmp_path))
    made = tomllib.loads(offer.as_toml())
    described = {"interpretation": "An A insight. Wrap it.", "debug-info": "", "a-b": "", "done": "Signals completion."}
    assert {name: tag.get("description", "") for name, tag in made["tags"]["declared"].items()} == described
    assert made["gadget"]["schemas"] == {"**": ["src/tools.ts"]}
    assert "# src/model.ts:6" in offer.as_toml()
    again = offered(find(str(tmp_path)), Settings(tags=(*DEFAULTS.tags, *made["tags"]["declared"])), str(tmp_path))
    assert [*again.tags] == []
    for before in ("", "a = 1", "[gadget.schemas]\n'*' = ['x.json']\n", "[gadget.schemas]\n'**' = ['x.json']\n"):
        after = offer.added(before, ())
        assert after is not None
        together = tomllib.loads(after)
        assert together["tags"] == made["tags"]
        assert together["gadget"]["schemas"]["**"][-1] == "src/tools.ts"
    # an inline table cannot be added to
    assert offer.added("tags = { names = ['x'] }", ()) is None
    assert offer.added("[tags.declared.done]", ()) is None
