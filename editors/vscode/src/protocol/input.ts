/** Questions for values. */

/** One property of ACP's ElicitationSchema. */
export interface InputProperty {
  type?: "string" | "number" | "integer" | "boolean" | "array" | (string & {});
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  enumNames?: string[];
  oneOf?: { const: string; title?: string }[];
  items?: { enum?: string[]; anyOf?: { const: string; title?: string }[] };
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

export interface InputRequest {
  id: string;
  sessionId: string;
  title: string;
  schema?: { type?: "object"; title?: string; description?: string; properties?: Record<string, InputProperty>; required?: string[] };
  url?: string;
}
