import * as path from "node:path";
import type * as vscode from "vscode";
import { compiledFor } from "./compiled.js";
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
    const launch = (command: Command, origin: string, because: string, problem?: string): Launch => ({
      origin,
      because,
      what: [command.program, ...command.arguments].join(" "),
      start: (onLine) => {
        if (problem !== undefined) {
          onLine(problem);
        }
        return new ServerProcess(command, folders.extension.fsPath, onLine);
      },
    });
    if (program !== undefined) {
      const setting = "llmblocks.server.command";
      return { ...launch({ program, arguments: rest }, path.basename(program), `setting ${setting}`), setting };
    }
    if (settings.runtime === "webassembly") {
      return inThread(folders.extension, "setting llmblocks.server.runtime");
    }
    const bundled = settings.importStrategy === "useBundled";
    const python = await findInterpreter(settings.interpreter, bundled);
    if (Array.isArray(python)) {
      // a Python that the settings name is not a matter of taste
      const mayBeAnother = settings.runtime === "auto" && settings.interpreter === "" && bundled;
      return mayBeAnother ? inThread(folders.extension, `no usable Python: ${refused(python)}`) : python;
    }
    const { options, problem } = bundled
      ? await ofBundle(python.version, folders)
      : { options: ["-P", "-X", "utf8", "-m", "llmblocks", "server"], problem: undefined };
    const origin = `${bundled ? "bundled server" : "installed server"}, Python ${python.version}`;
    return launch({ program: python.path, arguments: options, interpreter: python.path }, origin, python.origin, problem);
  };
}

interface Start {
  readonly options: readonly string[];
  readonly problem: string | undefined;
}

/** The options of Python that start the bundled server, and what it has to do without. */
async function ofBundle(version: string, { extension, storage }: Folders): Promise<Start> {
  const folder = path.join(extension.fsPath, "bundled");
  const server = [path.join(folder, "run_server.py"), "server"];
  // isolated, and UTF-8 in any locale: neither the workspace nor the environment can inject code
  const options = ["-I", "-X", "utf8", "-X", `pycache_prefix=${path.join(storage.fsPath, "pycache")}`];
  const python = `cp${version.split(".", 2).join("")}`;
  try {
    const compiled = await compiledFor(python, path.join(folder, "compiled.br"), storage.fsPath);
    return { options: [...options, "-X", `llmblocks_compiled=${compiled}`, ...server], problem: undefined };
  } catch (error) {
    const problem = `patterns in schemas are not checked, and strings in code are not found, as what is compiled could not be unpacked: ${String(error)}`;
    return { options: [...options, ...server], problem };
  }
}
