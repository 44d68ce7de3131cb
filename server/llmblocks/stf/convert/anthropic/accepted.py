"""The keys that a request of the Messages API accepts, as in the types of Anthropic's SDK."""

from __future__ import annotations

from llmblocks.stf.convert.shapes import Shape, boolean, by_type, many, one_of, record, text, text_or_null, whole


def _located(kind: str, **places: Shape) -> Shape:
    return record({"type": one_of(kind), "cited_text": text, **places})


_DOCUMENT: dict[str, Shape] = {"document_index": whole, "document_title": text_or_null}
_CITATION = by_type({
    "char_location": _located("char_location", **_DOCUMENT, start_char_index=whole, end_char_index=whole),
    "page_location": _located("page_location", **_DOCUMENT, start_page_number=whole, end_page_number=whole),
    "content_block_location": _located(
        "content_block_location", **_DOCUMENT, start_block_index=whole, end_block_index=whole
    ),
    "web_search_result_location": _located(
        "web_search_result_location", encrypted_index=text, title=text_or_null, url=text
    ),
    "search_result_location": _located(
        "search_result_location",
        search_result_index=whole,
        source=text,
        title=text_or_null,
        start_block_index=whole,
        end_block_index=whole,
    ),
})  # fmt: skip
_CALLER = by_type({
    "direct": record({"type": one_of("direct")}),
    "code_execution_20250825": record({"type": one_of("code_execution_20250825"), "tool_id": text}),
    "code_execution_20260120": record({"type": one_of("code_execution_20260120"), "tool_id": text}),
})  # fmt: skip
_CACHED: dict[str, Shape] = {"cache_control": record({"type": one_of("ephemeral")}, {"ttl": one_of("5m", "1h")})}

TEXT: dict[str, Shape] = {**_CACHED, "citations": many(_CITATION)}
IMAGE: dict[str, Shape] = {**_CACHED, "transformations": record({}, {"oversized_image": one_of("downsize", "error")})}
DOCUMENT: dict[str, Shape] = {**_CACHED, "citations": record({}, {"enabled": boolean}), "context": text, "title": text}
CALL: dict[str, Shape] = {**_CACHED, "caller": _CALLER, "toolset_name": text}
RESULT: dict[str, Shape] = {**_CACHED, "is_error": boolean, "toolset_name": text}
"""The keys of a result, except its content and the id of its call."""

EMBEDS = {"user": ("image", "file"), "tool": ("image", "file")}
"""The allowed resources in a message, by role."""
CALL_ID = "[a-zA-Z0-9_-]+"
LONGEST_NAME = 128
