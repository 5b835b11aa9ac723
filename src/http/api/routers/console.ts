import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedContent, type Content } from '../handlers/public-route.ts';
import { pageHeaders, scriptPolicy } from '../messages/html-page.ts';
import { Refusal } from '../messages/problem-types.ts';
import type { PublicRoute, RouteContext } from '../../server/route.ts';

/** Pictures of claims are blobs. */
const CONSOLE_POLICY = scriptPolicy('blob: data:');

const SCRIPT = 'text/javascript; charset=utf-8';

const page = consoleFile('index.html', 'text/html; charset=utf-8', '/console');

export const consoleRoutes: readonly PublicRoute[] = [
  {
    ...page,
    // The files of the page are relative to the folder, which a proxy may serve below a path.
    handle: async (call, context) =>
      call.pathname.endsWith('/')
        ? await page.handle(call, context)
        : { status: 308, headers: { Location: 'console/' }, body: '' },
  },
  consoleFile('console.js', SCRIPT),
  consoleFile('chunk.js', SCRIPT),
  consoleFile('late.js', SCRIPT),
  consoleFile('console.css', 'text/css; charset=utf-8'),
  consoleFile('noto-sans-400.woff2', 'font/woff2'),
  consoleFile('noto-sans-600.woff2', 'font/woff2'),
];

function consoleFile(name: string, contentType: string, path = `/console/${name}`): PublicRoute {
  const route = { name: 'Console', summary: 'Returns a file of the web console.', path, isCompressed: true };
  return cachedContent(route, (context) => contentOf(name, contentType, context));
}

/** @throws {Refusal} `route_not_found` where the console was not built */
function contentOf(name: string, contentType: string, { consoleFolder, openIdConnect }: RouteContext): Content {
  if (consoleFolder === undefined) throw new Refusal('route_not_found', 'This service has no console');
  const file = readFileSync(join(consoleFolder, name));
  // The page offers to sign in at the issuer, where there is one.
  const isOffered = name === 'index.html' && openIdConnect !== undefined;
  const body = isOffered ? file.toString().replace('content="key"', 'content="openid"') : file;
  return { headers: pageHeaders(contentType, CONSOLE_POLICY), body };
}
