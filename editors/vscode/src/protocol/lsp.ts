/** LSP 3.18, as far as it is spoken beside the language client. */

export interface Position {
  line: number;
  /** In UTF-16 units. */
  character: number;
}
export interface Range {
  start: Position;
  end: Position;
}
