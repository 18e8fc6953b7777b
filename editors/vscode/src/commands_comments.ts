/** Commands about comments on lines; VS Code's own menus give them the comment. */
import type { CommentReply, Comment } from "vscode";
import type { Command } from "./commands";

export const commentCommands: Record<string, Command> = {
  addComment: ({ comments }, reply: CommentReply) => comments.add(reply),
  editComment: ({ comments }, comment: Comment) => comments.edit(comment),
  saveComment: ({ comments }, comment: Comment) => comments.save(comment),
  cancelComment: ({ comments }, comment: Comment) => comments.cancel(comment),
  deleteComment: ({ comments }, comment: Comment) => comments.remove(comment),
  sendReview: ({ comments }, a: { text?: string }) => comments.send(typeof a.text === "string" ? a.text : undefined),
};
