import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Candidate, onPath, pythonExtension } from "./interpreter.js";

const WINDOWS = process.platform === "win32";
/** The program in an environment: conda and pyenv on Windows have it in the folder itself. */
const PROGRAMS = WINDOWS ? ["Scripts\\python.exe", "python.exe"] : ["bin/python3", "bin/python"];
const NAMES = WINDOWS ? ["python", "python3", "py"] : ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];
const CONDAS = ["miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba"];

/** The Pythons of this machine, without running any. Those of the workspace are left out in Restricted Mode. */
export async function pythons(): Promise<Candidate[]> {
  const found = [...(await ofPythonExtension()), ...ofWorkspace(), ...ofPath(), ...ofPyenv(), ...ofConda(), ...ofSystem()];
  const seen = new Set<string>();
  return found.filter((each) => !seen.has(each.path) && seen.add(each.path));
}

async function ofPythonExtension(): Promise<Candidate[]> {
  const known = (await pythonExtension())?.environments.known ?? [];
  const paths = known.map((each) => each.executable.uri?.fsPath).filter((each) => each !== undefined);
  return paths.map((program) => ({ path: program, origin: "the Python extension" }));
}

/** The environments in a folder of the workspace, whatever their names. */
function ofWorkspace(): Candidate[] {
  if (!vscode.workspace.isTrusted) {
    return [];
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.flatMap(({ uri, name }) =>
    inside(uri.fsPath)
      .filter((folder) => fs.existsSync(path.join(folder, "pyvenv.cfg")) || fs.existsSync(path.join(folder, "conda-meta")))
      .flatMap((folder) => ofEnvironment(folder, `environment in ${name}`)),
  );
}

function ofPath(): Candidate[] {
  const found = NAMES.map((name) => ({ path: onPath(name), origin: `PATH, as ${name}` }));
  return found.filter((each): each is Candidate => each.path !== undefined);
}

function ofPyenv(): Candidate[] {
  const root = process.env["PYENV_ROOT"] ?? path.join(os.homedir(), ".pyenv", ...(WINDOWS ? ["pyenv-win"] : []));
  return inside(path.join(root, "versions")).flatMap((folder) => ofEnvironment(folder, "pyenv"));
}

function ofConda(): Candidate[] {
  const roots = CONDAS.map((name) => path.join(os.homedir(), name));
  // conda notes every environment that it makes
  const noted = read(path.join(os.homedir(), ".conda", "environments.txt")).split(/\r?\n/).filter(path.isAbsolute);
  const folders = [...roots, ...roots.flatMap((root) => inside(path.join(root, "envs"))), ...noted];
  return folders.flatMap((folder) => ofEnvironment(folder, "conda"));
}

function ofSystem(): Candidate[] {
  const folders = WINDOWS
    ? inside(path.join(process.env["LOCALAPPDATA"] ?? "", "Programs", "Python"))
    : ["/usr", "/usr/local", "/opt/homebrew", ...inside("/Library/Frameworks/Python.framework/Versions")];
  return folders.flatMap((folder) => ofEnvironment(folder, "this system"));
}

/** The Python of an environment, if there is one. */
function ofEnvironment(folder: string, origin: string): Candidate[] {
  const program = PROGRAMS.map((name) => path.join(folder, name)).find((each) => fs.existsSync(each));
  return program === undefined ? [] : [{ path: program, origin }];
}

function inside(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort().map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
