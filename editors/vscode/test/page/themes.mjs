// What VS Code gives a webview, for the themes it comes with, as far as the panel uses it: the values of Dark Modern, Light Modern, Dark
// High Contrast and Light High Contrast of VS Code 1.100.
const fonts = {
  "font-family": '"Segoe UI", "DejaVu Sans", system-ui, sans-serif', "font-size": "13px", "editor-font-family": '"DejaVu Sans Mono", monospace', "editor-font-size": "13px",
};
const ansiDark = { Black: "#000000", Red: "#cd3131", Green: "#0dbc79", Yellow: "#e5e510", Blue: "#2472c8", Magenta: "#bc3fbc", Cyan: "#11a8cd", White: "#e5e5e5", BrightBlack: "#666666", BrightRed: "#f14c4c", BrightGreen: "#23d18b", BrightYellow: "#f5f543", BrightBlue: "#3b8eea", BrightMagenta: "#d670d6", BrightCyan: "#29b8db", BrightWhite: "#e5e5e5" };
const ansiLight = { ...ansiDark, Green: "#107c10", Yellow: "#949800", Blue: "#0451a5", Magenta: "#bc05bc", Cyan: "#0598bc", White: "#555555", BrightGreen: "#14ce14", BrightYellow: "#b5ba00", BrightWhite: "#a5a5a5" };
const ansi = (colours) => Object.fromEntries(Object.entries(colours).map(([name, value]) => [`terminal-ansi${name}`, value]));

/** dark, light, contrast, contrastLight; "" where a theme has none. */
const colours = {
  foreground: ["#cccccc", "#3b3b3b", "#ffffff", "#292929"],
  descriptionForeground: ["#9d9d9d", "#6b6b6b", "#ffffffb3", "#292929b3"],
  errorForeground: ["#f85149", "#c72e0f", "#f48771", "#b5200d"],
  focusBorder: ["#0078d4", "#005fb8", "#f38518", "#006bbd"],
  "icon-foreground": ["#cccccc", "#3b3b3b", "#ffffff", "#292929"],
  "sideBar-background": ["#181818", "#f8f8f8", "#000000", "#ffffff"],
  "editor-background": ["#1f1f1f", "#ffffff", "#000000", "#ffffff"],
  "editorWidget-background": ["#202020", "#f8f8f8", "#0c141f", "#ffffff"],
  "widget-border": ["#313131", "#e5e5e5", "", ""],
  "widget-shadow": ["#0000005c", "#00000029", "", ""],
  "panel-border": ["#2b2b2b", "#e5e5e5", "#6fc3df", "#0f4a85"],
  "button-background": ["#0078d4", "#005fb8", "#000000", "#0f4a85"],
  "button-foreground": ["#ffffff", "#ffffff", "#ffffff", "#ffffff"],
  "button-hoverBackground": ["#026ec1", "#0258a8", "#000000", "#0f4a85"],
  "button-border": ["#ffffff12", "#0000001a", "#6fc3df", "#0f4a85"],
  "button-secondaryBackground": ["#313131", "#e5e5e5", "#000000", "#ffffff"],
  "button-secondaryForeground": ["#cccccc", "#3b3b3b", "#ffffff", "#292929"],
  "button-secondaryHoverBackground": ["#3c3c3c", "#cccccc", "#000000", "#ffffff"],
  "input-background": ["#313131", "#ffffff", "#000000", "#ffffff"],
  "input-foreground": ["#cccccc", "#3b3b3b", "#ffffff", "#292929"],
  "input-border": ["#3c3c3c", "#cecece", "#6fc3df", "#0f4a85"],
  "input-placeholderForeground": ["#989898", "#767676", "#ffffffb3", "#292929b3"],
  "dropdown-background": ["#313131", "#ffffff", "#000000", "#ffffff"],
  "dropdown-foreground": ["#cccccc", "#3b3b3b", "#ffffff", "#292929"],
  "list-hoverBackground": ["#2a2d2e", "#f2f2f2", "#ffffff1a", "#0f4a851a"],
  "list-activeSelectionBackground": ["#04395e", "#e8e8e8", "", ""],
  "list-activeSelectionForeground": ["#ffffff", "#000000", "", ""],
  "toolbar-hoverBackground": ["#5a5d5e50", "#b8b8b850", "", ""],
  "textLink-foreground": ["#4daafc", "#005fb8", "#21a6ff", "#0f4a85"],
  "textLink-activeForeground": ["#4daafc", "#005fb8", "#21a6ff", ""],
  "textPreformat-foreground": ["#d0d0d0", "#3b3b3b", "#000000", "#ffffff"],
  "textPreformat-background": ["#3c3c3c", "#0000001f", "#ffffff", "#09345f"],
  "textCodeBlock-background": ["#2b2b2b", "#f8f8f8", "", "#f2f2f2"],
  "textBlockQuote-border": ["#616161", "#e5e5e5", "#ffffff", "#292929"],
  "textSeparator-foreground": ["#21262d", "#21262d", "#000000", "#292929"],
  "diffEditor-insertedLineBackground": ["#9bb95533", "#9bb95533", "", ""],
  "diffEditor-removedLineBackground": ["#ff000033", "#ff000033", "", ""],
  "diffEditor-insertedTextBackground": ["#9ccc2c33", "#9ccc2c40", "", ""],
  "diffEditor-removedTextBackground": ["#ff000033", "#ff000033", "", ""],
  "editorLineNumber-foreground": ["#6e7681", "#6e7681", "#ffffff", "#292929"],
  "charts-green": ["#89d185", "#388a34", "#89d185", "#374e06"],
  "charts-yellow": ["#cca700", "#bf8803", "", ""],
  "editorWarning-foreground": ["#cca700", "#bf8803", "#ffd370", "#895503"],
  "progressBar-background": ["#0078d4", "#005fb8", "#6fc3df", "#0f4a85"],
  "tree-indentGuidesStroke": ["#585858", "#a9a9a9", "#a9a9a9", "#5a5a5a"],
  "quickInput-background": ["#222222", "#f8f8f8", "#0c141f", "#ffffff"],
  "quickInput-foreground": ["#cccccc", "#3b3b3b", "", ""],
  "editorSuggestWidget-background": ["#202020", "#f8f8f8", "#0c141f", "#ffffff"],
  "editorSuggestWidget-border": ["#454545", "#c8c8c8", "#6fc3df", "#0f4a85"],
  "editorSuggestWidget-foreground": ["#cccccc", "#3b3b3b", "", ""],
  "editorSuggestWidget-selectedBackground": ["#04395e", "#e8e8e8", "", ""],
  "keybindingLabel-background": ["#8080802b", "#dddddd66", "", ""],
  "keybindingLabel-border": ["#33333399", "#cccccc66", "#6fc3df", "#0f4a85"],
  "keybindingLabel-foreground": ["#cccccc", "#3b3b3b", "", ""],
  "terminal-foreground": ["#cccccc", "#3b3b3b", "#ffffff", "#292929"],
  "terminal-background": ["#181818", "#f8f8f8", "#000000", "#ffffff"],
  "chat-requestBubbleBackground": ["#1f1f1f9e", "#f2f2f2", "", ""],
  "chat-requestBorder": ["#ffffff1a", "#0000001a", "", ""],
  "checkbox-background": ["#313131", "#f8f8f8", "#000000", "#ffffff"],
  "checkbox-border": ["#3c3c3c", "#cecece", "#6fc3df", "#0f4a85"],
  "checkbox-foreground": ["#cccccc", "#616161", "#ffffff", "#292929"],
  contrastBorder: ["", "", "#6fc3df", "#0f4a85"],
  contrastActiveBorder: ["", "", "#f38518", "#006bbd"],
};

const theme = (column, kind, palette) => ({ kind, vars: { ...fonts, ...ansi(palette), ...Object.fromEntries(Object.entries(colours).flatMap(([name, values]) => (values[column] ? [[name, values[column]]] : []))) } });

export const themes = {
  dark: theme(0, "vscode-dark", ansiDark),
  light: theme(1, "vscode-light", ansiLight),
  contrast: theme(2, "vscode-high-contrast", ansiDark),
  contrastLight: theme(3, "vscode-high-contrast vscode-high-contrast-light", ansiLight),
};
