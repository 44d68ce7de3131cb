"""Loading of the extensions that `llmblocks server --extend` names."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

logger = logging.getLogger(__name__)


class ExtensionError(Exception):
    """An extension that cannot be used, with the reason."""


def extend(server: object, names: Sequence[str]) -> None:
    """Let each extension register its features and commands.

    Args:
        server: The server.
        names: Importable modules, or paths of `.py` files.

    Raises:
        ExtensionError: One cannot be used.
    """
    for number, name in enumerate(names):
        try:
            # standard output belongs to the client
            with redirect_stdout(sys.stderr):
                _register(_load(name, number), server)
        except ExtensionError as error:
            raise ExtensionError(f"--extend {name}: {error}") from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            logger.debug("--extend %s", name, exc_info=error)
            raise ExtensionError(f"--extend {name}: {type(error).__name__}: {error}") from error


def _register(module: ModuleType, server: object) -> None:
    register = getattr(module, "register", None)
    if not callable(register):
        raise ExtensionError("the module has no function register(server)")
    register(server)


def _load(name: str, number: int) -> ModuleType:
    if not name.endswith(".py"):
        return import_module(name)
    if not os.path.isfile(name):
        raise ExtensionError("no such file")
    # its name may be that of another module
    known_as = f"llmblocks_extension_{number}"
    spec = spec_from_file_location(known_as, name)
    if spec is None or spec.loader is None:
        raise ExtensionError("not a Python file")
    module = sys.modules[known_as] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
