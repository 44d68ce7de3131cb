import * as path from "node:path";
import * as readline from "node:readline";
import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import type { Launch } from "./server.js";
import { type Port, ServerWorker } from "./worker.js";

/** The server in WebAssembly, in a thread of Node, which sees the folders of the workspace. */
export function inThread(extension: vscode.Uri, because: string): Launch {
  const folder = path.join(extension.fsPath, "bundled", "webassembly");
  return {
    origin: "bundled server in WebAssembly",
    because,
    what: folder,
    start: (onLine) => {
      const port = new Thread(path.join(folder, "worker.mjs"));
      const mount = (folders: readonly vscode.WorkspaceFolder[]): void => {
        for (const { uri } of folders.filter((each) => each.uri.scheme === "file")) {
          // the path by which the server knows it: on Windows, /c:/folder
          port.post({ mount: { path: uri.path, folder: uri.fsPath } });
        }
      };
      const differences = {
        prepare: async () => mount(vscode.workspace.workspaceFolders ?? []),
        workspaceMiddleware: {
          didChangeWorkspaceFolders: (
            change: vscode.WorkspaceFoldersChangeEvent,
            next: (change: vscode.WorkspaceFoldersChangeEvent) => Promise<void>,
          ) => {
            mount(change.added);
            return next(change);
          },
        },
      };
      return new ServerWorker(port, Promise.resolve({ files: folder, watches: true }), differences, onLine);
    },
  };
}

class Thread implements Port {
  readonly pid: number;
  private readonly worker: Worker;
  private readonly lines: readline.Interface;

  constructor(file: string) {
    // nothing of the environment is its business
    this.worker = new Worker(file, { stdout: true, stderr: true, env: {}, execArgv: [] });
    this.pid = this.worker.threadId;
    this.lines = readline.createInterface({ input: this.worker.stderr });
  }

  post(message: unknown): void {
    this.worker.postMessage(message);
  }

  onMessage(take: (message: unknown) => void): void {
    this.worker.on("message", take);
  }

  onLine(take: (line: string) => void): void {
    this.lines.on("line", take);
  }

  onEnd(take: (how: string) => void): void {
    let error: string | undefined;
    // "exit" may come before the last line of stderr
    const written = new Promise((resolve) => this.lines.once("close", resolve));
    this.worker.once("error", ({ message }) => (error = message));
    this.worker.once("exit", (code) => {
      void written.then(() => take(error === undefined ? `ended with status ${code}` : `ended with an error: ${error}`));
    });
  }

  terminate(): void {
    void this.worker.terminate();
  }
}
