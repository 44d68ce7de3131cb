import type { LanguageClientOptions, Middleware } from "vscode-languageclient";
import * as vscode from "vscode";
import { given } from "../settings.js";
import type { Differences } from "./worker.js";

const SETTINGS = "**/{llmblocks.toml,pyproject.toml}";
const MOST_FILES = 1_000;
const MOST_BYTES = 1 << 20;
/** What settings name: files with gadgets, and settings to build on. */
const NAMED = /"([^"\n]+\.(?:json|toml))"|'([^'\n]+\.(?:json|toml))'/g;

/**
 * Writes the settings files of the workspace, and the files that they name, for a server without files.
 *
 * The server knows files by their paths: for it, the workspace is on disk.
 */
export class Mirror implements Differences {
  private readonly written = new Set<string>();

  constructor(
    private readonly post: (message: object) => void,
    private readonly settings: readonly string[],
  ) {}

  readonly prepare = async (): Promise<void> => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const exclude = "**/node_modules/**";
    const found = folders.length > 0 ? await vscode.workspace.findFiles(SETTINGS, exclude, MOST_FILES) : [];
    await Promise.all(found.map((uri) => this.write(uri)));
    await Promise.all(folders.map(({ uri }) => this.writeNamed(uri, JSON.stringify(given(this.settings)))));
  };

  readonly workspaceMiddleware: NonNullable<Middleware["workspace"]> = {
    didChangeWatchedFile: async (event, next) => {
      const uri = converters().protocol2Code(event.uri);
      await this.write(uri);
      return next(event);
    },
    didChangeConfiguration: async (sections, next) => {
      await this.prepare();
      return next(sections);
    },
    didChangeWorkspaceFolders: async (change, next) => {
      await this.prepare();
      return next(change);
    },
  };

  readonly uriConverters = converters();

  /** Write a current file; a deleted one is removed. */
  private async write(uri: vscode.Uri): Promise<void> {
    let text: string;
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > MOST_BYTES) {
        return;
      }
      text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    } catch {
      if (this.written.delete(uri.path)) {
        this.post({ remove: { path: uri.path } });
      }
      return;
    }
    this.written.add(uri.path);
    this.post({ write: { path: uri.path, text } });
    if (uri.path.endsWith(".toml")) {
      await this.writeNamed(vscode.Uri.joinPath(uri, ".."), text);
    }
  }

  /** Write the files that a text names by patterns below a folder. */
  private async writeNamed(folder: vscode.Uri, text: string): Promise<void> {
    const patterns = [...text.matchAll(NAMED)].map(([, double, single]) => double ?? single ?? "");
    for (const pattern of patterns.filter((each) => !each.startsWith("/") && !each.includes(".."))) {
      const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern), undefined, MOST_FILES);
      await Promise.all(found.filter(({ path }) => !this.written.has(path)).map((uri) => this.write(uri)));
    }
  }
}

/** URIs of the workspace, wherever it is, as those of files on disk. */
function converters(): NonNullable<LanguageClientOptions["uriConverters"]> {
  const home = vscode.workspace.workspaceFolders?.[0]?.uri;
  const isOurs = (uri: vscode.Uri): boolean => uri.scheme === home?.scheme && uri.authority === home.authority;
  return {
    code2Protocol: (uri) => (isOurs(uri) ? uri.with({ scheme: "file", authority: "" }) : uri).toString(),
    protocol2Code: (text) => {
      const uri = vscode.Uri.parse(text);
      return home !== undefined && uri.scheme === "file" ? uri.with({ scheme: home.scheme, authority: home.authority }) : uri;
    },
  };
}
