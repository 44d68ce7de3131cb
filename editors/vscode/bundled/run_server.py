"""Run the bundled llmblocks with whichever CPython this is.

`libs/common` holds what every Python can use. What is compiled for this one is in the folder that the option
`-X llmblocks_compiled=FOLDER` names.
"""

import os
import sys

COMMON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs", "common")
SUPPORTED = ("cp311", "cp312", "cp313", "cp314")


def main():
    native = "cp" + "".join(map(str, sys.version_info[:2]))
    usable = sys.implementation.name == "cpython" and "free-threading" not in sys.version
    if not usable or native not in SUPPORTED:
        have = ", ".join(SUPPORTED)
        sys.stderr.write("llmblocks is bundled for " + have + "; this is " + native + " (" + sys.executable + ")\n")
        return 78
    compiled = sys._xoptions.get("llmblocks_compiled")
    sys.path[:0] = [COMMON, compiled] if compiled else [COMMON]
    # nothing is ever written into the extension's folder; the extension names a place for compiled modules
    sys.dont_write_bytecode = not sys.pycache_prefix
    from llmblocks.__main__ import main as llmblocks

    return llmblocks()


if __name__ == "__main__":
    sys.exit(main())
