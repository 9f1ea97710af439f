export type PageParts = {
  readonly nonce: string;
  /** Source of what the page may load, as VS Code names it. */
  readonly cspSource: string;
  readonly script: string;
  readonly styles: readonly string[];
};

/**
 * The page of the chat. Nothing may be loaded but our own script, styles and font; no text becomes HTML (Trusted Types
 * without any policy); images are `data:` only, since an address in an agent's text would carry data out.
 */
export function chatPage({ nonce, cspSource, script, styles }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const links = styles.map((href) => `<link rel="stylesheet" href="${attribute(href)}">`).join('\n');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ACP chat</title>
${links}
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${attribute(script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
