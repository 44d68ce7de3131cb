"""The schema of the gadget in the examples of rules."""

from __future__ import annotations

from typing import Final

SEARCH: Final = """\
{
  "name": "Search",
  "description": "Searches files",
  "schema": {
    "type": "object",
    "properties": {
      "query": {"type": "string"},
      "limit": {"type": "integer", "minimum": 1},
      "order": {"enum": ["newest", "oldest"]}
    },
    "required": ["query"]
  }
}
"""
