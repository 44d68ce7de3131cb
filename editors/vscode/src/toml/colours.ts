import * as vscode from "vscode";
import { FILES } from "./completion.js";

const LEGEND = new vscode.SemanticTokensLegend(["namespace", "comment", "property", "string", "number", "keyword"]);
const PART = String.raw`(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;
const KEY = String.raw`(?:${PART})(?:[ \t]*\.[ \t]*(?:${PART})){0,20}`;
/** The coloured tokens, and words that are not one. */
const TOKEN = new RegExp(
  [
    // a list on its own line, inside another one, has the colour of a header
    String.raw`(?<namespace>^[ \t]*\[\[?[ \t]*${KEY}[ \t]*\]\]?(?=[ \t]*(?:#.*)?$))`,
    "(?<comment>#.*)",
    String.raw`(?<property>${KEY})(?=[ \t]*=)`,
    String.raw`(?<string>"""(?:[^\\]|\\[^])*?(?:"{3,5}|$(?![^]))|'''[^]*?(?:'{3,5}|$(?![^]))|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?)`,
    String.raw`(?<number>(?:[+-]|\b)(?:\d[\w.:+-]*|inf\b|nan\b))`,
    String.raw`(?<keyword>\b(?:true|false)\b)`,
    String.raw`[\w-]+`,
  ].join("|"),
  "gm",
);

/**
 * Colour the files of settings. VS Code knows no TOML, and a grammar of ours could take the place of that of an extension
 * that does: so where one has a grammar, nothing is coloured here.
 */
export function colourSettings(): vscode.Disposable {
  return vscode.languages.registerDocumentSemanticTokensProvider(FILES, { provideDocumentSemanticTokens: coloured }, LEGEND);
}

function coloured(document: vscode.TextDocument): vscode.SemanticTokens | undefined {
  // those of another extension host are not reported, but their settings are
  if (vscode.extensions.all.some(hasGrammar) || vscode.workspace.getConfiguration().has("evenBetterToml.schema.enabled")) {
    return undefined;
  }
  const builder = new vscode.SemanticTokensBuilder(LEGEND);
  for (const found of document.getText().matchAll(TOKEN)) {
    const [kind, text] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? [];
    const start = document.positionAt(found.index);
    for (const [number, line] of (text ?? "").split(/\r?\n/).entries()) {
      const first = number === 0 ? start : new vscode.Position(start.line + number, 0);
      if (line.length > 0 && kind !== undefined) {
        builder.push(new vscode.Range(first, first.translate(0, line.length)), kind);
      }
    }
  }
  return builder.build();
}

function hasGrammar({ packageJSON }: vscode.Extension<unknown>): boolean {
  const grammars: { readonly language?: string }[] = packageJSON.contributes?.grammars ?? [];
  return grammars.some(({ language }) => language === "toml");
}
