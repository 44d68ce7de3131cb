import type * as vscode from "vscode";

/** A record of the server's log: its time, its level, its logger and what it says. */
const RECORD = /^\d{4}-\d\d-\d\d [\d:,]+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) (\S+: .*)$/;

/** Write a line of the server's output under the level that it has itself; VS Code adds the time. */
export function writeLine(log: vscode.LogOutputChannel, line: string): void {
  const [, level, text] = RECORD.exec(line) ?? [];
  if (text === undefined) {
    log.warn(line);
  } else if (level === "DEBUG") {
    log.debug(text);
  } else if (level === "INFO") {
    log.info(text);
  } else if (level === "WARNING") {
    log.warn(text);
  } else {
    log.error(text);
  }
}
