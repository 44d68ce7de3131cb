"""The pictures of the docs are what shiki draws with our grammars: `UPDATE_SNAPSHOTS=1` draws them."""

from __future__ import annotations

import json
import os

import pytest

from editors.grammars.textmate import ROOT, node

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


@pytest.mark.usefixtures("modules")
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


@pytest.mark.parametrize("lang", TEXTS)
def test_a_page_shows_its_pictures_in_light_and_dark(lang: str) -> None:
    page = (ROOT / "docs" / "formats" / f"{lang}.md").read_text(encoding="utf-8")
    assert all(f"../images/{lang}-{shade}.svg" in page for shade in THEMES)
