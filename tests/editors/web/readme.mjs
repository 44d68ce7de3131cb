// The program of editors/web/server/README.md, in Node: a browser's Worker has onmessage. Usage: node readme.mjs FOLDER
import fs from "node:fs";
import path from "node:path";
import { Worker as Thread } from "node:worker_threads";

const folder = process.argv[2];
const readme = fs.readFileSync(new URL("../../../editors/web/server/README.md", import.meta.url), "utf8");
const [, program] = /```js\n([^]*?)```/.exec(readme);

class Worker extends Thread {
  constructor(address) {
    super(path.join(folder, address.replace("/web-server/worker.js", "worker.mjs")));
  }
  set onmessage(hear) {
    this.on("message", (data) => hear({ data }));
  }
}
const here = program.replace("https://host.example/web-server/", folder).replace("/* see below */", "hear(data, worker);");
new Function("Worker", "hear", here)(Worker, (message, worker) => {
  if (message.failed) throw new Error(message.failed);
  if (message.ready) worker.postMessage({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } });
  if (message.id === 1) {
    console.log(message.result.serverInfo.name);
    worker.terminate();
  }
});
