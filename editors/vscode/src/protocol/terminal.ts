/** The commands that an agent runs. */

/** ACP TerminalExitStatus. */
export interface ExitStatus {
  exitCode?: number | null;
  signal?: string | null;
}

export interface TerminalOutput {
  terminalId: string;
  sessionId: string;
  data: string;
  truncated?: boolean;
  /** In the last one only. */
  exitStatus?: ExitStatus;
}

export interface TerminalInfo {
  terminalId: string;
  sessionId: string;
  command: string;
  args: string[];
  cwd: string;
  pid: number;
  exitStatus?: ExitStatus;
}
