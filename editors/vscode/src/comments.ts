/**
 * Comments on lines, as VS Code has them (its Comments API): written beside the code, sent to Copilot together as one review. The server
 * has them and moves them with the text; here is what it last said, drawn.
 */
import * as vscode from "vscode";
import { BridgeError, type Bridge } from "./bridge";
import { fileOf } from "./documents";
import { plain } from "./editor";
import type { Comment } from "./protocol";
import { SECTION } from "./settings";
import { plural, visible } from "./words";

/** One of the server's comments as VS Code shows it. */
class Shown implements vscode.Comment {
  mode = vscode.CommentMode.Preview;
  readonly author = { name: "You" };
  readonly label = "not sent yet";
  readonly contextValue = "unsent";
  body: string;

  constructor(
    readonly id: string,
    text: string,
    readonly thread: vscode.CommentThread,
  ) {
    this.body = text;
  }
}

export class Comments implements vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController(SECTION, "Copilot Bridge");
  private readonly threads = new Map<string, vscode.CommentThread>(); // by the comment's id
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly bridge: Bridge) {
    this.controller.options = { prompt: "What should Copilot change here?", placeHolder: "Comment for Copilot" };
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => (document.uri.scheme === "file" ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : []),
    };
    this.disposables = [this.controller, bridge.onCommentsChanged(({ uri, comments }) => this.show(uri, comments)), bridge.onRestarted(() => void this.reload()), bridge.onGone(() => this.clear())];
  }

  /** Takes what was written in a thread that VS Code has opened. */
  async add({ thread, text }: vscode.CommentReply): Promise<void> {
    const uri = fileOf(thread.uri);
    const range = thread.range ?? new vscode.Range(0, 0, 0, 0);
    const whole = new vscode.Range(range.start.line, 0, range.end.line + 1, 0);
    const { comment } = await this.bridge.request("comments/add", { uri: uri.toString(), range: plain(whole), text, ...this.session });
    if (this.threads.has(comment.id)) thread.dispose(); // comments/didChange was faster
    else this.draw(comment, thread);
    this.tell();
  }

  edit(comment: vscode.Comment): void {
    if (comment instanceof Shown) this.redraw(comment, vscode.CommentMode.Editing);
  }

  async save(comment: vscode.Comment): Promise<void> {
    if (!(comment instanceof Shown)) return;
    await this.bridge.request("comments/edit", { id: comment.id, text: comment.body });
    this.redraw(comment, vscode.CommentMode.Preview);
  }

  /** What was being written is as it was. */
  async cancel(comment: vscode.Comment): Promise<void> {
    if (!(comment instanceof Shown)) return;
    const { comments } = await this.bridge.request("comments/list", { uri: fileOf(comment.thread.uri).toString() });
    comment.body = comments.find((c) => c.id === comment.id)?.text ?? comment.body;
    this.redraw(comment, vscode.CommentMode.Preview);
  }

  async remove(comment: vscode.Comment): Promise<void> {
    if (!(comment instanceof Shown)) return;
    await this.bridge.request("comments/remove", { id: comment.id });
    this.forget(comment.id);
    this.tell();
  }

  /** Sends all comments as one prompt. */
  async send(text: string | undefined): Promise<void> {
    const n = this.threads.size;
    if (n === 0) throw new BridgeError("There is no comment to send: write one beside the lines that it is about", 0);
    const sessionId = await this.bridge.sessions.open();
    await this.bridge.request("comments/send", { sessionId, ...(text !== undefined && { text }) });
    vscode.window.setStatusBarMessage(`Copilot: ${plural(n, "comment")} sent`, 4000);
  }

  dispose(): void {
    this.clear();
    for (const d of this.disposables) d.dispose();
  }

  private get session(): { sessionId?: string } {
    const { current, state } = this.bridge.sessions;
    return current !== undefined && state?.loaded === true ? { sessionId: current } : {};
  }

  private show(uri: string, comments: readonly Comment[]): void {
    const file = vscode.Uri.parse(uri).toString();
    const now = new Set(comments.map((c) => c.id));
    for (const [id, thread] of [...this.threads]) if (!now.has(id) && thread.uri.toString() === file) this.forget(id);
    for (const comment of comments) this.draw(comment);
    this.tell();
  }

  private draw(comment: Comment, into?: vscode.CommentThread): void {
    const { start, end } = comment.range;
    // A range ends where the next line begins; a thread stands at the last line that it is about.
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    const range = new vscode.Range(start.line, 0, last, 0);
    let thread = into ?? this.threads.get(comment.id);
    if (thread === undefined) {
      thread = this.controller.createCommentThread(vscode.Uri.parse(comment.uri), range, []);
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    }
    this.threads.set(comment.id, thread);
    thread.canReply = false;
    thread.label = "Comment for Copilot";
    thread.range = range;
    const [known] = thread.comments;
    if (known instanceof Shown && (known.mode === vscode.CommentMode.Editing || known.body === comment.text)) return;
    thread.comments = [new Shown(comment.id, visible(comment.text), thread)];
  }

  private redraw(comment: Shown, mode: vscode.CommentMode): void {
    comment.mode = mode;
    comment.thread.comments = [...comment.thread.comments];
  }

  private forget(id: string): void {
    this.threads.get(id)?.dispose();
    this.threads.delete(id);
  }

  private clear(): void {
    for (const id of [...this.threads.keys()]) this.forget(id);
    this.tell();
  }

  private tell(): void {
    void vscode.commands.executeCommand("setContext", `${SECTION}.comments`, this.threads.size > 0);
  }

  private async reload(): Promise<void> {
    try {
      const { comments } = await this.bridge.request("comments/list", {});
      for (const comment of comments) this.draw(comment);
      this.tell();
    } catch (error) {
      this.bridge.log.info(`comments/list: ${String(error)}`); // a bridge from before there were comments
    }
  }
}
