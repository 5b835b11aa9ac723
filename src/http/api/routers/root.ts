import { z } from 'zod';
import { escapeHtml } from '#processes/mails/escape-html.ts';
import { publicRoute } from '../handlers/public-route.ts';
import { htmlPage } from '../messages/html-page.ts';
import { basePathOf } from '../messages/links.ts';
import type { PublicRoute, RouteContext } from '../../server/route.ts';

const LINKS: readonly (readonly [path: string, name: string, text: string])[] = [
  [
    '/console/',
    'Console',
    'Finds policies, claims, customers and merchants, and shows them as of any day. Needs an API key.',
  ],
  ['/docs/', 'API reference', 'Every operation with its fields and errors; the page can send requests.'],
  [
    '/docs/guides/',
    'Guides',
    'The API on one page, a tutorial with curl, the rules of the insurance, and how to run Surety.',
  ],
  ['/docs/public-events/', 'Public events', 'What the feed and the Kafka topics contain.'],
  ['/docs/errors', 'Error codes', 'What each code means, and what to do.'],
  [
    '/docs/#/Events/ListEvents',
    'Feed',
    'GET /api/v1/events/: what happened, in the order of the log, for the key of the caller.',
  ],
  ['/openapi.json', 'OpenAPI document', 'From which clients are generated.'],
  ['/asyncapi.json', 'AsyncAPI document', 'The feed and the topics, with their schemas.'],
];

export const rootRoutes: readonly PublicRoute[] = [
  publicRoute(
    {
      name: 'Root',
      summary: 'Says what Surety is, or redirects to the API reference.',
      path: '/',
      reference: { response: z.string() },
    },
    ({ request }, context) => {
      const base = basePathOf(context.publicUrl);
      if (request.accepts(['application/json', 'text/html']) !== 'text/html') {
        return { status: 302, headers: { Location: `${base}/docs/`, Vary: 'Accept' }, body: '' };
      }
      const page = htmlPage({ title: 'Surety', body: startPage(base, context) }, context);
      return { ...page, headers: { ...page.headers, Vary: 'Accept' } };
    },
  ),
];

function startPage(base: string, { version, consoleFolder }: RouteContext): string {
  const links = LINKS.filter(([path]) => path !== '/console/' || consoleFolder !== undefined).map(
    ([path, name, text]) =>
      `<dt><a href="${escapeHtml(base + path)}">${escapeHtml(name)}</a></dt><dd>${escapeHtml(text)}</dd>`,
  );
  return `<h1>Surety</h1>
<p>Surety is an insurance service. It quotes, sells, renews, changes and cancels policies, and handles claims. Merchants, such as banks and
insurtechs, call its JSON API; their customers are insured; insurers carry the risk; the platform that runs Surety works in the console and by
commands.</p>
<p>Every change is an event in an append-only log, so Surety shows any day as it was, and as it was known at any instant.</p>
<dl>${links.join('')}</dl>
<p class="quiet">Version ${escapeHtml(version)}</p>`;
}
