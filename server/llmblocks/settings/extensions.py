"""The rules of teams: modules of Python that settings name, and those of installed packages."""

from __future__ import annotations

import os
import re
import sys
from contextlib import redirect_stdout, suppress
from glob import escape, glob
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Final

from llmblocks.facts.rule import Rule, rules_in
from llmblocks.settings.files import why_no_file
from llmblocks.settings.globs import anchored_path
from llmblocks.settings.rule_names import ALL_RULES, OWN_CODE, register

ENTRY_POINTS: Final = "llmblocks.rules"
LAYERS: Final = ("gadget", "request", "stf", "tags", "completions")
_Stamp = tuple[int, int]


class ExtensionError(ValueError):
    pass


def load_module(name: str) -> ModuleType:
    """Import an extension: a module that Python finds, or a file that ends in `.py`. Raises `ExtensionError`."""
    try:
        # standard output is the client's
        with redirect_stdout(sys.stderr):
            return _module_in(name) if name.endswith(".py") else import_module(name)
    except (ExtensionError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ExtensionError(f"{type(error).__name__}: {error}") from error


def load_rules(name: str) -> tuple[Rule, ...]:
    """Return the rules of a module or a `.py` file, ready for `Settings(rules=…)`. Raises `ExtensionError`."""
    rules = rules_of(load_module(name))
    if not rules:
        raise ExtensionError("it defines no rule")
    return rules


def rules_of(module: ModuleType) -> tuple[Rule, ...]:
    """Return the rules that a module defines; their codes are known from then on. Raises `ExtensionError`."""
    found = rules_in(vars(module))
    for number, rule in enumerate(found):
        if wrong := _wrong(rule, found[:number]):
            raise ExtensionError(f"the rule {rule.code!r:.40}: {wrong}")
    register(found)
    return found


class OwnRules:
    """The extensions of a project. Each is imported once, and again after its file has changed.

    `trusted` says whether settings files may name code to import, `remedy` how to trust them. `faults` are the reasons
    why rules are missing, by the name of the extension. `given` are rules that the user has named.
    """

    def __init__(self, *, trusted: bool = False) -> None:
        self.trusted = trusted
        self.faults: dict[str, str] = {}
        self.remedy = "trust them"
        self.given: tuple[Rule, ...] = ()
        self._known: dict[tuple[str, _Stamp | None], tuple[Rule, ...]] = {}
        self._installed: tuple[Rule, ...] | None = None

    def rules(self, name: str) -> tuple[Rule, ...]:
        """Return the rules of an extension that settings name; none without trust. Raises `ExtensionError`."""
        if not self.trusted:
            self.faults[name] = f"not imported, because they are code: {self.remedy}"
            return ()
        self.faults.pop(name, None)
        key = name, _stamp(name)
        if key not in self._known:
            self._known[key] = load_rules(name)
        return self._known[key]

    def installed(self) -> tuple[Rule, ...]:
        """Return the rules that were given, and those of installed packages."""
        if self._installed is None:
            self._installed = ()
            for name in entry_points():
                try:
                    self._installed += load_rules(name)
                except ExtensionError as error:
                    self.faults[name] = str(error)
                    import logging

                    logging.getLogger(__name__).warning("the rules of %s cannot be imported: %s", name, error)
        return (*self.given, *self._installed)


def extension_path(name: str, folder: str) -> str:
    return anchored_path(name, folder) if name.endswith(".py") else name


def entry_points() -> list[str]:
    """Return the modules that installed packages name as entry points of the group `llmblocks.rules`."""
    names = []
    # `importlib.metadata` needs a fifth of the time of a whole `check`
    for path in [path for folder in sys.path for path in glob(os.path.join(escape(folder), "*-info/entry_points.txt"))]:
        with suppress(OSError, ValueError), open(path, encoding="utf-8") as file:
            _, _, after = file.read().partition(f"[{ENTRY_POINTS}]")
            lines = after.partition("\n[")[0].splitlines()
            names += [line.partition("=")[2].strip() for line in lines if "=" in line]
    return sorted(dict.fromkeys(names))


def _module_in(name: str) -> ModuleType:
    if (reason := why_no_file(name)) is not None:
        raise ExtensionError(reason)
    # its own name may be that of another module
    known_as = f"llmblocks_extension_{re.sub('[^0-9A-Za-z]', '_', os.path.abspath(name))}"
    spec = spec_from_file_location(known_as, name)
    if spec is None or spec.loader is None:
        raise ExtensionError("it is not a Python file")
    module = sys.modules[known_as] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _stamp(name: str) -> _Stamp | None:
    with suppress(OSError, ValueError):
        status = os.stat(name)
        return status.st_mtime_ns, status.st_size
    return None


def _wrong(rule: Rule, before: tuple[Rule, ...]) -> str:
    """Return the reason why a rule cannot be one of a team; empty if it can."""
    if not OWN_CODE.fullmatch(rule.code) or rule.code == "X":
        return "its code is not an X, up to four capital letters and three digits"
    if rule.layer not in LAYERS:
        return f"its layer is {rule.layer!r}; use one of {', '.join(LAYERS)}"
    if not callable(rule.check):
        return "it has no function check"
    if rule.fix and not callable(rule.fix):
        return "its fix is not a function"
    if any(each.code == rule.code for each in before):
        return "another rule has this code"
    if rule.name in {each.name for each in ALL_RULES}:
        return f"llmblocks has a rule {rule.name}"
    return ""
