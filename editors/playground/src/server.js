// The language server of all playgrounds of a page: one worker, started once it is needed.
import { LSPClient } from "@codemirror/lsp-client";
import { clientExtensions } from "./editor.js";

export const ROOT = "/playground";
let only;

export function server() {
  return (only ??= new Server(new URL("web-server/", import.meta.url)));
}

class Server {
  // what each listener is reported again if it comes late
  news = { progress: { fraction: 0, text: "starting" } };
  listeners = new Set();
  routes = new Map();
  handlers = new Set();

  constructor(url) {
    this.client = new LSPClient({
      rootUri: `file://${ROOT}`,
      // a text of 20 MB is read for a minute
      timeout: 600_000,
      // this client says that it fetches diagnostics, and never does
      initializationOptions: { diagnostics: { delivery: "push" }, keepsCaret: true },
      extensions: clientExtensions,
      notificationHandlers: {
        "textDocument/publishDiagnostics": (_, params) => {
          for (const [folder, take] of this.routes) if (params.uri.startsWith(`file://${folder}/`)) take(params);
          return false;
        },
      },
      sanitizeHTML: (html) => html.replaceAll(/<(script|style|iframe|object|embed|link|meta|img)\b[^>]*>/gi, ""),
    });
    this.worker = new Worker(script(new URL("worker.js", url)));
    this.worker.onerror = (event) => this.tell({ failed: event.message || "the worker cannot be loaded" });
    this.worker.onmessage = ({ data }) => {
      if (data.ready) this.client.connect(this);
      if (data.progress || data.ready || data.failed) this.tell(data);
      else if (data.method && data.id !== undefined) this.answer(data);
      else for (const handler of this.handlers) handler(JSON.stringify(data));
    };
    this.worker.postMessage({ start: { files: String(url) } });
  }

  tell(news) {
    this.news = news;
    for (const listener of this.listeners) listener(news);
  }

  listen(listener) {
    this.listeners.add(listener);
    listener(this.news);
    return () => this.listeners.delete(listener);
  }

  // the client of the editor answers no requests
  answer({ id, method }) {
    const result = method === "workspace/configuration" ? [null] : null;
    this.worker.postMessage({ jsonrpc: "2.0", id, result });
  }

  // Files for the server, such as settings. It is reported that they have changed.
  write(files) {
    for (const [path, text] of Object.entries(files)) this.worker.postMessage({ write: { path, text } });
    const changes = Object.keys(files).map((path) => ({ uri: `file://${path}`, type: 2 }));
    if (!this.client.connected) return;
    this.client.sync();
    this.client.notification("workspace/didChangeWatchedFiles", { changes });
  }

  remove(paths) {
    for (const path of paths) this.worker.postMessage({ remove: { path } });
  }

  // the transport of the client

  send(message) {
    this.worker.postMessage(JSON.parse(message));
  }

  subscribe(handler) {
    this.handlers.add(handler);
  }

  unsubscribe(handler) {
    this.handlers.delete(handler);
  }
}

// A worker must be of the page's own origin; one of another origin is imported by one of ours.
function script(url) {
  if (url.origin === location.origin) return url;
  return URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(String(url))})`], { type: "text/javascript" }));
}
