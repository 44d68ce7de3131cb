// A program's values of a stream at the player's moment.
import { element } from "../dom.js";
import { Received } from "../received.js";

const RECENT = 60;
const LONGEST = 4000;

export class Stream {
  id = "stream";
  title = "Stream";

  constructor(parent, context) {
    this.context = context;
    this.notes = element("p", { class: "quiet" });
    this.values = element("div", {});
    this.events = element("pre", {});
    parent.append(
      element("p", { class: "quiet" }, "The text as it arrives from a model: what your program has at this moment."),
      this.notes,
      element("h2", {}, "Values so far, the newest first"),
      this.values,
      element("details", {}, element("summary", {}, "Last events"), this.events),
    );
  }

  async show() {
    const { player } = this.context;
    if (!player.steps.length) await player.read();
    else if (player.chosen) player.mark();
    else player.open();
  }

  // The player is at another moment.
  moved() {
    const { steps, at, notes } = this.context.player;
    if (this.steps !== steps || this.taken > at) Object.assign(this, { steps, received: new Received(), taken: 0 });
    // onwards, only the steps between are read
    for (; this.taken < at; this.taken += 1) steps[this.taken].events.forEach((event) => this.received.take(event));
    this.notes.textContent = notes ?? "";
    const items = this.received.newest(RECENT);
    this.values.replaceChildren(
      ...(items.length ? items.map((item) => element("pre", { class: "item" }, shortened(item))) : [
        element("p", { class: "quiet" }, "none"),
      ]),
    );
    let events = [];
    for (let last = at - 1; last >= 0 && events.length < RECENT; last -= 1) events = [...steps[last].events.slice(-RECENT), ...events];
    this.events.textContent = events.slice(-RECENT).map((event) => JSON.stringify(event)).join("\n");
  }
}

function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n… ${text.length - LONGEST} characters …\n${text.slice(-LONGEST / 2)}` : text;
}
