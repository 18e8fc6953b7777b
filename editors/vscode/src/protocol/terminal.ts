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
  /** In the last one only, as are the command and its arguments. */
  exitStatus?: ExitStatus;
  command?: string;
  args?: string[];
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
