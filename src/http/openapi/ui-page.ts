/** What the page of the reference may do: load its own files, ask this service, and show images that stand in its styles. */
export const UI_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that shows the reference, as seen from its path with or without the slash at its end. */
export function uiPage(pathname: string): string {
  const [files, document] = pathname.endsWith('/') ? ['', '../openapi.json'] : ['docs/', 'openapi.json'];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Surety API reference</title>
<link rel="icon" type="image/png" href="${files}favicon-32x32.png">
<link rel="stylesheet" href="${files}swagger-ui.css">
</head>
<body>
<div id="reference" data-document="${document}"></div>
<script src="${files}swagger-ui-bundle.js"></script>
<script src="${files}start.js"></script>
</body>
</html>
`;
}

/** Shows the document. No validator is asked, and no key is kept when the page is closed. */
export const START_SCRIPT = `const place = document.getElementById('reference');
window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  persistAuthorization: false,
  validatorUrl: null,
});
`;
