/** Errors: their form and the codes that are ours. */

export interface WireError {
  code: number;
  message: string;
  data?: { retryable?: boolean; hint?: string };
}

/** Codes of the errors that are ours; docs/protocol.md, errors. */
export const ErrorCode = {
  NotSignedIn: -32050,
  AgentUnavailable: -32051,
  SessionNotFound: -32052,
  TurnInProgress: -32053,
  StaleHunk: -32054,
  Denied: -32055,
} as const;
