"""The `llmblocks` command."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command that the first argument names; gives the exit status."""
    try:
        arguments = sys.argv[1:]
        # an editor waits for this one: nothing that it does not need is imported
        if arguments[:1] == ["server"]:
            from llmblocks.cli.server import main as server

            return server(arguments[1:])
        from llmblocks.cli.commands import main as commands

        return commands(arguments)
    except KeyboardInterrupt:
        # before the command itself could have seen to it
        return 130


if __name__ == "__main__":
    sys.exit(main())
