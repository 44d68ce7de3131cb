"""The markers in the configuration of llmist, `cli.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from llmblocks.settings.given import DEEPEST
from llmblocks.settings.named_file import read_named, why_not_read
from llmblocks.settings.nearest import MOST_BYTES
from llmblocks.settings.places import find_places

SECTION: Final = "agent"
_KEYS = {"start": "gadget-start-prefix", "end": "gadget-end-prefix", "arg": "gadget-arg-prefix"}


class ConfigurationError(ValueError):
    """A configuration that cannot be read; the message gives the reason."""


def read_markers(path: str) -> dict[str, str]:
    """Return the markers of llmist's agents: those of the section `agent`, and of the sections that it inherits from.

    Raises:
        ConfigurationError: The file cannot be read.

    Source: the CLI configuration of llmist, "Inheritance".
    """
    import tomllib

    try:
        text = read_named(path, MOST_BYTES).decode("utf-8-sig").replace("\r\n", "\n")
        if (refused := find_places(text).refused) is not None:
            raise ConfigurationError(refused[0])
        sections = tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise ConfigurationError(why_not_read(error)) from error
    except RecursionError as error:
        raise ConfigurationError(str(error)) from error
    found = _inherited(sections, SECTION, 0, {})
    markers = {name: found[key] for name, key in _KEYS.items() if key in found}
    for name, marker in markers.items():
        if not isinstance(marker, str):
            raise ConfigurationError(f"{_KEYS[name]} is not a string")
    return markers


def _inherited(sections: Mapping[str, Any], name: str, depth: int, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a section with everything it inherits; of several parents, the last one decides.

    `known` are the sections read so far. On a cycle, which llmist refuses, a section lacks the sections around it.
    """
    section = sections.get(name)
    if name in known or not isinstance(section, dict) or depth > DEEPEST:
        return known.get(name, {})
    known[name] = {}
    names = section.get("inherits", [])
    found: dict[str, Any] = {}
    for each in [names] if isinstance(names, str) else names if isinstance(names, list) else ():
        found |= _inherited(sections, str(each), depth + 1, known)
    known[name] = found | section
    return known[name]
