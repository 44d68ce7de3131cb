// llmblocks in a Python of this machine.
import { spawn, spawnSync } from "node:child_process";

// -P: a folder with a module of the same name in the working directory is not taken for it
const MODULE = ["-P", "-X", "utf8", "-m", "llmblocks"];
const VARIABLE = "LLMBLOCKS_PYTHON";

/**
 * The program, if its llmblocks is at least this version. LLMBLOCKS_PYTHON names it, and ends the process if it will not
 * do; with an empty one, none is looked for.
 */
export function findPython(version) {
  const named = process.env[VARIABLE];
  if (named === "") return undefined;
  const program = named ?? (process.platform === "win32" ? "python" : "python3");
  const { stdout, error } = spawnSync(program, [...MODULE, "--version"], { encoding: "utf8", timeout: 10_000 });
  const found = /^llmblocks (\d+)\.(\d+)\.(\d+)/.exec(stdout ?? "");
  if (found && !isOlder(found.slice(1).map(Number), version.split(/\D/).map(Number))) return program;
  if (named === undefined) return undefined;
  const reason = error?.message ?? (found ? `its llmblocks is older than ${version}` : "it has no llmblocks");
  process.stderr.write(`llmblocks: ${VARIABLE} is ${named}: ${reason}; pip install --upgrade llmblocks, or unset it\n`);
  process.exit(2);
}

function isOlder(found, wanted) {
  const at = found.findIndex((each, number) => each !== wanted[number]);
  return at >= 0 && found[at] < wanted[at];
}

/** Run it with the streams of this process, and end as it ends. */
export function runPython(program, given) {
  const child = spawn(program, [...MODULE, ...given], { stdio: "inherit" });
  // Ctrl-C reaches both: the child decides
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
