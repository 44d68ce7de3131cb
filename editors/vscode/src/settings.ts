import * as vscode from "vscode";

/** The settings that the extension itself reads. The server requests all others under `llmblocks`. */
export interface Settings {
  readonly command: readonly string[];
  readonly interpreter: string;
  readonly runtime: "auto" | "python" | "webassembly";
  readonly importStrategy: "useBundled" | "fromEnvironment";
  /** The languages whose documents are searched for texts of ours. */
  readonly embeddedIn: readonly string[];
}

export const SECTION = "llmblocks";

export function read(): Settings {
  const section = vscode.workspace.getConfiguration(SECTION);
  return {
    command: words(section.get<unknown>("server.command")).map(expand),
    runtime: runtime(section.get<unknown>("server.runtime")),
    interpreter: expand(section.get<string>("server.interpreter", "").trim()),
    importStrategy:
      section.get<string>("server.importStrategy") === "fromEnvironment" ? "fromEnvironment" : "useBundled",
    embeddedIn: words(section.get<unknown>("server.embeddedIn")),
  };
}

function words(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((word) => typeof word === "string") : [];
}

function runtime(given: unknown): Settings["runtime"] {
  return given === "python" || given === "webassembly" ? given : "auto";
}

/** The names of the server's settings, from the extension's own package.json. */
export function serverSettings(manifest: Manifest): string[] {
  const keys = manifest.contributes.configuration.flatMap((group) => Object.keys(group.properties));
  return keys.map((key) => key.slice(SECTION.length + 1)).filter((key) => !/^(?:server|trace)\./.test(key));
}

interface Manifest {
  readonly contributes: { readonly configuration: readonly { readonly properties: object }[] };
}

/** The settings with a value. Defaults are left out: the server knows them. */
export function given(keys: readonly string[]): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION);
  const set = keys.filter((key) => {
    const found = section.inspect(key);
    return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some((value) => value !== undefined);
  });
  return Object.fromEntries(set.map((key) => [key, section.get(key)]));
}

/** Whether a change of settings requires a restart of the server. */
export function namesAnotherServer(change: vscode.ConfigurationChangeEvent): boolean {
  return change.affectsConfiguration(`${SECTION}.server`);
}

/** Write the setting; an empty path removes it. */
export async function chooseInterpreter(path: string): Promise<void> {
  const section = vscode.workspace.getConfiguration(SECTION);
  await section.update("server.interpreter", path === "" ? undefined : path, vscode.ConfigurationTarget.Global);
}

export async function runWithoutPython(): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update("server.runtime", "webassembly", vscode.ConfigurationTarget.Global);
}

/** Remove a setting wherever it has a value, so that its default is in force. */
export async function forget(name: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const { globalValue, workspaceValue } = settings.inspect(name) ?? {};
  if (workspaceValue !== undefined) {
    await settings.update(name, undefined, vscode.ConfigurationTarget.Workspace);
  }
  if (globalValue !== undefined) {
    await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}

export function expand(text: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  // a browser has no environment
  const environment = typeof process === "undefined" ? {} : (process.env ?? {});
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? "~";
  return text.replaceAll("${workspaceFolder}", folder).replace(/^~(?=$|[/\\])/, home);
}
