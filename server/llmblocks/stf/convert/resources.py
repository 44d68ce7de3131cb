"""Images, recordings and files in requests: base64 with its type, a URL, or the id of an uploaded file."""

from __future__ import annotations

import base64
import mimetypes
import re
from typing import Literal, NamedTuple
from urllib.parse import unquote_to_bytes

from llmblocks.contract.markup import shortened
from llmblocks.stf.convert.losses import Losses
from llmblocks.stf.values.messages import EmbedPart, Json

Source = Literal["data", "url", "file_id"]
_DEFAULTS = {"image": "image/png", "audio": "audio/wav", "file": "application/pdf"}
_SAME = {"image/jpg": "image/jpeg", "audio/mp3": "audio/mpeg", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav"}
# The first characters of base64, from the magic number of each type.
_IMAGES = {"iVBORw0KGgo": "image/png", "/9j/": "image/jpeg", "R0lGOD": "image/gif", "UklGR": "image/webp"}
_BEGINNINGS = {**_IMAGES, "JVBERi0": "application/pdf", "SUQz": "audio/mpeg"}
_BASE64 = re.compile("[A-Za-z0-9+/]+={0,2}")
_MIME = re.compile(r"[\w.+-]+/[\w.+-]+")


class Resource(NamedTuple):
    """The source of a part for a request."""

    source: Source
    value: str
    more: dict[str, Json]
    """The keys of the part that say nothing about its source."""
    mime: str = ""


def resource(
    part: EmbedPart, losses: Losses, accepted: tuple[Source, ...], schemes: tuple[str, ...]
) -> Resource | None:
    """Return the best source of a part for a service, the first of `accepted`, or None; all others are lost."""
    more = dict(part.more)
    found: dict[Source, tuple[str, str, str]] = {}  # with its key, and the type
    split = None if part.url is None else split_data_url(part.url)
    data, key, mime = part.data, "data", part.mime
    if split is not None and data is None:
        data, key = split[1], "url"
        if mime is not None and mime != split[0]:
            losses.add("the URL has another type: this one is left out", "mime")
        mime = split[0]
    elif split is not None:
        losses.add("the part has data: the URL is left out", "url")
    elif part.url is not None and "url" in accepted and part.url.lower().startswith(schemes):
        found["url"] = part.url, "url", ""
    elif part.url is not None:
        cut = shortened(part.url, 60)
        losses.add(f"the service cannot fetch {cut!r}: it is left out; give the data", "url")
    if data is not None:
        data = "".join(data.split())
        if not data or len(data) % 4 or not _BASE64.fullmatch(data):
            losses.add("this is not base64: it is left out", key)
        else:
            known = _type_of(part, mime, data)
            kind = known or _DEFAULTS[part.type]
            found["data"] = data, key, kind
            if mime is None and known is None:
                losses.add(f"nothing tells the type: it is {kind!r} in the request", "mime")
            elif mime is not None and mime.lower() != kind:
                said = f"the type is {kind!r} in the request, not {shortened(mime, 60)!r}"
                losses.add(said, "mime" if key == "data" else "url")
    if "file_id" in more:
        found["file_id"] = more.pop("file_id"), "file_id", ""
    chosen: Resource | None = None
    for source in sorted(found, key=lambda each: accepted.index(each) if each in accepted else len(accepted)):
        value, key, kind = found[source]
        if source in accepted and chosen is None:
            chosen = Resource(source, value, more, kind)
        else:
            why = "a part has one source" if source in accepted else "the service does not accept it here"
            losses.add(f"{why}: the {source} is left out", key)
    if chosen is None:
        losses.add(f"the part has no {' or '.join(accepted)} that the service accepts: it is left out")
    elif chosen.source == "data" and part.type == "image" and chosen.mime not in _IMAGES.values():
        losses.add(f"images are {', '.join(_IMAGES.values())}: one of the type {chosen.mime!r} is left out")
        return None
    elif chosen.source != "data" and part.mime is not None and (part.data is not None or part.mime == mime):
        # the type of a URL has been reported if it differs
        losses.add(f"a part with a {chosen.source} has no type: it is left out", "mime")
    return chosen


def split_data_url(url: str) -> tuple[str, str] | None:
    """Split a `data:` URL into its type and base64; None for any other URL."""
    head, comma, data = url.partition(",")
    if not comma or head[:5].lower() != "data:":
        return None
    mime, semicolon, encoding = head[5:].rpartition(";")
    if semicolon and encoding.lower() == "base64":
        return mime, data
    return head[5:], base64.b64encode(unquote_to_bytes(data)).decode()


def _type_of(part: EmbedPart, mime: str | None, data: str) -> str | None:
    """Return the declared type of a part, or else the type suggested by its beginning or its name."""
    given = (mime or "").partition(";")[0].strip().lower()
    if not _MIME.fullmatch(given) and part.type == "audio":
        given = f"audio/{part.more.get('format', '')}".lower()
    if _MIME.fullmatch(given):
        return _SAME.get(given, given)
    for beginning, found in _BEGINNINGS.items():
        if data.startswith(beginning) and (part.type == "file" or found.startswith(part.type)):
            return found
    return mimetypes.guess_type(part.more.get("name", ""))[0] if part.type == "file" else None
