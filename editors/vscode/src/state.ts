import * as vscode from "vscode";

/** What the server is doing. */
export type State =
  | { readonly kind: "starting" }
  | {
      readonly kind: "running";
      readonly version: string;
      /** The server and what runs it. */
      readonly origin: string;
      /** The reason why it is this one. */
      readonly because: string;
      readonly pid: number;
    }
  | { readonly kind: "waiting"; readonly pauseMs: number; readonly why: string }
  | { readonly kind: "stopped"; readonly why: string; readonly lastWords: readonly string[] }
  | { readonly kind: "no-python"; readonly why: string }
  | { readonly kind: "off" };

/** The state and who wants to know of it. */
export class StateHolder implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<State>();
  readonly onDidChange = this.emitter.event;
  private state: State = { kind: "off" };

  get current(): State {
    return this.state;
  }

  set(state: State): void {
    this.state = state;
    void vscode.commands.executeCommand("setContext", "llmblocks.running", state.kind === "running");
    this.emitter.fire(state);
  }

  dispose(): void {
    this.emitter.dispose();
  }
}
