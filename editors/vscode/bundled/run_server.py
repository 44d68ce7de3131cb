"""Run the bundled llmblocks with whichever CPython this is.

`libs/common` holds what every Python can use, `libs/cp311` and so on what is compiled for one of them.
"""

import os
import sys

LIBS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs")


def main():
    native = "cp" + "".join(map(str, sys.version_info[:2]))
    usable = sys.implementation.name == "cpython" and "free-threading" not in sys.version
    if not usable or not os.path.isdir(os.path.join(LIBS, native)):
        have = ", ".join(sorted(name for name in os.listdir(LIBS) if name.startswith("cp")))
        sys.stderr.write("llmblocks is bundled for " + have + "; this is " + native + " (" + sys.executable + ")\n")
        return 78
    sys.path[:0] = [os.path.join(LIBS, "common"), os.path.join(LIBS, native)]
    # nothing is ever written into the extension's folder; the extension names a place for compiled modules
    sys.dont_write_bytecode = not sys.pycache_prefix
    from llmblocks.__main__ import main as llmblocks

    return llmblocks()


if __name__ == "__main__":
    sys.exit(main())
