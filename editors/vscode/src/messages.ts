import * as vscode from "vscode";
import { VERSIONS } from "./server/versions.js";
import { forget, runWithoutPython } from "./settings.js";

const SHOW_LOG = "Show Log";

/** A message with its remedy. */
export function noPython(why: string): void {
  const choose = "Choose Interpreter…";
  const without = "Run Without Python";
  const text = `llmblocks needs Python ${VERSIONS} to check your files, and found none (${why}). Colours work without it. Choose an interpreter, or run the server in WebAssembly.`;
  void vscode.window.showErrorMessage(text, choose, without, SHOW_LOG).then((button) => {
    if (button === choose) {
      void vscode.commands.executeCommand("llmblocks.chooseInterpreter");
    } else if (button === without) {
      void runWithoutPython();
    } else if (button === SHOW_LOG) {
      void vscode.commands.executeCommand("llmblocks.showLog");
    }
  });
}

/** The message after too many crashes: the server's last output, and a button to try again. */
export function stoppedForGood(how: string, lastWords: readonly string[], again: () => void): void {
  const tryAgain = "Try Again";
  const text = `The llmblocks server ${how}, for the fifth time within three minutes, and will not be restarted. ${said(lastWords)}`;
  void vscode.window.showErrorMessage(text, tryAgain, SHOW_LOG).then((button) => {
    if (button === tryAgain) {
      again();
    } else if (button === SHOW_LOG) {
      void vscode.commands.executeCommand("llmblocks.showLog");
    }
  });
}

/** The message where the server of a setting ends before its first answer. */
export function wrongCommand(setting: string, how: string, lastWords: readonly string[], again: () => void): void {
  const [open, bundled, tryAgain] = ["Open Settings", "Use the Bundled Server", "Try Again"];
  const text = `The server that the setting ${setting} names ${how}. Your files are not checked. ${said(lastWords)}`;
  void vscode.window.showErrorMessage(text.trim(), open, bundled, tryAgain).then((button) => {
    if (button === open) {
      void vscode.commands.executeCommand("workbench.action.openSettings", setting);
    } else if (button === bundled) {
      void forget(setting);
    } else if (button === tryAgain) {
      again();
    }
  });
}

function said(lastWords: readonly string[]): string {
  // the frames of a traceback are for the log
  const words = lastWords.filter((line) => /^\S/.test(line) && !line.startsWith("Traceback")).slice(-3).join(" · ");
  return words === "" ? "" : `Its last output: ${words}`;
}
