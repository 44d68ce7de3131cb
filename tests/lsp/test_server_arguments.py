"""The command line of `llmblocks server`."""

from __future__ import annotations

import pytest

from llmblocks.cli.server import ServerOptions, UsageError, read_options


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ServerOptions()),
        (["--stdio"], ServerOptions()),
        (["--stdio", "--clientProcessId=42"], ServerOptions(client_process=42)),
        (["--tcp", "2087"], ServerOptions(("tcp", "127.0.0.1", 2087))),
        (["--tcp=0.0.0.0:2087"], ServerOptions(("tcp", "0.0.0.0", 2087))),
        (["--tcp", "[::1]:2087"], ServerOptions(("tcp", "::1", 2087))),
        (["--log-file", "a=b.log", "--log-level", "DEBUG"], ServerOptions(None, "a=b.log", "debug")),
    ],
)
def test_arguments_are_read(arguments: list[str], expected: ServerOptions) -> None:
    assert read_options(arguments) == expected


@pytest.mark.parametrize(
    "arguments",
    [["--port", "1"], ["x"], ["--tcp"], ["--tcp", "a:b"], ["--tcp", ""], ["--tcp", "65536"], ["--log-level", "loud"]],
)
def test_what_cannot_be_read_is_refused(arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        read_options(arguments)
