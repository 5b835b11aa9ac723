import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { jsonSchemaOf } from '#public-events/definition.ts';
import { PUBLIC_EVENTS, schemaAddress } from '#public-events/translate.ts';
import { asyncApiDocument } from '../../reference/asyncapi/asyncapi.ts';
import { publicEventsPage } from '../../reference/asyncapi/public-events-page.ts';
import { cachedContent, type Content, publicRoute } from '../handlers/public-route.ts';
import { headerStyle, htmlPage, pageHeader, pageHeaders, scriptPolicy, type Site } from '../messages/html-page.ts';
import { asHtml, errorDocument, eventDocument } from '../../reference/openapi/documents.ts';
import { openApiDocument } from '../../reference/openapi/openapi.ts';
import type { Json } from '../../reference/openapi/page.ts';
import { type PublicRoute, routesOf } from '../../server/route.ts';

/** Its styles have images. */
const UI_POLICY = scriptPolicy('data:');

/** Makes the page of the API reference, with relative paths that depend on the trailing slash of its path. */
function uiPage(pathname: string, site: Site): string {
  const [files, document] = pathname.endsWith('/') ? ['', '../openapi.json'] : ['docs/', 'openapi.json'];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Surety API reference</title>
<link rel="icon" type="image/png" href="${files}favicon-32x32.png">
<link rel="stylesheet" href="${files}swagger-ui.css">
<link rel="stylesheet" href="${files}reference.css">
</head>
<body>
${pageHeader(site)}
<div id="reference" data-document="${document}"></div>
<script src="${files}swagger-ui-bundle.js"></script>
<script src="${files}start.js"></script>
</body>
</html>
`;
}

/** Styles of the API reference beside those of the package: the header, and no space around the operations. */
const REFERENCE_STYLE = `${headerStyle('../console/')}
html.dark-mode body { background: #1c2022; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag { font-family: "Noto Sans", system-ui, sans-serif; }
.swagger-ui .info { margin: 1rem 0; }
.swagger-ui .scheme-container { padding: 0.75rem 0; }
`;

/**
 * Script of the API reference. It uses no external validator, stores no API key, and follows the colours of the system.
 */
const START_SCRIPT = `const dark = window.matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
setColours();
dark.addEventListener('change', setColours);
const place = document.getElementById('reference');
window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const HTML = { response: z.string(), mediaType: 'text/html' };

export const docsRoutes = routesOf<PublicRoute>('Service', [
  cachedContent(
    {
      name: 'OpenApi',
      summary: 'Returns the OpenAPI document.',
      path: '/openapi.json',
      reference: {
        description: 'OpenAPI 3.1, generated from the schemas that validate requests and responses.',
        response: z.looseObject({ openapi: z.string() }),
      },
    },
    (context) => jsonDocument(openApiDocument(context.routes, context)),
  ),
  cachedContent(
    {
      name: 'AsyncApi',
      summary: 'Returns the AsyncAPI document.',
      path: '/asyncapi.json',
      reference: {
        description:
          'AsyncAPI 3.0 of the public events, generated from the definitions that make them: the feed, the Kafka topics, and every message with its schema.',
        response: z.looseObject({ asyncapi: z.string() }),
      },
    },
    (context) => jsonDocument(asyncApiDocument(context)),
  ),
  // The page works with and without a trailing slash, which changes the relative paths of its files.
  publicRoute(
    {
      name: 'Reference',
      summary: 'Shows the API reference.',
      path: '/docs/',
      reference: { ...HTML, description: 'This API reference as an interactive page.' },
    },
    ({ pathname }, context) => ({
      status: 200,
      headers: { ...pageHeaders('text/html; charset=utf-8', UI_POLICY), 'Cache-Control': 'no-cache' },
      body: uiPage(pathname, context),
    }),
  ),
  cachedContent(
    {
      name: 'ErrorCodes',
      summary: 'Lists all error codes.',
      path: '/docs/errors',
      reference: { ...HTML, description: 'Explains every error code: its meaning, and what to do about it.' },
    },
    (context) => documentPage(errorDocument(context.routes), context),
  ),
  cachedContent(
    {
      name: 'Events',
      summary: 'Lists all stored events.',
      path: '/docs/events',
      reference: { ...HTML, description: 'Lists all events of the log with their fields and types.' },
    },
    (context) => documentPage(eventDocument(), context),
  ),
  cachedContent(
    {
      name: 'PublicEvents',
      summary: 'Lists all types of public events.',
      path: '/docs/public-events/',
      reference: {
        ...HTML,
        description:
          'Lists all types of public events with their fields, an example, the topic, and the JSON Schema of the data, which `dataschema` of every event names.',
      },
    },
    (context) => page('Public events', publicEventsPage(context.translator.origin), context),
  ),
  ...PUBLIC_EVENTS.map((event) =>
    docsFile('Returns the schema of a public event.', schemaAddress('', event.type), () => ({
      headers: { 'Content-Type': 'application/schema+json; charset=utf-8' },
      body: `${JSON.stringify(jsonSchemaOf(event), null, 2)}\n`,
    })),
  ),
  asset('swagger-ui.css', 'text/css; charset=utf-8'),
  asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  asset('favicon-32x32.png', 'image/png'),
  docsFile('Returns a file of the API reference.', '/docs/start.js', () => ({
    headers: pageHeaders('text/javascript; charset=utf-8', UI_POLICY),
    body: START_SCRIPT,
  })),
  docsFile('Returns a file of the API reference.', '/docs/reference.css', () => ({
    headers: pageHeaders('text/css; charset=utf-8', UI_POLICY),
    body: REFERENCE_STYLE,
  })),
]);

function documentPage(document: ReturnType<typeof errorDocument>, site: Site): Content {
  return page(document.title, asHtml(document), site);
}

function page(title: string, content: string, site: Site): Content {
  return htmlPage({ title: `${title} · Surety`, body: content }, site);
}

function asset(name: string, contentType: string): PublicRoute {
  return docsFile('Returns a file of the API reference.', `/docs/${name}`, () => ({
    headers: pageHeaders(contentType, UI_POLICY),
    body: readFileSync(join(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')), name)),
  }));
}

function docsFile(summary: string, path: string, make: () => Content): PublicRoute {
  return cachedContent({ name: 'Asset', summary, path }, make);
}

function jsonDocument(document: Json): Content {
  return { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(document) };
}
