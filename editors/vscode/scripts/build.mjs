// Bundle the extension and lay the grammars beside it.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const home = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const syntaxes = path.join(home, "..", "..", "syntaxes");

fs.rmSync(path.join(home, "syntaxes"), { recursive: true, force: true });
fs.mkdirSync(path.join(home, "syntaxes"));
for (const name of fs.readdirSync(syntaxes).filter((name) => name.endsWith(".tmLanguage.json"))) {
  // the grammars are laid out for reading where they are committed
  const grammar = JSON.parse(fs.readFileSync(path.join(syntaxes, name), "utf8"));
  fs.writeFileSync(path.join(home, "syntaxes", name), JSON.stringify(grammar));
}

const common = {
  bundle: true,
  target: "es2022",
  format: "cjs",
  external: ["vscode"],
  minify: true,
  sourcemap: false,
  logLevel: "warning",
};
for (const [name, platform] of [["extension", "node"], ["browser", "browser"]]) {
  await esbuild.build({
    ...common,
    entryPoints: [path.join(home, "src", `${name}.ts`)],
    outfile: path.join(home, "dist", `${name}.js`),
    platform,
  });
}
await esbuild.build({
  ...common,
  entryPoints: [path.join(home, "..", "web", "graph", "panel.js")],
  outfile: path.join(home, "dist", "graph.js"),
  platform: "browser",
  format: "iife",
});
