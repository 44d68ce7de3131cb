"""The site is built, whole, and for everybody: links, rules, Markdown, a real browser."""

from __future__ import annotations

import functools
import html
import http.server
import json
import os
import posixpath
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from editors.browser import chromium_for, seen_by
from editors.debian import ROOT, only_one
from llmblocks.facts.finding import PAGES
from llmblocks.languages.registry import LANGUAGES
from llmblocks.settings.rule_names import ALL_RULES

HERE = Path(__file__).resolve().parent
OUT = ROOT / "dist" / "docs"
PICTURES = ROOT / ".screenshots" / "site"
PLACE = "https://llmblocks.github.io/llmblocks/"
A_MINUTE = 60
LANGUAGE_OF = {each.layers[0]: each.id for each in LANGUAGES}


@pytest.fixture(scope="module")
def site() -> Path:
    """The folder of the site, as `make docs` builds it."""
    began = os.times()
    with only_one(ROOT / ".cache" / "web-server"):
        done = subprocess.run(
            [sys.executable, "docs/site/build.py"], cwd=ROOT, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    ended = os.times()
    spent = ended.children_user + ended.children_system - began.children_user - began.children_system
    assert spent < A_MINUTE
    return OUT


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of the site, served to this machine."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing of each request."""

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name == "href" and value and tag == "a":
                self.links.append(value)
            elif value and (name in ("src", "srcset") or (name == "href" and tag == "link")):
                self.loads.append(value)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Each page by its place in the site."""
    # the page of an example is an example
    found = [path for path in site.rglob("*.html") if path.name not in ("404.html", "chat_page.html")]
    return {path.relative_to(site).as_posix(): Page(path.read_text("utf-8")) for path in found}


def test_every_link_leads_to_a_page_and_an_anchor(site: Path, pages: dict[str, Page]) -> None:
    lost = []
    for name, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(html.unescape(link))
            if parts.scheme or parts.netloc or name.startswith("playground/"):
                continue
            target = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            )
            target = f"{target}/index.html" if (site / target).is_dir() else target
            anchored = not parts.fragment or target.startswith("playground/") or parts.fragment in pages[target].anchors
            if not (site / target).exists() or not anchored:
                lost.append(f"{name}: {link}")
    assert lost == []


def test_a_page_loads_nothing_from_another_host(pages: dict[str, Page]) -> None:
    loads = {load for page in pages.values() for load in page.loads if urlsplit(load).netloc}
    assert {load for load in loads if not load.startswith(PLACE)} == set()


def test_every_page_is_reached_from_the_first(pages: dict[str, Page]) -> None:
    reached, wait = {"index.html"}, ["index.html"]
    while wait:
        name = wait.pop()
        for link in pages[name].links:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), urlsplit(link).path))
            if target in pages and target not in reached:
                reached.add(target)
                wait.append(target)
    assert set(pages) - reached == set()


def test_each_page_is_beside_itself_as_markdown_and_listed(site: Path, pages: dict[str, Page]) -> None:
    listed = re.findall(rf"\]\({PLACE}(\S+)\)", (site / "llms.txt").read_text("utf-8"))
    written = [name for name in pages if not name.startswith("playground/")]
    assert sorted(listed) == sorted(name.removesuffix("html") + "md" for name in written)
    for name in listed:
        text = (site / name).read_text("utf-8")
        assert text.startswith("# "), name
        assert ":::" not in text, name


def test_the_link_of_each_rule_leads_to_its_page(site: Path) -> None:
    """On the web, in a copy of the repository, and in the site."""
    folder = PAGES.partition("/main/")[2]
    for rule in ALL_RULES:
        page = ROOT / folder / f"{rule.code}.md"
        assert page.read_bytes().decode().startswith(f"# {rule.code} {rule.name}\n")
        assert f"{rule.code} {rule.name}" in (site / "rules" / f"{rule.code}.html").read_text("utf-8")


def test_each_wrong_example_is_coloured_and_its_finding_underlined(site: Path) -> None:
    """A finding of a file, or of other files, has no text to underline."""
    for rule in ALL_RULES:
        page = (site / "rules" / f"{rule.code}.html").read_text("utf-8")
        language = LANGUAGE_OF.get(rule.layer)
        if language is None or rule.files:
            continue
        block = rf'<div class="language-{language} highlight">.*?<code>(.*?)</code>'
        wrong, right, *_ = re.findall(block, page, re.DOTALL)
        assert [*html.unescape(re.sub(r"<[^>]*>", "", wrong)).split()] == rule.bad.split(), rule.code
        assert re.search(rf'class="[^"]*finding[^>]*{rule.code}&lt;/b&gt;', wrong), rule.code
        assert f"{rule.code}&lt;" not in right, rule.code


def test_the_search_has_one_entry_for_each_rule_and_the_words_of_people(site: Path) -> None:
    entries = json.loads((site / "search.json").read_text("utf-8"))["items"]
    found = [each["location"] for each in entries if re.fullmatch(r"rules/\w\d+\.html.*", each["location"])]
    assert sorted(found) == sorted(f"rules/{rule.code}.html" for rule in ALL_RULES)
    exits = [each["location"] for each in entries if "exit code" in each["text"]]
    assert {"check.html#exit-status", "server.html#exit-status"} <= {*exits}


@pytest.fixture(scope="module")
def seen(address: str) -> Any:
    """A browser's observations."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    return seen_by(HERE / "drive.mjs", address, PICTURES)


SEEN: dict[str, object] = {
    "wide": [],
    "elsewhere": [],
    "console": [],
    "printed": [],
    "opened": next(rule.bad for rule in ALL_RULES if rule.code == "G101"),
    "early": {"isStarting": True, "findings": 3, "names": ["ReadFile", "RunTests"]},
    "answer": "<span>You ask: </span>"
    "<blockquote>&lt;b&gt;Rain&lt;/b&gt; is likely. (https://example.org)</blockquote>"
    '<code>Umbrella {"size":2}</code>',
    "first": "Skip to content",
}
"""The observations: pages wider than a phone, requests to other hosts, complaints, what a print loses; the example of a
rule in the playground; the start page before its server runs; the page of a recipe; what the tab key reaches first."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEN)
def test_a_browser_sees_what_it_must(seen: Any, name: str) -> None:
    assert seen[name] == SEEN[name]


@pytest.mark.slow
def test_no_page_has_a_barrier(seen: Any) -> None:
    assert [f"{page}: {each}" for page, found in seen["violations"].items() for each in found] == []


@pytest.mark.slow
def test_the_pointer_the_tab_key_and_the_search_explain_and_find(seen: Any) -> None:
    assert seen["found"]
    for about in seen["about"]:
        assert about.startswith("error G101 Duplicate pointer: name note: llmist rejects the whole call")


@pytest.mark.slow
def test_lighthouse_finds_a_page_accessible(address: str) -> None:
    done = subprocess.run(
        [
            "node",
            str(HERE / "node_modules" / "lighthouse" / "cli" / "index.js"),
            f"{address}rules/G101.html",
            "--quiet",
            "--output=json",
            "--only-categories=accessibility",
            "--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage",
            "--no-enable-error-reporting",
        ],
        env={**os.environ, "CHROME_PATH": str(chromium_for(HERE))},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout)
    failed = [audit["id"] for audit in result["audits"].values() if audit["score"] == 0]
    assert (result["categories"]["accessibility"]["score"], failed) == (1, [])
