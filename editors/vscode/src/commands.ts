import * as vscode from "vscode";
import type { Supervisor } from "./server/supervisor.js";
import { chooseInterpreter } from "./settings.js";

/** The objects that commands need. */
export interface Context {
  readonly supervisor: Supervisor;
  readonly log: vscode.LogOutputChannel;
}

/** Every command, by its name in package.json. */
const COMMANDS: Record<string, (context: Context) => Promise<void> | void> = {
  "llmblocks.chooseInterpreter": askForInterpreter,
  "llmblocks.restartServer": ({ supervisor }) => supervisor.restart(),
  "llmblocks.showLog": ({ log }) => log.show(true),
};

export function registerCommands(context: Context): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([name, run]) => vscode.commands.registerCommand(name, () => run(context)));
  return vscode.Disposable.from(...registered);
}

/** Ask for an interpreter and write it into the setting; the change restarts the server. */
async function askForInterpreter(): Promise<void> {
  const [chosen] =
    (await vscode.window.showOpenDialog({ title: "Choose a Python, 3.11 to 3.14", openLabel: "Choose", canSelectMany: false })) ?? [];
  if (chosen !== undefined) {
    await chooseInterpreter(chosen.fsPath);
  }
}
