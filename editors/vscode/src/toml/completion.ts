import * as vscode from "vscode";
import schema from "../../../../docs/settings.schema.json";
import { Context } from "../typing.js";
import { nameAt, placeOf } from "./place.js";
import { isTable, type Schema, Settings } from "./schema.js";

const NAME = "llmblocks.toml";
const PYPROJECT = "pyproject.toml";
/** The table of `pyproject.toml` with the settings. */
const TABLE = ["tool", "llmblocks"];
/** The files with settings. */
export const FILES = [{ pattern: `**/${NAME}` }, { pattern: `**/${PYPROJECT}` }];
const SETTINGS = new Settings(schema as Schema);
/** Another extension that knows the schema offers the same. */
const OTHERS = ["tamasfe.even-better-toml"];

/** Completion and hover in the files of settings, from their schema. */
export function completeSettings(): vscode.Disposable {
  // Enter accepts nothing from these lists: who types on is faster than they close. Those of other extensions are left alone
  const isOurs = new Context("llmblocks.offersSettings");
  const provideCompletionItems: typeof offered = (document, position) => {
    const found = offered(document, position);
    isOurs.set(found.length > 0);
    return found;
  };
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(FILES, { provideCompletionItems }, ".", "[", '"', "'", "="),
    vscode.languages.registerHoverProvider(FILES, { provideHover: explained }),
  );
}

function offered(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const lineAt = (line: number): string => document.lineAt(line).text;
  const before = lineAt(position.line).slice(0, position.character);
  const place = OTHERS.some((other) => vscode.extensions.getExtension(other)?.isActive) ? undefined : placeOf(position.line, before, lineAt);
  if (place === undefined) {
    return [];
  }
  const range = new vscode.Range(position.with({ character: place.start }), position);
  if (place.kind === "header") {
    const above = tableIn(document);
    return tables(above, closed(lineAt(position.line), position, range));
  }
  const path = own(document, place.path);
  if (path === undefined) {
    return [];
  }
  return place.kind === "key" ? keys(path, range) : choices(path, place.list, closed(lineAt(position.line), position, range));
}

/** The range of what is replaced, with the quote or bracket that the editor has put behind the cursor. */
function closed(line: string, position: vscode.Position, range: vscode.Range): vscode.Range {
  const first = line[range.start.character] ?? "";
  const sign = first === "[" ? "]" : first;
  return /["'\]]/.test(sign) && line[position.character] === sign ? range.with({ end: position.translate(0, 1) }) : range;
}

function tables(above: readonly string[], range: vscode.Range): vscode.CompletionItem[] {
  return [[], ...SETTINGS.tables()]
    .filter((path) => path.length + above.length > 0)
    .map((path, number) => {
      const made = item(`[${[...above, ...path].join(".")}]`, vscode.CompletionItemKind.Module, SETTINGS.at(path), range);
      // a table in front of those in it
      made.sortText = String(number).padStart(3, "0");
      return made;
    });
}

function keys(path: readonly string[], range: vscode.Range): vscode.CompletionItem[] {
  return SETTINGS.names(path).map(([name, each]) => {
    const made = item(name, vscode.CompletionItemKind.Property, each, range);
    made.insertText = new vscode.SnippetString(isTable(each) && each.properties !== undefined ? `${name}.` : `${name} = ${empty(each)}`);
    made.command = { command: "editor.action.triggerSuggest", title: "" };
    return made;
  });
}

function empty(schema: Schema): string {
  const type = typeof schema.type === "object" ? schema.type[0] : schema.type;
  return type === "array" ? "[$0]" : type === "object" ? "{ $0 }" : type === "string" && schema.enum === undefined ? '"$0"' : "$0";
}

function choices(path: readonly string[], list: boolean, range: vscode.Range): vscode.CompletionItem[] {
  const found = SETTINGS.at(path);
  return SETTINGS.values(path).map(({ text, title, page }) => {
    const made = item(text, vscode.CompletionItemKind.Value, title === undefined ? undefined : { description: `${title} [Page](${page})` }, range);
    made.label = title === undefined ? text : { label: text, description: title };
    made.insertText = found?.type === "array" && !list ? `[${text}]` : text;
    made.preselect = text === JSON.stringify(found?.default);
    return made;
  });
}

function item(label: string, kind: vscode.CompletionItemKind, schema: Schema | undefined, range: vscode.Range): vscode.CompletionItem {
  const made = new vscode.CompletionItem(label, kind);
  made.range = range;
  // who types the sign that closes it has no list open any more
  made.filterText = label.replace(/["'\]]$/, "");
  if (schema !== undefined) {
    made.documentation = words(schema);
  }
  return made;
}

function explained(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const name = nameAt(position.line, position.character, (line) => document.lineAt(line).text);
  const path = name && own(document, name.path);
  const found = path && path.length > 0 ? SETTINGS.at(path) : undefined;
  if (name === undefined || path === undefined || found?.description === undefined) {
    return undefined;
  }
  const text = new vscode.MarkdownString(`\`${path.join(".")}\`\n\n`).appendMarkdown(words(found).value);
  return new vscode.Hover(text, new vscode.Range(position.line, name.start, position.line, name.end));
}

function words(schema: Schema): vscode.MarkdownString {
  const value = schema.default === undefined ? "" : `\n\nDefault: \`${JSON.stringify(schema.default)}\``;
  return new vscode.MarkdownString(`${schema.description ?? ""}${value}`);
}

function tableIn(document: vscode.TextDocument): readonly string[] {
  return document.uri.path.endsWith(`/${PYPROJECT}`) ? TABLE : [];
}

/** The path below our table; undefined outside of it. */
function own(document: vscode.TextDocument, path: readonly string[]): readonly string[] | undefined {
  const above = tableIn(document);
  return above.every((name, at) => path[at] === name) ? path.slice(above.length) : undefined;
}
