"""Which URIs name the same document, and which file."""

from __future__ import annotations

import os

import pytest

from llmblocks.lsp.documents.plain import Documents, OpenDocument
from llmblocks.lsp.wire.uris import identity, name_of, path_of

posix = pytest.mark.skipif(os.name == "nt", reason="the paths are those of POSIX")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///c%3A/a", "file:///c:/a"),
        ("file:///w/a%20b", "file:///w/a b"),
        ("file:///w/%C3%BC", "file:///w/ü"),
        ("file:///w/a%2fb", "file:///w/a%2Fb"),
        ("file:///w/%3f%23", "file:///w/%3F%23"),
        ("file:///w/%61", "file:///w/a"),
    ],
)
def test_a_document_is_the_same_however_its_uri_is_encoded(one: str, other: str) -> None:
    assert identity(one) == identity(other)
    documents = Documents()
    documents.put(OpenDocument(one, "gadget", 1))
    assert documents.get(other) is documents.get(one) is not None
    documents.remove(other)
    assert list(documents) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///w/a%23b", "file:///w/a#b"),
        ("file:///w/a%3Fb", "file:///w/a?b"),
        ("file:///w/a%2Fb", "file:///w/a/b"),
        ("file:///w/a%2523b", "file:///w/a%23b"),
        ("file:///w/a%2541", "file:///w/aA"),
        ("file:///w/%FF", "file:///w/%FE"),
        ("file:///w/A", "file:///w/a"),
    ],
)
def test_documents_are_two_where_an_escape_means_something(one: str, other: str) -> None:
    assert identity(one) != identity(other)
    documents = Documents()
    documents.put(OpenDocument(one, "gadget", 1))
    assert documents.get(other) is None
    documents.put(OpenDocument(other, "gadget", 2))
    assert [document.uri for document in documents] == [one, other]


@posix
@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/a.gadget", "/w/a.gadget"),
        ("file://localhost/w/a%20b", "/w/a b"),
        ("FILE:///w/a", "/w/a"),
        ("file:///w/../outside/a", "/outside/a"),
        ("file:///w/%2E%2E/outside/a", "/outside/a"),
        ("file:///w/./b//a", "/w/b/a"),
        ("file:///../../a", "/a"),
        ("file:///w/a#b", "/w/a"),
        ("file:///w/a%23b", "/w/a#b"),
        ("file:///w/%FF", "/w/\udcff"),
        ("file:///w/\ud800", None),
        ("file:///c:/w/a", "/c:/w/a"),
        ("file:w/a", None),
        ("file:", None),
        ("file:///w/a%00b", None),
        ("file://[::1/w", None),
        ("untitled:Untitled-1", None),
        ("", None),
    ],
)
def test_a_file_uri_is_an_absolute_path_without_detours(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c:/w/a.gadget", "C:\\w\\a.gadget"),
        ("file:///C%3A/w/a%20b", "C:\\w\\a b"),
        ("file:///d:/w/../x/./a", "D:\\x\\a"),
        ("file://server/share/a.stf", "\\\\server\\share\\a.stf"),
        ("file:///c:w/a", None),
        ("untitled:Untitled-1", None),
    ],
)
def test_a_file_uri_is_a_path_of_windows(uri: str, path: str | None) -> None:
    assert path_of(uri, windows=True) == path


def test_the_case_of_a_drive_says_nothing_on_windows_alone() -> None:
    one, other = "file:///C%3A/w/a", "FILE:///c:/w/a"
    assert identity(one, windows=True) == identity(other, windows=True) == "file:///c:/w/a"
    assert identity(one, windows=False) != identity(other, windows=False)
    # only the drive
    assert identity("file:///c:/w/A", windows=True) != identity("file:///c:/w/a", windows=True)


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("file:///w/a%20b.stf", "a b.stf"),
        ("file:///w/a:b", "a:b"),
        ("untitled:Untitled-1", "Untitled-1"),
        ("untitled:/w/new.stf", "new.stf"),
        ("odd", "odd"),
    ],
)
def test_a_title_has_the_name_of_a_file(uri: str, name: str) -> None:
    assert name_of(uri) == name
