"""Lay the server and all that it needs beside the extension, for one platform and every CPython that it supports.

    bundled/libs/common   pure Python wheels, and llmblocks itself
    bundled/libs/cp311    what is compiled for CPython 3.11, and likewise cp312, cp313, cp314; stage.py packs them

Usage: python editors/vscode/scripts/bundle_server.py [--target linux-x64]. Wheels are kept in `.cache/wheels`.
Versions are those of the group `dev` in pyproject.toml, so that what is shipped is what was tested.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import sys
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EXTENSION = Path(__file__).resolve().parents[1]
ROOT = EXTENSION.parents[1]
sys.path.insert(0, str(ROOT / "editors"))

from building import pins, pip  # noqa: E402

LIBS = EXTENSION / "bundled" / "libs"
CACHE = ROOT / ".cache" / "wheels"

# what the server on standard input and output never imports: the terminal, and the models of
# the library
NOT_SERVED = frozenset({"rich", "shtab", "pydantic"})
# compiled for each Python and each system: pure Python in `STAND_INS` does the same
REPLACED = frozenset({"rpds_py"})
STAND_INS = ROOT / "editors" / "web" / "server" / "stand_ins"
UNUSED = re.compile(
    r"llmblocks/(examples/|grammars/(automaton|json_text|notation|schema)\.|(gadget|completions)/grammar\.|cli/(?!__init__|arguments|commands|server))"
    r"|llmblocks/(settings/model|tags/pipeline/content)\.py"
    r"|json5/(tool|__main__)\.py|markdown_it/cli/|tree_sitter_\w+/(queries/|binding\.c)|jsonschema/(tests/|benchmarks/|cli\.|__main__)|.*/tests/|[^/]+\.data/"
    r"|(?!llmblocks/).*\.pyi$|.*/py\.typed$|[^/]+\.dist-info/(?!METADATA|licenses/|LICENSE)"
)
"""Files of the wheels that the server never reads."""
MINORS = (11, 12, 13, 14)
# VS Code's name of a platform, and the tags of the wheels that run there
PLATFORMS = {
    "linux-x64": ("manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "linux-arm64": ("manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "darwin-x64": ("macosx_10_13_x86_64", "macosx_10_12_x86_64", "macosx_11_0_x86_64"),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "win32-x64": ("win_amd64",),
    "win32-arm64": ("win_arm64",),
}


def this_platform() -> str:
    """VS Code's name for the machine that this runs on."""
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}[platform.system()]
    return f"{system}-{'arm64' if platform.machine().lower() in {'arm64', 'aarch64'} else 'x64'}"


def bundle(target: str) -> dict[str, list[str]]:
    """Fill `bundled/libs`. The wheels that went into each of its folders."""
    with ThreadPoolExecutor() as pool:
        folders = list(pool.map(download, [target] * len(MINORS), MINORS))
    downloaded = {f"cp3{minor}": shared_files(folder) for minor, folder in zip(MINORS, folders, strict=True)}
    downloaded = {
        folder: [wheel for wheel in wheels if wheel.name.split("-")[0] not in REPLACED]
        for folder, wheels in downloaded.items()
    }
    shared = {wheel for wheels in downloaded.values() for wheel in wheels if wheel.name.endswith("-none-any.whl")}
    plan = {"common": sorted({*shared, build()})}
    plan |= {folder: sorted(set(wheels) - shared) for folder, wheels in downloaded.items()}
    shutil.rmtree(LIBS, ignore_errors=True)
    for folder, wheels in plan.items():
        (LIBS / folder).mkdir(parents=True)
        for wheel in wheels:
            unpack(wheel, LIBS / folder)
    shutil.copytree(STAND_INS, LIBS / "common", ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    for folder, wheels in plan.items():
        check(folder, wheels)
    return {folder: [wheel.name for wheel in wheels] for folder, wheels in plan.items()}


def download(target: str, minor: int) -> Path:
    """The folder with the wheels of every dependency for one CPython, from the cache where they are there already."""
    folder = CACHE / f"{target}-cp3{minor}"
    requirements, limit = dependencies(), pins(CACHE)
    wanted = json.dumps([requirements, PLATFORMS[target], limit.read_text()])
    stamp = folder / "wanted.json"
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        platforms = [argument for tag in PLATFORMS[target] for argument in ("--platform", tag)]
        python = [
            "--implementation",
            "cp",
            "--python-version",
            f"3.{minor}",
            "--abi",
            f"cp3{minor}",
            "--abi",
            "abi3",
            "--abi",
            "none",
        ]
        limits = ["--constraint", str(limit)]
        pip("download", "--only-binary=:all:", "--dest", str(folder), *platforms, *python, *limits, *requirements)
        stamp.write_text(wanted)
    return folder


def shared_files(folder: Path) -> list[Path]:
    """Return the wheels of a folder, in the place where the same file of every folder is one."""
    kept = CACHE / "all"
    kept.mkdir(exist_ok=True)
    wheels = []
    for wheel in sorted(folder.glob("*.whl")):
        shutil.copyfile(wheel, kept / wheel.name)
        wheels.append(kept / wheel.name)
    return wheels


def dependencies() -> list[str]:
    """Return the dependencies in pyproject.toml, with those for code, without unused ones."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["code"]]
    return [each for each in wanted if re.split(r"[^\w-]", each)[0] not in NOT_SERVED]


def build() -> Path:
    """Return the wheel of llmblocks itself, always made again."""
    folder = CACHE / "llmblocks"
    shutil.rmtree(folder, ignore_errors=True)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    [wheel] = folder.glob("llmblocks-*.whl")
    return wheel


def unpack(wheel: Path, folder: Path) -> None:
    """Put what the server needs of a wheel into a folder."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not UNUSED.match(name):
                # the licences of what is compiled stay readable
                archive.extract(name, LIBS / "common" if ".dist-info/" in name else folder)


def check(folder: str, wheels: list[Path]) -> None:
    """Make sure that compiled parts are for the interpreter of their folder.

    Raises `SystemExit` naming the file that is not.
    """
    # on Windows, only the wheel tells that it is for every Python
    stable = {wheel.name.split("-")[0] for wheel in wheels if "-abi3-" in wheel.name}
    for path in (LIBS / folder).rglob("*"):
        if path.suffix in {".so", ".pyd"} and path.parent.name not in stable:
            abi = folder.removeprefix("cp")
            if not re.search(rf"[.-](?:cpython-{abi}|cp{abi})[.-]", path.name):
                raise SystemExit(f"{path} in {folder} is compiled for another Python")
    if folder != "common" and not any(f"-{folder}-" in wheel.name for wheel in wheels):
        raise SystemExit(f"{folder} holds nothing that is compiled for it")


def main() -> None:
    """Bundle for the platform that is asked for, or for this one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=PLATFORMS, default=this_platform())
    for folder, wheels in bundle(parser.parse_args().target).items():
        sys.stdout.write(f"{folder}: {', '.join(wheels)}\n")


if __name__ == "__main__":
    main()
