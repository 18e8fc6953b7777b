/** The agent's questions for values (ACP elicitation), as quick inputs one after the other, with a way back. A withdrawn one goes away. */
import * as vscode from "vscode";
import { choicesOf, initialText, wrong } from "./form";
import type { ElicitationPropertySchema, InputRequest, InputResult } from "./protocol";
import { visible } from "./words";

/** The user wants to change the value before. */
const BACK = Symbol("back");
/** A value, undefined when the question was closed. */
type Given = { value: unknown } | typeof BACK | undefined;

export async function askForInput(request: InputRequest, token: vscode.CancellationToken): Promise<InputResult | null> {
  const title = `Copilot asks: ${visible(request.title)}`;
  if (request.url !== undefined) return (await agreeToVisit(title, request.url, token)) ? { value: {} } : null;
  const properties = Object.entries(request.schema?.properties ?? {});
  const required = new Set(request.schema?.required ?? []);
  const value: Record<string, unknown> = {};
  let i = 0;
  for (let next = properties[i]; next !== undefined; next = properties[i]) {
    const [name, property] = next;
    const given = await askForOne(name, property, required.has(name), value[name], { title, step: i + 1, totalSteps: properties.length }, token);
    if (given === undefined || token.isCancellationRequested) return null;
    if (given === BACK) {
      i--;
      continue;
    }
    if (given.value === undefined) Reflect.deleteProperty(value, name);
    else value[name] = given.value;
    i++;
  }
  return { value };
}

interface Step {
  title: string;
  step: number;
  totalSteps: number;
}

async function askForOne(name: string, property: ElicitationPropertySchema, required: boolean, before: unknown, step: Step, token: vscode.CancellationToken): Promise<Given> {
  const label = visible([property.title ?? name, property.description].filter(Boolean).join(": "));
  const choices = choicesOf(property);
  if (choices !== undefined) {
    const many = property.type === "array";
    const chosen = before ?? property.default;
    const items = choices.map((c) => ({ label: visible(c.title), value: c.value, picked: many ? Array.isArray(chosen) && chosen.includes(c.value) : chosen === c.value }));
    const picked = await pick(items, { ...step, placeholder: label, canSelectMany: many }, token);
    if (picked === undefined || picked === BACK) return picked;
    return { value: many ? picked.map((p) => p.value) : picked[0]?.value };
  }
  const text = await type({ ...step, prompt: label, value: initialText(before, property), check: (t) => wrong(t, property, required) }, token);
  if (text === undefined || text === BACK) return text;
  if (text === "" && !required) return { value: undefined };
  return { value: property.type === "number" || property.type === "integer" ? Number(text) : text };
}

/** A web page is opened only after a yes, with the whole address in sight. */
async function agreeToVisit(title: string, url: string, token: vscode.CancellationToken): Promise<boolean> {
  const address = visible(url);
  if (!/^https?:\/\/[^/]/.test(url)) {
    void vscode.window.showWarningMessage(`Copilot asked to open what is no web page; it was declined: ${address}`);
    return false;
  }
  const items = [{ label: "Do not open", value: false }, { label: "Open", detail: address, value: true }];
  const picked = await pick(items, { title, step: 1, totalSteps: 1, placeholder: address, canSelectMany: false }, token);
  return typeof picked === "object" && picked[0]?.value === true && (await vscode.env.openExternal(vscode.Uri.parse(url, true)));
}

function shown({ title, step, totalSteps }: Step): object {
  return { title, ignoreFocusOut: true, ...(totalSteps > 1 && { step, totalSteps }) };
}

function pick<T extends vscode.QuickPickItem>(items: T[], o: Step & { placeholder: string; canSelectMany: boolean }, token: vscode.CancellationToken): Promise<readonly T[] | typeof BACK | undefined> {
  const input = vscode.window.createQuickPick<T>();
  const chosen = items.filter((i) => i.picked);
  Object.assign(input, { ...shown(o), placeholder: o.placeholder, canSelectMany: o.canSelectMany, items });
  if (o.canSelectMany) input.selectedItems = chosen;
  else if (chosen.length > 0) input.activeItems = chosen; // none would leave Enter without an item
  return settled(input, o, token, (accept) =>
    input.onDidAccept(() => {
      if (o.canSelectMany || input.selectedItems.length > 0) accept(input.selectedItems);
    }),
  );
}

function type(o: Step & { prompt: string; value: string; check: (text: string) => string | undefined }, token: vscode.CancellationToken): Promise<string | typeof BACK | undefined> {
  const input = vscode.window.createInputBox();
  Object.assign(input, { ...shown(o), prompt: o.prompt, value: o.value });
  input.onDidChangeValue((text) => (input.validationMessage = o.check(text)));
  return settled(input, o, token, (accept) =>
    input.onDidAccept(() => {
      input.validationMessage = o.check(input.value);
      if (input.validationMessage === undefined) accept(input.value);
    }),
  );
}

/** Shows an input until it is accepted, closed or withdrawn, or the user goes back. */
function settled<T>(input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox, { step }: Step, token: vscode.CancellationToken, listen: (accept: (value: T) => void) => vscode.Disposable): Promise<T | typeof BACK | undefined> {
  return new Promise((resolve) => {
    const done = (value: T | typeof BACK | undefined) => {
      resolve(value);
      for (const d of listening) d.dispose();
      input.dispose();
    };
    if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
    const listening = [token.onCancellationRequested(() => done(undefined)), listen(done), input.onDidTriggerButton(() => done(BACK)), input.onDidHide(() => done(undefined))];
    input.show();
  });
}
