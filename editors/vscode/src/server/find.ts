import * as path from "node:path";
import type * as vscode from "vscode";
import type { Settings } from "../settings.js";
import { findInterpreter, type Refusal } from "./interpreter.js";

/** The command that starts a server. */
export interface Found {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The program, if it is a Python. */
  readonly interpreter?: string;
  /** The server and its Python, for messages. */
  readonly origin: string;
  /** The source of the command. */
  readonly through: string;
}

/** The extension's folder and its storage folder. */
export interface Folders {
  readonly extension: vscode.Uri;
  readonly storage: vscode.Uri;
}

/** Find the server for these settings, or return the rejected interpreters. */
export async function findServer(settings: Settings, folders: Folders): Promise<Found | Refusal[]> {
  const [program, ...rest] = settings.command;
  if (program !== undefined) {
    return { program, arguments: rest, origin: path.basename(program), through: "setting llmblocks.server.command" };
  }
  const bundled = settings.importStrategy === "useBundled";
  const python = await findInterpreter(settings.interpreter, bundled);
  if (Array.isArray(python)) {
    return python;
  }
  // isolated, and UTF-8 in any locale: neither the workspace nor the environment can inject code
  const compiled = `pycache_prefix=${path.join(folders.storage.fsPath, "pycache")}`;
  const options = bundled
    ? ["-I", "-X", "utf8", "-X", compiled, path.join(folders.extension.fsPath, "bundled", "run_server.py"), "server"]
    : ["-P", "-X", "utf8", "-m", "llmblocks", "server"];
  return {
    program: python.path,
    interpreter: python.path,
    arguments: options,
    origin: `${bundled ? "bundled server" : "installed server"}, Python ${python.version}`,
    through: python.origin,
  };
}
