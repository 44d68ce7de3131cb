// Python for the library. It starts as the library is imported, so that its functions answer at once.
import { startPython } from "../../web/server/src/python.mjs";
import { mountAll, options, packages } from "./machine.mjs";

const python = await startPython(options, packages());
mountAll(python);
python.FS.chdir("/");
const asked = python.pyimport("llmblocks.cli.javascript");

export const call = (name, positional, options) => answer(asked.call(name, given(positional, options)));

export function create(name, positional, options) {
  const stream = asked.create(name, given(positional, options));
  if (typeof stream === "string") answer(stream);
  return (method, positional) => answer(stream(method, given(positional)));
}

const given = (positional, options = {}) => JSON.stringify([positional, options]);

function answer(told) {
  const { value, error } = typeof told === "string" ? JSON.parse(told) : told;
  if (!error) return value;
  const { name, message, ...more } = error;
  throw Object.assign(name === "TypeError" ? new TypeError(message) : new Error(message), { name }, more);
}
