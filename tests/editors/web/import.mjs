// Import modules of the server where it runs. Usage: node import.mjs FOLDER MODULE…
import fs from "node:fs";
import path from "node:path";
import { loadPyodide } from "../../../editors/web/server/node_modules/pyodide/pyodide.mjs";

const [folder, ...modules] = process.argv.slice(2);
const lock = path.join(import.meta.dirname, "../../../editors/web/server/node_modules/pyodide/pyodide-lock.json");
const { info } = JSON.parse(fs.readFileSync(lock));
const python = await loadPyodide({
  lockFileContents: JSON.stringify({ info, packages: {} }),
  packageBaseUrl: ".",
  stdLibURL: path.join(folder, "python_stdlib.zip"),
});
python.FS.writeFile("/lib/packages.zip", fs.readFileSync(path.join(folder, "packages.zip")));
python.runPython('import sys; sys.path.insert(0, "/lib/packages.zip")');
const failed = python.runPython(`
import importlib, json
failed = {}
for name in modules.to_py():
    try:
        importlib.import_module(name)
    except BaseException as error:
        failed[name] = f"{type(error).__name__}: {error}"
json.dumps({"failed": failed})
`, { globals: python.toPy({ modules }, { depth: 1 }) });
console.log(failed);
