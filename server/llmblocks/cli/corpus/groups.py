"""The groups of a report: by a column, a part of the path, a date."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from llmblocks.report.bounds import short

DATE = "date"
NONE = "(none)"
MOST = 1000
"""The maximum number of groups, each with a summary in memory."""
_DATE = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?![0-9])")


class Grouping:
    """Maps a text to its group.

    `by` is the name of a column, or of a part `NAME=value` of the path; `date`, for a column with this name or the last
    date in the path; `folder`; or a regular expression for the path, whose first group it is. An invalid one raises
    `ValueError`.
    """

    def __init__(self, by: str) -> None:
        self.by = by
        self._in_path: re.Pattern[str] | None = None
        if "(" in by:
            try:
                self._in_path = re.compile(by)
            except re.error as error:
                raise ValueError(f"{by} is not a regular expression: {error}") from None
            if not self._in_path.groups:
                raise ValueError(f"{by} has no group; put what tells texts apart into (…)")
        elif by not in (DATE, "folder"):
            self._in_path = re.compile(rf"(?:^|[/\\]){re.escape(by)}=([^/\\#]+)")

    def of(self, name: str, values: Mapping[str, Any] | None = None) -> str:
        """Return the group of a text, given the name of its file and the columns of its row."""
        if values is not None and isinstance(found := values.get(self.by), str | int | float | bool):
            # a time begins with its date
            date = _DATE.match(str(found)) if self.by == DATE else None
            return short(date[0] if date else str(found)) or NONE
        if self.by == "folder":
            return short(re.split(r"[/\\](?=[^/\\]*$)", name)[0] if re.search(r"[/\\]", name) else ".")
        if self.by == DATE:
            dates: list[str] = _DATE.findall(name)
            return dates[-1] if dates else NONE
        found = self._in_path.search(name) if self._in_path else None
        return short(found[1] or "") or NONE if found else NONE
