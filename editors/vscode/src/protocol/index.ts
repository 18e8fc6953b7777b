/**
 * What goes over the wire beside LSP: docs/protocol.md, the rich tier. Types only, free of VS Code, so that the extension host and the
 * panel speak of the same things. ACP values are typed as far as they are looked at.
 */
export * from "./lsp";
export * from "./content";
export * from "./tool_call";
export * from "./options";
export * from "./update";
export * from "./session";
export * from "./turn";
export * from "./review";
export * from "./permission";
export * from "./terminal";
export * from "./status";
export * from "./input";
export * from "./error";
export * from "./methods";
