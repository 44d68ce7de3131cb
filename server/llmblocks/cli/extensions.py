"""Loading of the extensions that `llmblocks server --extend` names."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from types import ModuleType
from typing import Any

from llmblocks.settings.extensions import ExtensionError, load_module, rules_of

logger = logging.getLogger(__name__)


def extend(server: Any, names: Sequence[str]) -> None:
    """Let each extension register its features and commands.

    Args:
        server: The server.
        names: Importable modules, or paths of `.py` files.

    Raises:
        ExtensionError: One cannot be used.
    """
    for name in names:
        try:
            # standard output belongs to the client
            with redirect_stdout(sys.stderr):
                _register(load_module(name), server)
        except ExtensionError as error:
            raise ExtensionError(f"--extend {name}: {error}") from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            logger.debug("--extend %s", name, exc_info=error)
            raise ExtensionError(f"--extend {name}: {type(error).__name__}: {error}") from error


def _register(module: ModuleType, server: Any) -> None:
    register, rules = getattr(module, "register", None), rules_of(module)
    if not callable(register) and not rules:
        raise ExtensionError("the module has no function register(server), and defines no rule")
    server.session.config.project.extensions.given += rules
    if callable(register):
        register(server)
