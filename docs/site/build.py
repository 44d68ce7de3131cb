"""Build the site from docs/: `dist/docs`, a folder of static files for any web host.

Usage: python docs/site/build.py [--serve [PORT]]. With --serve, it is served on this machine alone.

Zensical makes the pages from Markdown. It runs no code of others, so this collects what it reads in `.cache/docs`: all
pages under the names that they have in the site, with their links changed to match. A link that leads nowhere, and a
page that nothing leads to, end the build.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import functools
import http.server
import json
import posixpath
import re
import shutil
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import coloured

from llmblocks import Settings
from llmblocks.cli.explain import GROUPS, settings_of
from llmblocks.cli.explain import page as page_of_rule
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import LANGUAGES
from llmblocks.settings.rule_names import ALL_RULES

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "editors"))
from building import foreseen

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
STAGE: Final = ROOT / ".cache" / "docs"
OUT: Final = ROOT / "dist" / "docs"
REPOSITORY: Final = "https://github.com/llmblocks/llmblocks"
MOVED: Final = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "editors/playground/README.md": "editors/playground.md",
    "editors/web/server/README.md": "editors/web-server.md",
    "editors/npm/README.md": "api/typescript.md",
}
"""The pages that are outside of docs/, and their names in the site."""
COPIED: Final = re.compile(r".*\.(md|png|svg|webp|json|css|js)|docs/examples/.*")
LINK: Final = re.compile(
    r"(?P<before>\]\(|\b(?:src|srcset|href)=\")(?P<path>[^)\s\"#]*)(?P<anchor>#[^)\s\"]*)?(?P<after>[)\"])"
)
EMBEDDED: Final = re.compile(
    r'<llmblocks-playground language="(?P<language>[\w-]+)">\n<pre>\n(?P<text>.*?)</pre>', re.DOTALL
)
RECIPE: Final = re.compile(r"^\[`[\w.]+`\]\((examples/recipes/[\w.]+)\)$", re.MULTILINE)
SHOWN_AS: Final = {".py": "python", ".mjs": "javascript", ".html": "html"}
LANDMARK: Final = ('class="md-path" aria-label="Navigation"', 'class="md-path" aria-label="Path"')
SOUGHT: Final = {
    "index.html": "install installation setup pip tool call function call linter language server LSP",
    "check.html": "lint command line CLI",
    "check.html#exit-status": "exit code return code",
    "check.html#fix": "autofix",
    "commands.html": "CLI options flags man page",
    "editors/index.html": "autocomplete intellisense syntax highlighting plugin extension",
    "editors/vscode.html": "VS Code plugin extension marketplace",
    "formats/completions.html": "chat template harmony tool_call reasoning thinking",
    "formats/custom-blocks.html": "XML tags think",
    "formats/gadget.html": "tool call function call",
    "formats/stf.html": "chat history conversation transcript",
    "questions.html": "FAQ privacy telemetry",
    "repair.html": "retry broken output",
    "report.html": "statistics dashboard",
    "export.html": "fine-tuning dataset SFT",
    "schemas.html": "JSON Schema pydantic zod validation",
    "server.html": "LSP protocol",
    "server.html#exit-status": "exit code return code",
    "sessions.html": "debug trace logs",
    "settings.html": "config configuration file options",
    "settings.html#ignoring-findings-in-comments": "suppress disable silence noqa pragma",
    "settings.html#paths-and-patterns": "glob exclude include",
    "tutorials/continuous-integration.html": "GitHub Actions GitLab pre-commit hook Docker",
}
"""Words that people search for, and that a page says in others: by the address in the index of the search."""
PLAIN: Final = Settings(ignore=("C010", "G111"))
"""The settings of all pages but those of rules: an example lacks the finding to ignore, or the call to wait for."""


def sources() -> dict[str, str]:
    """Return the files of the site: their names in the repository, and in the site."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "docs"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    found = {name: name.removeprefix("docs/") for name in listed if COPIED.fullmatch(name) and (ROOT / name).exists()}
    return {name: re.sub(r"\bREADME\.md$", "index.md", place) for name, place in {**found, **MOVED}.items()}


def moved(text: str, name: str, places: Mapping[str, str]) -> str:
    """Return a page with the links that lead to the same files from its place in the site.

    A file outside of the site is one of the repository. Raises ValueError for a link that leads nowhere.
    """

    def change(link: re.Match[str]) -> str:
        path = link["path"]
        if not path or re.match(r"[a-z]+:|(\.\./)*playground/", path):
            return link[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        if not (ROOT / target).exists():
            raise ValueError(f"{name}: a link leads nowhere: {path}")
        inside = target if target in places else f"{target}/README.md"
        if inside in places:
            here = posixpath.dirname(places[name]) or "."
            path = posixpath.relpath(places[inside], here)
        else:
            path = f"{REPOSITORY}/{'tree' if (ROOT / target).is_dir() else 'blob'}/main/{target}"
        return f"{link['before']}{path}{link['anchor'] or ''}{link['after']}"

    return "".join(part if code else LINK.sub(change, part) for code, part in parts(text))


def parts(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the lines of a page, each with whether it is inside of a code block."""
    fence = ""
    for line in text.splitlines(keepends=True):
        opened = re.match(r" *(`{3,})", line)
        # the words behind the language are for our tests
        yield bool(fence or opened), line if fence else re.sub(r"^( *`{3,}[\w-]+)(?: [^\s=]+)+(?= \w+=|$)", r"\1", line)
        if opened and not fence:
            fence = opened[1]
        elif fence and line.strip() == fence:
            fence = ""


def playground_link(rule: Rule) -> str:
    """Return the example of a rule as a link to the playground: `editors/playground/src/link.js` reads it.

    Returns:
        Empty for a rule whose example is not a text of a language, or is about other files.
    """
    language = next((each.id for each in LANGUAGES if each.layers[0] == rule.layer), "")
    if not language or rule.files:
        return ""
    toml = rule.toml
    files = {"llmblocks.toml": toml}
    if rule.gadgets:
        files = {"llmblocks.toml": f'{toml}[gadget.schemas]\n"**" = ["gadgets.json"]\n', "gadgets.json": rule.gadgets}
    state = {"version": 1, "text": rule.bad, "language": language, "files": files}
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(json.dumps(state).encode()) + deflate.flush()
    return "../playground/index.html#" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def rule_page(rule: Rule) -> str:
    """Return the page of a rule, with its example in the playground."""
    text = page_of_rule(rule)
    link = playground_link(rule)
    return (
        text.replace("## Wrong\n", f"## Wrong\n\n[Open in the playground]({link}){{ .md-button }}\n") if link else text
    )


def with_findings(embedded: re.Match[str]) -> str:
    """Add the findings and colours of its text to an embedded playground."""
    found = json.dumps(foreseen(embedded["text"], embedded["language"])).replace("</", "<\\/")
    return f'{embedded[0]}\n<script type="application/json">{found}</script>'


def program(link: re.Match[str]) -> str:
    """Return a link to a recipe, with the recipe below it: a browser would save the file instead of showing it."""
    file = ROOT / "docs" / link[1]
    return f'````{SHOWN_AS[file.suffix]} title="{file.name}"\n{file.read_text("utf-8")}````'


def collect() -> None:
    """Write what Zensical reads."""
    places = sources()
    shutil.rmtree(STAGE / "pages", ignore_errors=True)
    rules = {f"docs/rules/{rule.code}.md": rule_page(rule) for rule in ALL_RULES}
    for name, place in places.items():
        out = STAGE / "pages" / place
        out.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".md"):
            text = RECIPE.sub(program, rules.get(name) or (ROOT / name).read_bytes().decode())
            out.write_bytes(EMBEDDED.sub(with_findings, moved(text, name, places)).encode())
        else:
            shutil.copy(ROOT / name, out)
    pages = {place for place in places.values() if place.endswith(".md")}
    (STAGE / "mkdocs.yml").write_text(json.dumps(configuration(pages), indent=1), encoding="utf-8")


def configuration(pages: set[str]) -> dict[str, Any]:
    """Return the settings of Zensical, with the rules among the pages.

    Raises ValueError for a page that is listed and missing, or the other way round.
    """
    settings = tomllib.loads((HERE / "site.toml").read_text(encoding="utf-8"))
    rules: list[object] = ["rules/index.md"]
    for letter, title in GROUPS.items():
        rules.append({title: [f"rules/{rule.code}.md" for rule in ALL_RULES if rule.code.startswith(letter)]})
    settings["nav"] = json.loads(json.dumps(settings["nav"]).replace('"RULES"', json.dumps({"Rules": rules})))
    listed = set(re.findall(r'"([\w/.-]+\.md)"', json.dumps(settings["nav"])))
    if listed != pages:
        raise ValueError(f"docs/site/site.toml lists other pages than there are: {', '.join(sorted(listed ^ pages))}")
    return {**settings, "docs_dir": "pages", "site_dir": "site", "strict": True}


def build() -> None:
    """Make the folder again."""
    collect()
    zensical = Path(sys.executable).with_name("zensical")
    subprocess.run([zensical, "build", "--strict", "--clean", "-f", "mkdocs.yml"], cwd=STAGE, check=True)
    site = STAGE / "site"
    pages = {path.relative_to(STAGE / "pages").as_posix(): path for path in sorted((STAGE / "pages").rglob("*.md"))}
    texts = {name: as_markdown(path.read_bytes().decode()) for name, path in pages.items()}
    rules = {f"rules/{rule.code}.md": (settings_of(rule), (rule.bad, rule.good, rule.after_fix)) for rule in ALL_RULES}
    for path in site.rglob("*.html"):
        name = path.relative_to(site).with_suffix(".md").as_posix()
        # the theme calls two landmarks of a page the same
        text = path.read_text("utf-8").replace(*LANDMARK)
        path.write_text(coloured.page(text, texts.get(name, ""), *rules.get(name, (PLAIN,))), "utf-8")
    index = json.loads((site / "search.json").read_text("utf-8"))
    index_for_search(index)
    (site / "search.json").write_text(json.dumps(index), "utf-8")
    for name, text in {**texts, "llms.txt": listing(texts)}.items():
        (site / name).write_bytes(text.encode())
    subprocess.run([sys.executable, str(ROOT / "editors" / "playground" / "build.py")], check=True)
    shutil.rmtree(OUT, ignore_errors=True)
    shutil.copytree(site, OUT)
    shutil.copytree(ROOT / "dist" / "playground", OUT / "playground")
    sys.stdout.write(f"{OUT.relative_to(ROOT)}: {len(texts)} pages\n")


def index_for_search(index: dict[str, Any]) -> None:
    """Change the index of the search: one entry for each rule, and the words in `SOUGHT`.

    Raises:
        ValueError: An address in `SOUGHT` is missing.
    """
    entries: dict[str, dict[str, Any]] = {}
    for entry in index["items"]:
        page = entry["location"].partition("#")[0]
        if page in entries and re.fullmatch(r"rules/\w\d+\.html", page):
            entries[page]["text"] += f" {entry['text']}"
        else:
            entries[entry["location"]] = entry
    if missing := SOUGHT.keys() - entries:
        raise ValueError(f"the search has no {', '.join(sorted(missing))}")
    for place, words in SOUGHT.items():
        entries[place]["text"] += f" <p>{words}</p>"
    index["items"] = [*entries.values()]


def as_markdown(text: str) -> str:
    """Return a page as it stands beside that for browsers: without what is for generators."""
    text = re.sub(r"\A---\n.*?\n---\n\n?", "", text, flags=re.DOTALL)
    text = re.sub(r"<!-- (generated by|end of what is) .*-->\n+", "", text)
    return re.sub(r"\{ \.md-button[^}]*\}", "", text)


def listing(texts: Mapping[str, str]) -> str:
    """llms.txt: all pages as Markdown, by the parts of the site."""
    settings = configuration(set(texts))
    parts_of_site = [f"# {settings['site_name']}\n\n> {settings['site_description']}.\n"]
    for part in settings["nav"]:
        for title, names in part.items():
            listed = re.findall(r'"([\w/.-]+\.md)"', json.dumps([names]))
            rows = [f"- [{_title(texts[name])}]({settings['site_url']}{name})\n" for name in listed]
            parts_of_site.append(f"## {title}\n\n{''.join(rows)}")
    return "\n".join(parts_of_site)


def _title(text: str) -> str:
    return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))


def serve(port: int) -> None:
    """Serve the folder on this machine until it is interrupted."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(OUT))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        sys.stdout.write(f"http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends)\n")
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


def main() -> None:
    """Build, and serve if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", metavar="PORT", type=int, nargs="?", const=8125, help="serve it at 127.0.0.1:PORT")
    asked = parser.parse_args()
    build()
    if asked.serve is not None:
        serve(asked.serve)


if __name__ == "__main__":
    main()
