// Runs agents of the real llmist with a scripted model, which write their logs: JSON lines in, JSON lines out.
//   in   {"directory": "...", "responses": ["..."], "agents": {id: ["..."]}}
//   out  [[id, name, parameters, "returned" | "failed" | "skipped" | "never", result or error], ...], from its hooks
// The gadgets are Ok, which returns its parameters, Fail, which fails, Big, which returns 3,000 characters, Picture, which
// returns media, and Agent, which runs a sub-agent with the responses of its call in `agents`.
import readline from "node:readline";
import { AgentBuilder, HookPresets, LLMist, createGadget, resultWithMedia, z } from "llmist";

const schema = z.object({}).catchall(z.any());
const scripted = (responses) => {
  let next = 0;
  return {
    providerId: "scripted",
    priority: 100,
    supports: () => true,
    async *stream() {
      yield { text: responses[next++] ?? "Nothing more to do." };
      yield { text: "", finishReason: "stop" };
    },
  };
};
const builder = (responses, gadgets) =>
  new AgentBuilder(new LLMist({ adapters: [scripted(responses)], autoDiscoverProviders: false }))
    .withModel("scripted:model")
    .withMaxIterations(responses.length + 1)
    .withGadgets(...gadgets);
const simple = [
  createGadget({ name: "Ok", description: "returns its parameters", schema, execute: (given) => JSON.stringify(given) }),
  createGadget({ name: "Fail", description: "fails", schema, execute: () => { throw new Error("no disk"); } }),
  createGadget({ name: "Big", description: "returns much", schema, execute: () => "=== no header\n".repeat(200) }),
  createGadget({ name: "Typed", description: "wants a number", schema: z.object({ n: z.number() }), execute: () => "typed" }),
  createGadget({
    name: "Picture",
    description: "returns a picture",
    schema,
    execute: () => resultWithMedia("drawn", [{ kind: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }]),
  }),
];

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { directory, responses, agents } = JSON.parse(line);
  const told = [];
  // observers of an agent are reported of its sub-agents, too: one that logged both would write one over the other
  const logging = (skipSubagents) => HookPresets.fileLogging({ directory, skipSubagents });
  const agent = createGadget({
    name: "Agent",
    description: "runs a sub-agent",
    schema,
    execute: async (_, ctx) => {
      const inner = builder(agents[ctx.invocationId] ?? [], simple).withParentContext(ctx).withHooks(logging(false)).ask("go on");
      for await (const event of inner.run()) void event;
      return "done";
    },
  });
  const observers = {
    onGadgetExecutionComplete: ({ invocationId, gadgetName, parameters, finalResult, error, subagentContext }) => {
      if (subagentContext) return;
      told.push([invocationId, gadgetName, parameters, error ? "failed" : "returned", error ?? finalResult]);
    },
    onGadgetSkipped: ({ invocationId, gadgetName, parameters, failedDependencyError, subagentContext }) => {
      if (!subagentContext) told.push([invocationId, gadgetName, parameters, "skipped", failedDependencyError]);
    },
  };
  const running = builder(responses, [...simple, agent]).withHooks(HookPresets.merge(logging(true), { observers })).ask("begin");
  for await (const event of running.run()) void event;
  process.stdout.write(JSON.stringify(told) + "\n");
}
