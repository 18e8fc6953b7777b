/** What the server says of itself in `initialize`, capabilities.experimental.copilotBridge (docs/dev/protocol.md, initialize). */
import type { SetLevelParams } from "./wire";

/** How much is asked in a session, in words to show. */
export interface Level {
  id: SetLevelParams["level"];
  name: string;
  description: string;
}

export interface Capabilities {
  version: number;
  methods: string[];
  /** The narrowest first; none of a bridge from before there were levels. */
  levels?: Level[];
  /** The setting of this name, of the editor or of the configuration file; none of a bridge from before there was one. */
  notifications?: boolean;
}
