// Compiled, not run: the types say what the functions do.
import { check, convert, decodeStf, fix, GadgetStream, TagStream, version, type Finding, type GadgetEvent } from "llmblocks";

const findings: readonly Finding[] = check(version, "gadget", { name: "a.gadget", settings: {} });
const severity: "error" | "warning" | "information" | "hint" | undefined = findings[0]?.severity;
const left: number = fix("", "stf", { select: ["S001"] }).left.length;

function name(event: GadgetEvent): string | undefined {
  switch (event.event) {
    case "CallEnded":
      return event.call.errorKind ?? event.call.invocationId;
    case "ArgDelta":
      return event.delta;
    default:
      return undefined;
  }
}
const names = new GadgetStream({ markers: { start: "<<<" } }).feed("").map(name);
const tags = new TagStream(["think"]).close().map((delta) => delta.event);
const role: string | undefined = decodeStf("", { dialect: "@" }).messages[0]?.role;
const text: string = convert("", "stf", "openai").text;
// @ts-expect-error: no language
check("", "gadgets");
// @ts-expect-error: nothing is changed
findings[0].line = 1;
export { left, names, role, severity, tags, text };
