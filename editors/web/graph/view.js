// The graph of calls as a person uses it: it fits, zooms, and leads to its calls, by mouse and by keyboard.
// VS Code's panel and the playground show the same drawing of the server with it.

const LEAST = 0.25;
const MOST = 3;
const STEP = 1.25;
// the least scale of a drawing that fits itself: its text has 9 pixels
const READABLE = 0.75;
const STYLE = `
.graph-view { display: flex; flex-direction: column; height: 100%; min-height: 0; }
.graph-view [role="toolbar"]:not([hidden]) { display: flex; align-items: center; gap: 0.4em; padding: 0.4em 0.6em; flex-wrap: wrap; }
.graph-view .canvas { flex: 1; overflow: auto; min-height: 8em; padding: 0.4em; }
.graph-view .canvas svg { display: block; }
.graph-view [data-call] { cursor: pointer; outline: none; }
.graph-view [data-call]:hover rect, .graph-view [data-call]:focus rect { stroke-width: 3; }
.graph-view [data-call]:focus rect { stroke: var(--graph-focus, Highlight); }
.graph-view p { margin: 0.6em; }
`;

/** A view in an element. `open` gets the number of the call that a person chooses. */
export class GraphView {
  constructor(parent, open) {
    this.open = open;
    this.scale = 0;
    this.said = made("span", { role: "status" });
    const button = (text, name, run) => {
      const found = made("button", { type: "button", title: name, "aria-label": name }, text);
      found.addEventListener("click", run);
      return found;
    };
    this.bar = made(
      "div",
      { role: "toolbar", "aria-label": "Zoom" },
      button("−", "Zoom out", () => this.zoom(this.scale / STEP)),
      button("+", "Zoom in", () => this.zoom(this.scale * STEP)),
      button("Fit", "Fit the graph into its pane", () => this.fit()),
      this.said,
    );
    this.canvas = made("div", { class: "canvas", role: "region", "aria-label": "Graph of calls" });
    this.root = made("div", { class: "graph-view" }, made("style", {}, STYLE), this.bar, this.canvas);
    this.root.addEventListener("keydown", (event) => this.press(event));
    this.canvas.addEventListener("click", (event) => this.choose(event.target));
    this.canvas.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    parent.replaceChildren(this.root);
  }

  /** Show a drawing of the server. Zoom, place and focus stay unchanged. */
  show(text) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const focused = this.focused();
    const { scrollLeft, scrollTop } = this.canvas;
    this.svg = document.importNode(parsed, true);
    this.width = Number(this.svg.getAttribute("width"));
    this.height = Number(this.svg.getAttribute("height"));
    // a picture has no parts; these can be reached one by one
    this.svg.setAttribute("role", "group");
    this.calls = [...this.svg.querySelectorAll("[data-call]")];
    for (const call of this.calls) {
      call.setAttribute("role", "button");
      call.setAttribute("aria-label", [...call.querySelectorAll("text")].map((text) => text.textContent).join(" "));
      call.setAttribute("tabindex", "-1");
    }
    this.calls[0]?.setAttribute("tabindex", "0");
    this.canvas.replaceChildren(this.svg);
    this.said.textContent = this.svg.getAttribute("aria-label");
    this.bar.hidden = false;
    if (this.scale === 0) {
      this.fit();
    } else {
      this.zoom(this.scale);
    }
    this.canvas.scrollTo(scrollLeft, scrollTop);
    if (focused !== undefined) {
      this.focus(this.calls.find((call) => call.dataset.call === focused));
    }
  }

  /** Say a sentence, where there is nothing to draw. */
  tell(sentence) {
    this.svg = undefined;
    this.bar.hidden = true;
    this.canvas.replaceChildren(made("p", { role: "status" }, sentence));
  }

  /** Show all of the drawing, but not larger than it is, nor too small to read. */
  fit() {
    if (this.svg !== undefined) {
      const { clientWidth, clientHeight } = this.canvas;
      this.zoom(Math.min(1, Math.max(READABLE, Math.min((clientWidth - 16) / this.width, (clientHeight - 16) / this.height))));
    }
  }

  zoom(scale) {
    if (this.svg !== undefined) {
      this.scale = Math.min(MOST, Math.max(LEAST, scale));
      this.svg.setAttribute("width", String(this.width * this.scale));
      this.svg.setAttribute("height", String(this.height * this.scale));
    }
  }

  turn(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(this.scale * (event.deltaY < 0 ? STEP : 1 / STEP));
    }
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.svg === undefined) {
      return;
    }
    const at = this.calls.findIndex((call) => call.dataset.call === this.focused());
    const run = {
      "+": () => this.zoom(this.scale * STEP),
      "=": () => this.zoom(this.scale * STEP),
      "-": () => this.zoom(this.scale / STEP),
      0: () => this.fit(),
      ...(at >= 0 && {
        ArrowRight: () => this.focus(this.calls[at + 1]),
        ArrowDown: () => this.focus(this.calls[at + 1]),
        ArrowLeft: () => this.focus(this.calls[at - 1]),
        ArrowUp: () => this.focus(this.calls[at - 1]),
        Home: () => this.focus(this.calls[0]),
        End: () => this.focus(this.calls.at(-1)),
        Enter: () => this.choose(this.calls[at]),
        " ": () => this.choose(this.calls[at]),
      }),
    }[event.key];
    if (run !== undefined) {
      event.preventDefault();
      run();
    }
  }

  focused() {
    return this.root.getRootNode().activeElement?.closest?.("[data-call]")?.dataset.call;
  }

  focus(call) {
    if (call !== undefined) {
      this.calls.forEach((each) => each.setAttribute("tabindex", each === call ? "0" : "-1"));
      call.focus();
    }
  }

  choose(target) {
    const call = target.closest("[data-call]");
    if (call !== null) {
      this.focus(call);
      this.open(Number(call.dataset.call));
    }
  }
}

function made(name, attributes, ...children) {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    found.setAttribute(key, value);
  }
  found.append(...children);
  return found;
}
