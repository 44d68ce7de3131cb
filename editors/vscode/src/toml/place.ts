/** What can be written at a place of a TOML file. `path` leads to a table, or to the setting whose value is written. */
export type Place =
  | { readonly kind: "header"; readonly path: readonly string[]; readonly start: number }
  | { readonly kind: "key"; readonly path: readonly string[]; readonly start: number }
  | { readonly kind: "value"; readonly path: readonly string[]; readonly start: number; readonly list: boolean };

export const PART = String.raw`(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;
const KEY = String.raw`${PART}(?:\s*\.\s*${PART})*`;
const HEADER = new RegExp(String.raw`^\s*\[\[?\s*(${KEY})\s*\]`);
const SETTING = new RegExp(String.raw`^\s*(${KEY})\s*=\s*`);
const TYPED_KEY = new RegExp(String.raw`^\s*((?:${PART}\s*\.\s*)*)[A-Za-z0-9_-]*$`);
const TYPED_HEADER = /^\s*\[\s*[^\]]*$/;
/** A string, or the rest of one. */
const STRING = /"(?:[^"\\\n]|\\.)*(?:"|$)|'[^'\n]*(?:'|$)/g;
const LINES = 2000;

/** What is written in front of the cursor. */
export function placeOf(line: number, before: string, lineAt: (line: number) => string): Place | undefined {
  if (bare(before).includes("#")) {
    return undefined;
  }
  const setting = SETTING.exec(before);
  if (setting !== null) {
    const value = before.slice(setting[0].length);
    const list = value.startsWith("[");
    const done = list ? /\]\s*$/.test(bare(value)) : /^(?:"[^"]*"|'[^']*'|[\w.+-]+\s)/.test(value);
    const path = [...tableOf(line, lineAt), ...parts(setting[1] ?? "")];
    return done || value.startsWith("{") ? undefined : { kind: "value", path, start: wordStart(before), list };
  }
  const open = openList(line, before, lineAt);
  if (open !== undefined) {
    return { kind: "value", path: open, start: wordStart(before), list: true };
  }
  if (TYPED_HEADER.test(before)) {
    return { kind: "header", path: [], start: before.indexOf("[") };
  }
  const typed = TYPED_KEY.exec(before);
  if (typed === null) {
    return undefined;
  }
  return { kind: "key", path: [...tableOf(line, lineAt), ...parts(typed[1] ?? "")], start: before.length - (/[\w-]*$/.exec(before)?.[0].length ?? 0) };
}

/** The setting or table whose name is at a place, with the columns of that name. */
export function nameAt(line: number, column: number, lineAt: (line: number) => string): { path: string[]; start: number; end: number } | undefined {
  const text = lineAt(line);
  const header = HEADER.exec(text);
  const written = header?.[1] ?? SETTING.exec(text)?.[1];
  if (written === undefined) {
    return undefined;
  }
  const first = text.indexOf(written);
  const path = header === null ? tableOf(line, lineAt) : [];
  for (const part of written.matchAll(new RegExp(PART, "g"))) {
    path.push(...parts(part[0]));
    const start = first + part.index;
    if (start <= column && column <= start + part[0].length) {
      return { path, start, end: start + part[0].length };
    }
  }
  return undefined;
}

/** The table that a line is in. */
function tableOf(line: number, lineAt: (line: number) => string): string[] {
  for (let above = line - 1; above >= Math.max(0, line - LINES); above--) {
    const header = HEADER.exec(lineAt(above));
    if (header !== null) {
      return parts(header[1] ?? "");
    }
  }
  return [];
}

/** The setting whose list has begun on a line above and not ended. */
function openList(line: number, before: string, lineAt: (line: number) => string): string[] | undefined {
  let text = bare(before);
  for (let above = line - 1; above >= Math.max(0, line - LINES) && !text.includes("]"); above--) {
    const setting = SETTING.exec(lineAt(above));
    text = bare(lineAt(above)).replace(/#.*/, "");
    if (setting !== null) {
      const opened = /=\s*\[[^\]]*$/.test(text);
      return opened ? [...tableOf(above, lineAt), ...parts(setting[1] ?? "")] : undefined;
    }
    if (HEADER.test(lineAt(above))) {
      return undefined;
    }
  }
  return undefined;
}

/** A text without what is in its strings. */
function bare(text: string): string {
  return text.replaceAll(STRING, '""');
}

/** Where the word or string begins that ends at the end of a text. */
function wordStart(text: string): number {
  const quote = [...text.matchAll(STRING)].at(-1);
  const open = quote !== undefined && quote.index + quote[0].length === text.length && !/^(["']).*\1$/.test(quote[0]);
  return open || quote?.[0] === '"' ? (quote?.index ?? text.length) : text.length - (/[\w-]*$/.exec(text)?.[0].length ?? 0);
}

function parts(key: string): string[] {
  return [...key.matchAll(new RegExp(PART, "g"))].map(([part]) => (/^["']/.test(part) ? part.slice(1, -1) : part));
}
