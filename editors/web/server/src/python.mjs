// CPython in WebAssembly, with the archive of our packages on its path.
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide } from "pyodide/pyodide.mjs";

// modules are imported from the archive, one by one: to unpack all of it would take a third of a second
const ARCHIVE = "/lib/packages.zip";

/** Start it. `options` are more of `loadPyodide`, `packages` the bytes of the archive, or the promise of them. */
export async function startPython(options, packages) {
  const python = await loadPyodide({
    ...options,
    createPyodideModule,
    lockFileContents: JSON.stringify({ info: LOCK, packages: {} }),
    packageBaseUrl: ".",
  });
  python.FS.writeFile(ARCHIVE, await packages, { canOwn: true });
  python.runPython(`import sys; sys.path.insert(0, "${ARCHIVE}")`);
  return python;
}
