// The language server in a worker of its own, as a transport for the editor's client.
export class Server {
  constructor(url, { progress, ready, failed }) {
    this.handlers = new Set();
    this.asked = new Map();
    this.worker = new Worker(new URL("worker.js", url));
    this.worker.onerror = (event) => failed(event.message || "the worker cannot be loaded");
    this.worker.onmessage = ({ data }) => {
      if (data.progress) progress(data.progress);
      else if (data.ready) ready(data.ready);
      else if (data.failed) failed(data.failed);
      else if (data.method && data.id !== undefined) this.answer(data);
      else for (const handler of this.handlers) handler(JSON.stringify(data));
    };
    this.worker.postMessage({ start: { files: String(url) } });
  }

  // the client of the editor answers no requests
  answer({ id, method }) {
    const result = method === "workspace/configuration" ? [null] : null;
    this.worker.postMessage({ jsonrpc: "2.0", id, result });
    if (method.endsWith("/refresh")) this.onRefresh?.(method);
  }

  write(path, text) {
    this.worker.postMessage({ write: { path, text } });
  }

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
