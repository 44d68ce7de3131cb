"""S205 embed-not-found."""

from __future__ import annotations

from llmblocks.rules.rule import Rule
from llmblocks.stf.syntax.catalogue import EMBED_NOT_FOUND

RULE = Rule(
    kind=EMBED_NOT_FOUND,
    layer="stf",
    summary="An embedded file does not exist.",
    why="The data line of `@embed` is a URL or a path. A relative path starts at the folder of the document. Not "
    "checked are URLs, paths that begin with `~`, paths of another computer, and texts without a file name. An editor "
    "looks for the file when the path changes, when the document is opened or saved, and when a file of a common kind, "
    "such as a PNG image, is created or deleted.",
    bad="@user\n@embed type=image\nholidays.png\n",
    good="@user\n@embed type=image\nholiday.png\n@embed type=image\nhttps://example.com/holiday.png\n",
    files=("holiday.png",),
)
