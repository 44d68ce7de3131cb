// Bundle scripts. Usage: node bundle.mjs FOLDER server|npm
//
// `server`: `worker.js` for browsers, `worker.mjs` for Node. `npm`: the command and the library of editors/npm.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const folder = path.resolve(process.argv[2]);
const home = path.dirname(fileURLToPath(import.meta.url));
const pyodide = path.join(home, "node_modules", "pyodide");
const sizes = {};
fs.copyFileSync(path.join(pyodide, "pyodide.asm.wasm"), path.join(folder, "pyodide.asm.wasm"));
for (const name of ["pyodide.asm.wasm", "python_stdlib.zip", "packages.zip"]) {
  sizes[name] = fs.statSync(path.join(folder, name)).size;
}
const common = {
  bundle: true,
  minify: true,
  target: "es2022",
  external: ["node:*", "ws"],
  supported: { "dynamic-import": true },
  define: {
    SIZES: JSON.stringify(sizes),
    LOCK: JSON.stringify(JSON.parse(fs.readFileSync(path.join(pyodide, "pyodide-lock.json"))).info),
  },
  logLevel: "warning",
};
if (process.argv[3] === "npm") {
  const npm = path.join(home, "..", "..", "npm");
  const { version } = JSON.parse(fs.readFileSync(path.join(npm, "package.json")));
  await esbuild.build({
    ...common,
    entryPoints: ["main", "library"].map((name) => path.join(npm, "src", `${name}.mjs`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    nodePaths: [path.join(home, "node_modules")],
    define: { ...common.define, VERSION: JSON.stringify(version) },
  });
  process.exit();
}
await esbuild.build({
  ...common,
  entryPoints: [path.join(home, "src", "browser.mjs")],
  outfile: path.join(folder, "worker.js"),
  inject: [path.join(home, "src", "hide.js")],
  define: { ...common.define, "import.meta.url": "self.location.href" },
  format: "iife",
});
await esbuild.build({
  ...common,
  entryPoints: [path.join(home, "src", "node.mjs")],
  outfile: path.join(folder, "worker.mjs"),
  alias: { "node:fs/promises": path.join(home, "src", "files.mjs") },
  format: "esm",
});
