"""Images, recordings and files in requests: base64 with its type, a URL, or the id of an uploaded file."""

from __future__ import annotations

import base64
import binascii
import mimetypes
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple
from urllib.parse import unquote_to_bytes

from llmblocks.contract.markup import shortened
from llmblocks.stf.convert.converted import Losses
from llmblocks.stf.values.messages import EmbedPart

IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""The media types of images that services accept."""
Source = Literal["data", "url", "file_id"]

_LONGEST_SCHEME = len("https://")
_DEFAULTS = {"image": "image/png", "audio": "audio/wav", "file": "application/pdf"}
_SAME = {"image/jpg": "image/jpeg", "audio/mp3": "audio/mpeg", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav"}
# The first characters of base64, from the magic number of each type.
_BEGINNINGS = (
    ("iVBORw0KGgo", "image/png"),
    ("/9j/", "image/jpeg"),
    ("R0lGOD", "image/gif"),
    ("UklGR", "image/webp"),
    ("JVBERi0", "application/pdf"),
    ("SUQz", "audio/mpeg"),
)


class Resource(NamedTuple):
    """The source of a part for a request."""

    source: Source
    value: str
    mime: str = ""
    """The type of base64, in lower case."""


def resource(
    part: EmbedPart, path: str, losses: Losses, accepted: Sequence[Source], schemes: tuple[str, ...]
) -> Resource | None:
    """Return the best source of a part that a service accepts, or None. All others are reported as lost.

    Args:
        part: The part.
        path: Its path.
        losses: Receives the losses.
        accepted: The kinds of sources that the service accepts.
        schemes: The prefixes of the URLs that the service can fetch.
    """
    found: dict[Source, tuple[str, Resource]] = {}
    split = None if part.url is None else split_data_url(part.url)
    mime = part.mime
    data, data_path = part.data, f"{path}.data"
    if split is not None and data is None:
        data, data_path = split[1], f"{path}.url"
        if mime is not None and mime != split[0]:
            losses.add(f"{path}.mime", "the URL has another type: this one is left out")
        mime = split[0]
    elif split is not None:
        losses.add(f"{path}.url", "the part has data: the URL is left out")
    elif part.url is not None:
        if part.url[:_LONGEST_SCHEME].lower().startswith(schemes):
            found["url"] = (f"{path}.url", Resource("url", part.url))
        else:
            losses.add(
                f"{path}.url", f"the service cannot fetch {shortened(part.url, 60)!r}: it is left out; give the data"
            )
    if data is not None:
        data = "".join(data.split())
        if not _is_base64(data):
            losses.add(data_path, "this is not base64: it is left out")
        else:
            known = _type_of(part, mime, data)
            kind = known or _DEFAULTS[part.type]
            found["data"] = (data_path, Resource("data", data, kind))
            if mime is None and known is None:
                losses.add(f"{path}.mime", f"nothing tells the type: it is {kind!r} in the request")
            elif mime is not None and mime.lower() != kind:
                at = f"{path}.mime" if split is None or part.data is not None else data_path
                losses.add(at, f"the type is {kind!r} in the request, not {shortened(mime, 60)!r}")
    if isinstance(file_id := part.more.get("file_id"), str):
        found["file_id"] = (f"{path}.file_id", Resource("file_id", file_id))
    chosen = None
    for source in (*accepted, *(source for source in found if source not in accepted)):
        if source in found and source in accepted and chosen is None:
            chosen = found[source][1]
        elif source in found:
            why = "a part has one source" if source in accepted else "the service does not accept it here"
            losses.add(found[source][0], f"{why}: the {source} is left out")
    if chosen is not None and chosen.source == "data" and part.type == "image" and chosen.mime not in IMAGE_TYPES:
        losses.add(path, f"images are {', '.join(IMAGE_TYPES)}: one of the type {chosen.mime!r} is left out")
        return None
    if chosen is None:
        losses.add(path, f"the part has no {' or '.join(accepted)} that the service accepts: it is left out")
    elif chosen.source != "data" and part.mime is not None and (part.data is not None or part.mime == mime):
        # the type of a URL has been reported if it differs
        losses.add(f"{path}.mime", f"a part with a {chosen.source} has no type: it is left out")
    return chosen


def data_url(mime: str, data: str) -> str:
    """Return a `data:` URL of a resource in base64."""
    return f"data:{mime};base64,{data}"


def split_data_url(url: str) -> tuple[str, str] | None:
    """Split a `data:` URL into its type and base64; None for any other URL."""
    if url[:5].lower() != "data:":
        return None
    head, comma, data = url[5:].partition(",")
    if not comma:
        return None
    mime, semicolon, encoding = head.rpartition(";")
    if semicolon and encoding.lower() == "base64":
        return mime, data
    return head, base64.b64encode(unquote_to_bytes(data)).decode()


def plain_text_of(data: str) -> str | None:
    """Decode base64 as text; None if it is not UTF-8."""
    try:
        return base64.b64decode(data).decode()
    except UnicodeDecodeError:
        return None


def base64_of(text: str) -> str:
    """Encode a text as base64."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()


def _type_of(part: EmbedPart, mime: str | None, data: str) -> str | None:
    """Return the declared type of a part, or else the type suggested by its beginning or its name."""
    given = (mime or "").partition(";")[0].strip().lower()
    if re.fullmatch(r"[\w.+-]+/[\w.+-]+", given):
        return _SAME.get(given, given)
    form = part.more.get("format")
    if part.type == "audio" and isinstance(form, str) and re.fullmatch(r"[\w.+-]+", form):
        return _SAME.get(f"audio/{form}".lower(), f"audio/{form}".lower())
    for beginning, found in _BEGINNINGS:
        if data.startswith(beginning) and (part.type == "file" or found.startswith(part.type)):
            return found
    name = part.more.get("name")
    return mimetypes.guess_type(name)[0] if isinstance(name, str) and part.type == "file" else None


def _is_base64(data: str) -> bool:
    try:
        return bool(data) and base64.b64decode(data, validate=True) is not None
    except (binascii.Error, ValueError):
        return False
