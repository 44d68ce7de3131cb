/** The result of one of the server's commands. */
export interface Shown {
  readonly kind: "document" | "message";
  readonly title: string;
  readonly text: string;
  readonly languageId?: string;
  /** That of a document whose text the server has: it follows what is typed. */
  readonly uri?: string;
  readonly notes: readonly string[];
  readonly places?: readonly { readonly line: number; readonly character: number }[];
}

export type Run = (command: string, args: unknown[]) => Promise<unknown>;
