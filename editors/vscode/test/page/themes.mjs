// What VS Code gives a webview, for the themes it comes with, as far as the panel uses it: the values of Dark Modern, Light Modern, Dark
// High Contrast and Light High Contrast of VS Code 1.100.
const fonts = {
  "font-family": '"Segoe UI", "DejaVu Sans", system-ui, sans-serif', "font-size": "13px", "editor-font-family": '"DejaVu Sans Mono", monospace', "editor-font-size": "13px",
};
const ansiDark = { Black: "#000000", Red: "#cd3131", Green: "#0dbc79", Yellow: "#e5e510", Blue: "#2472c8", Magenta: "#bc3fbc", Cyan: "#11a8cd", White: "#e5e5e5", BrightBlack: "#666666", BrightRed: "#f14c4c", BrightGreen: "#23d18b", BrightYellow: "#f5f543", BrightBlue: "#3b8eea", BrightMagenta: "#d670d6", BrightCyan: "#29b8db", BrightWhite: "#e5e5e5" };
const ansiLight = { ...ansiDark, Green: "#107c10", Yellow: "#949800", Blue: "#0451a5", Magenta: "#bc05bc", Cyan: "#0598bc", White: "#555555", BrightGreen: "#14ce14", BrightYellow: "#b5ba00", BrightWhite: "#a5a5a5" };
const ansi = (colours) => Object.fromEntries(Object.entries(colours).map(([name, value]) => [`terminal-ansi${name}`, value]));

export const themes = {
  dark: {
    kind: "vscode-dark",
    vars: {
      ...fonts, ...ansi(ansiDark),
      foreground: "#cccccc", descriptionForeground: "#9d9d9d", errorForeground: "#f85149", focusBorder: "#0078d4", "icon-foreground": "#cccccc",
      "sideBar-background": "#181818", "editor-background": "#1f1f1f", "editorWidget-background": "#202020", "widget-border": "#313131", "widget-shadow": "#0000005c", "panel-border": "#2b2b2b",
      "button-background": "#0078d4", "button-foreground": "#ffffff", "button-hoverBackground": "#026ec1", "button-border": "#ffffff12",
      "button-secondaryBackground": "#313131", "button-secondaryForeground": "#cccccc", "button-secondaryHoverBackground": "#3c3c3c",
      "input-background": "#313131", "input-foreground": "#cccccc", "input-border": "#3c3c3c", "input-placeholderForeground": "#989898", "dropdown-background": "#313131", "dropdown-foreground": "#cccccc",
      "list-hoverBackground": "#2a2d2e", "list-activeSelectionBackground": "#04395e", "list-activeSelectionForeground": "#ffffff", "toolbar-hoverBackground": "#5a5d5e50",
      "textLink-foreground": "#4daafc", "textLink-activeForeground": "#4daafc", "textPreformat-foreground": "#d0d0d0", "textPreformat-background": "#3c3c3c", "textCodeBlock-background": "#2b2b2b", "textBlockQuote-border": "#616161", "textSeparator-foreground": "#21262d",
      "diffEditor-insertedLineBackground": "#9bb95533", "diffEditor-removedLineBackground": "#ff000033", "diffEditor-insertedTextBackground": "#9ccc2c33", "diffEditor-removedTextBackground": "#ff000033", "editorLineNumber-foreground": "#6e7681",
      "charts-green": "#89d185", "charts-yellow": "#cca700", "editorWarning-foreground": "#cca700", "progressBar-background": "#0078d4", "tree-indentGuidesStroke": "#585858",
      "quickInput-background": "#222222", "quickInput-foreground": "#cccccc", "editorSuggestWidget-background": "#202020", "editorSuggestWidget-border": "#454545", "editorSuggestWidget-foreground": "#cccccc", "editorSuggestWidget-selectedBackground": "#04395e",
      "keybindingLabel-background": "#8080802b", "keybindingLabel-border": "#33333399", "keybindingLabel-foreground": "#cccccc", "terminal-foreground": "#cccccc", "terminal-background": "#181818",
      "chat-requestBubbleBackground": "#1f1f1f9e", "chat-requestBorder": "#ffffff1a",
    },
  },
  light: {
    kind: "vscode-light",
    vars: {
      ...fonts, ...ansi(ansiLight),
      foreground: "#3b3b3b", descriptionForeground: "#6b6b6b", errorForeground: "#c72e0f", focusBorder: "#005fb8", "icon-foreground": "#3b3b3b",
      "sideBar-background": "#f8f8f8", "editor-background": "#ffffff", "editorWidget-background": "#f8f8f8", "widget-border": "#e5e5e5", "widget-shadow": "#00000029", "panel-border": "#e5e5e5",
      "button-background": "#005fb8", "button-foreground": "#ffffff", "button-hoverBackground": "#0258a8", "button-border": "#0000001a",
      "button-secondaryBackground": "#e5e5e5", "button-secondaryForeground": "#3b3b3b", "button-secondaryHoverBackground": "#cccccc",
      "input-background": "#ffffff", "input-foreground": "#3b3b3b", "input-border": "#cecece", "input-placeholderForeground": "#767676", "dropdown-background": "#ffffff", "dropdown-foreground": "#3b3b3b",
      "list-hoverBackground": "#f2f2f2", "list-activeSelectionBackground": "#e8e8e8", "list-activeSelectionForeground": "#000000", "toolbar-hoverBackground": "#b8b8b850",
      "textLink-foreground": "#005fb8", "textLink-activeForeground": "#005fb8", "textPreformat-foreground": "#3b3b3b", "textPreformat-background": "#0000001f", "textCodeBlock-background": "#f8f8f8", "textBlockQuote-border": "#e5e5e5", "textSeparator-foreground": "#21262d",
      "diffEditor-insertedLineBackground": "#9bb95533", "diffEditor-removedLineBackground": "#ff000033", "diffEditor-insertedTextBackground": "#9ccc2c40", "diffEditor-removedTextBackground": "#ff000033", "editorLineNumber-foreground": "#6e7681",
      "charts-green": "#388a34", "charts-yellow": "#bf8803", "editorWarning-foreground": "#bf8803", "progressBar-background": "#005fb8", "tree-indentGuidesStroke": "#a9a9a9",
      "quickInput-background": "#f8f8f8", "quickInput-foreground": "#3b3b3b", "editorSuggestWidget-background": "#f8f8f8", "editorSuggestWidget-border": "#c8c8c8", "editorSuggestWidget-foreground": "#3b3b3b", "editorSuggestWidget-selectedBackground": "#e8e8e8",
      "keybindingLabel-background": "#dddddd66", "keybindingLabel-border": "#cccccc66", "keybindingLabel-foreground": "#3b3b3b", "terminal-foreground": "#3b3b3b", "terminal-background": "#f8f8f8",
      "chat-requestBubbleBackground": "#f2f2f2", "chat-requestBorder": "#0000001a",
    },
  },
  contrast: {
    kind: "vscode-high-contrast",
    vars: {
      ...fonts, ...ansi(ansiDark),
      foreground: "#ffffff", descriptionForeground: "#ffffffb3", errorForeground: "#f48771", focusBorder: "#f38518", "icon-foreground": "#ffffff",
      contrastBorder: "#6fc3df", contrastActiveBorder: "#f38518", "sideBar-background": "#000000", "editor-background": "#000000", "editorWidget-background": "#0c141f", "panel-border": "#6fc3df",
      "button-background": "#000000", "button-foreground": "#ffffff", "button-border": "#6fc3df", "button-secondaryBackground": "#000000", "button-secondaryForeground": "#ffffff", "button-hoverBackground": "#000000", "button-secondaryHoverBackground": "#000000",
      "input-background": "#000000", "input-foreground": "#ffffff", "input-border": "#6fc3df", "input-placeholderForeground": "#ffffffb3", "dropdown-background": "#000000", "dropdown-foreground": "#ffffff",
      "list-hoverBackground": "#ffffff1a", "textLink-foreground": "#21a6ff", "textLink-activeForeground": "#21a6ff", "textPreformat-foreground": "#000000", "textPreformat-background": "#ffffff", "textBlockQuote-border": "#ffffff", "textSeparator-foreground": "#000000",
      "editorLineNumber-foreground": "#ffffff", "charts-green": "#89d185", "editorWarning-foreground": "#ffd370", "progressBar-background": "#6fc3df", "tree-indentGuidesStroke": "#a9a9a9",
      "quickInput-background": "#0c141f", "editorSuggestWidget-background": "#0c141f", "editorSuggestWidget-border": "#6fc3df", "keybindingLabel-border": "#6fc3df", "terminal-foreground": "#ffffff", "terminal-background": "#000000",
    },
  },
  contrastLight: {
    kind: "vscode-high-contrast vscode-high-contrast-light",
    vars: {
      ...fonts, ...ansi(ansiLight),
      foreground: "#292929", descriptionForeground: "#292929b3", errorForeground: "#b5200d", focusBorder: "#006bbd", "icon-foreground": "#292929",
      contrastBorder: "#0f4a85", contrastActiveBorder: "#006bbd", "sideBar-background": "#ffffff", "editor-background": "#ffffff", "editorWidget-background": "#ffffff", "panel-border": "#0f4a85",
      "button-background": "#0f4a85", "button-foreground": "#ffffff", "button-border": "#0f4a85", "button-secondaryBackground": "#ffffff", "button-secondaryForeground": "#292929", "button-hoverBackground": "#0f4a85", "button-secondaryHoverBackground": "#ffffff",
      "input-background": "#ffffff", "input-foreground": "#292929", "input-border": "#0f4a85", "input-placeholderForeground": "#292929b3", "dropdown-background": "#ffffff", "dropdown-foreground": "#292929",
      "list-hoverBackground": "#0f4a851a", "textLink-foreground": "#0f4a85", "textPreformat-foreground": "#ffffff", "textPreformat-background": "#09345f", "textCodeBlock-background": "#f2f2f2", "textBlockQuote-border": "#292929", "textSeparator-foreground": "#292929",
      "editorLineNumber-foreground": "#292929", "charts-green": "#374e06", "editorWarning-foreground": "#895503", "progressBar-background": "#0f4a85", "tree-indentGuidesStroke": "#5a5a5a",
      "quickInput-background": "#ffffff", "editorSuggestWidget-background": "#ffffff", "editorSuggestWidget-border": "#0f4a85", "keybindingLabel-border": "#0f4a85", "terminal-foreground": "#292929", "terminal-background": "#ffffff",
    },
  },
};
