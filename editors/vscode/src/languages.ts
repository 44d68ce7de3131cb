/** The languages of the server. */
export const LANGUAGES = ["gadget", "stf", "custom-blocks"] as const;

export type Dialect = "@" | ";";

/** The number of lines searched for the dialect. */
const LINES = 1000;
const NAMES = "message|msg|user|assistant|ai|system|sys|developer|dev|tool|raw|end";
const COMMAND: Record<Dialect, string> = { "@": `${NAMES}|call|embed`, ";": `${NAMES}|meta|extra|flush` };
const told = (dialect: Dialect): string => `${dialect}[ \\t]*(?:#|//|/\\*|\\*/|(?:${COMMAND[dialect]})(?![A-Za-z0-9]))`;
const TELLS = new RegExp(`^(?:${told("@")}|${told(";")})`);

/** The dialect of a chat: that of its first valid command or comment, as in the server. */
export function dialectOf(lineCount: number, lineAt: (line: number) => string): Dialect {
  for (let line = 0; line < Math.min(lineCount, LINES); line++) {
    const text = lineAt(line);
    if (TELLS.test(text)) {
      return text.startsWith(";") ? ";" : "@";
    }
  }
  return "@";
}
