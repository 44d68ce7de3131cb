// The language server in WebAssembly, on standard input and output.
import fs from "node:fs";
import { serve } from "../../web/server/src/server.mjs";
import { mountAll, options, packages } from "./machine.mjs";

export function main(given) {
  const unknown = given.find((each) => each !== "--stdio" && !each.startsWith("--clientProcessId"));
  if (unknown !== undefined) {
    process.stderr.write(`llmblocks server: ${unknown} needs Python: pip install llmblocks\n`);
    process.exit(2);
  }
  let take;
  let early = [];
  const receive = (message) => (early ? early.push(message) : take(message));
  serve(
    {
      send(message) {
        if (message.failed) fail(message.failed);
        if (message.ready) {
          for (const each of early.splice(0)) take(each);
          early = undefined;
        } else if (message.jsonrpc) write(message);
      },
      onMessage: (given) => {
        take = given;
      },
      soon: setImmediate,
      exit: (code) => process.exit(code),
      mount: mountAll,
    },
    () => ({ options, bytes: packages, done: () => {} }),
  );
  take({ start: { files: "", watches: true } });
  read(receive);
}

function write(message) {
  const body = Buffer.from(JSON.stringify(message));
  process.stdout.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
}

function read(receive) {
  let rest = Buffer.alloc(0);
  process.stdin.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const end = rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      const size = /^Content-Length: *(\d+)/im.exec(rest.toString("latin1", 0, end));
      if (!size) fail("a message has no Content-Length");
      const last = end + 4 + Number(size[1]);
      if (rest.length < last) return;
      const body = rest.toString("utf8", end + 4, last);
      rest = rest.subarray(last);
      try {
        receive(JSON.parse(body));
      } catch (error) {
        fail(error.message);
      }
    }
  });
  // an editor that has exited
  process.stdin.on("end", () => process.exit(1));
  process.stdout.on("error", () => process.exit(1));
}

function fail(reason) {
  fs.writeSync(2, `llmblocks server: ${reason}\n`);
  process.exit(1);
}
