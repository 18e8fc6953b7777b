/** What the bridge is doing, in a sentence. */

export interface Status {
  kind: "ok" | "busy" | "waiting" | "signedOut" | "error";
  /** One sentence. */
  message: string;
  sessionId?: string;
}
