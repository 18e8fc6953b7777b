import js from "@eslint/js";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["dist/", "node_modules/", "bin/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts"],
    extends: [...ts.configs.strictTypeChecked, ...ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: ["./tsconfig.json", "./src/webview/tsconfig.json"], tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/no-invalid-void-type": "off", // EventEmitter<void>
      "@typescript-eslint/switch-exhaustiveness-check": "off", // others are left to default on purpose
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off", // a Disposable is whatever has dispose
      "no-control-regex": "off", // words.ts is about them
    },
  },
  {
    files: ["**/*.cjs"],
    languageOptions: { sourceType: "commonjs", globals: { process: "readonly", console: "readonly", setTimeout: "readonly", TextEncoder: "readonly" } },
  },
  {
    files: ["src/**/*.test.ts"],
    rules: {
      "@typescript-eslint/no-floating-promises": "off", // test() of node:test
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly", setTimeout: "readonly", clearTimeout: "readonly", Buffer: "readonly", fetch: "readonly", document: "readonly", window: "readonly", performance: "readonly", MutationObserver: "readonly" } },
  },
);
