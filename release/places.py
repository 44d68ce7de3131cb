"""Write what other projects list us with: `dist/places`, each file under the name that it has there.

Usage: python release/places.py --sdist FILE [--commit HASH]. The source distribution is the one that PyPI has. What is
repeated from our tables comes from there; docs/releasing.md says where each file goes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import version as versions
from llmblocks.languages.registry import LANGUAGES
from llmblocks.settings.files import NAME

ROOT: Final = versions.ROOT
OUT: Final = ROOT / "dist" / "places"
SITE: Final = "https://github.com/llmblocks/llmblocks"
RAW: Final = "https://raw.githubusercontent.com/llmblocks/llmblocks"
ABOUT: Final = (
    "Language server and command line for gadget calls, Simple Text Format and custom blocks of language models"
)
OURS: Final = tuple(each for each in LANGUAGES if each.layers)


class Release(NamedTuple):
    """The listed places."""

    version: str
    sha256: str
    """That of the source distribution, `commit` that of the tag."""
    commit: str

    @property
    def sdist(self) -> str:
        """Its address on PyPI, which depends on no hash."""
        return f"https://pypi.org/packages/source/l/llmblocks/llmblocks-{self.version}.tar.gz"


def files(release: Release) -> dict[str, str]:
    """Return each file, by its name in the project that it is for, below the name of that project."""
    return {
        "schemastore/src/api/json/catalog.json": catalog(),
        "schemastore/src/test/llmblocks/llmblocks.toml": SETTINGS,
        "schemastore/src/negative_test/llmblocks/unknown-key.toml": '[rules]\nignored = ["G101"]\n',
        "schemastore/src/negative_test/llmblocks/unknown-rule.toml": 'rules.severity = { G101 = "fatal" }\n',
        "mason-registry/packages/llmblocks/package.yaml": mason(release),
        "nvim-lspconfig/lsp/llmblocks.lua": lspconfig(),
        "melpa/recipes/llmblocks": MELPA,
        "zed-extensions/extensions.toml": ZED.format(release.version),
        "zed-extensions/extension.toml": zed(release),
        "helix/languages.toml": helix(release),
        "kakoune-lsp/rc/servers.kak": kakoune(),
        "staged-recipes/recipes/llmblocks/recipe.yaml": conda(release),
        "homebrew-tap/Formula/llmblocks.rb": homebrew(release),
    }


MELPA: Final = '(llmblocks :fetcher github :repo "llmblocks/llmblocks" :files ("editors/emacs/*.el"))\n'
ZED: Final = '[llmblocks]\nsubmodule = "extensions/llmblocks"\npath = "editors/zed"\nversion = "{}"\n'
SETTINGS: Final = """\
[gadget.markers]
start = "<<<CALL:"
end = "<<<END"
arg = "<<<WITH:"

[rules]
ignore = ["G118", "duplicate-pointer"]
severity = { S205 = "warning" }
perFileIgnores = { "legacy/**" = ["G"] }
"""


def catalog() -> str:
    """Return the entry of SchemaStore's catalog."""
    entry = {
        "name": "llmblocks",
        "description": "Settings of llmblocks, a language server for text formats of language models",
        "fileMatch": [NAME],
        "url": f"{RAW}/main/docs/settings.schema.json",
    }
    return json.dumps(entry, indent=2) + "\n"


def mason(release: Release) -> str:
    """Return the package of mason.nvim."""
    return f"""\
---
name: llmblocks
description: {ABOUT}.
homepage: {SITE}
licenses:
  - MIT
languages:
{_listed("  - ", [each.title for each in OURS])}categories:
  - LSP
  - Linter
  - Formatter

source:
  id: pkg:pypi/llmblocks@{release.version}

bin:
  llmblocks: pypi:llmblocks

neovim:
  lspconfig: llmblocks
"""


def lspconfig() -> str:
    """Return the configuration of nvim-lspconfig, which needs no plugin."""
    _, types_of_files = (ROOT / "editors/neovim/ftdetect/llmblocks.lua").read_text("utf-8").split("\n", 1)
    kinds = _listed("--- ", types_of_files.splitlines())
    types = ", ".join(f"'{each.id}'" for each in OURS)
    roots = ", ".join(f"'{name}'" for name in (NAME, ".git"))
    return f"""\
---@brief
---
--- {SITE}
---
--- {ABOUT}.
--- It can be installed via `pip`.
---
--- ```sh
--- pip install llmblocks
--- ```
---
--- Neovim does not know the types of these files:
---
--- ```lua
{kinds}--- ```

---@type vim.lsp.Config
return {{
  cmd = {{ 'llmblocks', 'server' }},
  filetypes = {{ {types} }},
  root_markers = {{ {roots} }},
}}
"""


def zed(release: Release) -> str:
    """Our extension with the grammars of the release: Zed's registry takes no branch."""
    text = (ROOT / "editors/zed/extension.toml").read_text("utf-8")
    return text.replace('rev = "main"', f'rev = "{release.commit}"')


def helix(release: Release) -> str:
    """Return the languages, with their grammars where Helix gets those of all others."""
    text = (ROOT / "editors/helix/languages.toml").read_text("utf-8")
    # each project has its own list of grammars, and its own head
    text = text[text.index("[language-server.llmblocks]") :]
    return re.sub(
        r'source = \{ path = "/path/to/llmblocks/(.*)" \}',
        rf'source = {{ git = "{SITE}", rev = "{release.commit}", subpath = "\1" }}',
        text,
    )


def kakoune() -> str:
    """Return the server, as kakoune-lsp lists its servers."""
    types = "|".join(each.id for each in OURS)
    roots = ", ".join(f'"{name}"' for name in (NAME, ".git"))
    return f"""\
hook -group lsp-filetype-llmblocks global BufSetOption filetype=(?:{types}) %{{
    set-option buffer lsp_servers %{{
        [llmblocks]
        root_globs = [{roots}]
        args = ["server"]
    }}
}}
"""


def conda(release: Release) -> str:
    """Return the recipe of conda-forge."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = [each.partition(";")[0].strip() for each in project["dependencies"]]
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    return f"""\
schema_version: 1

context:
  version: "{release.version}"
  python_min: "3.11"

package:
  name: llmblocks
  version: ${{{{ version }}}}

source:
  url: https://pypi.org/packages/source/l/llmblocks/llmblocks-${{{{ version }}}}.tar.gz
  sha256: {release.sha256}

build:
  number: 0
  noarch: python
  script: ${{{{ PYTHON }}}} -m pip install . -vv --no-deps --no-build-isolation
  python:
    entry_points:
      - llmblocks = {project["scripts"]["llmblocks"]}

requirements:
  host:
    - python ${{{{ python_min }}}}.*
    - pip
{_listed("    - ", map(_spaced, build))}  run:
    - python >=${{{{ python_min }}}}
{_listed("    - ", map(_spaced, needs))}
tests:
  - python:
      imports:
        - llmblocks
      pip_check: true
      python_version: ${{{{ python_min }}}}.*
  - script:
      - llmblocks --version

about:
  homepage: {SITE}
  summary: {ABOUT}
  license: MIT
  license_file: LICENSE
  repository: {SITE}
"""


def _listed(before: str, names: Iterable[str]) -> str:
    return "".join(f"{before}{name}\n" for name in names)


def _spaced(requirement: str) -> str:
    """Return a requirement of PyPI as conda writes it: `a>=1,<2` as `a >=1,<2`."""
    return re.sub(r"^([\w-]+?)(?=[<>=])", r"\1 ", requirement)


def homebrew(release: Release) -> str:
    """Return the formula of a tap. `brew update-python-resources` adds the dependencies, which are pinned there."""
    return f"""\
class Llmblocks < Formula
  include Language::Python::Virtualenv

  desc "Language server and linter for text formats of language models"
  homepage "{SITE}"
  url "{release.sdist}"
  sha256 "{release.sha256}"
  license "MIT"

  depends_on "rust" => :build
  depends_on "python@3.14"

  def install
    virtualenv_install_with_resources
    generate_completions_from_executable(bin/"llmblocks", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    (testpath/"a.gadget").write "!!!GADGET_START:A\\n!!!ARG:a\\n1\\n!!!ARG:a\\n2\\n!!!GADGET_END\\n"
    assert_match "G101", shell_output("#{{bin}}/llmblocks check a.gadget", 1)
    assert_match version.to_s, shell_output("#{{bin}}/llmblocks --version")
  end
end
"""


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sdist", type=Path, required=True, help="the source distribution on PyPI")
    parser.add_argument("--commit", help="the commit of the release (default: the newest)")
    given = parser.parse_args()
    newest = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    digest = hashlib.sha256(given.sdist.read_bytes()).hexdigest()
    shutil.rmtree(OUT, ignore_errors=True)
    for name, text in files(Release(versions.stated(), digest, given.commit or newest.strip())).items():
        (OUT / name).parent.mkdir(parents=True, exist_ok=True)
        (OUT / name).write_text(text, "utf-8", newline="\n")
        sys.stdout.write(f"{OUT.relative_to(ROOT).as_posix()}/{name}\n")


if __name__ == "__main__":
    main()
