// Runs the real llmist on what it is given: JSON lines in, JSON lines out.
//   in   {"chunks": [...], "options": {startPrefix?, endPrefix?, argPrefix?, schemaDsl?, jsonSchema?}}
//   out  {"events": [...], "at": [...], "fixed": [...]|undefined, "polluted": [...]}
// `at[i]` is the index of the chunk whose feed gave event i, or "end". `fixed` is there where it differs from `events`:
// the same run without the bug that emits some text a second time. Automatic ids count from 1 in every case.
import readline from "node:readline";
import { GadgetCallParser, GadgetExecutor, GadgetRegistry, createGadget, jsonSchemaToZod, schemaToJSONSchema, z } from "llmist";

const METHODS = ["toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString"];
const BUILTINS = [Object.prototype, Object, Function.prototype, ...METHODS.map((name) => Object.prototype[name])];
const ORIGINAL = BUILTINS.map((object) => new Set(Reflect.ownKeys(object)));

/** Remove what a pointer wrote into the runtime, and say what it was. */
function cleanUp() {
  const found = [];
  BUILTINS.forEach((object, i) => {
    for (const key of Reflect.ownKeys(object)) {
      if (!ORIGINAL[i].has(key)) {
        found.push(String(key));
        delete object[key];
      }
    }
  });
  return found;
}

/** llmist forgets which text it has emitted when it drops what it has read; this keeps it from forgetting. */
function withoutRepeats(parser) {
  let buffer = "";
  let offset = 0;
  let dropped = 0;
  Object.defineProperty(parser, "buffer", {
    get: () => buffer,
    set: (text) => {
      dropped = Math.max(0, buffer.length - text.length);
      buffer = text;
    },
  });
  Object.defineProperty(parser, "lastEmittedTextOffset", {
    get: () => offset,
    set: (value) => {
      offset = value === 0 && dropped > 0 ? Math.max(0, offset - dropped) : value;
      dropped = 0;
    },
  });
  return parser;
}

function errorKind(message) {
  if (message === undefined) return null;
  if (message.startsWith("Duplicate pointer: ")) return "duplicate_pointer";
  if (message.startsWith("Array index gap: ")) return "array_gap";
  if (message.startsWith("Invalid array index: ")) return "bad_index";
  return "scalar_parent";
}

const auto = /^gadget_(\d+)$/;

function run(chunks, options, repair) {
  const probe = [...new GadgetCallParser().feed("!!!GADGET_START:x\n!!!GADGET_END")];
  const base = Number(auto.exec(probe[0].call.invocationId)[1]);
  const ownId = (id) => {
    const number = auto.exec(id);
    return number && Number(number[1]) > base ? `gadget_${Number(number[1]) - base}` : id;
  };
  const parser = repair ? withoutRepeats(new GadgetCallParser(options)) : new GadgetCallParser(options);
  const events = [];
  const at = [];
  const take = (generator, index) => {
    for (const event of generator) {
      if (event.type === "gadget_call") {
        const { gadgetName, invocationId, parametersRaw, parameters, parseError, dependencies } = event.call;
        const call = {
          gadgetName,
          invocationId: ownId(invocationId),
          parametersRaw,
          parameters: parameters ?? null,
          parseError: parseError ?? null,
          dependencies,
          errorKind: errorKind(parseError),
        };
        events.push({ type: event.type, call });
      } else if (event.type === "gadget_args_partial") {
        events.push({ ...event, invocationId: ownId(event.invocationId) });
      } else {
        events.push(event);
      }
      at.push(index);
    }
  };
  chunks.forEach((chunk, index) => take(parser.feed(chunk), index));
  take(parser.finalize(), "end");
  return { events, at };
}

/** Build a zod schema: "string", {obj: {...}}, {arr: s}, {tup: [...]}, {rec: s}, {opt: s}, … */
function build(dsl) {
  if (typeof dsl === "string") {
    if (dsl === "int") return z.number().int();
    return z[dsl]();
  }
  const [[word, value]] = Object.entries(dsl);
  switch (word) {
    case "obj": return z.object(Object.fromEntries(Object.entries(value).map(([k, v]) => [k, build(v)])));
    case "arr": return z.array(build(value));
    case "tup": return z.tuple(value.map(build));
    case "rec": return z.record(z.string(), build(value));
    case "opt": return build(value).optional();
    case "null": return build(value).nullable();
    case "def": return build(value[0]).default(value[1]);
    case "enum": return z.enum(value);
    case "lit": return z.literal(value);
    case "union": return z.union(value.map(build));
    case "mult": return z.number().multipleOf(value);
    case "max": return z.number().max(value);
    case "from": return z.number().min(value);
    case "above": return z.number().gt(value);
    case "below": return z.number().lt(value);
    case "chars": return sized(z.string(), value);
    case "items": return sized(z.array(z.string()), value);
    case "match": return z.string().regex(new RegExp(value[0], value[1]));
    case "format": return value.startsWith("iso.") ? z.iso[value.slice(4)]() : z[value]();
    case "and": return z.intersection(build(value[0]), build(value[1]));
    case "lazy": return z.lazy(() => build(value));
    case "with": return value[1].reduce((schema, [check, ...given]) => schema[check](...given.map(argument)), build(value[0]));
    case "one": return z.discriminatedUnion(value[0], value[1].map(build));
    case "keys": return z.record(build(value[0]), build(value[1]));
    case "rest": return z.tuple(value[0].map(build), build(value[1]));
    default: throw new Error(`no such schema word: ${word}`);
  }
}

/** The argument of a check: {regex: "..."} is a pattern, {of: s} a schema. */
function argument(given) {
  if (given?.regex !== undefined) return new RegExp(given.regex);
  return given?.of === undefined ? given : build(given.of);
}

/** A schema with bounds; equal ones are one length, which is what a JSON Schema says of both. */
function sized(schema, [least, most]) {
  return least === most ? schema.length(least) : schema.min(least).max(most);
}

/** The parameters as the executor types them by the schema, and whether zod then takes them. */
async function execute(call, zod, options) {
  let typed;
  const schema = Object.create(zod);
  schema.safeParse = (value) => {
    typed = structuredClone(value);
    return { success: true, data: value };
  };
  const registry = new GadgetRegistry();
  const gadget = createGadget({ name: "probe", description: "", schema: z.object({}), execute: () => "" });
  registry.register("probe", gadget);
  Object.defineProperty(gadget, "parameterSchema", { value: schema }); // after: the registry refuses z.any()
  const executor = new GadgetExecutor({ registry, ...options });
  await executor.execute({ ...call, gadgetName: "probe" });
  const outcome = zod.safeParse(typed);
  const issues = outcome.success ? [] : outcome.error.issues.map(({ path, message }) => [path.join("/"), message]);
  return { typed, valid: outcome.success, data: outcome.success ? outcome.data : null, issues };
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { chunks, options = {} } = JSON.parse(line);
  const { schemaDsl, jsonSchema, ...prefixes } = options;
  const result = run(chunks, prefixes, false);
  const polluted = cleanUp();
  const fixed = run(chunks, prefixes, true);
  cleanUp();
  if (JSON.stringify(fixed) !== JSON.stringify(result)) result.fixed = fixed;
  if (schemaDsl || jsonSchema) {
    const zod = schemaDsl ? build(schemaDsl) : jsonSchemaToZod(jsonSchema);
    if (schemaDsl) result.jsonSchema = schemaToJSONSchema(zod);
    for (const { type, call } of result.events) {
      if (type === "gadget_call" && call.parameters) {
        const { typed, valid, data, issues } = await execute(call, zod, prefixes);
        Object.assign(call, { schemaParameters: typed, valid, validParameters: data, issues });
      }
    }
    cleanUp();
  }
  if (polluted.length) result.polluted = polluted;
  process.stdout.write(JSON.stringify(result).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`) + "\n");
}
