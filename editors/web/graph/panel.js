// The page of VS Code's panel: it shows the extension's graph, and reports the chosen call.
import { GraphView } from "./view.js";

const host = acquireVsCodeApi();
const view = new GraphView(document.body, (call) => host.postMessage({ open: call }));
addEventListener("message", ({ data }) => (data.svg === undefined ? view.tell(data.sentence) : view.show(data.svg)));
host.postMessage({ ready: true });
