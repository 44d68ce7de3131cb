"""The least a server can do: read a message, splice the line, publish nothing. Shows what the pipe and Python cost."""

import json
import os
import sys

stdin, out = sys.stdin.buffer, sys.stdout.fileno()
lines: dict[str, list[str]] = {}


def send(message: dict[str, object]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
    data = memoryview(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    while data:
        data = data[os.write(out, data) :]


def publish(uri: str, version: int) -> None:
    params = {"uri": uri, "version": version, "diagnostics": []}
    send({"method": "textDocument/publishDiagnostics", "params": params})


def main() -> None:
    while header := stdin.readline():
        while stdin.readline() not in (b"\r\n", b""):
            pass
        message = json.loads(stdin.read(int(header.split(b":")[1])))
        method, params = message.get("method"), message.get("params")
        if method == "initialize":
            capabilities = {"textDocumentSync": {"openClose": True, "change": 2}, "hoverProvider": True}
            send({"id": message["id"], "result": {"capabilities": capabilities}})
        elif method == "textDocument/didOpen":
            document = params["textDocument"]
            lines[document["uri"]] = document["text"].split("\n")
            publish(document["uri"], document["version"])
        elif method == "textDocument/didChange":
            uri = params["textDocument"]["uri"]
            text = lines[uri]
            for change in params["contentChanges"]:
                start, end = change["range"]["start"], change["range"]["end"]
                first, last = start["line"], end["line"]
                head, tail = text[first][: start["character"]], text[last][end["character"] :]
                text[first : last + 1] = (head + change["text"] + tail).split("\n")
            publish(uri, params["textDocument"]["version"])
        elif method == "exit":
            return
        elif "id" in message:
            send({"id": message["id"], "result": None})


main()
