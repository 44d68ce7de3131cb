"""The JSON Schema of the settings, as docs/build.py writes it from `settings/model.py`."""

from __future__ import annotations

import json
import pkgutil
from typing import Any, Final

Schema = dict[str, Any]
FILE: Final = "schema.json"
KEYWORDS: Final = ("format", "field")
"""What only we know: a `format` that JSON Schema does not have, and the field of `Settings` that takes the value."""

# a bundle may be an archive
SCHEMA: Final[Schema] = json.loads(pkgutil.get_data(__package__, FILE) or b"")
