"""Build the playground: `dist/playground`, a folder of static files that any web host can serve.

Usage: python editors/playground/build.py [--serve [PORT]]. With --serve, it is served on this machine alone.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import json
import shutil
import subprocess
import sys
from pathlib import Path

from llmblocks import __version__
from llmblocks.completions import template_names
from llmblocks.languages.registry import LANGUAGES
from llmblocks.settings.values import DEFAULTS

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from building import foreseen

HOME = Path(__file__).resolve().parent
ROOT = HOME.parents[1]
OUT = ROOT / "dist" / "playground"
EXAMPLES = (
    ("Three mistakes", "editors/playground/examples/first.gadget"),
    ("An agent's response, with mistakes", "docs/examples/session.gadget"),
    ("A chat with mistakes", "docs/examples/chat.stf"),
    ("Custom blocks", "docs/examples/answer.blocks"),
    ("An agent's response", "docs/examples/clean/session.gadget"),
    ("A chat", "docs/examples/clean/chat.stf"),
)
GADGETS = {
    "name": "ReadFile",
    "description": "Reads a file.",
    "schema": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "lines": {"type": "integer", "minimum": 1}},
        "required": ["path"],
        "additionalProperties": False,
    },
}
CALL = "!!!GADGET_START:ReadFile:r1\n!!!ARG:pth\nnotes.txt\n!!!ARG:lines\nmany\n!!!GADGET_END\n"
QWEN = """<think>
Two cities: a call for each.
</think>

I will look it up.
<tool_call>
{"name": "get_weather", "arguments": {"city": "Lisbon", "days": 3}}
</tool_call>
<tool_call>
{"name": "get_weather", "arguments": {"city": "Porto" "days": 3}}
</tool_call><|im_end|>
"""
HARMONY = """<|channel|>analysis<|message|>The user wants the weather. I call the tool.<|end|><|start|>assistant\
<|channel|>commentary<|message|>I will look it up.<|end|><|start|>assistant\
<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Lisbon", "days": 3}<|call|>\
<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Por"""
SETTINGS = '[gadget.schemas]\n"**" = ["gadgets.json"]\n'


def build() -> None:
    """Make the folder again."""
    server = [sys.executable, str(ROOT / "editors" / "web" / "server" / "build.py"), "--if-changed"]
    subprocess.run(server, check=True)
    modules = HOME / "node_modules"
    lock, installed = HOME / "package-lock.json", modules / ".installed"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run([_program("npm"), "ci", "--silent", "--no-fund", "--no-audit"], cwd=HOME, check=True)
        installed.touch()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    suffixes = {suffix: each.id for each in LANGUAGES for suffix in each.suffixes}
    examples = [
        {"title": title, "text": (ROOT / path).read_text("utf-8"), "language": suffixes[Path(path).suffix]}
        for title, path in EXAMPLES
    ]
    for example in examples:
        # without their settings: an example that has some waits for the server
        example.update(foreseen(example["text"], example["language"]))
    files = {"llmblocks.toml": SETTINGS, "gadgets.json": json.dumps(GADGETS, indent=2) + "\n"}
    examples.append({"title": "A call checked against a schema", "text": CALL, "language": "gadget", "files": files})
    harmony = {"llmblocks.toml": '[completion]\ntemplate = "gpt-oss"\n', "gadgets.json": ""}
    examples += [
        {"title": "Tool calls of Qwen, one of which is lost", "text": QWEN, "language": "completion"},
        {"title": "gpt-oss, cut in a call", "text": HARMONY, "language": "completion", "files": harmony},
    ]
    # a language whose files are known by their folders alone has no suffix
    languages = [
        {
            "id": each.id,
            "title": each.title,
            "suffix": (*each.suffixes, f".{each.id}")[0],
            # the default first
            "templates": sorted(template_names(), key=lambda name: name != DEFAULTS.template)
            * (each.id == "completion"),
        }
        for each in LANGUAGES
    ]
    given = {OUT / "languages.json": languages, OUT / "examples.json": examples}
    for path, value in given.items():
        path.write_text(json.dumps(value), "utf-8")
    subprocess.run([_program("node"), "bundle.mjs", str(OUT), *map(str, given)], cwd=HOME, check=True)
    for path in given:
        path.unlink()
    for name in ("index.html", "colours.css", "page.css", "icon.svg"):
        text = (HOME / name).read_text("utf-8")
        (OUT / name).write_text(text.replace("{{version}}", __version__), "utf-8")
    worker = ROOT / "dist" / "web-server"
    shutil.copytree(worker, OUT / "web-server", ignore=shutil.ignore_patterns("*.mjs"))
    size = sum(path.stat().st_size for path in OUT.rglob("*") if path.is_file())
    sys.stdout.write(f"{OUT.relative_to(ROOT)}: {size / 1e6:.1f} MB\n")


def serve(port: int) -> None:
    """Serve the folder on this machine until it is interrupted."""
    handler = functools.partial(Handler, directory=str(OUT))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        sys.stdout.write(f"http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends)\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            sys.stdout.write("\n")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files with the types that browsers insist on."""

    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        """Let pages of other origins embed the element, as a web host may."""
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is not installed")
    return found


def main() -> None:
    """Build, and serve if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", metavar="PORT", type=int, nargs="?", const=8124, help="serve it at 127.0.0.1:PORT")
    asked = parser.parse_args()
    build()
    if asked.serve is not None:
        serve(asked.serve)


if __name__ == "__main__":
    main()
