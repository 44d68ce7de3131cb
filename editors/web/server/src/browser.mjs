// The server in a web worker.
//
// `files` of the first message is the URL of the folder with the files of this server, or an object with the bytes of
// each by name: for a host whose policy lets a worker fetch nothing.
import { serve } from "./server.mjs";

const TYPES = { wasm: "application/wasm", zip: "application/zip" };

const { port1: here, port2: there } = new MessageChannel();
let next;
here.onmessage = () => next();

serve(
  {
    send: (message) => self.postMessage(message),
    onMessage: (take) => self.addEventListener("message", (event) => take(event.data)),
    soon: (call) => {
      next = call;
      there.postMessage(null);
    },
    exit: () => self.close(),
  },
  load,
);

function load(given, tell) {
  const total = Object.values(SIZES).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  const count = (bytes) => tell(Math.min(1, (loaded += bytes.length) / total));
  const fetched = self.fetch;

  async function response(name) {
    const headers = { "Content-Type": TYPES[name.split(".").pop()] };
    if (typeof given !== "string") {
      count(given[name]);
      return new Response(given[name], { headers });
    }
    const found = await fetched(new URL(name, given));
    if (!found.ok) throw new Error(`${found.url}: ${found.status} ${found.statusText}`);
    const counter = new TransformStream({
      transform(bytes, out) {
        count(bytes);
        out.enqueue(bytes);
      },
    });
    return new Response(found.body.pipeThrough(counter), { headers });
  }

  // Pyodide fetches its own files, and nothing else
  self.fetch = (url) => response(String(url).split("/").pop());
  return {
    options: { indexURL: typeof given === "string" ? given : "https://llmblocks.invalid/" },
    bytes: async (name) => new Uint8Array(await (await response(name)).arrayBuffer()),
    done: () => {
      self.fetch = fetched;
    },
  };
}
