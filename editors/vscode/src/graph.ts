import * as vscode from "vscode";
import type { Run, Shown } from "./result.js";

const COMMAND = "llmblocks.showGraph";
const PAUSE_MS = 150;

interface Message {
  readonly ready?: true;
  readonly open?: number;
}

/** The panel with the graph of a document, which follows what is typed into it. Shape: `uri` is the server's name of it. */
class GraphPanel {
  private readonly panel: vscode.WebviewPanel;
  private shown: Shown | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly uri: string,
    private readonly ask: Run,
    private readonly document: () => vscode.TextDocument | undefined,
    script: vscode.Uri,
    title: string,
    closed: () => void,
  ) {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(script, "..")] };
    this.panel = vscode.window.createWebviewPanel("llmblocks.graph", `Graph of ${title}`, column, options);
    this.panel.webview.onDidReceiveMessage((message: Message) => this.receive(message));
    this.panel.onDidDispose(() => {
      clearTimeout(this.timer);
      closed();
    });
    this.panel.webview.html = page(title, this.panel.webview, script);
  }

  show(shown: Shown): void {
    this.shown = shown;
    void this.panel.webview.postMessage(shown.kind === "message" ? { sentence: shown.text } : { svg: shown.text });
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    this.panel.dispose();
  }

  /** Draw the graph again once the typing pauses. */
  follow(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), PAUSE_MS);
  }

  private async draw(): Promise<void> {
    try {
      this.show((await this.ask(COMMAND, [{ format: "svg", textDocument: { uri: this.uri } }])) as Shown);
    } catch {
      // the document has changed, which draws it again, or the server has ended
    }
  }

  private receive({ ready, open }: Message): void {
    if (ready && this.shown !== undefined) {
      this.show(this.shown);
    }
    const place = open === undefined ? undefined : this.shown?.places?.[open];
    const document = this.document();
    if (place !== undefined && document !== undefined) {
      const there = new vscode.Position(place.line, place.character);
      const known = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
      const viewColumn = known?.viewColumn ?? vscode.ViewColumn.One;
      void vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(there, there) });
    }
  }
}

/** The graphs that are open, by the server's names of their documents. */
export class Graphs implements vscode.Disposable {
  private readonly panels = new Map<string, GraphPanel>();
  private readonly changes: vscode.Disposable;
  private name: (uri: vscode.Uri) => string = String;

  constructor(private readonly script: vscode.Uri) {
    this.changes = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.panels.get(this.name(document.uri))?.follow();
      }),
      vscode.workspace.onDidCloseTextDocument(({ isUntitled, uri }) => {
        // the next new file may have its name
        if (isUntitled) {
          this.panels.get(this.name(uri))?.dispose();
        }
      }),
    );
  }

  show(shown: Shown, uri: string, ask: Run, name: (uri: vscode.Uri) => string): void {
    this.name = name;
    let panel = this.panels.get(uri);
    if (panel === undefined) {
      const document = (): vscode.TextDocument | undefined =>
        vscode.workspace.textDocuments.find((each) => name(each.uri) === uri);
      panel = new GraphPanel(uri, ask, document, this.script, shown.title, () => this.panels.delete(uri));
      this.panels.set(uri, panel);
    }
    panel.show(shown);
    panel.reveal();
  }

  dispose(): void {
    this.changes.dispose();
    for (const panel of this.panels.values()) {
      panel.dispose();
    }
  }
}

/** The page, in the colours of the editor's theme. */
function page(title: string, webview: vscode.Webview, script: vscode.Uri): string {
  const name = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const policy = `default-src 'none'; script-src ${webview.cspSource}; style-src 'unsafe-inline'`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <title>Graph of ${name}</title>
    <style>
      html, body { height: 100%; margin: 0; padding: 0; background: var(--vscode-editor-background); }
      .graph-view { --graph-focus: var(--vscode-focusBorder); color: var(--vscode-editor-foreground); }
      .graph-view svg.llmblocks-graph {
        --graph-ink: var(--vscode-editor-foreground);
        --graph-quiet: var(--vscode-descriptionForeground);
        --graph-line: var(--vscode-descriptionForeground);
        --graph-box: var(--vscode-editorWidget-background);
        --graph-bad: var(--vscode-errorForeground);
        --graph-odd: var(--vscode-editorWarning-foreground);
        font-family: var(--vscode-editor-font-family);
      }
      .graph-view button {
        border: 0; border-radius: 2px; padding: 2px 9px; cursor: pointer; font: inherit;
        color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
      }
      .graph-view button:hover { background: var(--vscode-button-secondaryHoverBackground); }
      .graph-view button:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
    </style>
  </head>
  <body><script src="${webview.asWebviewUri(script)}"></script></body>
</html>`;
}
