"""`llmblocks server`: the language server on standard input and output, a TCP port or a WebSocket."""

from __future__ import annotations

import argparse
import gc
import sys
from importlib.util import find_spec

from llmblocks.cli.options import LARGEST, number
from llmblocks.lsp.wire.outbox import printable, start_log

LOOPBACK = "127.0.0.1"
_LAST_PORT = 65535
LEVELS = ("debug", "info", "warning", "error")
_INTERRUPTED = 130
_DESCRIPTION = "Runs the language server for an editor, on standard input and output unless a port is given."
_EXAMPLES = """\
examples:
  llmblocks server
  llmblocks server --tcp 8765 --log-level debug
  llmblocks server --ws 8765 --allow-origin https://ide.example.com
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    clients = parser.add_argument_group("client")
    clients.add_argument("--stdio", action="store_true", help="serve one client on standard input and output (default)")
    clients.add_argument(
        "--tcp", metavar="[HOST:]PORT", type=_address, help=f"serve one client on a TCP port of {LOOPBACK}, or of HOST"
    )
    clients.add_argument(
        "--ws",
        metavar="[HOST:]PORT",
        type=_address,
        help="the same on a WebSocket, for editors in browsers; needs llmblocks[ws]",
    )
    clients.add_argument(
        "--allow-origin",
        metavar="ORIGIN",
        type=_origin,
        action="append",
        default=[],
        help="let pages of this origin connect to the WebSocket; may be repeated; those of this machine always may",
    )
    # some clients add it
    clients.add_argument("--clientProcessId", type=number(0, LARGEST), help=argparse.SUPPRESS)
    parser.add_argument_group("extensions").add_argument(
        "--extend",
        metavar="MODULE",
        action="append",
        default=[],
        help="let a Python module, or a .py file, add features and commands; may be repeated",
    )
    log = parser.add_argument_group("log")
    log.add_argument("--log-file", metavar="FILE", help="write the log there instead of to standard error")
    log.add_argument(
        "--log-level",
        metavar="LEVEL",
        type=str.lower,
        choices=LEVELS,
        default="warning",
        help=f"{', '.join(LEVELS)} (default: warning)",
    )


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
    # the next imports create thousands of classes: collections would cost a tenth of the start
    gc.disable()
    from llmblocks.cli.extensions import extend
    from llmblocks.lsp.server import make_server
    from llmblocks.settings.extensions import ExtensionError

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

    try:
        return read_origin(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
