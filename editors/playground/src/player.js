// Plays the text as it would arrive from a model, below the editor: the moments of a stream, and the place among them.
import { showMoment } from "./arrival.js";
import { askCommand } from "./editor.js";
import { debounced, element } from "./dom.js";

const SIZES = [
  ["tokens", "like tokens"],
  ["1", "of 1 character"],
  ["4", "of 4 characters"],
  ["16", "of 16 characters"],
  ["whole", "whole"],
];
const SPEEDS = ["0.25", "0.5", "1", "2", "4", "16"];
const STEP_MS = 60;
const MOST_LOOKED_AT = 400;
const INVITATION = "Play shows how this text arrives from a model.";

export class Player {
  steps = [];
  at = 0;
  chosen = false;

  // `context.streaming()` says whether moments are marked in the text, `context.stream()` starts that
  constructor(parent, context) {
    this.context = context;
    this.button = element("button", { type: "button", class: "play", onclick: () => this.toggle() }, "▶ Play");
    this.slider = element("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Position in the stream" });
    this.slider.addEventListener("input", () => this.choose(Number(this.slider.value)));
    this.where = element("span", { class: "quiet where" });
    const select = (options, value) => {
      const made = element("select", {}, ...options.map(([id, name]) => element("option", { value: id }, name)));
      made.value = value;
      return made;
    };
    this.speed = select(SPEEDS.map((each) => [each, `${each}×`]), "1");
    this.sizes = select(SIZES, "tokens");
    this.sizes.addEventListener("change", () => {
      this.chosen = false;
      context.stream();
      this.read();
    });
    this.held = element("p", { class: "held" });
    const step = (by) => () => this.choose(this.at + by);
    parent.append(
      element(
        "div",
        { class: "row" },
        this.button,
        element("button", { type: "button", onclick: step(-1), "aria-label": "One chunk back", title: "One chunk back" }, "−"),
        this.slider,
        element("button", { type: "button", onclick: step(1), "aria-label": "One chunk on", title: "One chunk on" }, "+"),
        this.where,
      ),
      element(
        "div",
        { class: "row" },
        this.held,
        element("label", {}, "Speed ", this.speed),
        element("label", {}, "Chunks ", this.sizes),
      ),
    );
    this.draw = debounced(0, () => this.render());
  }

  // Request the moments of the current text.
  async read() {
    const { view } = this.context;
    const text = view.state.doc.toString();
    const shown = await askCommand(view, "showStream", { chunks: chunks(this.sizes.value, text) });
    if (!shown) return false;
    this.offsets = offsets(text);
    this.steps = JSON.parse(shown.text);
    this.notes = shown.notes.join(" ");
    this.slider.max = String(this.steps.length);
    if (this.chosen) this.move(this.at);
    else this.open();
    return true;
  }

  // Until a moment is chosen: all of the text, and in the pane of the stream its most telling moment
  open() {
    this.move(this.context.streaming() ? telling(this.steps) : this.steps.length);
  }

  // The text has changed: what is played is out of date.
  forget() {
    this.pause();
    this.steps = [];
    this.chosen = false;
    this.slider.max = "0";
    this.held.replaceChildren();
  }

  toggle() {
    if (this.timer) this.pause();
    else this.play();
  }

  async play() {
    this.context.stream();
    if (!this.steps.length && !(await this.read())) return;
    if (this.at >= this.steps.length) this.move(0);
    this.chosen = true;
    this.timer = 1;
    this.button.textContent = "❚❚ Pause";
    this.next();
  }

  next() {
    if (this.at >= this.steps.length) {
      this.pause();
      return;
    }
    this.move(this.at + 1);
    this.timer = setTimeout(() => this.next(), STEP_MS / Number(this.speed.value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.button.textContent = "▶ Play";
  }

  choose(to) {
    if (!this.steps.length) return;
    this.pause();
    this.chosen = true;
    this.context.stream();
    this.move(to);
  }

  move(to) {
    this.at = Math.max(0, Math.min(to, this.steps.length));
    this.slider.value = String(this.at);
    this.draw();
  }

  render() {
    const step = this.steps[this.at - 1];
    const end = step?.end ?? 0;
    const whole = this.steps.at(-1)?.end ?? 0;
    this.slider.setAttribute("aria-valuetext", `${end} of ${whole} characters`);
    const isOpen = this.chosen || this.context.streaming();
    this.where.textContent = this.steps.length && isOpen ? `${end} / ${whole}` : "";
    this.held.replaceChildren(...(this.steps.length ? (isOpen ? heldBack(step) : [quiet(INVITATION)]) : []));
    this.mark();
    this.context.moved();
  }

  // Mark this moment in the text, if that is what is looked at.
  mark() {
    const { view } = this.context;
    const step = this.steps[this.at - 1];
    const at = (characters) => Math.min(this.offsets?.[characters] ?? 0, view.state.doc.length);
    const end = step?.end ?? 0;
    const start = this.steps[this.at - 2]?.end ?? 0;
    const is = this.context.streaming() && this.steps.length;
    showMoment(view, is ? { start: at(start), end: at(end), held: at(end) - at(Math.max(0, end - (step?.size ?? 0))) } : null);
  }
}

const quiet = (text) => element("span", { class: "quiet" }, text);

// The held-back text, and the reason.
function heldBack(step) {
  if (!step?.held) return [quiet("Nothing is held back: all that has arrived was passed on.")];
  const cut = [...step.held].length < step.size;
  return [
    cut ? `Held back, ${step.size} characters that end with ` : "Held back: ",
    element("mark", {}, visible(step.held)),
    ` because ${step.why}`,
  ];
}

// Line ends and tabs can be seen where they are what matters.
export function visible(text) {
  return text.replaceAll("\r", "␍").replaceAll("\n", "⏎").replaceAll("\t", "⇥");
}

// The most telling moment: the first at which most of a marker has arrived, and could still be text.
function telling(steps) {
  const sizes = steps.slice(0, MOST_LOOKED_AT).map(({ size, why }) => (/ may become /.test(why) ? size : 0));
  const most = Math.max(0, ...sizes);
  return most ? sizes.findIndex((size) => size >= most * 0.6) + 1 : Math.ceil(steps.length / 2);
}

// The offset in UTF-16 of each character, and of the end.
function offsets(text) {
  const found = [0];
  for (const character of text) found.push(found.at(-1) + character.length);
  return found;
}

// The sizes of the chunks, over and over. Tokens of a model are mostly one to eight characters; the same text is cut in
// the same way each time.
function chunks(chosen, text) {
  if (chosen === "whole") return [Math.max(1, text.length)];
  if (chosen !== "tokens") return [Number(chosen)];
  let seed = 12345;
  return Array.from({ length: 997 }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return 1 + Math.floor((seed / 2147483648) ** 2 * 8);
  });
}
