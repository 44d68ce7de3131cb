"""The process that imports a pydantic model and prints its JSON Schema. A script, which imports nothing of ours."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import os
import sys
import threading
from typing import Any

_SECONDS = 20


def main() -> None:
    """Read one question from standard input, and write one answer to standard output."""
    question = json.load(sys.stdin)
    # output of the module is not an answer
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # an orphan ends, too, even if it sleeps
    timer = threading.Timer(_SECONDS, os._exit, (1,))
    timer.daemon = True
    timer.start()
    sys.path[:] = [*question["folders"], *question["path"]]
    try:
        found = _schema(question["module"], question["name"])
    except BaseException as error:
        with contextlib.suppress(BaseException):
            found = {"error": f"{type(error).__name__}: {error}"[:1000]}
    json.dump(found, answer)
    answer.flush()
    # do not wait for threads that the module may have started
    os._exit(0)


def _schema(module: str, name: str) -> dict[str, Any]:
    model = getattr(importlib.import_module(module), name)
    if not isinstance(model, type) or not hasattr(model, "model_json_schema"):
        return {"error": f"{name} is not a pydantic model"}
    schema = model.model_json_schema()
    found = {"schema": schema, "name": schema.get("title", name), "description": schema.get("description", "")}
    with contextlib.suppress(OSError, TypeError):
        file = inspect.getsourcefile(model)
        lines, first = inspect.findsource(model)
        place = max(lines[first].find(name), 0)
        found |= {"file": os.path.abspath(file or ""), "line": first, "start": sum(map(len, lines[:first])) + place}
    return found


if __name__ == "__main__":
    main()
