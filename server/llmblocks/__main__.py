"""The `llmblocks` command."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command that the first argument names, and return the exit status."""
    try:
        from llmblocks.cli.commands import main as commands

        return commands(sys.argv[1:])
    except KeyboardInterrupt:
        # before the command can handle it
        return 130


if __name__ == "__main__":
    sys.exit(main())
