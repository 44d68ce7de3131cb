import * as vscode from "vscode";
import type { Supervisor } from "../server/supervisor.js";
import { chooseInterpreterCommand } from "./chooseInterpreter.js";
import { restartServer } from "./restartServer.js";
import { showLog } from "./showLog.js";

/** What commands work with. */
export interface Context {
  readonly supervisor: Supervisor;
  readonly log: vscode.LogOutputChannel;
}

/** Every command: a name as in package.json, and its function in a file of its own. */
const COMMANDS: Record<string, (context: Context) => Promise<void> | void> = {
  "llmblocks.chooseInterpreter": chooseInterpreterCommand,
  "llmblocks.restartServer": restartServer,
  "llmblocks.showLog": showLog,
};

export function registerCommands(context: Context): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([name, run]) => vscode.commands.registerCommand(name, () => run(context)));
  return vscode.Disposable.from(...registered);
}
