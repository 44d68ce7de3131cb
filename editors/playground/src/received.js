// A program's values at a moment of a stream: the values so far, unfinished ones as far as they are known.
export class Received {
  // each is a list of texts, which are joined only where they are shown
  items = [];
  call = null;
  text = false;

  take(event) {
    const name = event.event;
    if (name === "TextDelta" || name === "Text") {
      if (!this.text) this.items.push([]);
      this.text = true;
      this.append(event.delta ?? event.text);
      return;
    }
    this.text = false;
    if (name === "CallStarted") {
      this.call = { name: event.name, id: event.invocation_id, given: [] };
      this.items.push(this.call);
    } else if (name === "ArgStarted" && this.call) this.call.given.push({ pointer: event.pointer, value: [], open: true });
    else if (name === "ArgDelta" && this.call) this.call.given.at(-1).value.push(event.delta);
    else if (name === "ArgEnded" && this.call) this.call.given.at(-1).open = false;
    else if (name === "CallEnded") {
      const { name: called, id, parameters, error } = event.call;
      this.replace(`${called} · ${id}\n${error ?? json(parameters)}`);
      this.call = null;
    } else if (name === "MessageStarted") this.items.push([`${event.role ?? "message"}\n`]);
    else if (name === "ContentDelta" || name === "CustomBlockDelta") this.append(event.delta);
    else if (name === "MessageEnded") this.replace(json(event.message));
    else if (name === "region_open") this.items.push([`${event.field} …\n`]);
    else if (name === "region_chunk") this.append(event.text);
    else if (name === "region_close") this.replace(`${event.field}\n${typeof event.value === "string" ? event.value : json(event.value)}`);
    else if (name === "region_malformed") this.replace(`${event.field}: no value: ${event.reason}\n${event.text}`);
    else if (name === "CustomBlockStart") this.items.push(Object.assign([`<${event.tag}> …\n`], { tag: event.tag }));
    else if (name === "CustomBlock") {
      if (this.items.at(-1)?.tag === event.tag) this.replace(json(event));
      else this.items.push([json(event)]);
    }
  }

  append(text) {
    if (!Array.isArray(this.items.at(-1))) this.items.push([]);
    this.items.at(-1).push(text);
  }

  replace(text) {
    if (this.items.length) this.items.pop();
    this.items.push([text]);
  }

  // The newest first
  newest(count) {
    const found = [];
    for (let at = this.items.length - 1; at >= 0 && found.length < count; at -= 1) {
      const text = joined(this.items[at]);
      if (text.trim()) found.push(text);
    }
    return found;
  }
}

function joined(item) {
  if (Array.isArray(item)) return item.join("");
  const given = item.given.map(({ pointer, value, open }) => `  ${pointer} = ${value.join("")}${open ? "…" : ""}`);
  return [`${item.name} · ${item.id} …`, ...given].join("\n");
}

const json = (value) => JSON.stringify(value, null, 2);
