/** What the panel shows beside the conversation, put together from what the parts of the extension know. */
import type { Bridge } from "../bridge";
import type { PanelState, StateChange } from "./messages";
import { sentence } from "../words";
import { questionView } from "./question";

type Trouble = NonNullable<PanelState["trouble"]>;

export interface Sources {
  bridge: Bridge;
  /** As the list of sessions has it. */
  title: string | undefined;
  cwd: string | undefined;
  doing: string;
  signedOut: string | undefined;
  plan: PanelState["plan"];
  chips: PanelState["chips"];
}

export function stateOf({ bridge, title, cwd, doing, signedOut, plan, chips }: Sources): PanelState {
  const { sessions, review, permissions } = bridge;
  const s = sessions.state;
  return {
    sessionId: sessions.current,
    title: s?.title ?? title ?? "",
    cwd: cwd ?? "",
    modes: s?.modes,
    level: s?.level,
    levels: [...bridge.levels],
    options: s?.configOptions ?? [],
    commands: s?.commands ?? [],
    usage: s?.context,
    running: s?.running,
    doing,
    queue: [...(s?.queue ?? [])],
    plan,
    chips,
    // A question of another session waits there too: it is asked wherever the user is.
    questions: permissions.pending.map((q) => questionView(q, cwd)),
    pending: { files: review.files.length, hunks: review.pending },
    trouble: troubleOf(bridge, signedOut),
    allowAll: bridge.relaxed.map((x) => sentence(x.message)).join(" "),
  };
}

function troubleOf(bridge: Bridge, signedOut: string | undefined): Trouble | undefined {
  const { state, message } = bridge.availability;
  switch (state) {
    case "untrusted":
      return { text: message, severity: "warning", actions: [{ label: "Manage Trust", act: "trust" }] };
    case "missing":
      return {
        text: message,
        severity: "error",
        actions: [
          { label: "Choose Path…", act: "choosePath" },
          { label: "Try Again", act: "restart" },
        ],
      };
    case "stopped":
      return {
        text: message,
        severity: "error",
        actions: [
          { label: "Start Again", act: "restart" },
          { label: "Show Log", act: "showLog" },
        ],
      };
    case "starting":
      return undefined;
  }
  if (bridge.agentTrouble !== undefined) {
    return {
      text: sentence(bridge.agentTrouble),
      title: "Set Up Copilot",
      severity: "warning",
      actions: [
        { label: "Install…", act: "installAgent" },
        { label: "Choose Path…", act: "chooseAgent" },
        { label: "Sign In", act: "signIn" },
        { label: "Run Doctor", act: "doctor" },
        { label: "Try Again", act: "restart" },
      ],
    };
  }
  return signedOut === undefined ? undefined : { text: sentence(signedOut), severity: "warning", actions: [{ label: "Sign In", act: "signIn" }] };
}

/** The members that differ. What is not there any more is null: messages to a webview are JSON, which has no undefined. */
export function changesOf(before: PanelState, now: PanelState): StateChange {
  const out: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof PanelState>) {
    if (JSON.stringify(before[key]) !== JSON.stringify(now[key])) out[key] = now[key] ?? null;
  }
  return out;
}
