/**
 * What goes over the wire beside LSP: docs/dev/protocol.md, the rich tier. Types only, free of VS Code, so that the extension host and the
 * panel speak of the same things.
 */
export * from "./acp";
export * from "./wire";
export * from "./capabilities";
