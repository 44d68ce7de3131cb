import * as vscode from "vscode";
import { LANGUAGES } from "./languages.js";
import type { State, StateHolder } from "./state.js";

/** The entry among the braces of the status bar: the server's version and state. */
export function createStatus(state: StateHolder): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("llmblocks.server", LANGUAGES.map((language) => ({ language })));
  item.name = "llmblocks";
  const show = (current: State): void => {
    item.busy = current.kind === "starting" || current.kind === "waiting";
    item.severity = severity(current);
    [item.text, item.detail] = words(current);
    item.command =
      current.kind === "no-python"
        ? { command: "llmblocks.chooseInterpreter", title: "Choose Interpreter…" }
        : current.kind === "running"
          ? { command: "llmblocks.showLog", title: "Show Log" }
          : { command: "llmblocks.restartServer", title: "Restart" };
  };
  show(state.current);
  return vscode.Disposable.from(item, state.onDidChange(show));
}

function severity(state: State): vscode.LanguageStatusSeverity {
  switch (state.kind) {
    case "stopped":
    case "no-python":
      return vscode.LanguageStatusSeverity.Error;
    case "waiting":
      return vscode.LanguageStatusSeverity.Warning;
    default:
      return vscode.LanguageStatusSeverity.Information;
  }
}

/** The text and the detail of a state. */
export function words(state: State): [string, string] {
  switch (state.kind) {
    case "off":
      return ["llmblocks", "not started"];
    case "starting":
      return ["llmblocks", "starting"];
    case "running":
      return [`llmblocks ${state.version}`, `${state.origin} (${state.because})`];
    case "waiting":
      return ["llmblocks", `the server ${state.why}; starting again in ${state.pauseMs / 1000} s`];
    case "stopped":
      return ["llmblocks: stopped", `the server ${state.why}, five times within three minutes`];
    case "no-python":
      return ["llmblocks: no Python", state.why];
  }
}
