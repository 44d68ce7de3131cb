"""The `llmblocks` command."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command that the first argument names; gives the exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["server"]:
        from llmblocks.cli.server import main as server

        return server(arguments[1:])
    sys.stderr.write("usage: llmblocks server [OPTION]...\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
