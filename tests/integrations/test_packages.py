"""The packages as a registry gets them: what is in them, and what their page shows."""

from __future__ import annotations

import email
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import llmblocks

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
AT_THE_TOP = {".gitignore", "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "docs", "pyproject.toml", "server"}
NOT_OF_THE_PACKAGE = ("llmblocks/examples/", f"llmblocks-{llmblocks.__version__}.d")


def build(kind: str, root: Path, folder: Path) -> Path:
    """Return a package of a folder with our sources."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(folder)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked source distribution."""
    folder = tmp_path_factory.mktemp("sources")
    with tarfile.open(build("sdist", ROOT, folder / "packed")) as packed:
        packed.extractall(folder, filter="data")
    return folder / f"llmblocks-{llmblocks.__version__}"


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """The wheel, built from the source distribution."""
    folder = tmp_path_factory.mktemp("wheel")
    # the build imports a module of docs, which leaves its bytecode there
    copied = shutil.copytree(sources, folder / "sources")
    with zipfile.ZipFile(build("wheel", copied, folder / "packed")) as packed:
        yield packed


def test_a_second_build_of_the_wheel_has_the_same_bytes(sources: Path, wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """Elsewhere and later: whoever builds the tag can compare."""
    copied = shutil.copytree(sources, tmp_path / "elsewhere", copy_function=shutil.copyfile)
    assert wheel.filename is not None
    assert build("wheel", copied, tmp_path / "packed").read_bytes() == Path(wheel.filename).read_bytes()


def test_what_is_installed_works(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """With the dependencies of this environment; `make release-check` installs them again in each Python."""
    assert wheel.filename is not None
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--target", str(tmp_path / "libs"), wheel.filename], check=True)
    done = subprocess.run(
        [sys.executable, str(ROOT / "release" / "smoke.py"), llmblocks.__version__],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "libs")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "works in Python" in done.stdout


def test_a_source_distribution_has_the_sources_and_the_docs_alone(sources: Path) -> None:
    assert {path.name for path in sources.iterdir()} == AT_THE_TOP
    assert [path.name for path in (sources / "server").iterdir()] == ["llmblocks"]
    made = subprocess.run(["git", "ls-files", "server", "docs"], cwd=ROOT, check=True, capture_output=True, text=True)
    packed = {path.relative_to(sources).as_posix() for path in sources.rglob("*") if path.is_file()}
    assert packed >= {*made.stdout.splitlines()} - {"docs/.gitignore"}
    assert not [name for name in packed if "__pycache__" in name or "node_modules" in name or "/editors/src" in name]


def test_a_wheel_has_all_modules_the_examples_and_the_manual_page(wheel: zipfile.ZipFile) -> None:
    made = subprocess.run(["git", "ls-files", "server/llmblocks"], cwd=ROOT, check=True, capture_output=True, text=True)
    modules = {line.removeprefix("server/") for line in made.stdout.splitlines()}
    assert {name for name in wheel.namelist() if not name.startswith(NOT_OF_THE_PACKAGE)} == modules
    folder = ROOT / "docs" / "examples"
    examples = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    start = "llmblocks/examples/"
    assert {name.removeprefix(start) for name in wheel.namelist() if name.startswith(start)} == examples
    assert any(name.endswith("share/man/man1/llmblocks.1") for name in wheel.namelist())


def test_links_and_images_of_the_readme_work_outside_of_the_repository(wheel: zipfile.ZipFile) -> None:
    told = email.message_from_bytes(wheel.read(f"llmblocks-{llmblocks.__version__}.dist-info/METADATA"))
    assert told["Author"]
    pages = {each.split(",")[0] for each in told.get_all("Project-URL", ())}
    assert pages == {"Homepage", "Documentation", "Changelog", "Issues"}
    assert sum("Programming Language :: Python :: 3." in each for each in told.get_all("Classifier", ())) >= 4
    assert told["Description-Content-Type"] == "text/markdown"
    found = {"href": set[str](), "src": set[str]()}
    for block in MarkdownIt("gfm-like", {"linkify": False}).parse(str(told.get_payload())):
        for token in block.children or ():
            for name, links in found.items():
                if name in token.attrs:
                    links.add(str(token.attrs[name]))
    assert len(found["href"]) > 20
    assert found["src"]
    own = "https://github.com/llmblocks/llmblocks/blob/"
    raw = "https://raw.githubusercontent.com/llmblocks/llmblocks/"
    assert all(link.startswith("https://") for link in (*found["href"], *found["src"]))
    files = {each for each in found["href"] if each.startswith(own)} | found["src"]
    assert len(files) > 20
    for link in files:
        # the files of the version that the page is about
        tag, _, path = link.removeprefix(own).removeprefix(raw).partition("/")
        assert (tag, (ROOT / path).exists()) == (f"v{llmblocks.__version__}", True), link
