"""JSON-RPC as bytes: reading messages, and writing replies, errors and notifications."""

from __future__ import annotations

import json
from typing import Any

try:
    from orjson import dumps as _quickly
except ImportError:  # it has no wheel for WebAssembly
    _quickly = None  # type: ignore[assignment]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
REQUEST_CANCELLED = -32800
CONTENT_MODIFIED = -32801
REQUEST_FAILED = -32803

Json = Any
"""A value that `json` reads and writes."""

_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class RequestError(Exception):
    """The error answer to a request."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def invalid(message: str) -> RequestError:
    return RequestError(INVALID_PARAMS, message)


def decode(body: bytes) -> dict[str, Json]:
    """Decode a message.

    Raises:
        RequestError: ParseError for invalid UTF-8 or JSON, InvalidRequest for anything but an object.
    """
    try:
        message = _decode(body.decode("utf-8"))
    except (ValueError, RecursionError, MemoryError) as error:
        raise RequestError(PARSE_ERROR, f"the message is not JSON in UTF-8: {error}") from None
    if not isinstance(message, dict):
        what = "a batch" if isinstance(message, list) else f"a {type(message).__name__}"
        raise RequestError(INVALID_REQUEST, f"a message must be an object, not {what}")
    return message


def is_id(value: Json) -> bool:
    """Return whether a value can be the id of a request. `True` cannot: it is equal to 1."""
    return type(value) in (int, str)


def encode(value: Json) -> bytes:
    if _quickly is not None:
        try:
            return _quickly(value)
        except TypeError:
            # half of a surrogate pair, or deep nesting
            pass
    return _encode(value).encode("ascii")


def reply(request_id: Json, result: Json) -> bytes:
    return encode({"jsonrpc": "2.0", "id": request_id, "result": result})


def error(request_id: Json, error: RequestError) -> bytes:
    return encode({"jsonrpc": "2.0", "id": request_id, "error": {"code": error.code, "message": error.message}})
