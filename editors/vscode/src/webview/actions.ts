/** What links and buttons in the conversation do. */
import { announce } from "./announce";
import { send } from "./host";
import type { Target } from "./links";
import type { Actions } from "./markdown";

export const actions: Actions = {
  follow(target: Target): void {
    if (target.kind === "web") send({ type: "link", href: target.href });
    else send({ type: "open", path: target.path, ...(target.line ? { line: target.line } : {}) });
  },
  copy(text: string): void {
    send({ type: "copy", text });
    announce("Copied");
  },
  insert(text: string): void {
    send({ type: "insert", text });
  },
};
