"""The web pages that may connect: those of this machine, and those that the user allows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

_NAME = re.compile(r"[a-z0-9._-]+")


class AllowedOrigins:
    """Decides by the `Origin` and the `Host` of a WebSocket's handshake.

    A browser reports truthfully which page it comes from. Its `Host` is the name that led it here: a foreign name was
    pointed at this machine by somebody else (DNS rebinding). An address cannot be.

    Args:
        host: The name to listen on.
        origins: Those allowed besides the loopback ones, as `https://host:port`.

    Raises:
        ValueError: An origin is invalid.
    """

    def __init__(self, host: str, origins: Sequence[str] = ()) -> None:
        self._origins = frozenset(read_origin(origin) for origin in origins)
        self._names = {host.lower()} | {urlsplit(origin).hostname or "" for origin in self._origins}

    def refusal(self, origins: Sequence[str], hosts: Sequence[str]) -> str | None:
        """Return the reason to refuse a client with these headers, or None."""
        if len(hosts) != 1:
            return "exactly one Host header is required"
        host = _host_of(f"//{hosts[0]}")
        if host is None or not (_is_loopback(host) or _is_address(host) or host in self._names):
            return f"the Host {hosts[0][:100]} is not this server's: connect to localhost or to an address"
        if not origins:
            # not a browser: those always send their origin
            return None
        if len(origins) > 1:
            return "at most one Origin header is allowed"
        origin = origins[0].lower()
        if origin in self._origins:
            return None
        name = _host_of(origin) if origin.startswith(("http://", "https://")) else None
        if name is None or not _is_loopback(name):
            return f"pages of {origins[0][:100]} may not connect: start the server with --allow-origin {origin[:100]}"
        return None


def read_origin(text: str) -> str:
    """Return an origin as browsers write it.

    Raises:
        ValueError: It is invalid.
    """
    origin = text.lower().rstrip("/")
    scheme, colon, rest = origin.partition("://")
    if origin != "null" and (not scheme or not colon or _host_of("//" + rest) is None):
        raise ValueError(f"invalid origin {text}: write scheme://host or scheme://host:port")
    return origin


def _host_of(url: str) -> str | None:
    """Return the host of a URL that has only a scheme and a port besides."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    name = parts.hostname
    written = f"[{name}]" if name and ":" in name else name
    if not name or parts.netloc.lower() not in (written, f"{written}:{port}"):
        return None
    if parts.path or parts.query or parts.fragment or not (_is_address(name) or _NAME.fullmatch(name)):
        return None
    return name


def _is_loopback(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    return _is_address(name) and ip_address(name).is_loopback


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
