// Custom blocks in agentick, with what the model got wrong: `deltaTransform: () => customBlocks(["citation"], console.warn)`
// in `createAdapter` of agentick 0.15; in 1.0.0-next.165, the same transform in the place of `customBlockTransform`.
import { check, TagStream } from "llmblocks";

// `told` gets the findings of a response that has some: a misspelt tag, an attribute that ends early, an unclosed block
export function customBlocks(tags, told) {
  const options = { settings: { tags: { names: tags } } };
  // a name that no tag can have is an error now, and not at the end of a response
  check("", "custom-blocks", options);
  const stream = new TagStream(tags);
  let text = "";
  let latest;
  // `custom_block_start` in agentick 0.15; `custom-block-start` in 1.0.0-next.165, whose text says which part of the message it is of
  const named = ({ event, ...rest }) => {
    if (event === "TextDelta") return { ...latest, ...rest };
    const separator = latest.type === "text" ? "_" : "-";
    const type = event.replace(/(?!^)[A-Z]/g, (letter) => separator + letter).toLowerCase();
    if (!rest.selfClosing) delete rest.selfClosing;
    return { type, ...rest };
  };
  return {
    process(delta) {
      if (delta.type !== "text" && delta.type !== "content-delta") return [delta];
      latest = delta;
      text += delta.delta;
      return stream.feed(delta.delta).map(named);
    },
    flush() {
      const findings = check(text, "custom-blocks", options);
      if (findings.length > 0) told(findings);
      return stream.close().map(named);
    },
  };
}
