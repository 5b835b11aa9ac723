import { z } from 'zod';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { bodyRulesOf } from '../bodies/command-body.ts';
import type { OpenedSession } from '#service/security/sessions.ts';
import { ifMatchOf } from '../handlers/run-command.ts';
import type { RouteResponse } from '../messages/response.ts';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import { findActingEnvironment } from '../session/acting-environment.ts';
import { clearCookie, setCookie } from '../session/cookies.ts';
import { type Call, type PublicRoute, type RouteContext, routesOf } from '../../server/route.ts';

const openInput = z
  .strictObject({
    api_key: z.string().optional(),
    ticket: z.string().optional().meta({ description: 'Of `surety sign-in` or `IssueTicket`: works once' }),
  })
  .superRefine(({ api_key, ticket }, issues) => {
    if ((api_key === undefined) !== (ticket === undefined)) return;
    const message = 'give either api_key or ticket';
    for (const field of ['api_key', 'ticket']) issues.addIssue({ code: 'custom', path: [field], message });
  });

const common = {
  path: '/api/v1/session/',
  // It changes nothing that an idempotency key would protect.
  kind: 'query',
  roles: 'anyone',
  isSameOrigin: true,
} as const;

const RULES =
  'Only a page of this service may send it: `Sec-Fetch-Site: same-origin` (without it, `Origin` of this service) and `X-Surety-Console: 1`.';

export const sessionRoutes = routesOf<PublicRoute>('Service', [
  {
    ...common,
    name: 'OpenSession',
    summary: 'Signs in with a key or a ticket: sets the cookie of a session.',
    method: 'POST',
    body: () => bodyRulesOf(inputSchemaOf(openInput)),
    reference: {
      description: `Sets a cookie that later requests of the page send in place of the key, for 10 hours or as long as the key is valid. Key and person are checked at every request. The session of a person of a merchant that was opened by a ticket works in all environments of the merchant: \`Surety-Environment\` names one, else it is the first live one. A request with the cookie that is no \`GET\` or \`HEAD\` needs the headers that this operation needs; \`X-API-Key\`, also a wrong one, wins over the cookie. ${RULES}`,
      errors: [
        'api_key_missing',
        'api_key_invalid',
        'api_key_expired',
        'ticket_invalid',
        'environment_not_found',
        'read_models_building',
        'cross_site',
        'malformed_body',
        'body_too_large',
        'unsupported_media_type',
        'busy',
        'internal_error',
        'unavailable',
      ],
      example: { body: { api_key: 'sk_live_…' } },
      search: noParameters,
      body: openInput,
      response: z.undefined(),
      status: 204,
    },
    handle: open,
  },
  {
    ...common,
    name: 'EndSession',
    summary: 'Signs out: clears the cookie of the session.',
    method: 'DELETE',
    reference: {
      description: `Clears the cookie, whatever it was. ${RULES}`,
      errors: ['cross_site'],
      search: noParameters,
      response: z.undefined(),
      status: 204,
    },
    handle: ({ request, search }, context) => {
      parseQuery(noParameters, search);
      ifMatchOf({}, request.headers);
      return withCookie(clearCookie('session', request, context));
    },
  },
]);

async function open(call: Call, context: RouteContext): Promise<RouteResponse> {
  const { request, body, search } = call;
  parseQuery(noParameters, search);
  ifMatchOf({}, request.headers);
  const { sessions } = context;
  const { api_key: key = '', ticket } = parseInput(openInput, body);
  const findEnvironment = async (merchantId: string) => await findActingEnvironment(merchantId, undefined, context);
  const opened = ticket === undefined ? await sessions.open(key) : await sessions.redeem(ticket, findEnvironment);
  return withCookie(openedSession(opened, call, context));
}

/** Logs a session that was opened, and returns its cookie. */
export function openedSession(
  { caller, value, expiresAt }: OpenedSession,
  { request, requestId }: Pick<Call, 'request' | 'requestId'>,
  context: RouteContext,
): string {
  const seconds = Math.ceil((Date.parse(expiresAt) - Date.parse(context.commandPorts.now())) / 1_000);
  const { actor, person } = caller;
  const who = { key_id: actor.keyId ?? undefined, person_id: person?.person_id };
  context.log.info({ request_id: requestId, ...who }, 'A session was opened');
  return setCookie('session', { value, seconds }, request, context);
}

function withCookie(cookie: string): RouteResponse {
  return { status: 204, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }, body: undefined };
}
