"""Build the extension: `dist/llmblocks-<platform>-<version>.vsix`, with the server in it.

Usage: python editors/vscode/scripts/package.py [--target linux-x64]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bundle_server import EXTENSION, PLATFORMS, ROOT, bundle, this_platform


def package(target: str) -> Path:
    """Bundle the server, check and bundle the TypeScript, and pack it all."""
    modules = EXTENSION / "node_modules"
    lock, done = EXTENSION / "package-lock.json", modules / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        run("npm", "ci")
        done.touch()
    bundle(target)
    run("node", str(modules / "typescript" / "bin" / "tsc"), "--noEmit")
    run("node", "scripts/build.mjs")
    version = json.loads((EXTENSION / "package.json").read_text())["version"]
    vsix = ROOT / "dist" / f"llmblocks-{target}-{version}.vsix"
    vsix.parent.mkdir(exist_ok=True)
    vsce = [str(modules / "@vscode" / "vsce" / "vsce"), "package", "--no-dependencies", "--allow-missing-repository"]
    run("node", *vsce, "--target", target, "--out", str(vsix))
    return vsix


def run(*command: str) -> None:
    """Run a program in the extension's folder; what it says is shown only where it fails."""
    program = shutil.which(command[0])
    if program is None:
        raise SystemExit(f"{command[0]} is not installed")
    done = subprocess.run([program, *command[1:]], cwd=EXTENSION, capture_output=True, text=True, env=os.environ)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def main() -> None:
    """Build for the platform that is asked for, or for this one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=PLATFORMS, default=this_platform())
    vsix = package(parser.parse_args().target)
    sys.stdout.write(f"{vsix.relative_to(ROOT)}: {vsix.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
