"""The likely next pointers of a call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def next_pointers(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pointers that continue the arrays of a call, each with an explanation, the last array first.

    An array of values continues at its next index. In an array of objects, the last object first gets the keys of the
    one before it.
    """
    arrays: dict[str, dict[int, dict[str, None]]] = {}
    for pointer in given:
        segments = pointer.split("/")
        for place, segment in enumerate(segments):
            if place and segment.isdecimal() and segment.isascii() and len(segment) < 10:
                items = arrays.setdefault("/".join(segments[:place]), {})
                items.setdefault(int(segment), {})["/".join(segments[place + 1 :])] = None
    for array in reversed(arrays):
        items = arrays[array]
        last = max(items)
        before = items.get(last - 1, {})
        for key in before:
            if key and key not in items[last]:
                yield f"{array}/{last}/{key}", f"`{key}` of the last object in `{array}`"
        first = next(iter(items[last]))
        pointer = f"{array}/{last + 1}"
        yield f"{pointer}/{first}" if first else pointer, f"The next element of `{array}`"
