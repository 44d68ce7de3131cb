import * as vscode from "vscode";
import { examine, resolved } from "./server/interpreter.js";
import type { Candidate } from "./server/interpreter.js";
import { pythons } from "./server/pythons.js";
import { VERSIONS } from "./server/versions.js";
import { chooseInterpreter, expand, read } from "./settings.js";

interface Choice extends vscode.QuickPickItem {
  /** The interpreter; empty for the one that is found without a setting. */
  readonly path?: string;
  readonly act?: () => Promise<void>;
}

/** Ask for an interpreter and write it into the setting; the change restarts the server. */
export async function askForInterpreter(current: () => string | undefined): Promise<void> {
  const picker = vscode.window.createQuickPick<Choice>();
  picker.title = `The Python for llmblocks, ${VERSIONS}`;
  picker.placeholder = "Choose an interpreter";
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.busy = true;
  const actions: Choice[] = [
    { label: "$(edit) Enter a path…", act: enter },
    { label: "$(folder-opened) Browse…", act: browse },
    { label: "$(sparkle) Find one automatically", description: automatic(), path: "" },
    { label: "interpreters", kind: vscode.QuickPickItemKind.Separator },
  ];
  picker.items = actions;
  const chosen = new Promise<Choice | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidHide(() => resolve(undefined));
  });
  picker.show();
  const running = current();
  void found(running).then((choices) => {
    picker.items = [...actions, ...choices];
    // what is typed by now chooses another one
    if (picker.value === "") {
      picker.activeItems = choices.filter((each) => each.path === running);
    }
    picker.busy = false;
  });
  const choice = await chosen;
  picker.dispose();
  if (choice?.act !== undefined) {
    await choice.act();
  } else if (choice?.path !== undefined) {
    await take(choice.path);
  }
}

/** All interpreters, the one that runs the server first, those that cannot last. */
async function found(running: string | undefined): Promise<Choice[]> {
  const bundled = read().importStrategy === "useBundled";
  const known = await pythons();
  if (running !== undefined && !known.some((each) => each.path === running)) {
    known.unshift({ path: running, origin: "the running server" });
  }
  const rows = await Promise.all(known.map(async (each) => ({ each, answer: await examine(each.path, bundled) })));
  const usable = rows.filter(({ answer }) => answer.version !== undefined);
  const refused = rows.filter(({ answer }) => answer.version === undefined);
  usable.sort((one, other) => Number(other.each.path === running) - Number(one.each.path === running));
  return [
    ...usable.map(({ each, answer }) => row(each, `Python ${answer.version}`, each.path === running)),
    ...(refused.length > 0 ? [{ label: "cannot run the server", kind: vscode.QuickPickItemKind.Separator }] : []),
    ...refused.map(({ each, answer }) => row(each, answer.reason ?? "", false)),
  ];
}

function row({ path, origin }: Candidate, what: string, running: boolean): Choice {
  return { label: `${running ? "$(check) " : ""}${what}`, description: `${origin}${running ? ", current" : ""}`, detail: path, path };
}

function automatic(): string {
  return read().interpreter === "" ? "current: the setting is empty" : "empties the setting";
}

async function enter(): Promise<void> {
  const path = await vscode.window.showInputBox({
    title: `The Python for llmblocks, ${VERSIONS}`,
    prompt: "The path of a Python interpreter, or its name on PATH",
    value: read().interpreter,
    ignoreFocusOut: true,
    validateInput: async (text) => (text.trim() === "" ? undefined : refusal(text.trim())),
  });
  if (path !== undefined && path.trim() !== "") {
    await take(path.trim());
  }
}

async function browse(): Promise<void> {
  const [chosen] =
    (await vscode.window.showOpenDialog({ title: `Choose a Python, ${VERSIONS}`, openLabel: "Choose", canSelectMany: false })) ?? [];
  if (chosen !== undefined) {
    await take(chosen.fsPath);
  }
}

/** Write an interpreter into the setting if it can run the server, and say why if not. */
async function take(path: string): Promise<void> {
  const reason = path === "" ? undefined : await refusal(path);
  if (reason === undefined) {
    await chooseInterpreter(path);
    return;
  }
  const another = "Choose Another…";
  void vscode.window.showErrorMessage(`llmblocks cannot run with ${path}: ${reason}. Nothing was changed.`, another).then((button) => {
    if (button === another) {
      void vscode.commands.executeCommand("llmblocks.chooseInterpreter");
    }
  });
}

/** The reason why an interpreter cannot run the server. */
async function refusal(path: string): Promise<string | undefined> {
  const answer = await examine(resolved(expand(path)) ?? path, read().importStrategy === "useBundled");
  return answer.reason;
}
