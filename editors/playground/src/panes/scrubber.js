// The text as it would arrive: what a stream has emitted, and what it holds back, at any moment.
import { askCommand } from "../editor.js";
import { debounced, element } from "../dom.js";

const RECENT = 60;

export class Scrubber {
  id = "stream";
  title = "Stream";
  steps = [];
  chunks = "1";
  at = 0;

  constructor(parent, context) {
    this.parent = parent;
    this.context = context;
    this.slider = element("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Position in the stream" });
    this.slider.addEventListener("input", () => this.move(Number(this.slider.value)));
    this.sizes = element(
      "select",
      {},
      ...[["1", "1 character"], ["4", "4 characters"], ["16", "16 characters"], ["tokens", "like tokens"], ["whole", "whole"]].map(
        ([value, name]) => element("option", { value }, name),
      ),
    );
    this.sizes.addEventListener("change", () => {
      this.chunks = this.sizes.value;
      this.show();
    });
    const step = (by) => () => this.move(this.at + by);
    this.read = element("pre", {});
    this.held = element("div", {});
    this.values = element("div", {});
    this.events = element("pre", {});
    this.notes = element("p", { class: "quiet" });
    this.where = element("span", { class: "quiet" });
    this.built = [
      element("div", { class: "row" }, element("label", {}, "Chunks of ", this.sizes)),
      element(
        "div",
        { class: "row" },
        element("button", { type: "button", onclick: step(-1), "aria-label": "One chunk back" }, "◀"),
        this.slider,
        element("button", { type: "button", onclick: step(1), "aria-label": "One chunk on" }, "▶"),
        this.where,
      ),
      this.notes,
      element("h2", {}, "Arrived last"),
      this.read,
      element("h2", {}, "Held back"),
      this.held,
      element("h2", {}, "Values so far, the newest first"),
      this.values,
      element("h2", {}, "Last events"),
      this.events,
    ];
    this.draw = debounced(0, () => this.render());
  }

  async show() {
    const { view } = this.context;
    if (!this.parent.contains(this.slider)) this.parent.replaceChildren(...this.built);
    const text = view.state.doc.toString();
    const shown = await askCommand(view, "showStream", { chunks: sizes(this.chunks, text) });
    if (!shown) return;
    this.characters = [...text];
    this.steps = JSON.parse(shown.text);
    this.notes.textContent = shown.notes.join(" ");
    this.slider.max = String(this.steps.length);
    const before = this.steps.length ? Math.min(this.at || Math.ceil(this.steps.length / 2), this.steps.length) : 0;
    this.move(before);
  }

  move(to) {
    this.at = Math.max(0, Math.min(to, this.steps.length));
    this.slider.value = String(this.at);
    this.draw();
  }

  render() {
    const done = this.steps.slice(0, this.at);
    const last = done.at(-1);
    const end = last?.end ?? 0;
    const start = done.at(-2)?.end ?? 0;
    this.slider.setAttribute("aria-valuetext", `${end} of ${this.characters.length} characters`);
    this.where.textContent = `${end} / ${this.characters.length}`;
    const piece = (from, to) => this.characters.slice(from, to).join("");
    this.read.replaceChildren(piece(Math.max(0, start - 200), start), element("mark", {}, piece(start, end)));
    this.held.replaceChildren(
      last?.held
        ? element("div", {}, element("pre", {}, element("mark", {}, last.held)), element("p", {}, whyHeld(last)))
        : element("p", { class: "quiet" }, "nothing"),
    );
    const items = valuesOf(done);
    this.values.replaceChildren(
      ...(items.length ? items.slice(-RECENT).reverse().map((item) => element("pre", { class: "item" }, item)) : [
        element("p", { class: "quiet" }, "none"),
      ]),
    );
    const events = done.flatMap((each) => each.events).slice(-RECENT);
    this.events.textContent = events.map((event) => JSON.stringify(event)).join("\n");
  }
}

// Why something is held back, and how much if only its end is shown.
function whyHeld({ held, size, why }) {
  return [...held].length < size ? `the end of ${size} characters, because ${why}` : `because ${why}`;
}

// The sizes of the chunks, over and over. Tokens of a model are mostly one to eight characters; the same text is cut in
// the same way each time.
function sizes(chunks, text) {
  if (chunks === "whole") return [Math.max(1, text.length)];
  if (chunks !== "tokens") return [Number(chunks)];
  let seed = 12345;
  return Array.from({ length: 997 }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return 1 + Math.floor((seed / 2147483648) ** 2 * 8);
  });
}

// The values so far, the unfinished ones as far as they are known.
function valuesOf(steps) {
  const items = [];
  let call;
  let open;
  let text = false;
  const push = (item) => items.push(item);
  for (const { events } of steps) {
    for (const event of events) {
      const begins = event.event;
      if (begins === "TextDelta" || begins === "Text") {
        const added = event.delta ?? event.text;
        if (text) items[items.length - 1] += added;
        else push(added);
        text = true;
        continue;
      }
      text = false;
      if (begins === "CallStarted") {
        call = { name: event.name, id: event.invocation_id, given: {} };
        push("");
      } else if (begins === "ArgStarted") open = event.pointer;
      else if (begins === "ArgDelta" && call) call.given[event.pointer] = (call.given[event.pointer] ?? "") + event.delta;
      else if (begins === "ArgEnded") open = undefined;
      else if (begins === "CallEnded") {
        const { name, id, parameters, error } = event.call;
        items[items.length - 1] = `${name} · ${id}\n${error ?? JSON.stringify(parameters, null, 2)}`;
        call = undefined;
        continue;
      } else if (begins === "MessageStarted") push(`${event.role ?? "message"}\n`);
      else if (begins === "ContentDelta") items[items.length - 1] = (items.at(-1) ?? "") + event.delta;
      else if (begins === "MessageEnded") items[items.length - 1] = JSON.stringify(event.message, null, 2);
      else if (begins === "CustomBlockStart") push(`<${event.tag}> …\n`);
      else if (begins === "CustomBlockDelta") items[items.length - 1] = (items.at(-1) ?? "") + event.delta;
      else if (begins === "CustomBlock") {
        const whole = JSON.stringify(event, null, 2);
        if (items.at(-1)?.startsWith(`<${event.tag}> …`)) items[items.length - 1] = whole;
        else push(whole);
      }
      if (call) {
        const given = Object.entries(call.given).map(([pointer, value]) => `  ${pointer} = ${value}${pointer === open ? "…" : ""}`);
        items[items.length - 1] = [`${call.name} · ${call.id} …`, ...given].join("\n");
      }
    }
  }
  return items.filter((item) => item.trim());
}
