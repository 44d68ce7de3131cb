"""Build the server for WebAssembly: `dist/web-server`, a folder of static files.

    worker.js           for browsers: a classic worker, or a module
    worker.mjs          for worker threads of Node
    pyodide.asm.wasm    CPython
    python_stdlib.zip   its standard library
    packages.zip        llmblocks and its dependencies, as bytecode

Usage: python editors/web/server/build.py [--if-changed]. Wheels are kept in `.cache/wheels`. Versions are those of
pyproject.toml and package-lock.json.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parent
ROOT = HOME.parents[2]
sys.path.insert(0, str(ROOT / "editors"))

from building import only_one, pins, pip  # noqa: E402

CACHE = ROOT / ".cache" / "wheels"
OUT = ROOT / "dist" / "web-server"
PYTHON = "3.14"
PLATFORM = "pyemscripten_2026_0_wasm32"
# what the server imports. Left out: pygls and lsprotocol (other fronts), regress (a browser has its own patterns),
# rich and shtab (the command line), pydantic (the library's models), orjson. Pure Python in stand_ins replaces rpds-py,
# which has no wheel
PACKAGES = (
    "attrs",
    "fqdn",
    "json5",
    "jsonschema",
    "jsonschema-specifications",
    "markdown-it-py",
    "mdurl",
    "pathspec",
    "referencing",
    "rfc3339-validator",
    "rfc3986-validator",
    "six",
    "typing-extensions",
)
NOT_SERVED = re.compile(
    r"llmblocks/(cli|examples|report)/|llmblocks/(grammars/(automaton|json_text|notation|schema)|(gadget|completions)/grammar)\."
    r"|llmblocks/lsp/(front/|server)|llmblocks/__main__"
    r"|llmblocks/(settings/model|tags/pipeline/content)\.py"
    r"|.*/tests/|json5/tool|markdown_it/cli/|jsonschema/(benchmarks/|cli\.|__main__)|.*/__main__|[^/]+\.data/"
    r"|(?!llmblocks/).*\.pyi$|.*/py\.typed$|[^/]+\.dist-info/(?!METADATA|licenses/)"
)
UNUSED = (
    r"(_pyrepl|unittest|xmlrpc|xml|multiprocessing|idlelib|turtledemo|ensurepip|venv|wsgiref|curses|dbm|sqlite3|test|pydoc_data|ctypes)/"
    r"|(_pydatetime|_pydecimal|_pyio|pdb|bdb|cmd|code|doctest|pydoc|pickletools|turtle|smtplib|ftplib|imaplib|poplib|mailbox|cProfile|profile|pstats"
    r"|trace|timeit|antigravity|this|plistlib|webbrowser|optparse|getopt|argparse|tarfile|configparser|statistics|modulefinder|wave|socketserver"
    r"|compileall|symtable|pyclbr|tabnanny|filecmp|fileinput|runpy|shelve|netrc|zipapp|rlcompleter|pty|tty|colorsys|sched|gettext|_markupbase"
    r"|_sysconfigdata.*|http/(server|cookiejar|cookies)|html/parser|urllib/robotparser|email/mime/.*|json/tool|logging/(handlers|config)"
    r"|asyncio/(proactor_events|windows_events|windows_utils|tools|__main__)|concurrent/(futures/(process|interpreter)|interpreters/.*)"
    r"|pyodide/console|sysconfig/__main__)\.py"
    r"|encodings/(?!__init__|aliases|ascii|utf|latin_1|cp437|idna|punycode|raw_uni|unicode|undefined)"
)
"""Return the unused modules of the standard library."""
INPUTS = ("server", "editors/web/server", "pyproject.toml")
# megabytes: compressed as a web host sends them, and unpacked
BUDGET = (8.4, 15.3)


class Contents(NamedTuple):
    """The contents of a folder.

    The patterns match names of files in wheels, and in the standard library. `scripts` are those that bundle.mjs knows
    by that name, `files` are copied unchanged.
    """

    packages: tuple[str, ...]
    left_out: re.Pattern[str]
    unused: str
    scripts: str
    files: tuple[Path, ...] = ()


SERVER = Contents(PACKAGES, NOT_SERVED, UNUSED, "server")


def build(out: Path = OUT, contents: Contents = SERVER) -> None:
    """Make a folder again."""
    new = out.with_name(f".{out.name}")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    modules = HOME / "node_modules"
    lock, installed = HOME / "package-lock.json", modules / ".installed"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        run("npm", "ci", "--silent", "--no-fund", "--no-audit")
        installed.touch()
    pack(wheels(contents), contents.left_out, new / "sources.zip")
    kept = str(CACHE / "compiled")
    run("node", "compile.mjs", str(new / "sources.zip"), str(new / "packages.zip"), kept)
    (new / "sources.zip").unlink()
    library = "python_stdlib.zip"
    run("node", "compile.mjs", str(modules / "pyodide" / library), str(new / library), kept, contents.unused)
    run("node", "bundle.mjs", str(new), contents.scripts)
    for path in contents.files:
        shutil.copyfile(path, new / path.name)
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)


def wheels(contents: Contents) -> list[Path]:
    """Return the wheels that go into it, with llmblocks itself."""
    limit = pins(CACHE)
    wanted = json.dumps([contents.packages, PYTHON, limit.read_text()])
    folder = CACHE / f"{PLATFORM}-{contents.scripts}"
    stamp = folder / "wanted.json"
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        abi = "cp" + PYTHON.replace(".", "")
        tags = ["--platform", PLATFORM, "--implementation", "cp", "--python-version", PYTHON, "--abi", abi]
        limits = ["--no-deps", "--only-binary=:all:", "--constraint", str(limit)]
        pip("download", "--dest", str(folder), *tags, "--abi", "none", *limits, *contents.packages)
        stamp.write_text(wanted)
    own = CACHE / "llmblocks-web"
    shutil.rmtree(own, ignore_errors=True)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(own), str(ROOT))
    return sorted([*folder.glob("*.whl"), *own.glob("*.whl")])


def pack(parts: list[Path], left_out: re.Pattern[str], to: Path) -> None:
    """Put all that is imported into one archive."""
    with zipfile.ZipFile(to, "w") as archive:
        for path in sorted((HOME / "stand_ins").rglob("*.py")):
            archive.write(path, path.relative_to(HOME / "stand_ins"))
        for wheel in parts:
            with zipfile.ZipFile(wheel) as opened:
                for name in opened.namelist():
                    if not name.endswith("/") and not left_out.match(name):
                        archive.writestr(name, opened.read(name))


def table() -> Iterator[str]:
    """Yield a line for each file, the contents of packages.zip, and the total beside its budget."""
    totals = [0.0, 0.0]
    yield f"{'':24} {'compressed':>12} {'unpacked':>12}"
    for path in sorted(OUT.iterdir()):
        if path.suffix == ".mjs":
            continue  # a host loads one of the two workers
        data = path.read_bytes()
        packed = len(data) if path.suffix == ".zip" else len(gzip.compress(data, 9))
        sizes = packed / 1e6, len(data) / 1e6
        totals = [total + size for total, size in zip(totals, sizes, strict=True)]
        yield f"{path.name:24} {sizes[0]:9.2f} MB {sizes[1]:9.2f} MB"
        if path.name == "packages.zip":
            inside: dict[str, int] = {}
            with zipfile.ZipFile(path) as archive:
                for info in archive.infolist():
                    name = info.filename.split("/")[0].removesuffix(".pyc")
                    inside[name] = inside.get(name, 0) + info.compress_size
            for name, size in sorted(inside.items(), key=lambda item: -item[1]):
                if size > 20_000:
                    yield f"    {name:20} {size / 1e6:9.2f} MB"
    yield f"{'total':24} {totals[0]:9.2f} MB {totals[1]:9.2f} MB"
    yield f"{'budget':24} {BUDGET[0]:9.2f} MB {BUDGET[1]:9.2f} MB"
    if any(total > most for total, most in zip(totals, BUDGET, strict=True)):
        raise SystemExit("the server is over its budget: leave something out, or raise BUDGET with a reason")


def digest(inputs: tuple[str, ...]) -> str:
    """Return a digest of everything that a build reads."""
    found = hashlib.sha256()
    made = {"node_modules", "__pycache__"}
    for name in inputs:
        top = ROOT / name
        paths = [top] if top.is_file() else sorted(path for path in top.rglob("*") if path.is_file())
        for path in paths:
            if made.isdisjoint(path.parts):
                found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def run(*command: str) -> None:
    """Run a program here; its output is shown only if it fails."""
    program = shutil.which(command[0])
    if program is None:
        raise SystemExit(f"{command[0]} is not installed")
    done = subprocess.run([program, *command[1:]], cwd=HOME, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n…{(done.stdout + done.stderr)[-2000:]}")


def build_if_changed(out: Path, contents: Contents, inputs: tuple[str, ...], *, forced: bool = False) -> None:
    """Make a folder again, unless it was built of the same files."""
    stamp = out.with_name(f"{out.name}.inputs")
    # one lock for all builds: they share node_modules and wheels
    with only_one(OUT.with_name("web-server.lock")):
        now = digest(inputs)
        if forced or not (out.exists() and stamp.exists() and stamp.read_text() == now):
            build(out, contents)
            stamp.write_text(now)


def main() -> None:
    """Build, and print what is in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--if-changed", action="store_true", help="keep what was built of the same files")
    asked = parser.parse_args()
    build_if_changed(OUT, SERVER, INPUTS, forced=not asked.if_changed)
    sys.stdout.write(f"{OUT.relative_to(ROOT)}:\n")
    for line in table():
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
