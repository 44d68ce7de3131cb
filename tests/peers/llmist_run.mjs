// Lets the real llmist run gadget calls: JSON lines in, JSON lines out.
//   in   {"text": "...", "known": [ids], "failed": [ids]}; the gadgets are Ok, which succeeds, Slow, which does so
//        after 20 ms, and Fail, which does not
//   out  [[id, "finished" | "failed" | "skipped", error or null, failed dependency or null], ...] in order
import readline from "node:readline";
import { GadgetRegistry, StreamProcessor, createGadget, createLogger, z } from "llmist";

const schema = z.object({ n: z.number().optional() });
const registry = new GadgetRegistry();
registry.register("Ok", createGadget({ name: "Ok", description: "succeeds", schema, execute: () => "ok" }));
registry.register(
  "Fail",
  createGadget({ name: "Fail", description: "fails", schema, execute: () => { throw new Error("no disk"); } }),
);
registry.register(
  "Slow",
  createGadget({ name: "Slow", description: "succeeds late", schema, execute: () => new Promise((done) => setTimeout(done, 20, "ok")) }),
);
const logger = createLogger({ name: "peer", minLevel: 6, type: "hidden" });

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { text, known, failed } = JSON.parse(line);
  const processor = new StreamProcessor({
    iteration: 1,
    registry,
    logger,
    priorCompletedInvocations: new Set(known),
    priorFailedInvocations: new Set(failed),
  });
  const seen = [];
  const chunks = async function* () { yield { text }; };
  for await (const event of processor.process(chunks())) {
    if (event.type === "gadget_result") {
      const { invocationId, error } = event.result;
      seen.push([invocationId, error === undefined ? "finished" : "failed", error ?? null, null]);
    } else if (event.type === "gadget_skipped") {
      seen.push([event.invocationId, "skipped", event.failedDependencyError, event.failedDependency]);
    }
  }
  process.stdout.write(JSON.stringify(seen) + "\n");
}
