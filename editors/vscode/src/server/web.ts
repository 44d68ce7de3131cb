import { BrowserMessageReader } from "vscode-languageclient/browser";
import * as vscode from "vscode";
import { Mirror } from "./mirror.js";
import type { Launch } from "./server.js";
import { type Port, ServerWorker } from "./worker.js";

const FILES = ["pyodide.asm.wasm", "python_stdlib.zip", "packages.zip"];
// bundlers would leave out the platform of the client without a use of it
void BrowserMessageReader;

/** The server in WebAssembly, in a worker of a browser, which is given the settings of the workspace. */
export function inBrowser(extension: vscode.Uri, settings: readonly string[]): Launch {
  const folder = vscode.Uri.joinPath(extension, "bundled", "webassembly");
  return {
    origin: "bundled server in WebAssembly",
    because: "a browser runs no Python",
    what: folder.toString(),
    start: (onLine) => {
      const port = new WebWorker();
      const mirror = new Mirror((message) => port.post(message), settings);
      return new ServerWorker(port, port.open(folder), mirror, onLine);
    },
  };
}

/** A worker whose script and files come with the extension: its host lets it fetch nothing. */
class WebWorker implements Port {
  private static started = 0;
  readonly pid = ++WebWorker.started;
  private worker: Worker | undefined;
  private isOver = false;
  private take: (message: unknown) => void = () => undefined;
  private line: (line: string) => void = () => undefined;
  private end: (how: string) => void = () => undefined;

  /** Start the worker. Gives what it needs to start the server. */
  async open(folder: vscode.Uri): Promise<object> {
    const read = (name: string): Thenable<Uint8Array> => vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name));
    const [script, ...contents] = await Promise.all(["worker.js", ...FILES].map(read));
    if (this.isOver) {
      throw new Error("it was stopped before it started");
    }
    // a URL of the extension is of another origin than the page
    const url = URL.createObjectURL(new Blob([new Uint8Array(script ?? [])], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = (event) => {
      this.line(event.message);
      this.terminate();
      this.end(`ended with an error: ${event.message}`);
    };
    return { files: Object.fromEntries(FILES.map((name, index) => [name, contents[index]])), watches: true };
  }

  post(message: unknown): void {
    this.worker?.postMessage(message);
    if ((message as { method?: string }).method === "exit") {
      // a worker of a browser tells nobody of its end
      this.end("ended with status 0");
    }
  }

  onMessage(take: (message: unknown) => void): void {
    this.take = take;
  }

  onLine(take: (line: string) => void): void {
    this.line = take;
  }

  onEnd(take: (how: string) => void): void {
    this.end = take;
  }

  terminate(): void {
    this.isOver = true;
    this.worker?.terminate();
  }
}
