import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Actor } from '#event-sourcing/event.ts';
import { PROBLEM_TYPES, Refusal } from '../messages/problem-types.ts';
import { escapeHtml } from '#processes/mails/escape-html.ts';
import type { HoldBytes } from '../bodies/body-memory.ts';
import { bodyTypeOf } from '../bodies/media-type.ts';
import { readBody } from '../bodies/read-body.ts';
import { waitForReadModels } from '../handlers/positions.ts';
import { optionalToken, tokenSearch, VERIFIED, verify } from '../handlers/verify.ts';
import type { RouteResponse } from '../messages/response.ts';
import { htmlPage, type Site } from '../messages/html-page.ts';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import type { Call, PublicRoute, RouteContext } from '../../server/route.ts';

/** The token is the credential, so the events have no key id. */
const LINK_ACTOR: Actor = { role: 'system', keyId: null, label: 'verification link' };

const common = { path: '/onboarding/verify/:short_code', kind: 'public', roles: 'anyone' } as const;

/**
 * Page of the link in a verification mail. Opening it changes nothing, because mail scanners open links: the button
 * sends a form.
 */
export const onboardingRoutes: readonly PublicRoute[] = [
  {
    ...common,
    name: 'VerificationPage',
    summary: 'Shows the page of the link in a verification mail.',
    method: 'GET',
    reference: {
      description: 'A page with one button. Opening it changes nothing, because mail scanners open links too.',
      example: { path: { short_code: 'ACM-20E3' } },
      search: tokenSearch,
      response: z.string(),
      mediaType: 'text/html',
    },
    handle: (call, context) => confirmationPage(parseQuery(optionalToken, call.search).token ?? '', context),
  },
  {
    ...common,
    name: 'VerifyOnPage',
    summary: 'Verifies the e-mail of a merchant by the form of that page.',
    method: 'POST',
    reference: {
      description:
        'Receives the form of the verification page with the token, which is the credential. The response is a page, also for an invalid token (400).',
      errors: ['body_too_large', 'unsupported_media_type'],
      pageErrors: ['invalid_verification_token'],
      example: { path: { short_code: 'ACM-20E3' } },
      search: noParameters,
      body: tokenSearch,
      isForm: true,
      response: z.string(),
      mediaType: 'text/html',
    },
    handle: async (call, context) => {
      parseQuery(noParameters, call.search);
      const { token } = await readSmallForm(call.request, context.bodyMemory.holderFor(call.response, undefined));
      return await confirm(call, token, context);
    },
  },
];

const MAX_FORM_BYTES = 16 * 1024;

/** Of a repeated field it returns the last value. */
async function readSmallForm(request: IncomingMessage, hold: HoldBytes): Promise<Readonly<Record<string, string>>> {
  if (bodyTypeOf(request.headers).kind !== 'form') {
    throw new Refusal('unsupported_media_type', 'The body must be a form: application/x-www-form-urlencoded');
  }
  const { type, bytes } = await readBody(request, { limit: MAX_FORM_BYTES, hold });
  const text = type.kind === 'form' ? Buffer.from(bytes).toString('utf8') : '';
  return Object.fromEntries(new URLSearchParams(text));
}

async function confirm(call: Call, token: string | undefined, context: RouteContext): Promise<RouteResponse> {
  try {
    const { position } = await verify(call, call.parameters['short_code'], token, LINK_ACTOR, context);
    await waitForReadModels(position, context);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_verification_token') return failedPage(error, context);
    throw error;
  }
  return resultPage('E-mail address verified', VERIFIED, 200, context);
}

/** Sends the form to the same path without the query string: `?` is an empty query string. */
function confirmationPage(token: string, site: Site): RouteResponse {
  const body = `<h1>Verify your e-mail address</h1>
<p>Press the button to confirm that this e-mail address is yours.</p>
<form method="post" action="?">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit">Verify e-mail address</button>
</form>`;
  return htmlPage({ title: 'Verify your e-mail address', body }, site);
}

function failedPage({ message, code }: Refusal, site: Site): RouteResponse {
  const advice = 'The link may be incomplete, too old, or replaced by a newer one. Ask support to send a new one.';
  return { ...resultPage(message, advice, PROBLEM_TYPES[code].status, site), log: { code } };
}

function resultPage(title: string, text: string, status: number, site: Site): RouteResponse {
  return htmlPage({ title, body: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`, status }, site);
}
