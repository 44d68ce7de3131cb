// The server in a worker thread of Node. `files` of the first message is the path of the folder with its files.
import { join, sep } from "node:path";
import { parentPort } from "node:worker_threads";
import { readFile } from "./files.mjs";
import { serve } from "./server.mjs";

serve(
  {
    send: (message) => parentPort.postMessage(message),
    onMessage: (take) => parentPort.on("message", take),
    soon: (call) => setImmediate(call),
    exit: (code) => process.exit(code),
  },
  (folder, tell) => ({
    options: { indexURL: folder + sep },
    bytes: async (name) => {
      const bytes = new Uint8Array(await readFile(join(folder, name)));
      tell(1);
      return bytes;
    },
    done: () => {},
  }),
);
