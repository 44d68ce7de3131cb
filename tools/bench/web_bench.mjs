// A worker's cold start and its keystrokes. Usage: node web_bench.mjs node FOLDER | node web_bench.mjs CHROMIUM URL
import { createRequire } from "node:module";
import path from "node:path";

const [where, at, text] = process.argv.slice(2);
const KEYS = 200;

// Runs in Node and, as its source, in the page.
async function measure(worker, files, text, keys) {
  const uri = "file:///bench/document.gadget";
  const began = performance.now();
  const figures = { keys: [] };
  const told = () => new Promise((done) => (worker.told = done));
  const send = (method, params, id) => worker.send({ jsonrpc: "2.0", method, params, ...(id ? { id } : {}) });
  await new Promise((ready, fail) => {
    worker.take = (message) => {
      if (message.ready) ready();
      else if (message.failed) fail(new Error(message.failed));
      else if (message.method === "textDocument/publishDiagnostics") worker.told?.();
    };
    worker.send({ start: { files } });
  });
  send("initialize", { processId: null, rootUri: null, capabilities: {} }, 1);
  send("initialized", {});
  const small = { uri: "file:///bench/small.gadget", languageId: "gadget", version: 0, text: "!!!GADGET_END\n" };
  let next = told();
  send("textDocument/didOpen", { textDocument: small });
  await next;
  figures.start = performance.now() - began;
  next = told();
  send("textDocument/didOpen", { textDocument: { uri, languageId: "gadget", version: 0, text } });
  await next;
  const line = Math.floor(text.split("\n").length / 2);
  for (let version = 1; version <= keys; version += 1) {
    const range = { start: { line, character: 0 }, end: { line, character: 0 } };
    const asked = performance.now();
    next = told();
    send("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ range, text: "x" }] });
    await next;
    figures.keys.push(performance.now() - asked);
  }
  return figures;
}

const sample = "!!!GADGET_START:Read:r\n!!!ARG:path\nsrc/client.ts\n!!!GADGET_END\nSome text between the calls, which is as long as the lines that most models write there.\n";
const document = text ?? sample.repeat(Math.ceil(1e6 / sample.length));
let figures;
if (where === "node") {
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(path.join(at, "worker.mjs"));
  const port = { send: (message) => worker.postMessage(message) };
  worker.on("message", (message) => port.take(message));
  figures = await measure(port, at, document, KEYS);
  await worker.terminate();
} else {
  const require = createRequire(path.resolve("tests/editors/playground/package.json"));
  const { chromium } = require("playwright-core");
  const browser = await chromium.launch({ executablePath: where, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  const page = await browser.newPage();
  await page.goto(`${at}icon.svg`);
  figures = await page.evaluate(
    async ([source, folder, given, keys]) => {
      const worker = new Worker(`${folder}worker.js`);
      const port = { send: (message) => worker.postMessage(message) };
      worker.onmessage = ({ data }) => port.take(data);
      return (0, eval)(`(${source})`)(port, folder, given, keys);
    },
    [measure.toString(), `${at}web-server/`, document, KEYS],
  );
  await browser.close();
}
console.log(JSON.stringify(figures));
