/** What the server will send of comments and of calls that failed; the generated types take its place. */
import type { Range } from "./wire";

export interface Comment {
  id: string;
  sessionId?: string;
  uri: string;
  range: Range;
  hunk?: string;
  quoted: string;
  text: string;
}
declare module "./wire" {
  interface Remarks { message?: string }
  interface Requests {
    "comments/add": [{ sessionId?: string; uri: string; range?: Range; hunk?: string; text: string }, { comment: Comment }];
    "comments/list": [{ uri?: string }, { comments: Comment[] }];
    "comments/edit": [{ id: string; text: string }, { comment: Comment }];
    "comments/remove": [{ id: string }, Record<string, never>];
    "comments/send": [{ sessionId?: string; text?: string }, { sessionId: string; turnId: string; queued: number }];
  }
  interface Notifications {
    "comments/didChange": { uri: string; comments: Comment[] };
  }
}
