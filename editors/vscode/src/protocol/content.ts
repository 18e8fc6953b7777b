/** ACP v1: what is said. */

export interface TextBlock {
  type: "text";
  text: string;
}
export interface ImageBlock {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
  uri?: string | null;
}
export interface ResourceLinkBlock {
  type: "resource_link";
  uri: string;
  name: string;
  title?: string | null;
  description?: string | null;
  mimeType?: string | null;
  size?: number | null;
}
export interface ResourceBlock {
  type: "resource";
  resource: { uri: string; mimeType?: string | null; text?: string; blob?: string };
}
export interface AudioBlock {
  type: "audio";
  data: string;
  mimeType: string;
}
/** ACP ContentBlock. */
export type ContentBlock = TextBlock | ImageBlock | ResourceLinkBlock | ResourceBlock | AudioBlock;
