import type { Context } from "./index.js";

export function showLog({ log }: Context): void {
  log.show(true);
}
