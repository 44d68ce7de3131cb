// Compile an archive of Python modules to bytecode, with the Python that will run them.
//
// Usage: node compile.mjs IN.zip OUT.zip KEPT [LEFT-OUT]: KEPT is a folder of what was compiled before, by name and source,
// as builds share nearly all of it; LEFT-OUT is a regular expression of the names that are left out.
import fs from "node:fs";
import { loadPyodide } from "pyodide";

const [given, made, kept, leftOut = "$^"] = process.argv.slice(2);
const lock = JSON.parse(fs.readFileSync(new URL("node_modules/pyodide/pyodide-lock.json", import.meta.url)));
const python = await loadPyodide({
  lockFileContents: JSON.stringify({ info: lock.info, packages: {} }),
  packageBaseUrl: ".",
});
python.FS.writeFile("/in.zip", fs.readFileSync(given));
fs.mkdirSync(kept, { recursive: true });
python.mountNodeFS("/kept", kept);
const compile = `
import hashlib, importlib.util, pathlib, py_compile, re, zipfile
left_out = re.compile(left_out)
kept = pathlib.Path("/kept")
unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH

def compiled(name, source):
    digest = hashlib.sha256(importlib.util.MAGIC_NUMBER + f"{name}\\0".encode() + source)
    path = kept / digest.hexdigest()
    if not path.exists():
        module = pathlib.Path("/module.py")
        module.write_bytes(source)
        new = path.with_suffix(".new")
        py_compile.compile(str(module), str(new), name, doraise=True, optimize=2, invalidation_mode=unchecked)
        new.rename(path)
    return path.read_bytes()

with zipfile.ZipFile("/in.zip") as archive, zipfile.ZipFile("/out.zip", "w") as out:
    for name in sorted(set(archive.namelist()), key=lambda name: name.split("/")):
        if not left_out.match(name) and not name.endswith("/"):
            data = archive.read(name)
            if name.endswith(".py"):
                name, data = f"{name}c", compiled(name, data)
            out.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
`;
try {
  python.runPython(compile, { globals: python.toPy({ left_out: leftOut }) });
} catch (error) {
  // Node would print the line that the error is on: all of Pyodide
  console.error(error.message);
  process.exit(1);
}
fs.writeFileSync(made, python.FS.readFile("/out.zip"));
