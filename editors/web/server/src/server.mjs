// The language server in Python, in WebAssembly, after a port for messages.
//
// The first message to it is `{ start: { files } }`: see browser.mjs and node.mjs for `files`. It answers with
// `{ progress: { fraction, text } }` while it starts, then with `{ ready: { seconds } }` or `{ failed: text }`. From then
// on, each message in both directions is one JSON-RPC message, as an object; and `{ write: { path, text } }` writes a
// file for the server to read, such as settings or a schema, `{ remove: { path } }` removes it, and in Node
// `{ mount: { path, folder } }` lets it see a folder of the machine. It sees no other files than those. With
// `{ start: { files, watches: true } }` it asks the client to report changes of files.
import { startPython } from "./python.mjs";

const PACKAGES = "packages.zip";
const SERVE = `
from llmblocks import __version__
from llmblocks.lsp.port import MessagePort
MessagePort(__version__, send, watches=watches)
`;
// the shares of a cold start, measured in Chromium
const LOADED = 0.35;
const PYTHON = 0.8;

export function serve(host, load) {
  let python, server;
  host.onMessage(async (message) => {
    if (server && (message?.write || message?.remove || message?.mount)) {
      changeFiles(message);
    } else if (server) {
      server.receive(JSON.stringify(message));
      schedule();
    } else if (message?.start) {
      const began = performance.now();
      try {
        server = await start(message.start);
        host.send({ ready: { seconds: (performance.now() - began) / 1000 } });
      } catch (error) {
        host.send({ failed: String(error?.message ?? error) });
      }
    }
  });

  function changeFiles({ write, remove, mount }) {
    const { FS } = python;
    try {
      if (write) {
        FS.mkdirTree(write.path.slice(0, write.path.lastIndexOf("/")));
        FS.writeFile(write.path, write.text);
      } else if (remove) {
        FS.unlink(remove.path);
      } else if (!FS.analyzePath(mount.path).exists) {
        // below a folder that is mounted already, it is there
        python.mountNodeFS(mount.path, mount.folder);
        server.see(mount.path);
      }
    } catch (error) {
      console.error(`files of the server: ${error.message}`);
    }
  }

  async function start({ files: given, watches = false }) {
    const tell = (fraction, text) => host.send({ progress: { fraction, text } });
    const files = load(given, (share) => tell(LOADED * share, share < 1 ? "loading" : "starting Python"));
    const options = {
      env: { HOME: "/home/llmblocks", PYTHONDONTWRITEBYTECODE: "1" },
      stdout: () => {},
      stderr: (text) => console.error(text),
    };
    python = await startPython({ ...files.options, ...options }, files.bytes(PACKAGES));
    tell(PYTHON, "starting the server");
    files.done();
    const names = python.toPy({ watches, send: (text) => host.send(JSON.parse(text)) });
    const made = python.runPython(SERVE, { globals: names });
    for (const folder of host.mount?.(python) ?? []) made.see(folder);
    return made;
  }

  // one step at a time, so that messages come in between: a cancellation, or the next change of a document
  let scheduled = false;
  function schedule() {
    if (!scheduled) {
      scheduled = true;
      host.soon(step);
    }
  }

  function step() {
    scheduled = false;
    const more = server.step();
    const code = server.exit_code;
    if (typeof code === "number") host.exit(code);
    else if (more) schedule();
  }
}
