import * as path from "node:path";
import type * as vscode from "vscode";
import { findInterpreter } from "./interpreter.js";
import { type Command, ServerProcess } from "./process.js";
import { type Find, type Launch, refused } from "./server.js";
import { inThread } from "./thread.js";

/** The extension's folder and its storage folder. */
export interface Folders {
  readonly extension: vscode.Uri;
  readonly storage: vscode.Uri;
}

/** Finds the server on a machine: a command of the settings, a Python, or WebAssembly. */
export function finder(folders: Folders): Find {
  return async (settings) => {
    const [program, ...rest] = settings.command;
    const launch = (command: Command, origin: string, because: string): Launch => ({
      origin,
      because,
      what: [command.program, ...command.arguments].join(" "),
      start: (onLine) => new ServerProcess(command, folders.extension.fsPath, onLine),
    });
    if (program !== undefined) {
      return launch({ program, arguments: rest }, path.basename(program), "setting llmblocks.server.command");
    }
    if (settings.runtime === "webassembly") {
      return inThread(folders.extension, "setting llmblocks.server.runtime");
    }
    const bundled = settings.importStrategy === "useBundled";
    const python = await findInterpreter(settings.interpreter, bundled);
    if (Array.isArray(python)) {
      // a Python that the settings name is no matter of taste
      const mayBeAnother = settings.runtime === "auto" && settings.interpreter === "" && bundled;
      return mayBeAnother ? inThread(folders.extension, `no usable Python: ${refused(python)}`) : python;
    }
    // isolated, and UTF-8 in any locale: neither the workspace nor the environment can inject code
    const compiled = `pycache_prefix=${path.join(folders.storage.fsPath, "pycache")}`;
    const options = bundled
      ? ["-I", "-X", "utf8", "-X", compiled, path.join(folders.extension.fsPath, "bundled", "run_server.py"), "server"]
      : ["-P", "-X", "utf8", "-m", "llmblocks", "server"];
    const origin = `${bundled ? "bundled server" : "installed server"}, Python ${python.version}`;
    return launch({ program: python.path, arguments: options, interpreter: python.path }, origin, python.origin);
  };
}
