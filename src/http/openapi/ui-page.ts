/** Content-Security-Policy of the API reference: own files, requests to this service, and images in its styles. */
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

/** Makes the page of the API reference, with relative paths that depend on the trailing slash of its path. */
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

/** Script of the API reference. It uses no external validator and stores no API key. */
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
