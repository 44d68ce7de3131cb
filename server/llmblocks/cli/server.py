"""`llmblocks server`: the language server on standard input and output, a TCP port or a WebSocket."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from llmblocks.lsp.wire.log import printable, start_log

USAGE = """usage: llmblocks server [--stdio | --tcp [HOST:]PORT | --ws [HOST:]PORT]
                        [--allow-origin ORIGIN] [--extend MODULE]
                        [--log-file FILE] [--log-level LEVEL]

  --stdio                serve one client on standard input and output (default)
  --tcp [HOST:]PORT      serve one client on a TCP port of 127.0.0.1, or of HOST
  --ws [HOST:]PORT       the same on a WebSocket, for editors in browsers;
                         needs llmblocks[ws]
  --allow-origin ORIGIN  let pages of this origin connect to the WebSocket;
                         may be repeated; those of this machine always may
  --extend MODULE        let a Python module, or a .py file, add features and
                         commands; may be repeated
  --log-file FILE        write the log there instead of to standard error
  --log-level LEVEL      debug, info, warning (the default) or error

examples:
  llmblocks server
  llmblocks server --tcp 8765 --log-level debug
  llmblocks server --ws 8765 --allow-origin https://ide.example.com
"""
_WITH_VALUES = ("--tcp", "--ws", "--allow-origin", "--extend", "--log-file", "--log-level", "--clientProcessId")
LOOPBACK = "127.0.0.1"
_LAST_PORT = 65535
LEVELS = ("debug", "info", "warning", "error")
_INTERRUPTED = 130
_LOADING = 20_000


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The parsed command line.

    Shape: `listen` is None for standard input and output, else scheme, host and port; `origins` are web pages that
           may connect besides those of this machine; `extensions` are names of modules, or paths of files.
    """

    listen: tuple[str, str, int] | None = None
    log_file: str | None = None
    log_level: str = "warning"
    client_process: int | None = None
    origins: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()


class UsageError(ValueError):
    """Invalid arguments; the message names the valid ones."""


def main(arguments: Sequence[str]) -> int:
    """Run the server. Returns the exit status. Shape: `arguments` are those after `llmblocks server`."""
    if any(argument in ("-h", "--help") for argument in arguments):
        sys.stdout.write(USAGE)
        return 0
    try:
        options = read_options(arguments)
        start_log(options.log_level, options.log_file)
    except (UsageError, OSError) as error:
        _say(f"{error}\n\n{USAGE}")
        return 2
    try:
        return _serve(options)
    except KeyboardInterrupt:
        _say("interrupted\n")
        return _INTERRUPTED
    except OSError as error:
        _say(f"{error}\n")
        return 1


def _serve(options: ServerOptions) -> int:
    # what follows makes thousands of classes, half of them garbage: to look for it often costs a tenth of the start
    usual = gc.get_threshold()
    gc.set_threshold(_LOADING, *usual[1:])
    from llmblocks.cli.extensions import ExtensionError, extend
    from llmblocks.lsp.server import make_server

    server = make_server()
    server.process_id = options.client_process
    try:
        extend(server, options.extensions)
    except ExtensionError as error:
        _say(f"{printable(str(error))}\n")
        return 2
    _collect(usual)
    if options.listen is None:
        if sys.stdin is not None and sys.stdin.isatty():
            _say("waiting for an editor on standard input (Ctrl-C to leave)\n")
        server.start_io()
    elif options.listen[0] == "tcp":
        server.start_tcp(*options.listen[1:])
    else:
        server.start_ws(*options.listen[1:], options.origins)
    return 0


def _collect(usual: tuple[int, int, int]) -> None:
    """Exclude everything loaded so far from later garbage collections: it stays anyway."""
    gc.freeze()
    gc.set_threshold(*usual)


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"llmblocks server: {text}")


def read_options(arguments: Sequence[str]) -> ServerOptions:
    """Read the command line. Errors: `UsageError`."""
    listen: tuple[str, str, int] | None = None
    log_file, log_level, client_process = None, "warning", None
    origins: list[str] = []
    extensions: list[str] = []
    rest = list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name == "--stdio":
            continue
        if name not in _WITH_VALUES:
            raise UsageError(f"unknown argument {name}")
        if not equals:
            if not rest:
                raise UsageError(f"{name} needs a value")
            value = rest.pop(0)
        if name == "--log-file":
            log_file = value
        elif name == "--log-level":
            log_level = value.lower()
            if log_level not in LEVELS:
                raise UsageError(f"invalid log level {value}; use one of {', '.join(LEVELS)}")
        elif name == "--clientProcessId":
            client_process = _number(name, value)
        elif name == "--allow-origin":
            origins.append(_origin(value))
        elif name == "--extend":
            extensions.append(value)
        else:
            host, _, port = value.rpartition(":")
            listen = (name[2:], host.strip("[]") or LOOPBACK, _port(name, port))
    if listen is not None and listen[0] == "ws" and find_spec("websockets") is None:
        raise UsageError("--ws needs the package websockets: install llmblocks[ws]")
    return ServerOptions(listen, log_file, log_level, client_process, tuple(origins), tuple(extensions))


def _port(name: str, text: str) -> int:
    port = _number(name, text)
    if port > _LAST_PORT:
        raise UsageError(f"{name}: invalid port {port}; the highest is {_LAST_PORT}")
    return port


def _origin(text: str) -> str:
    from llmblocks.lsp.front.origin import read_origin

    try:
        return read_origin(text)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 1 << 31):
        raise UsageError(f"{name}: invalid number {text!r}")
    return int(text)
