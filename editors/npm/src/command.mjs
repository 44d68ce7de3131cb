// The command line in WebAssembly.
import fs from "node:fs";
import { isatty } from "node:tty";
import { startPython } from "../../web/server/src/python.mjs";
import { mountAll, options, packages, seen } from "./machine.mjs";

const NEED_PYTHON = new Set(["completion", "demo", "mcp"]);
const RUN = `
import sys
sys.argv = ["llmblocks", *given]
from llmblocks.__main__ import main
try:
    status = main()
except SystemExit as ended:
    status = ended.code
status
`;

export async function main(given) {
  const [name] = given;
  if (name === "server") return (await import("./serve.mjs")).main(given.slice(1));
  if (NEED_PYTHON.has(name)) {
    process.stderr.write(`llmblocks: ${name} needs Python: pip install llmblocks\n`);
    process.exit(2);
  }
  const python = await startPython(options, packages());
  mountAll(python);
  python.FS.chdir(seen(process.cwd()));
  python.setStdin({ read: reading(0), isatty: isatty(0) });
  python.setStdout({ write: writing(1), isatty: isatty(1) });
  python.setStderr({ write: writing(2), isatty: isatty(2) });
  const names = python.toPy({ given: given.map((each) => seen(each)) });
  try {
    process.exit(python.runPython(RUN, { globals: names }) ?? 0);
  } catch (error) {
    // Node would print the line that the error is on: all of Pyodide
    fs.writeSync(2, `llmblocks: ${error.message}\n`);
    process.exit(2);
  }
}

function reading(descriptor) {
  return (buffer) => {
    try {
      return patiently(() => fs.readSync(descriptor, buffer));
    } catch (error) {
      // the end of a pipe, on Windows
      if (error.code === "EOF") return 0;
      throw error;
    }
  };
}

function writing(descriptor) {
  return (buffer) => {
    try {
      return patiently(() => fs.writeSync(descriptor, buffer));
    } catch (error) {
      // as in Python: whoever closes the output wants no more
      if (error.code === "EPIPE") process.exit(2);
      throw error;
    }
  };
}

/** A pipe that others share may refuse for a moment. */
function patiently(act) {
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
