// The graph of calls and their dependencies.
import { askBeginning, askCommand } from "../editor.js";
import { element } from "../dom.js";

export class Graph {
  id = "graph";
  title = "Graph";

  constructor(parent, context) {
    this.parent = parent;
    this.context = context;
  }

  show() {
    return askBeginning(this.context, (uri, cut) => this.ask(uri, cut));
  }

  async ask(uri, cut) {
    const shown = await askCommand(this.context.view, "showGraph", { format: "svg" }, uri);
    if (!shown) return;
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = undefined;
    if (shown.kind === "message") {
      this.parent.replaceChildren(element("p", { class: "quiet" }, shown.text));
      return;
    }
    this.url = URL.createObjectURL(new Blob([shown.text], { type: "image/svg+xml" }));
    this.parent.replaceChildren(
      element(
        "div",
        { class: "row" },
        element("a", { href: this.url, download: "graph.svg" }, "Save as SVG"),
        element("span", { class: "quiet" }, `Calls of one column run together; a cycle is red. ${cut}`),
      ),
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "group", "aria-label": "The graph" },
        element("img", { class: "picture", src: this.url, alt: "The calls of the text and what each waits for" }),
      ),
    );
  }
}
