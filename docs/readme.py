"""The README as package registries show it: without the repository beside it, so with absolute links and images."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_REPOSITORY = "llmblocks/llmblocks"
_RELATIVE = re.compile(r"(?P<image>!?)(?P<text>\[[^]]*\])\((?![a-z]+:|#)(?P<path>[^)\s]+)\)")


def absolute(text: str, version: str) -> str:
    """Return the same text with absolute links to the files of a released version."""
    page = f"https://github.com/{_REPOSITORY}/blob/v{version}/"
    # the link leads to a page, not to the image
    raw = f"https://raw.githubusercontent.com/{_REPOSITORY}/v{version}/"
    return _RELATIVE.sub(
        lambda found: f"{found['image']}{found['text']}({raw if found['image'] else page}{found['path']})", text
    )


class Readme(MetadataHookInterface):
    """Part of each build of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme of the package."""
        text = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, metadata["version"])}
