import * as vscode from "vscode";
import { inBrowser } from "./server/web.js";
import { type Api, start, stop } from "./start.js";

/** The extension in a browser: the server is a worker. */
export function activate(context: vscode.ExtensionContext): Api {
  return start(context, (settings) => ({
    find: async () => inBrowser(context.extensionUri, settings),
    chooseInterpreter: async () => {
      void vscode.window.showInformationMessage("llmblocks runs in WebAssembly in a browser, and uses no Python of a machine.");
    },
  }));
}

export const deactivate = stop;
