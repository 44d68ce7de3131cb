"""`llmblocks server`: the language server on standard input and output, a TCP port or a WebSocket."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

USAGE = """usage: llmblocks server [--stdio | --tcp [HOST:]PORT | --ws [HOST:]PORT] [--log-file FILE]
                        [--log-level LEVEL]

  --stdio            serve one client on standard input and output (the default)
  --tcp [HOST:]PORT  serve one client on a TCP port; HOST is 127.0.0.1 if left out
  --ws [HOST:]PORT   the same on a WebSocket, for editors in browsers (needs llmblocks[ws])
  --log-file FILE    write the log there instead of to standard error
  --log-level LEVEL  debug, info, warning (the default) or error
"""
LOOPBACK = "127.0.0.1"
_LAST_PORT = 65535
_LEVELS = ("debug", "info", "warning", "error")
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says. Shape: `listen` is None for standard input and output, else scheme, host and port."""

    listen: tuple[str, str, int] | None = None
    log_file: str | None = None
    log_level: str = "warning"
    client_process: int | None = None


class UsageError(ValueError):
    """Arguments that cannot be understood, with what would do."""


def main(arguments: Sequence[str]) -> int:
    """Run the server; gives the exit status. Shape: `arguments` are those behind `llmblocks server`."""
    if any(argument in ("-h", "--help") for argument in arguments):
        sys.stdout.write(USAGE)
        return 0
    try:
        options = read_options(arguments)
        start_log(options)
    except (UsageError, OSError) as error:
        sys.stderr.write(f"llmblocks server: {error}\n\n{USAGE}")
        return 2
    # what follows makes hundreds of classes: looking for garbage among them would cost a tenth of the start
    gc.disable()
    from llmblocks.lsp.protocol import Server

    server = Server()
    # all of that stays: no later collection need look at it
    gc.freeze()
    gc.enable()
    if options.client_process is not None:
        server.protocol.session.watch.start(options.client_process)
    try:
        if options.listen is None:
            if sys.stdin.isatty():
                sys.stderr.write("llmblocks server: waiting for an editor on standard input (Ctrl-C to leave)\n")
            server.start_io()
        elif options.listen[0] == "tcp":
            server.start_tcp(*options.listen[1:])
        else:
            server.start_ws(*options.listen[1:])
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        sys.stderr.write(f"llmblocks server: {error}\n")
        return 1
    return 0


def read_options(arguments: Sequence[str]) -> Options:
    """Read the command line. Errors: `UsageError`."""
    listen: tuple[str, str, int] | None = None
    log_file, log_level, client_process = None, "warning", None
    rest = list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name == "--stdio":
            continue
        if name not in ("--tcp", "--ws", "--log-file", "--log-level", "--clientProcessId"):
            raise UsageError(f"unknown argument {name}")
        if not equals:
            if not rest:
                raise UsageError(f"{name} needs a value")
            value = rest.pop(0)
        if name == "--log-file":
            log_file = value
        elif name == "--log-level":
            log_level = value.lower()
            if log_level not in _LEVELS:
                raise UsageError(f"{value} is no log level: use one of {', '.join(_LEVELS)}")
        elif name == "--clientProcessId":
            client_process = _number(name, value)
        else:
            host, _, port = value.rpartition(":")
            listen = (name[2:], host.strip("[]") or LOOPBACK, _port(name, port))
    if listen is not None and listen[0] == "ws" and find_spec("websockets") is None:
        raise UsageError("--ws needs the package websockets: install llmblocks[ws]")
    return Options(listen, log_file, log_level, client_process)


def start_log(options: Options) -> None:
    """Send the log to the file, or to standard error. Errors: `OSError` where the file cannot be written."""
    handler: logging.Handler
    handler = logging.FileHandler(options.log_file, encoding="utf-8") if options.log_file else logging.StreamHandler()
    logging.basicConfig(level=options.log_level.upper(), format=_FORMAT, handlers=[handler])
    # pygls tells every message at this level, at a cost
    logging.getLogger("pygls").setLevel(logging.WARNING)


def _port(name: str, text: str) -> int:
    port = _number(name, text)
    if port > _LAST_PORT:
        raise UsageError(f"{name}: there is no port {port}: the last is {_LAST_PORT}")
    return port


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 1 << 31):
        raise UsageError(f"{name}: {text!r} is no number")
    return int(text)
