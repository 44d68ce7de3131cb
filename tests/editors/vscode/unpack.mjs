// Unpack what is compiled for a Python, as the extension does. Usage: node unpack.mjs PYTHON PACKED STORAGE
import { build } from "../../../editors/vscode/node_modules/esbuild/lib/main.js";

const source = new URL("../../../editors/vscode/src/server/compiled.ts", import.meta.url).pathname;
const { outputFiles } = await build({ entryPoints: [source], write: false, format: "esm", platform: "node" });
const { compiledFor } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
console.log(await compiledFor(...process.argv.slice(2)));
