import type * as vscode from "vscode";
import { askForInterpreter } from "./choosing.js";
import { finder } from "./server/find.js";
import { type Api, start, stop } from "./start.js";

/** The extension on a machine: the server is a process, or a thread. */
export function activate(context: vscode.ExtensionContext): Api {
  const folders = { extension: context.extensionUri, storage: context.globalStorageUri };
  return start(context, () => ({ find: finder(folders), chooseInterpreter: askForInterpreter }));
}

export const deactivate = stop;
