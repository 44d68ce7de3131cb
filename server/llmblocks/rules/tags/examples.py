"""The settings for examples of declared tags."""

from __future__ import annotations

from typing import Final

ARTIFACT: Final = """\
[tags.declared.artifact.attributes.type]
required = true
values = ["code", "text"]

[tags.declared.artifact.attributes.title]
"""
