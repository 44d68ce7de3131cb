// The server's worker on standard input and output, as editors talk to a server: one process, one client.
//
// Usage: node stdio.mjs FOLDER [PATH=FILE …]: files and folders that the server is given, at these paths.
import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";

const [folder, ...given] = process.argv.slice(2);
const worker = new Worker(path.join(folder, "worker.mjs"));
let ready = false;
let waiting = [];
let rest = Buffer.alloc(0);

worker.on("message", (message) => {
  if (message.progress) return;
  if (message.failed) throw new Error(message.failed);
  if (message.ready) {
    for (const each of given) {
      const [to, from] = each.split("=");
      if (fs.statSync(from).isDirectory()) worker.postMessage({ mount: { path: to, folder: from } });
      else worker.postMessage({ write: { path: to, text: fs.readFileSync(from, "utf8") } });
    }
    ready = true;
    for (const each of waiting) worker.postMessage(each);
    waiting = [];
    return;
  }
  const body = Buffer.from(JSON.stringify(message));
  process.stdout.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
});
worker.on("exit", (code) => process.exit(code));
worker.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
worker.postMessage({ start: { files: folder } });

process.stdin.on("data", (data) => {
  rest = Buffer.concat([rest, data]);
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return;
    const size = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, end).toString())[1]);
    if (rest.length < end + 4 + size) return;
    const message = JSON.parse(rest.subarray(end + 4, end + 4 + size).toString());
    rest = rest.subarray(end + 4 + size);
    if (ready) worker.postMessage(message);
    else waiting.push(message);
  }
});
process.stdin.on("end", () => worker.terminate());
