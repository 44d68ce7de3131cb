"""Pydantic models as gadget definitions. They are imported in another process, and only in trusted workspaces."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final

from llmblocks.core.system import POSIX
from llmblocks.gadget.running.json_schema import InvalidSchemaError, require_sound
from llmblocks.gadget.schemas.gadgets import GadgetSchema, Source
from llmblocks.gadget.schemas.reading import ReadGadgets, closed, unreadable

SECONDS: Final = 10.0
"""The time limit for one model, including the imports of its module."""
_MOST_BYTES = 1 << 23


class ModelImport:
    """The import of one model in another process.

    Attributes:
        path: `module:Model`.
        folders: Searched first for the module.
    """

    def __init__(self, path: str, folders: Sequence[str]) -> None:
        self._path = path
        module, _, name = path.partition(":")
        question = {"module": module, "name": name, "folders": [*folders], "path": [each for each in sys.path if each]}
        self._process: subprocess.Popen[bytes] | None = None
        self._question: bytes | None = json.dumps(question).encode()
        self._until = monotonic() + SECONDS
        self._failed = ""
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(Path(__file__).with_name("child.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folders[0] if folders else None,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._failed = str(error)

    def wait(self, seconds: float) -> ReadGadgets | None:
        """Return the definition, or the problem; None if it takes longer. After `SECONDS` the process is ended."""
        if self._process is None:
            return self._complaint(self._failed)
        try:
            out, _ = self._process.communicate(self._question, timeout=seconds)
        except subprocess.TimeoutExpired:
            self._question = None  # it is being written
            if monotonic() < self._until:
                return None
            self.end()
            return self._complaint(f"its import takes longer than {SECONDS:.0f} seconds")
        self.end()
        return self._read(out)

    def end(self) -> None:
        """End the process and its children."""
        process, self._process = self._process, None
        if process is None:
            return
        self._failed = "its import was ended"
        with contextlib.suppress(OSError):
            if POSIX:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError, ValueError):
                stream.close() if stream else None
        process.wait()

    def _read(self, out: bytes) -> ReadGadgets:
        if len(out) > _MOST_BYTES:
            return self._complaint(f"its schema is larger than {_MOST_BYTES >> 20} MiB")
        try:
            found: dict[str, Any] = json.loads(out)
        except ValueError:
            return self._complaint("the process that imported it has ended without an answer")
        if "error" in found:
            return self._complaint(found["error"])
        schema, start = found["schema"], found.get("start", 0)
        try:
            require_sound(schema)
        except InvalidSchemaError as error:
            return self._complaint(str(error))
        end = start + len(self._path.partition(":")[2])
        source = Source(found["file"], start, end, found["line"]) if "file" in found else None
        gadget = GadgetSchema(str(found["name"]), str(found["description"]), closed(schema), source)
        return ReadGadgets((gadget,), ())

    def _complaint(self, reason: str) -> ReadGadgets:
        return ReadGadgets((), (unreadable(f"the model {self._path} cannot be used", why=reason),), complete=False)
