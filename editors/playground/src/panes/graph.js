// The graph of calls and their dependencies.
import { GraphView } from "../../../web/graph/view.js";
import { element } from "../dom.js";
import { askBeginning, askCommand, select } from "../editor.js";

export class Graph {
  id = "graph";
  title = "Graph";

  constructor(parent, context) {
    this.context = context;
    this.saved = element("a", { download: "graph.svg" }, "Save as SVG");
    this.note = element("span", { class: "quiet" });
    this.row = element("div", { class: "row" }, this.saved, this.note);
    const drawing = element("div");
    this.view = new GraphView(drawing, (call) => this.open(call));
    parent.replaceChildren(this.row, drawing);
  }

  show() {
    return askBeginning(this.context, (uri, cut) => this.ask(uri, cut));
  }

  async ask(uri, cut) {
    const shown = await askCommand(this.context.view, "showGraph", { format: "svg" }, uri);
    if (!shown) return;
    this.places = shown.places;
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = undefined;
    this.row.hidden = shown.kind === "message";
    if (this.row.hidden) {
      this.view.tell(shown.text);
      return;
    }
    this.url = URL.createObjectURL(new Blob([shown.text], { type: "image/svg+xml" }));
    this.saved.href = this.url;
    this.note.textContent = `Calls of one column run together. ${cut}`;
    this.view.show(shown.text);
  }

  open(call) {
    const start = this.places?.[call];
    if (start) select(this.context.view, { start, end: start });
  }
}
