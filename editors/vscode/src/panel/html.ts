/**
 * The page's HTML: two files of ours and nothing else. The policy names a nonce for the one script, allows no other origin, no markup
 * from strings (Trusted Types), no forms, no frames and no connections; pictures only as data.
 */
import { randomBytes } from "node:crypto";

export interface Parts {
  script: string;
  style: string;
  /** The webview's own origin, for the style sheet. */
  source: string;
}

export function pageHtml({ script, style, source }: Parts, nonce = randomBytes(18).toString("base64url")): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Copilot Bridge</title>
</head>
<body>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
