"""Settings as nobody should write them: TOML texts, values of a client, and the URIs that they may be for."""

from __future__ import annotations

from random import Random
from typing import Any

from llmblocks.settings.schema import SCHEMA

Given = Any
GROUPS = {name: [*group["properties"]] for name, group in SCHEMA["properties"].items() if "properties" in group}
NAMES = (
    *("extend", *GROUPS, *(name for names in GROUPS.values() for name in names)),
    *("start", "end", "arg", "attributes", "required", "values", "description"),
    *("G101", "duplicate-pointer", "llmblocks", "settings", "server", "x"),
)
STRINGS = (
    *("", "@", ";", "auto", "off", "error", "pull", "G1", "g102", "duplicate-pointer", "nonsense", "think"),
    *("a b", "<<", "<<<", "!!!GADGET_END", "a\nb", "\r", "# no comment", "[table]", "x = 1", '"', "'", '"""'),
    *("'''", "\\", "\0", "\x1b[2J", "é🎉", "\u2028", "(", ".*", "%s {0}", "*", "*.gadget", "!x/**/y", "[a-"),
    *("!", "llmblocks.toml", "../llmblocks.toml", "pyproject.toml", "~", "gadget"),
)
PIECES = (
    *NAMES,
    *("=", " = ", ".", ",", "\n", "\n", "\r\n", "\r", " ", "\t", "#", "# x = 1\n", "\ufeff", "\0", "é"),
    *("[", "]", "[[", "]]", "{", "}", '"', "'", '"""', "'''", "\\", "\\u0041", "\\x"),
    *("1", "-1", "0x", "0xff", "1_0", "1.5", "1e400", "nan", "inf", "true", "1979-05-27", "07:32:00", "1" * 5000),
)
URIS = (
    *("untitled:Untitled-1", "vscode-notebook-cell:/w/n.ipynb#W0sZmlsZQ%3D%3D"),
    *("weird uri with spaces and ü", "file://host:99999/a\0b", "file:relative/a.stf", "file:", "http://[::1"),
    *("", "%", "%2", "\ud800"),
)
DETOURS = (
    *("", "/", "/..", "/../..", "/./inner/..", "/inner", "/%2E%2E", "/a%23b", "/a#b", "/a%2Fb", "/%FF"),
    *("/%00", "/ü"),
)


def some_uri(random: Random, root: str) -> str:
    if random.random() < 0.3:
        return random.choice(URIS)
    return root + "".join(random.choices(DETOURS, k=random.randrange(3))) + random.choice(("", "/a.stf", "/a.gadget"))


def some_scalar(random: Random) -> Given:
    kind = random.random()
    if kind < 0.6:
        return random.choice(STRINGS) * (1 if kind < 0.5 else random.choice((1, 100, 3000)))
    return random.choice((None, True, False, 0, 1, -1, 5.0, 2.5, 10**30, 2**70000, float("nan"), float("inf"), -0.0))


def some_value(random: Random, depth: int = 0) -> Given:
    """Return a value of a client: mostly of our shape, with something odd in it."""
    kind = random.random()
    if depth > 5 or kind < 0.35:
        return some_scalar(random)
    if kind < 0.5:
        return [some_value(random, depth + 2) for _ in range(random.randrange(5))]
    if kind < 0.53:
        value: Given = some_scalar(random)
        for _ in range(random.choice((10, 17, 900))):
            value = [value] if random.random() < 0.5 else {random.choice(NAMES): value}
        return value
    if kind < 0.533:
        return [random.choice((None, 1, "", "a", "G101"))] * random.choice((1000, 1001, 20_000))
    if kind < 0.536:
        return {f"{random.choice(NAMES)}{number}": 1 for number in range(random.choice((200, 10_001)))}
    return {some_key(random): some_value(random, depth + 1) for _ in range(random.randrange(6))}


def some_key(random: Random) -> str:
    kind = random.random()
    if kind < 0.9:
        return ".".join(random.choices(NAMES, k=1 if kind < 0.7 else random.randrange(2, 4)))
    return random.choice((*STRINGS, ".", "..", "a." * 500, "\ud800", "k" * 5000))


def some_settings(random: Random) -> Given:
    """Our settings, or nearly: each group and name in its place, its value of any kind."""
    found: Given = {}
    for group, names in GROUPS.items():
        if random.random() < 0.5:
            found[group] = {name: some_value(random, 3) for name in names if random.random() < 0.7}
    if random.random() < 0.2:
        found["extend"] = some_value(random, 3)
    if random.random() < 0.4:
        found.setdefault("gadget", {})["markers"] = {name: random.choice(STRINGS) for name in ("start", "end", "arg")}
    if random.random() < 0.3:
        found[some_key(random)] = some_value(random)
    return found


def some_text(random: Random) -> str:
    """Return the text of a settings file: right, nearly right, or noise."""
    kind = random.random()
    if kind < 0.25:
        return "".join(random.choices(PIECES, k=random.randrange(60)))
    ends = ("\n", "\n", "\r\n", " # x = 1\n", "\n# [stf]\n\n")
    settings = some_settings(random).items()
    text = "".join(f"{_key(random, key)} = {_inline(random, each)}{random.choice(ends)}" for key, each in settings)
    if kind < 0.5 and text:
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(text) + 1)
            text = text[:at] + random.choice(PIECES) + text[at + random.randrange(3) :]
    # a larger file is not read
    return text[: 1 << 20]


def _key(random: Random, key: str) -> str:
    is_bare = key.isascii() and key.replace("-", "a").replace("_", "a").isalnum()
    return key if is_bare and random.random() < 0.7 else _string(key)


def _inline(random: Random, value: Given, depth: int = 0) -> str:
    """Return a value in one of the ways to write it."""
    if depth > 100:
        return "1"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return hex(value) if value > 10**40 else str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        comma = random.choice((",", ", ", " ,\n", ", # 3\n"))
        return f"[{comma.join(_inline(random, each, depth + 1) for each in value)}]"
    if isinstance(value, dict):
        items = (f"{_key(random, key)} = {_inline(random, each, depth + 1)}" for key, each in value.items())
        return f"{{{', '.join(items)}}}"
    text = "null" if value is None else value
    if "'" not in text and "\n" not in text and text.isprintable() and random.random() < 0.5:
        quote = random.choice(("'", "'''"))
        return f"{quote}{text}{quote}"
    return _string(text)


def _string(text: str) -> str:
    escaped = (
        each if each.isprintable() and each not in '"\\' else f"\\u{ord(each):04x}"
        for each in text.replace("\ud800", "\ufffd")
    )
    return f'"{"".join(escaped)}"'
