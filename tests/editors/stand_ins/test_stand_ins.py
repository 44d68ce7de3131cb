"""The pure Python that replaces pydantic where the server is bundled: it says of settings what pydantic says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from random import Random
from typing import Any

from editors.debian import ROOT
from fuzz.odd_settings import some_settings, some_value
from llmblocks.rules.names import KNOWN
from llmblocks.settings.check import check_settings
from llmblocks.settings.effective import Effective, as_toml
from llmblocks.settings.given import as_given
from llmblocks.settings.model import validated

STAND_INS = ROOT / "editors" / "web" / "server" / "stand_ins"
SEEDS = 600
EDGES: list[Any] = [
    {"diagnostics": {"maxPerDocument": value}} for value in (0, 1, True, 1.0, "1", None, 1_000_000, 1_000_001, 10**400)
]
EDGES += [{"files": {"maxSizeMB": value}} for value in (0, 1, True, 0.5, "1", 4096, 4097, 10**400, float("nan"))]
EDGES += [
    {"stf": {"defaultRole": "a" * 100, "gadgetRoles": ["b"] * 1000}},
    {"stf": {"defaultRole": "a" * 101, "gadgetRoles": ["b"] * 1001, "blockRoles": [""] * 1001}},
    {"stf": {"defaultRole": "\ud800", "gadgetRoles": "a"}},
    {"tags": {"declared": {"": {}, "a" * 101: {"attributes": {"b": {"required": 1, "values": [2]}, "c": {"x": 1}}}}}},
    {"gadget": {"markers": {"start": "a", "end": "ab"}, "markersFrom": "a\0", "schemas": {"[a-": ["b"], "c": [""]}}},
    {"rules": {"severity": {"g1": "hint", "no-rule": "off", "G2": "loud"}, "select": ["G1", "x", 3]}},
    {"files": {"languages": {"*.txt": "stff", "[z-": "stf"}}, "extend": "", "nonsense": {}, "stf": []},
]


def said(given: Any) -> str:
    """All that comes of settings, as one text."""
    known = as_given(given)
    checked = check_settings(given if known is None else known, KNOWN)
    shown = as_toml(Effective(validated(checked.given, KNOWN).model_dump(mode="json", exclude_none=True), {}))
    return repr(
        (checked.settings, checked.given, [(each.code, each.path, each.message) for each in checked.problems], shown)
    )


def all_said() -> list[str]:
    """What comes of many settings, most of them wrong."""
    random = [(some_settings if seed % 3 else some_value)(Random(seed)) for seed in range(SEEDS)]
    return [said(given) for given in (*EDGES, *random)]


def test_settings_get_the_same_findings_and_values_as_with_pydantic() -> None:
    code = "import json, pydantic, test_stand_ins as here; print(json.dumps([pydantic.__file__, here.all_said()]))"
    path = os.pathsep.join(map(str, (STAND_INS, ROOT / "tests" / "editors" / "stand_ins", ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded, other = json.loads(done.stdout)
    assert loaded.startswith(str(STAND_INS))
    mine = all_said()
    assert len(mine) == len(other)
    for number, (with_pydantic, without) in enumerate(zip(mine, other, strict=True)):
        assert without == with_pydantic, number
