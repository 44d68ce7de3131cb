import * as vscode from "vscode";
import type { Supervisor } from "./server/supervisor.js";
import { newFile, openExample } from "./starting.js";

/** The objects that commands need. */
export interface Context {
  readonly supervisor: Supervisor;
  readonly log: vscode.LogOutputChannel;
  readonly chooseInterpreter: (current: () => string | undefined) => Promise<void>;
}

/** Every command, by its name in package.json. */
const COMMANDS: Record<string, (context: Context) => Promise<void> | void> = {
  "llmblocks.chooseInterpreter": ({ supervisor, chooseInterpreter }) => chooseInterpreter(() => supervisor.interpreter),
  "llmblocks.restartServer": ({ supervisor }) => supervisor.restart(),
  "llmblocks.showLog": ({ log }) => log.show(true),
  "llmblocks.newGadgetFile": () => newFile("gadget"),
  "llmblocks.newChat": () => newFile("stf"),
  "llmblocks.newBlocksFile": () => newFile("custom-blocks"),
  "llmblocks.openExample": openExample,
};

export function registerCommands(context: Context): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([name, run]) => vscode.commands.registerCommand(name, () => run(context)));
  return vscode.Disposable.from(...registered);
}
