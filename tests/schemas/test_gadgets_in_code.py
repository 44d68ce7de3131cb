"""Gadgets that TypeScript declares, with zod schemas that say what zod says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from llmblocks.gadget.editor.answers import definition_place
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.schemas.reading import read_gadgets

pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")

PEERS = Path(__file__).parent.parent / "peers"
CODE = """\
import { createGadget, Gadget, z } from "llmist";
const City = z.object({ city: z.string().describe("The \\"city\\"."), days: z.number().int().default(3) });
export class Calculator extends Gadget({
  description: `Adds.`,
  schema: z.object({ op: z.enum(["add", "sub"]), a: z.number() }),
}) { execute() {} }
export const weather = createGadget({ name: "weather", schema: City as any });
createGadget({ name: `x${1}`, schema: City });
createGadget({ description: "no name is known" });
export default class Late extends Gadget({ name: "Early", schema: imported }) {}
"""
SCHEMAS = (
    *("z.string().min(2)", "z.string().max(3).optional()", "z.string().length(1)"),
    *("z.string().nonempty().nullable()", "z.number()", "z.number().int().min(1).max(4)"),
    *("z.int().positive()", "z.number().gt(1).lt(3)", "z.boolean().default(true)", "z.enum(['a', 'b'])"),
    *("z.literal('a')", "z.literal(1)", "z.null()", "z.array(z.string()).min(1)", "z.string().array()"),
    *("z.array(z.number()).nonempty()", "z.union([z.string(), z.number()])", "z.string().or(z.boolean())"),
    *("z.record(z.string(), z.number())", "z.object({ b: z.string() })"),
    "z.object({ b: z.string().optional(), c: z.number().nullish() })",
    *("z.object({ b: z.string() }).partial()", "z.object({ b: z.string() }).extend({ c: z.number() })"),
    *("z.looseObject({ b: z.string() })", "z.object({ b: z.any(), c: z.unknown() })"),
    *("z.optional(z.string())", "z.nullable(z.number())", "z.coerce.number()", "z.any()"),
    *("z.string().refine(() => true).describe('x')", "z.string().transform((text) => text.length)"),
)
VALUES: tuple[Any, ...] = (
    *("", "a", "ab", "abcd", 0, 1, 2, 2.5, 4, 5, True, False, None, [], ["a"], [1], {}),
    *({"b": "x"}, {"b": 1}, {"b": "x", "c": 1}, {"c": None}, {"c": "x"}),
)


@pytest.mark.slow
def test_a_schema_takes_what_zod_takes(tmp_path: Path) -> None:
    program = f"""
        import {{ z }} from {json.dumps((PEERS / "node_modules/llmist/dist/index.js").as_uri())};
        const schemas = [{", ".join(SCHEMAS)}];
        const values = {json.dumps(VALUES)};
        const wraps = schemas.map((each) => z.object({{ a: each }}));
        console.log(JSON.stringify(wraps.map((each) => [
            each.safeParse({{}}).success, ...values.map((value) => each.safeParse({{ a: value }}).success)])));
    """
    (tmp_path / "ask.mjs").write_text(program, "utf-8")
    asked = subprocess.run(["node", tmp_path / "ask.mjs"], capture_output=True, text=True, check=True)
    for written, expected in zip(SCHEMAS, json.loads(asked.stdout), strict=True):
        code = f"createGadget({{ name: 'G', schema: z.object({{ a: {written} }}) }})"
        (gadget,) = read_gadgets(code, "a.ts").gadgets
        schema = ParameterSchema(gadget.parameters or {})
        for given, takes in zip([{}, *[{"a": value} for value in VALUES]], expected, strict=True):
            takes_here = not schema.check(given).issues
            # what literals do not tell is taken
            assert takes_here or not takes, (written, given)
            assert takes_here == takes or any(each in written for each in ("coerce", "any()")), (written, given)


def test_gadgets_are_found_with_their_names_descriptions_and_places() -> None:
    for name in ("a.ts", "a.tsx"):
        read = read_gadgets(CODE, name)
        found = [(each.name, each.description, each.parameters is not None) for each in read.gadgets]
        assert found == [("Calculator", "Adds.", True), ("weather", "", True), ("Early", "", False)]
        assert read.findings == ()
        for each in read.gadgets:
            assert each.source is not None
            assert CODE[each.source.start : each.source.end].strip('"') == each.name
            assert each.source.line == CODE.count("\n", 0, each.source.start)
    weather = read.gadgets[1].parameters or {}
    assert weather["properties"]["city"]["description"] == 'The "city".'
    assert weather["required"] == ["city"]


@pytest.mark.parametrize("text", ["", "const a = 1;", "createGadget(", "Gadget({name: f(), schema: z})", "{" * 500])
def test_code_without_gadgets_is_reported(text: str) -> None:
    read = read_gadgets(text, "a.js")
    assert read.gadgets == ()
    assert [str(each.message) for each in read.findings] == [
        "no gadget is declared with createGadget(…) or Gadget(…) — the rules about schemas do without it; "
        "correct it, or leave it out of gadget.schemas"
    ]


def test_a_definition_leads_to_the_code(tmp_path: Path) -> None:
    path = tmp_path / "a.ts"
    path.write_text(CODE, "utf-8")
    source = read_gadgets(CODE, str(path)).gadgets[0].source
    assert source is not None
    for pointer in ("", "op"):
        place = definition_place(source, pointer)
        assert place is not None
        assert (place.line, place.text) == (2, "Calculator")
