/**
 * The questions that wait for the user. State only: the panel shows them while it is visible, else a notification does
 * (permission_notice.ts). Each gets exactly one answer; one that is dismissed or withdrawn is a no.
 */
import * as vscode from "vscode";
import type { Answer, Question } from "./protocol";
import { Timing } from "./timing";

/** Who can show questions, and whether the user can see it now. */
export interface Presenter {
  readonly visible: boolean;
  readonly onDidChangeVisible: vscode.Event<boolean>;
}

interface Waiting {
  question: Question;
  settle(answer: Answer): void;
}

export class Permissions implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly presence = new vscode.EventEmitter<void>();
  private waiting: Waiting[] = [];
  private presenter: Presenter | undefined;
  private readonly timing = new Timing();

  /** A question came, was answered, dismissed or withdrawn. */
  readonly onDidChange = this.changed.event;
  /** Who shows the questions may have changed. */
  readonly onDidChangePresence = this.presence.event;

  /** Oldest first. */
  get pending(): readonly Question[] {
    return this.waiting.map((w) => w.question);
  }

  /** Whether somebody else than a notification shows the questions now. */
  get presented(): boolean {
    return this.presenter?.visible ?? false;
  }

  present(presenter: Presenter): vscode.Disposable {
    this.presenter = presenter;
    return presenter.onDidChangeVisible(() => {
      this.inSight();
      this.presence.fire();
    });
  }

  /** Takes a question of the server's in; resolves when it is answered, dismissed or withdrawn. Never rejects. */
  ask(question: Question, token: vscode.CancellationToken): Promise<Answer> {
    return new Promise((resolve) => {
      const entry: Waiting = {
        question,
        settle: (answer) => {
          const first = this.waiting[0] === entry;
          this.waiting = this.waiting.filter((w) => w !== entry);
          if (first) this.inSight();
          withdrawn.dispose();
          resolve(answer);
          this.changed.fire();
        },
      };
      const withdrawn = token.onCancellationRequested(() => {
        this.timing.gone(question.id, "withdrawn");
        entry.settle({ outcome: "cancelled" });
      });
      this.waiting.push(entry);
      this.timing.shown(question.id);
      this.changed.fire();
    });
  }

  /** The question that an answer without an id is for: the only one, unless another was there a moment ago. */
  only(): Question | undefined {
    return this.waiting.length === 1 && this.timing.clear ? this.waiting[0]?.question : undefined;
  }

  /** Answers a question; one that does not wait any more, or has only just come, is left alone. False then. */
  answer(id: string, answer: { optionId: string; hunks?: string[]; words?: string; newText?: string }): boolean {
    return this.settle(id, { outcome: "selected", ...answer });
  }

  /** Closes a question without an answer, which is a no. False as for an answer. */
  dismiss(id: string): boolean {
    return this.settle(id, { outcome: "cancelled" });
  }

  /** The server is gone: nobody waits for the answers. */
  clear(): void {
    for (const w of [...this.waiting]) w.settle({ outcome: "cancelled" });
  }

  dispose(): void {
    this.clear();
    this.changed.dispose();
    this.presence.dispose();
  }

  private settle(id: string, answer: Answer): boolean {
    const entry = this.waiting.find((w) => w.question.id === id);
    if (entry === undefined || !this.timing.counts(id)) return false;
    this.timing.gone(id, "answered");
    entry.settle(answer);
    return true;
  }

  /** The oldest question is the one that is shown, and from now on where it was not before. */
  private inSight(): void {
    const [oldest] = this.waiting;
    if (oldest !== undefined) this.timing.shown(oldest.question.id);
  }
}
