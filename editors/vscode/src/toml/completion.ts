import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient";
import { Context } from "../typing.js";

/** The files with settings. */
export const FILES = [{ pattern: "**/llmblocks.toml" }, { pattern: "**/pyproject.toml" }];
/** What opens the list in them. */
export const TRIGGERS = [".", "[", '"', "'", "="];
/** Another extension that knows the schema offers and explains the same. */
const OTHERS = ["tamasfe.even-better-toml"];

/** The server's completion and hover in the files of settings. */
export function completeSettings(): Pick<Middleware, "provideCompletionItem" | "provideHover"> {
  // Enter accepts nothing from these lists: who types on is faster than they close. Those of other extensions are left alone
  const isOurs = new Context("llmblocks.offersSettings");
  return {
    provideCompletionItem: async (document, position, context, token, next) => {
      if (vscode.languages.match(FILES, document) === 0) {
        return next(document, position, context, token);
      }
      const found = isOthers() ? undefined : await next(document, position, context, token);
      isOurs.set((Array.isArray(found) ? found : (found?.items ?? [])).length > 0);
      return found;
    },
    provideHover: (document, position, token, next) =>
      vscode.languages.match(FILES, document) > 0 && isOthers() ? undefined : next(document, position, token),
  };
}

function isOthers(): boolean {
  return OTHERS.some((other) => vscode.extensions.getExtension(other)?.isActive);
}
