// <llmblocks-playground>: a playground on any page. README.md describes its attributes.
import shape from "../playground.css";
import colours from "../colours.css";
import { element } from "./dom.js";
import { pack } from "./link.js";
import { Playground } from "./playground.js";

const HOME = new URL("./", import.meta.url);

class PlaygroundElement extends HTMLElement {
  static observedAttributes = ["language", "pane"];

  connectedCallback() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [colours, shape].map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });
    const home = element("div", { class: "playground" });
    root.replaceChildren(home);
    this.playground = new Playground(home, { root, changed: () => this.dispatchEvent(new Event("change")) });
    if (!this.hasAttribute("bare")) home.append(this.footer());
    const given = this.left ?? this.written();
    this.load(given);
    this.playground.open(this.getAttribute("pane"));
    if (!this.left) this.fetch();
  }

  disconnectedCallback() {
    // it may be connected again, elsewhere
    this.left = this.state;
    this.playground.destroy();
    this.playground = undefined;
  }

  attributeChangedCallback(name, before, value) {
    if (!this.playground || before === value) return;
    if (name === "language") this.playground.setLanguage(value);
    else this.playground.open(value);
  }

  // { text, language, files: { "llmblocks.toml", "gadgets.json" } }
  get state() {
    return this.playground?.state ?? this.left;
  }

  load(state) {
    if (this.playground) this.playground.load(state);
    else this.left = state;
  }

  get value() {
    return this.state?.text ?? "";
  }

  set value(text) {
    this.load({ ...this.state, text });
  }

  format() {
    this.playground?.format();
  }

  play() {
    return this.playground?.player.play();
  }

  // The content of the element: a text, and perhaps its findings and colours, as `foreseen` of editors/building.py gives them
  written() {
    const foreseen = this.querySelector('script[type="application/json"]')?.textContent;
    return {
      text: unindented((this.querySelector('pre, script:not([type="application/json"])') ?? this).textContent),
      language: this.getAttribute("language"),
      ...(foreseen && JSON.parse(foreseen)),
    };
  }

  // The files that attributes name
  async fetch() {
    const names = { src: "text", settings: "llmblocks.toml", gadgets: "gadgets.json" };
    const wanted = Object.keys(names).filter((name) => this.hasAttribute(name));
    if (!wanted.length) return;
    const { state } = this;
    const files = { ...state.files };
    try {
      for (const name of wanted) {
        const found = await fetch(new URL(this.getAttribute(name), document.baseURI));
        if (!found.ok) throw new Error(`${found.url}: ${found.status} ${found.statusText}`);
        const text = await found.text();
        if (name === "src") state.text = text;
        else files[names[name]] = text;
      }
    } catch (error) {
      this.playground?.say(`Not loaded: ${error.message}`, 12);
      return;
    }
    const suffix = /\.\w+$/.exec(this.getAttribute("src") ?? "")?.[0];
    const language = this.getAttribute("language") ?? LANGUAGES.find((each) => each.suffix === suffix)?.id;
    this.load({ ...state, language, files });
  }

  footer() {
    const link = element("a", { href: String(new URL("index.html", HOME)), target: "_blank", rel: "noopener" }, "Open in the playground");
    // the link contains the text shown when it is followed
    const fill = async () => (link.href = `${new URL("index.html", HOME)}#${(await pack(this.state)) ?? ""}`);
    for (const event of ["pointerenter", "focus", "touchstart"]) link.addEventListener(event, fill, { passive: true });
    return element("footer", {}, link);
  }
}

// The text between the tags, without the line end after the first and the indent that all lines share.
function unindented(text) {
  const lines = text.replace(/^[^\S\n]*\n/, "").replace(/\n[^\S\n]*$/, "\n").split("\n");
  const indents = lines.filter((line) => line.trim()).map((line) => /^\s*/.exec(line)[0].length);
  const indent = indents.length ? Math.min(...indents) : 0;
  return lines.map((line) => line.slice(indent)).join("\n");
}

customElements.define("llmblocks-playground", PlaygroundElement);
