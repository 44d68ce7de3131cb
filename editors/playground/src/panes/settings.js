// The settings of the text, as the files that a project would have.
import { debounced, element } from "../dom.js";

export class Settings {
  id = "settings";
  title = "Settings";
  files = [
    ["llmblocks.toml", "Settings, as in a project's llmblocks.toml"],
    ["gadgets.json", "Definitions of gadgets, as from llmist gadget info --json; they are checked where they are not empty"],
  ];
  found = new Map();

  constructor(parent, context) {
    this.context = context;
    this.inputs = new Map();
    this.problems = new Map();
    const write = debounced(300, () => context.written());
    for (const [name, about] of this.files) {
      const input = element("textarea", { id: name, spellcheck: "false", autocomplete: "off", "aria-describedby": `${name}-found` });
      input.addEventListener("input", write);
      const problems = element("ul", { id: `${name}-found`, "aria-live": "polite" });
      this.inputs.set(name, input);
      this.problems.set(name, problems);
      parent.append(
        element("h2", {}, element("label", { for: name }, name)),
        element("p", { class: "quiet" }, about),
        input,
        problems,
      );
    }
  }

  show() {}

  get values() {
    return Object.fromEntries([...this.inputs].map(([name, input]) => [name, input.value]));
  }

  set values(given) {
    for (const [name, input] of this.inputs) input.value = given?.[name] ?? "";
  }

  told(name, diagnostics) {
    const items = diagnostics.map(({ code, message, range }) =>
      element("li", { class: "error" }, `${range.start.line + 1}:${range.start.character + 1} ${code} ${message}`),
    );
    this.problems.get(name)?.replaceChildren(...items);
  }
}
