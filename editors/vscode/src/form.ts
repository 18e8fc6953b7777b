/** The values of an agent's form (ACP elicitation schema): what can be chosen, what is wrong with a text. Pure. */
import type { ElicitationPropertySchema, EnumOption } from "./protocol";

/** What a value is chosen from; undefined where it is typed. */
export function choicesOf(p: ElicitationPropertySchema): { title: string; value: unknown }[] | undefined {
  if (p.type === "boolean") return [{ title: "Yes", value: true }, { title: "No", value: false }];
  if (p.type === "array") return "anyOf" in p.items ? titled(p.items.anyOf) : p.items.enum.map((value) => ({ title: value, value }));
  if (p.type !== "string") return undefined;
  return p.oneOf ? titled(p.oneOf) : p.enum?.map((value) => ({ title: value, value }));
}

function titled(list: EnumOption[]): { title: string; value: unknown }[] {
  return list.map((o) => ({ title: o.title || o.const, value: o.const }));
}

/** Texts that are checked by their format; a `pattern` is not: the agent wrote it, and one can take for ever. */
const FORMATS: Record<string, { holds: (text: string) => boolean; wanted: string }> = {
  email: { holds: (t) => /^[^\s@]+@[^\s@]+$/.test(t), wanted: "A mail address is needed" },
  uri: { holds: (t) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(t), wanted: "A URI is needed" },
  date: { holds: (t) => /^\d{4}-\d\d-\d\d$/.test(t) && !Number.isNaN(Date.parse(t)), wanted: "A date is needed, such as 2026-11-21" },
  "date-time": { holds: (t) => /^\d{4}-\d\d-\d\dT/.test(t) && !Number.isNaN(Date.parse(t)), wanted: "A date and a time are needed, such as 2026-11-21T09:30:00Z" },
};

/** What is wrong with a text, undefined for nothing. */
export function wrong(text: string, p: ElicitationPropertySchema, required: boolean): string | undefined {
  if (text === "") return required ? "A value is needed" : undefined;
  if (p.type === "number" || p.type === "integer") {
    const n = Number(text);
    if (text.trim() === "" || !Number.isFinite(n) || (p.type === "integer" && !Number.isInteger(n))) return p.type === "integer" ? "A whole number is needed" : "A number is needed";
    if (typeof p.minimum === "number" && n < p.minimum) return `At least ${p.minimum}`;
    if (typeof p.maximum === "number" && n > p.maximum) return `At most ${p.maximum}`;
    return undefined;
  }
  if (p.type !== "string") return undefined;
  if (typeof p.minLength === "number" && text.length < p.minLength) return `At least ${p.minLength} characters`;
  if (typeof p.maxLength === "number" && text.length > p.maxLength) return `At most ${p.maxLength} characters`;
  const format = FORMATS[p.format ?? ""];
  return format === undefined || format.holds(text) ? undefined : format.wanted;
}

/** What stands in the input first: what was given before, else the default. */
export function initialText(given: unknown, p: ElicitationPropertySchema): string {
  const value = given ?? p.default;
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
