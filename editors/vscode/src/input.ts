/** The agent's questions for values (ACP elicitation), as quick inputs one after the other. A withdrawn one goes away. */
import * as vscode from "vscode";
import type { InputProperty, InputRequest } from "./protocol";
import { visible } from "./words";

/** A value, or undefined when the question was closed. */
type Given = { value: unknown } | undefined;

export async function askForInput(request: InputRequest, token: vscode.CancellationToken): Promise<{ value: unknown } | null> {
  if (request.url !== undefined) return (await agreeToVisit(request.title, request.url, token)) ? { value: {} } : null;
  const properties = Object.entries(request.schema?.properties ?? {});
  const required = new Set(request.schema?.required ?? []);
  const value: Record<string, unknown> = {};
  for (const [i, [name, property]] of properties.entries()) {
    const step = { title: visible(request.title), step: i + 1, totalSteps: properties.length };
    const given = await askForOne(name, property, required.has(name), step, token);
    if (given === undefined || token.isCancellationRequested) return null;
    if (given.value !== undefined) value[name] = given.value;
  }
  return { value };
}

interface Step {
  title: string;
  step: number;
  totalSteps: number;
}

async function askForOne(name: string, property: InputProperty, required: boolean, step: Step, token: vscode.CancellationToken): Promise<Given> {
  const label = visible([property.title ?? name, property.description].filter(Boolean).join(": "));
  const choices = choicesOf(property);
  if (choices !== undefined) {
    const many = property.type === "array";
    const chosen = many ? property.default : [property.default];
    const items = choices.map((c) => ({ label: visible(c.title), value: c.value, picked: many && Array.isArray(chosen) && chosen.includes(c.value) }));
    const picked = await pick(items, { ...step, placeholder: label, canSelectMany: many }, token);
    if (picked === undefined) return undefined;
    return { value: many ? picked.map((p) => p.value) : picked[0]?.value };
  }
  const text = await type({ ...step, prompt: label, value: typeof property.default === "string" || typeof property.default === "number" ? String(property.default) : "", check: (t) => wrong(t, property, required) }, token);
  if (text === undefined) return undefined;
  if (text === "" && !required) return { value: undefined };
  return { value: property.type === "number" || property.type === "integer" ? Number(text) : text };
}

function choicesOf(p: InputProperty): { title: string; value: unknown }[] | undefined {
  if (p.type === "boolean") return [{ title: "Yes", value: true }, { title: "No", value: false }];
  const from = p.type === "array" ? p.items : p;
  const list = p.oneOf ?? p.items?.anyOf;
  if (list !== undefined) return list.map((o) => ({ title: o.title ?? o.const, value: o.const }));
  return from?.enum?.map((value, i) => ({ title: p.enumNames?.[i] ?? value, value }));
}

/** What is wrong with a text, undefined for nothing. */
function wrong(text: string, p: InputProperty, required: boolean): string | undefined {
  if (text === "") return required ? "A value is needed" : undefined;
  if (p.type === "number" || p.type === "integer") {
    const n = Number(text);
    if (text.trim() === "" || !Number.isFinite(n) || (p.type === "integer" && !Number.isInteger(n))) return p.type === "integer" ? "A whole number is needed" : "A number is needed";
    if (p.minimum !== undefined && n < p.minimum) return `At least ${p.minimum}`;
    if (p.maximum !== undefined && n > p.maximum) return `At most ${p.maximum}`;
    return undefined;
  }
  if (p.minLength !== undefined && text.length < p.minLength) return `At least ${p.minLength} characters`;
  if (p.maxLength !== undefined && text.length > p.maxLength) return `At most ${p.maxLength} characters`;
  return undefined;
}

/** A web page is opened only after a yes, with the whole address in sight. */
async function agreeToVisit(title: string, url: string, token: vscode.CancellationToken): Promise<boolean> {
  const address = visible(url);
  if (!/^https?:\/\/[^/]/.test(url)) {
    void vscode.window.showWarningMessage(`Copilot asked to open what is no web page; it was declined: ${address}`);
    return false;
  }
  const items = [{ label: "Do not open", value: false }, { label: "Open", detail: address, value: true }];
  const picked = await pick(items, { title: visible(title), step: 1, totalSteps: 1, placeholder: address, canSelectMany: false }, token);
  return picked?.[0]?.value === true && (await vscode.env.openExternal(vscode.Uri.parse(url, true)));
}

function pick<T extends vscode.QuickPickItem>(items: T[], o: Step & { placeholder: string; canSelectMany: boolean }, token: vscode.CancellationToken): Promise<readonly T[] | undefined> {
  const input = vscode.window.createQuickPick<T>();
  Object.assign(input, { ...o, items, ignoreFocusOut: true, selectedItems: items.filter((i) => i.picked) });
  return settled(input, token, (accept) => input.onDidAccept(() => accept(input.selectedItems)));
}

function type(o: Step & { prompt: string; value: string; check: (text: string) => string | undefined }, token: vscode.CancellationToken): Promise<string | undefined> {
  const input = vscode.window.createInputBox();
  Object.assign(input, { title: o.title, step: o.step, totalSteps: o.totalSteps, prompt: o.prompt, value: o.value, ignoreFocusOut: true });
  input.onDidChangeValue((text) => (input.validationMessage = o.check(text)));
  return settled(input, token, (accept) =>
    input.onDidAccept(() => {
      input.validationMessage = o.check(input.value);
      if (input.validationMessage === undefined) accept(input.value);
    }),
  );
}

/** Shows an input until it is accepted, closed or withdrawn. */
function settled<T>(input: vscode.QuickInput, token: vscode.CancellationToken, listen: (accept: (value: T) => void) => vscode.Disposable): Promise<T | undefined> {
  return new Promise((resolve) => {
    const done = (value: T | undefined) => {
      resolve(value);
      withdrawn.dispose();
      listening.dispose();
      input.dispose();
    };
    const withdrawn = token.onCancellationRequested(() => done(undefined));
    const listening = listen(done);
    input.onDidHide(() => done(undefined));
    input.show();
  });
}
