#!/usr/bin/env node
// The command: in Python, where there is one with llmblocks that is not older than this package, else in WebAssembly.
import { findPython, runPython } from "./native.mjs";

const given = process.argv.slice(2);
const python = findPython(VERSION);
if (python) runPython(python, given);
else await (await import("./command.mjs")).main(given);
