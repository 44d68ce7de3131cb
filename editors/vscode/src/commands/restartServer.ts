import type { Context } from "./index.js";

export function restartServer({ supervisor }: Context): Promise<void> {
  return supervisor.restart();
}
