// The machine that Python in WebAssembly sees: its folders and its environment.
import fs from "node:fs";
import path from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

const HOME = path.dirname(fileURLToPath(import.meta.url));
// Python's own
const KEPT = new Set(["lib", "dev", "proc", "sys"]);

/** The options of Pyodide that find its files beside this one. With a reader of ours, it leaves `process.stdin` alone. */
export const options = {
  indexURL: HOME + path.sep,
  env: { HOME: "/", PYTHONDONTWRITEBYTECODE: "1" },
  stdin: () => undefined,
};
export const packages = () => fs.promises.readFile(path.join(HOME, "packages.zip")).then((read) => new Uint8Array(read));

/** A path of this machine as Python sees it: on Windows, `C:\a` is `/c:/a`, also as the value of an option. */
export function seen(name, windows = path.sep === "\\") {
  if (!windows) return name;
  const slashes = name.replaceAll("\\", "/");
  return slashes.replace(/^(--[\w-]+=)?([A-Za-z]):(?=\/|$)/, (_, option = "", drive) => `${option}/${drive.toLowerCase()}:`);
}

/** Let Python see all folders of this machine, and its environment; gives their names. */
export function mountAll(python) {
  const { FS } = python;
  FS.chdir("/");
  if (FS.analyzePath("/home/web_user").exists) FS.rmdir("/home/web_user");
  const mounted = [];
  for (const [to, from] of roots()) {
    try {
      python.mountNodeFS(to, from);
      mounted.push(to);
    } catch {
      // what cannot be read at all is not seen
    }
  }
  const environment = { ...process.env };
  for (const name of ["HOME", "USERPROFILE", "XDG_CACHE_HOME"]) {
    if (environment[name]) environment[name] = seen(environment[name]);
  }
  environment.HOME ??= environment.USERPROFILE ?? "/";
  if (isatty(1)) environment.COLUMNS ??= String(process.stdout.columns);
  const names = python.toPy({ environment });
  python.runPython("import os; os.environ.update(environment)", { globals: names });
  return mounted;
}

function roots() {
  if (path.sep === "\\") {
    const drives = [..."abcdefghijklmnopqrstuvwxyz"].filter((each) => fs.existsSync(`${each}:\\`));
    return drives.map((each) => [`/${each}:`, `${each}:\\`]);
  }
  const names = fs.readdirSync("/").filter((name) => !KEPT.has(name));
  const folders = names.filter((name) => fs.statSync(`/${name}`, { throwIfNoEntry: false })?.isDirectory());
  return folders.map((name) => [`/${name}`, fs.realpathSync(`/${name}`)]);
}
