/** ACP v1: what can be chosen in a session: modes, options, commands. */

export interface AvailableCommand {
  name: string;
  description: string;
  input?: { hint: string } | null;
}

export interface SessionMode {
  id: string;
  name: string;
  description?: string | null;
}
/** ACP SessionModeState. */
export interface Modes {
  currentModeId: string;
  availableModes: SessionMode[];
}

export interface ConfigValue {
  value: string;
  name: string;
  description?: string | null;
}
/** ACP SessionConfigOption: a choice, whose values may be in groups, or a switch. */
export interface ConfigOption {
  id: string;
  name: string;
  description?: string | null;
  category?: string | null;
  type: "select" | "boolean" | (string & {});
  currentValue: string | boolean;
  options?: (ConfigValue | { group: string; name: string; options: ConfigValue[] })[];
}
