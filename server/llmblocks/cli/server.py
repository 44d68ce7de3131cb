"""`llmblocks server`: the language server on standard input and output, a TCP port or a WebSocket."""

from __future__ import annotations

import argparse
import gc
import logging
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib.util import find_spec
from typing import Any

from llmblocks.cli.arguments import LARGEST, checked, describe, flag, number, option
from llmblocks.lsp.wire.outbox import printable, start_log
from llmblocks.settings.extensions import ExtensionError, load_module, rules_of

logger = logging.getLogger(__name__)
LOOPBACK = "127.0.0.1"
_LAST_PORT = 65535
LEVELS = ("debug", "info", "warning", "error")
_INTERRUPTED = 130
_DESCRIPTION = "Runs the language server for an editor, on standard input and output unless a port is given."
_EXAMPLES = """\
  llmblocks server
  llmblocks server --tcp 8765 --log-level debug
  llmblocks server --ws 8765 --allow-origin https://ide.example.com
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    clients = parser.add_argument_group("client")
    flag(clients, "--stdio", "serve one client on standard input and output (default)")
    option(clients, "--tcp", "[HOST:]PORT", f"serve one client on a TCP port of {LOOPBACK}, or of HOST", type=_address)
    says = "the same on a WebSocket, for editors in browsers; needs llmblocks[ws]"
    option(clients, "--ws", "[HOST:]PORT", says, type=_address)
    says = "let pages of this origin connect to the WebSocket; may be repeated; those of this machine always may"
    option(clients, "--allow-origin", "ORIGIN", says, type=checked(_origin), action="append", default=[])
    # some clients add it
    clients.add_argument("--clientProcessId", type=number(0, LARGEST), help=argparse.SUPPRESS)
    extensions = parser.add_argument_group("extensions")
    says = "let a Python module, or a .py file, add features and commands; may be repeated"
    option(extensions, "--extend", "MODULE", says, action="append", default=[])
    log = parser.add_argument_group("log")
    option(log, "--log-file", "FILE", "write the log there instead of to standard error")
    says = f"{', '.join(LEVELS)} (default: warning)"
    option(log, "--log-level", "LEVEL", says, type=str.lower, choices=LEVELS, default="warning")


def main(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    if given.ws and find_spec("websockets") is None:
        parser.error("--ws needs the package websockets: install llmblocks[ws]")
    try:
        start_log(given.log_level, given.log_file)
    except OSError as error:
        parser.error(str(error))
    try:
        return _serve(given)
    except KeyboardInterrupt:
        _say("interrupted\n")
        return _INTERRUPTED
    except OSError as error:
        _say(f"{error}\n")
        return 1


def _serve(given: argparse.Namespace) -> int:
    # first: half of its classes are garbage, 9 MB
    import lsprotocol.types  # noqa: F401

    # the next imports create thousands of classes: collections would cost a tenth of the start
    gc.disable()
    from llmblocks.lsp.server import make_server

    server = make_server()
    server.process_id = given.clientProcessId
    try:
        extend(server, given.extend)
    except ExtensionError as error:
        _say(f"{printable(str(error))}\n")
        return 2
    # everything loaded so far stays: later collections leave it out
    gc.freeze()
    if given.tcp:
        server.start_tcp(*given.tcp)
    elif given.ws:
        host, port = given.ws
        server.start_ws(host, port, (*given.allow_origin,))
    else:
        if sys.stdin is not None and sys.stdin.isatty():
            _say("waiting for an editor on standard input (Ctrl-C to leave)\n")
        server.start_io()
    return 0


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"llmblocks server: {text}")


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host.strip("[]") or LOOPBACK, number(0, _LAST_PORT)(port)


def _origin(text: str) -> str:
    from llmblocks.lsp.front.connections import read_origin

    return read_origin(text)


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
                module = load_module(name)
                register, rules = getattr(module, "register", None), rules_of(module)
                if not callable(register) and not rules:
                    raise ExtensionError("the module has no function register(server), and defines no rule")
                server.session.config.project.extensions.given += rules
                if callable(register):
                    register(server)
        except ExtensionError as error:
            raise ExtensionError(f"--extend {name}: {error}") from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            logger.debug("--extend %s", name, exc_info=error)
            raise ExtensionError(f"--extend {name}: {type(error).__name__}: {error}") from error
