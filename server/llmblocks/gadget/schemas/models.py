"""Pydantic models as gadget definitions. They are imported in another process, and only in trusted workspaces."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final

from llmblocks.core.system import POSIX
from llmblocks.gadget.schemas.gadgets import GadgetSchema, Source
from llmblocks.gadget.schemas.reading import ReadGadgets, closed, unreadable

SECONDS: Final = 10.0
"""The time limit for one model, including the imports of its module."""


class ModelImport:
    """The import of one model in another process. `path` is `module:Model`; `folders` are searched first for it."""

    def __init__(self, path: str, folders: Sequence[str]) -> None:
        self._path = path
        self._found: Future[ReadGadgets] = Future()
        self._process: subprocess.Popen[bytes] | None = None
        module, _, name = path.partition(":")
        question = {"module": module, "name": name, "folders": [*folders], "path": [each for each in sys.path if each]}
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
            self._found.set_result(self._complaint(str(error)))
        else:
            given = self._process, json.dumps(question).encode()
            threading.Thread(target=lambda: self._found.set_result(self._ask(*given)), daemon=True).start()

    def wait(self, seconds: float) -> ReadGadgets | None:
        """Return the model, or what is wrong; None if it takes longer."""
        with contextlib.suppress(TimeoutError):
            return self._found.result(seconds)
        return None

    def end(self) -> None:
        """End the process and its children."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL) if POSIX else process.kill()

    def _ask(self, process: subprocess.Popen[bytes], question: bytes) -> ReadGadgets:
        with process:
            try:
                return ReadGadgets((self._gadget(process.communicate(question, timeout=SECONDS)[0]),), ())
            except subprocess.TimeoutExpired:
                return self._complaint(f"its import takes longer than {SECONDS:.0f} seconds")
            except (ValueError, RecursionError) as error:
                return self._complaint(str(error))
            finally:
                self.end()

    def _gadget(self, out: bytes) -> GadgetSchema:
        if not out.endswith(b"}"):
            raise ValueError("the process that imported it has ended without an answer")
        found: dict[str, Any] = json.loads(out)
        if "error" in found:
            raise ValueError(found["error"])
        start = found.get("start", 0)
        end = start + len(self._path.partition(":")[2])
        source = Source(found["file"], start, end, found["line"]) if "file" in found else None
        return GadgetSchema(str(found["name"]), str(found["description"]), closed(found["schema"]), source)

    def _complaint(self, reason: str) -> ReadGadgets:
        return ReadGadgets((), (unreadable(f"the model {self._path} cannot be used", why=reason),), complete=False)
