// Compile an archive of Python modules to bytecode, with the Python that will run them.
//
// Usage: node compile.mjs IN.zip OUT.zip [LEFT-OUT]: a regular expression of the names that are left out.
import fs from "node:fs";
import { loadPyodide } from "pyodide";

const [given, made, leftOut = "$^"] = process.argv.slice(2);
const lock = JSON.parse(fs.readFileSync(new URL("node_modules/pyodide/pyodide-lock.json", import.meta.url)));
const python = await loadPyodide({
  lockFileContents: JSON.stringify({ info: lock.info, packages: {} }),
  packageBaseUrl: ".",
});
python.FS.writeFile("/in.zip", fs.readFileSync(given));
const compile = `
import compileall, pathlib, py_compile, re, zipfile
left_out = re.compile(left_out)
top = pathlib.Path("/compiled")
with zipfile.ZipFile("/in.zip") as archive:
    for name in archive.namelist():
        if not left_out.match(name):
            archive.extract(name, top)
unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
assert compileall.compile_dir(top, quiet=1, legacy=True, ddir="", optimize=2, invalidation_mode=unchecked)
with zipfile.ZipFile("/out.zip", "w") as out:
    for path in sorted(top.rglob("*")):
        if path.is_file() and path.suffix != ".py":
            info = zipfile.ZipInfo(str(path.relative_to(top)))
            out.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
`;
try {
  python.runPython(compile, { globals: python.toPy({ left_out: leftOut }) });
} catch (error) {
  // Node would print the line that the error is on: all of Pyodide
  console.error(error.message);
  process.exit(1);
}
fs.writeFileSync(made, python.FS.readFile("/out.zip"));
