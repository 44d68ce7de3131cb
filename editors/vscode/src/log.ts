import * as vscode from "vscode";

/** The one output channel: the extension's words, the server's stderr and, when traced, the messages between them. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel("llmblocks", { log: true });
}
