import * as vscode from "vscode";
import { chooseInterpreter } from "../settings.js";

/** Ask for a Python; the setting that it is written to restarts the server. */
export async function chooseInterpreterCommand(): Promise<void> {
  const [chosen] =
    (await vscode.window.showOpenDialog({ title: "Choose a Python, 3.11 to 3.14", openLabel: "Choose", canSelectMany: false })) ?? [];
  if (chosen !== undefined) {
    await chooseInterpreter(chosen.fsPath);
  }
}
