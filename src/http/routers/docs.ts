import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { openPage } from '../handlers/open-page.ts';
import { hashTag, matchesNoneOf } from '../messages/entity-tags.ts';
import { htmlPage, pageHeaders } from '../messages/html-page.ts';
import type { PublicRoute, RouteContext } from '../route.ts';
import { asHtml } from '../openapi/document.ts';
import { errorDocument } from '../openapi/error-document.ts';
import { eventDocument } from '../openapi/event-document.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { START_SCRIPT, UI_POLICY, uiPage } from '../openapi/ui-page.ts';

/** What is served as it is, until it changes: a client may keep it, and asks whether it is still so. */
interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The reference of every route, for people and for programs. It needs no key and no network. */
export const docsRoutes: readonly PublicRoute[] = [
  fixed('OpenApi', 'The description of this interface for programs.', '/openapi.json', (context) => ({
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(openApiDocument(context.routes, context)),
  })),
  // Works with and without the slash at its end, which decides where the files of the page are as seen from it.
  open(
    'Reference',
    'The reference as pages to read and to try.',
    '/docs',
    async ({ pathname }) =>
      await Promise.resolve({
        status: 200,
        headers: { ...pageHeaders('text/html; charset=utf-8', UI_POLICY), 'Cache-Control': 'no-cache' },
        body: uiPage(pathname),
      }),
  ),
  fixed('ErrorCodes', 'Every code that an error can have.', '/docs/errors', () => page(errorDocument())),
  fixed('Events', 'Every event that can stand in the log.', '/docs/events', () => page(eventDocument())),
  asset('swagger-ui.css', 'text/css; charset=utf-8'),
  asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  asset('favicon-32x32.png', 'image/png'),
  fixed('Asset', 'A file of the reference.', '/docs/start.js', () => ({
    headers: pageHeaders('text/javascript; charset=utf-8', UI_POLICY),
    body: START_SCRIPT,
  })),
];

function page(document: ReturnType<typeof errorDocument>): Content {
  const { headers, body = '' } = htmlPage({ title: `${document.title} · Surety`, body: asHtml(document) });
  return { headers, body };
}

/** A file of the package swagger-ui-dist, wherever it is installed. */
function asset(name: string, contentType: string): PublicRoute {
  return fixed('Asset', 'A file of the reference.', `/docs/${name}`, () => ({
    headers: pageHeaders(contentType, UI_POLICY),
    body: readFileSync(join(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')), name)),
  }));
}

/** A route whose content is made when it is first asked for, and kept as long as the server. */
function fixed(name: string, summary: string, path: string, make: (context: RouteContext) => Content): PublicRoute {
  const made = new WeakMap<RouteContext, Content & { readonly etag: string }>();
  return open(name, summary, path, async ({ request }, context) => {
    let content = made.get(context);
    if (content === undefined) {
      const { headers, body } = make(context);
      const etag = hashTag(body);
      content = { headers: { ...headers, 'Cache-Control': 'no-cache', ETag: etag }, body, etag };
      made.set(context, content);
    }
    const { headers, body, etag } = content;
    const known = request.headers['if-none-match'];
    const isKnown = known !== undefined && matchesNoneOf(known, etag);
    return await Promise.resolve(isKnown ? { status: 304, headers, body: undefined } : { status: 200, headers, body });
  });
}

function open(name: string, summary: string, path: string, show: PublicRoute['handle']): PublicRoute {
  const answer = path === '/openapi.json' ? z.looseObject({ openapi: z.string() }) : z.string();
  return openPage({ name, summary, path, answer }, show);
}
