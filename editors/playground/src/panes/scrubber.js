// The text as it would arrive: what a stream has emitted, and what it holds back, at any moment.
import { askCommand } from "../editor.js";
import { debounced, element } from "../dom.js";
import { Received } from "../received.js";

const RECENT = 60;
const AROUND = 200;
const LONGEST = 4000;

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
    this.received = undefined;
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
    const last = this.steps[this.at - 1];
    const end = last?.end ?? 0;
    const start = this.steps[this.at - 2]?.end ?? 0;
    this.slider.setAttribute("aria-valuetext", `${end} of ${this.characters.length} characters`);
    this.where.textContent = `${end} / ${this.characters.length}`;
    const piece = (from, to) => this.characters.slice(from, to).join("");
    const before = piece(Math.max(0, start - AROUND), start);
    this.read.replaceChildren(before, element("mark", {}, visible(piece(start, end))));
    this.held.replaceChildren(
      last?.held
        ? element("div", {}, element("pre", {}, element("mark", {}, visible(last.held))), element("p", {}, whyHeld(last)))
        : element("p", { class: "quiet" }, "nothing"),
    );
    const items = this.until(this.at).newest(RECENT);
    this.values.replaceChildren(
      ...(items.length ? items.map((item) => element("pre", { class: "item" }, shortened(item))) : [
        element("p", { class: "quiet" }, "none"),
      ]),
    );
    let events = [];
    for (let at = this.at - 1; at >= 0 && events.length < RECENT; at -= 1) events = [...this.steps[at].events.slice(-RECENT), ...events];
    this.events.textContent = events.slice(-RECENT).map((event) => JSON.stringify(event)).join("\n");
  }

  // What has been received up to a step. Onwards, only the steps between are read.
  until(step) {
    if (!this.received || this.taken > step) Object.assign(this, { received: new Received(), taken: 0 });
    for (; this.taken < step; this.taken += 1) this.steps[this.taken].events.forEach((event) => this.received.take(event));
    return this.received;
  }
}

// Line ends and tabs can be seen where they are what matters.
function visible(text) {
  return text.replaceAll("\r", "␍").replaceAll("\n", "⏎\n").replaceAll("\t", "⇥");
}

function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n… ${text.length - LONGEST} characters …\n${text.slice(-LONGEST / 2)}` : text;
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
