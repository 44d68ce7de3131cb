import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Refusal } from "./server.js";
import { NEWEST, OLDEST, VERSIONS } from "./versions.js";

/** A program that may be a Python, and where it was found. */
export interface Candidate {
  readonly path: string;
  readonly origin: string;
}

/** A Python interpreter that can run the server. */
export interface Interpreter {
  readonly path: string;
  readonly version: string;
  /** The source of the path, for messages. */
  readonly origin: string;
}

// site and sysconfig would take most of the time of this short run
const QUESTION = "import sys;v=sys.version_info;print(sys.implementation.name,v[0],v[1],v[2],int('free-threading' in sys.version))";

/** The first interpreter that can run the server, or all rejected candidates. */
export async function findInterpreter(chosen: string, bundled: boolean): Promise<Interpreter | Refusal[]> {
  const refusals: Refusal[] = [];
  for (const candidate of await candidates(chosen)) {
    const answer = await examine(candidate.path, bundled);
    if (answer.version !== undefined) {
      return { ...candidate, version: answer.version };
    }
    refusals.push({ candidate: candidate.path, reason: answer.reason });
  }
  return refusals;
}

async function candidates(chosen: string): Promise<Candidate[]> {
  if (chosen !== "") {
    // an invalid setting is reported, not skipped
    return [{ path: resolved(chosen) ?? chosen, origin: "setting llmblocks.server.interpreter" }];
  }
  const found: Candidate[] = [];
  const extension = await ofPythonExtension();
  if (extension !== undefined) {
    found.push({ path: extension, origin: "the Python extension" });
  }
  for (const name of process.platform === "win32" ? ["python", "python3", "py"] : ["python3", "python"]) {
    const resolved = onPath(name);
    if (resolved !== undefined && !found.some((other) => other.path === resolved)) {
      found.push({ path: resolved, origin: `PATH, as ${name}` });
    }
  }
  return found;
}

/** The interpreter selected in the Python extension. */
async function ofPythonExtension(): Promise<string | undefined> {
  try {
    const environments = (await pythonExtension())?.environments;
    const active = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    return active && (await environments?.resolveEnvironment(active))?.executable.uri?.fsPath;
  } catch {
    return undefined;
  }
}

/** The API of the Python extension. Not used in Restricted Mode: what it knows may be a program of the workspace. */
export async function pythonExtension(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (extension === undefined || !vscode.workspace.isTrusted) {
    return undefined;
  }
  try {
    return extension.isActive ? extension.exports : await extension.activate();
  } catch {
    return undefined;
  }
}

interface PythonApi {
  readonly environments: {
    readonly known: readonly { readonly executable: { readonly uri?: vscode.Uri } }[];
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  };
}

/** A path unchanged, a name looked up on PATH. */
export function resolved(program: string): string | undefined {
  return path.isAbsolute(program) ? program : onPath(program);
}

/** Our own lookup: relative entries of PATH would lead into the workspace. */
export function onPath(name: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".bat", ".cmd"] : [""];
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    for (const ending of path.isAbsolute(folder) ? endings : []) {
      const file = path.join(folder, name + ending);
      try {
        fs.accessSync(file, fs.constants.X_OK);
        if (fs.statSync(file).isFile()) {
          return file;
        }
      } catch {
        // not there
      }
    }
  }
  return undefined;
}

/** The version of an interpreter that can run the server, or the reason why it cannot. */
export type Answer = { readonly version: string; readonly reason?: never } | { readonly version?: never; readonly reason: string };

export function examine(program: string, bundled: boolean): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(program, ["-I", "-S", "-c", QUESTION], { timeout: 15_000, windowsHide: true }, (error, stdout) => {
      const [name, major, minor, micro, freeThreaded] = stdout.trim().split(" ");
      if (error !== null || micro === undefined) {
        resolve({ reason: why(error) ?? `it answered ${JSON.stringify(stdout.trim())}` });
        return;
      }
      const version = `${major}.${minor}.${micro}`;
      const old = major !== "3" || Number(minor) < OLDEST;
      if (old || (bundled && Number(minor) > NEWEST)) {
        resolve({ reason: `it is Python ${version}, and ${VERSIONS} is needed` });
      } else if (bundled && (name !== "cpython" || freeThreaded === "1")) {
        resolve({ reason: `it is ${freeThreaded === "1" ? "free-threaded" : name}, and the bundled server needs CPython` });
      } else {
        resolve({ version });
      }
    });
  });
}

function why(error: (Error & { readonly code?: string | number | null }) | null): string | undefined {
  const known: Record<string, string> = { ENOENT: "no such file", EACCES: "it is not a program" };
  return error === null ? undefined : (known[error.code ?? ""] ?? error.message.split("\n")[0]);
}
