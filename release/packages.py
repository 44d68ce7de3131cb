"""Make and try everything that a release publishes: `make release-check`. The result is `dist/release`.

    python/    the wheel and the source distribution
    npm/       the packages for npm
    sbom/      what is in them, in CycloneDX
    notes.md   the changelog's section, for the page of the release

Everything is made from the last commit. Usage: python release/packages.py [--tag v1.2.3].
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import version as versions

ROOT: Final = versions.ROOT
OUT: Final = ROOT / "dist" / "release"
TOOLS: Final = ROOT / ".cache" / "release" / "bin"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
LIBRARY: Final = "dist/npm"
"""Return the files made by `editors/npm/build.py`."""
OF_ALL: Final = {"LICENSE", "README.md", "package.json"}
OF_A_GRAMMAR: Final = OF_ALL | {"grammar.js", "src/parser.c", "queries/highlights.scm"}
OF_THE_LIBRARY: Final = OF_ALL | {
    *("index.d.ts", "library.mjs", "main.mjs", "packages.zip", "pyodide.asm.wasm", "python_stdlib.zip")
}
BUNDLES: Final = ("editors/vscode", "editors/playground", "editors/web/server")
"""Packages whose dependencies are bundled into what is published."""
LICENCES: Final = frozenset(
    {
        "MIT",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "ISC",
        "Apache-2.0",
        "MPL-2.0",
        "PSF-2.0",
        "Unlicense",
        "0BSD",
        "BlueOak-1.0.0",
    }
)
"""The licences that allow a copy inside a package under MIT."""
CLASSIFIERS: Final = frozenset(
    f"License :: OSI Approved :: {name}"
    for name in ("MIT License", "BSD License", "Apache Software License", "Mozilla Public License 2.0 (MPL 2.0)")
)
"""The same in packages of PyPI that name no SPDX licence."""


def main() -> None:
    """Make it, and try it. Ends at the first failure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tag", help="the tag that is released: it must be that of the version")
    asked = parser.parse_args()
    version = versions.stated()
    if asked.tag not in (None, f"v{version}"):
        raise SystemExit(
            f"the tag {asked.tag} is not v{version}: run python release/version.py {asked.tag.lstrip('v')}"
        )
    run(sys.executable, "release/version.py", "--check")
    if run("git", "status", "--porcelain").strip():
        say("there are changes without a commit, which are not in the packages")
    shutil.rmtree(OUT, ignore_errors=True)
    (OUT / "sbom").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        made = python_packages(Path(folder))
        run(str(TOOLS / "twine"), "check", "--strict", *map(str, made))
        say("their pages are right on PyPI")
        run(sys.executable, "-m", "pytest", "-q", "tests/integrations/test_packages.py")
        say("their content is that of the lists in tests/integrations/test_packages.py")
        tried = install(made, version, Path(folder))
        bill_of(tried)
    npm_packages()
    bundles()
    (OUT / "notes.md").write_text(versions.section((ROOT / "CHANGELOG.md").read_text("utf-8"), version), "utf-8")
    files = sorted(path for path in OUT.rglob("*") if path.is_file())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(OUT).as_posix()}\n" for path in files]
    (OUT / "SHA256SUMS").write_text("".join(sums), "utf-8")
    sys.stdout.writelines(sums)


def python_packages(folder: Path) -> list[Path]:
    """Return the source distribution and the wheel, each made twice at other places, with the same bytes."""
    made = [build(folder / name) for name in ("first", "second")]
    for one, other in zip(*made, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise SystemExit(f"{one.name}: a second build has other bytes")
    say("two builds of the packages for Python are the same")
    target = OUT / "python"
    target.mkdir()
    return [Path(shutil.copy2(path, target)) for path in made[0]]


def build(folder: Path) -> list[Path]:
    """The packages from the files of the last commit: the wheel is built of the source distribution, as pip does it."""
    sources, packed = folder / "sources", folder / "packed"
    sources.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", str(sources)], input=archive, check=True)
    env = os.environ | {"SOURCE_DATE_EPOCH": run("git", "log", "-1", "--format=%ct").strip()}
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(packed), cwd=sources, env=env)
    (sdist,) = packed.iterdir()
    subprocess.run(["tar", "xzf", str(sdist), "-C", str(folder)], check=True)
    unpacked = folder / sdist.name.removesuffix(".tar.gz")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(packed), cwd=unpacked, env=env)
    return sorted(packed.iterdir())


def install(packages: list[Path], version: str, folder: Path) -> Path:
    """Try both packages in new environments of every Python that is here; gives the Python of one of the wheel."""
    smoke = shutil.copy2(ROOT / "release" / "smoke.py", folder)
    last: Path | None = None
    for number, python in found_pythons():
        for package in packages:
            home = folder / f"{number}-{package.suffix}"
            run(python, "-m", "venv", "--without-pip", str(home))
            inside = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
            run(sys.executable, "-m", "pip", "--python", str(inside), "install", "--quiet", str(package), cwd=folder)
            say(f"{package.name}: {run(str(inside), str(smoke), version, cwd=folder).strip()}")
            last = inside if package.suffix == ".whl" else last
    if last is None:
        raise SystemExit(f"none of Python {', '.join(PYTHONS)} is here")
    return last


def found_pythons() -> Iterator[tuple[str, str]]:
    """Yield the supported Pythons of this machine: on the path, or in pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for number in PYTHONS:
        for path in (shutil.which(f"python{number}"), *sorted(map(str, pyenv.glob(f"{number}.*/bin/python")))):
            if path and subprocess.run([path, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
                yield number, path
                break
        else:
            say(f"Python {number} is not here, and was not tried")


def bill_of(python: Path) -> None:
    """Write what the package for Python brings, and look at the licences."""
    bill = OUT / "sbom" / "python.cdx.json"
    made = ("--output-reproducible", "--of", "JSON", "--pyproject", str(ROOT / "pyproject.toml"), "-o", str(bill))
    run(str(TOOLS / "cyclonedx-py"), "environment", *made, str(python))
    licences(bill)


def npm_packages() -> None:
    """Build and pack what goes to npm, and try the library as whoever installs it."""
    target = OUT / "npm"
    target.mkdir()
    run(sys.executable, "-m", "pytest", "-q", "tests/editors/npm")
    say("the package for npm does what the one for Python does")
    for each in npm_pack((*versions.GRAMMARS, LIBRARY), "--pack-destination", str(target)):
        say(f"{each['name']} {each['version']}: {len(each['files'])} files, {each['size'] // 1000} KB")


def npm_pack(folders: Sequence[str], *arguments: str) -> list[dict[str, Any]]:
    """Return npm's description of each package; SystemExit if one lacks a file. Source: npm's output, `--json`."""
    # no scripts, so that nothing else runs
    told = run("npm", "pack", "--json", "--ignore-scripts", *arguments, *(f"./{name}" for name in folders))
    made = json.loads(told)
    # npm 12 lists them by name
    packed = made if isinstance(made, list) else [*made.values()]
    for each in packed:
        files = {file["path"] for file in each["files"]}
        needed = OF_THE_LIBRARY if each["name"] == "llmblocks" else OF_A_GRAMMAR
        if not files >= needed or len(packed) != len(folders):
            raise SystemExit(f"{each['name']}: these files are not enough: {sorted(files)}")
    return packed


def bundles() -> None:
    """Write what is bundled into the extension, the playground and the server for WebAssembly."""
    for name in BUNDLES:
        bill = OUT / "sbom" / f"{name.removeprefix('editors/').replace('/', '-')}.cdx.json"
        told = json.loads(
            run("npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev", cwd=ROOT / name)
        )
        # the same bytes for the same packages
        told.pop("serialNumber", None)
        told["metadata"].pop("timestamp", None)
        bill.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
        licences(bill)


def licences(bill: Path) -> None:
    """Look whether each component of a bill of materials may be part of what we publish."""
    parts = json.loads(bill.read_text("utf-8"))["components"]
    for part in parts:
        if not allowed(part.get("licenses", [])):
            raise SystemExit(f"{bill.name}: {part['name']}: may this licence be bundled? {part.get('licenses')}")
    say(f"{bill.name}: {len(parts)} components, with known licences")


def allowed(told: list[dict[str, Any]]) -> bool:
    """Return whether a component may be bundled. `licenses` of CycloneDX, often one licence in several words."""
    names = [each.get("expression") or each["license"].get("id") or each["license"].get("name", "") for each in told]
    return any(_allowed(name) for name in names)


def _allowed(licence: str) -> bool:
    """Return whether a licence, an SPDX expression or a classifier of PyPI is one of ours."""
    if " AND " in licence:
        return all(_allowed(part.strip("() ")) for part in licence.split(" AND "))
    return any(part.strip("() ") in LICENCES or part in CLASSIFIERS for part in licence.split(" OR "))


def run(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Return the output of a program. Raises SystemExit with all that it wrote, where it fails."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def say(text: str) -> None:
    """Tell how far it is."""
    sys.stderr.write(f"- {text}\n")


if __name__ == "__main__":
    main()
