import { z } from 'zod';
import { invalidToken, verifyMerchant } from '../../../commands/merchant/verify-merchant.ts';
import { executeCommand } from '../../../commands/execution/execute-command.ts';
import type { CommandOutcome } from '../../../commands/execution/request.ts';
import type { Actor } from '../../domain/event.ts';
import { parseInput } from '../../domain/input.ts';
import { Refusal } from '../../domain/refusals.ts';
import { escapeHtml } from '../../html/escape.ts';
import { readSmallForm } from '../bodies/small-form.ts';
import { outcomeAnswer } from '../handlers/carry-out.ts';
import { reached } from '../handlers/positions.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { traceparentOf } from '../messages/headers.ts';
import { htmlPage } from '../messages/html-page.ts';
import { parseSearch } from '../messages/query-string.ts';
import type { Answer } from '../messages/answer.ts';
import type { Call, KeyedRoute, OpenRoute, Route } from '../route.ts';

/** What a verified merchant is told (specification, Endpoints: verify). */
const VERIFIED =
  'Your e-mail address is verified. Onboarding instructions have been e-mailed to you. If they do not arrive, check your ' +
  'spam folder, then contact support with the code ONBOARDING_MSG_NOT_RECEIVED.';

const PAGE_PATH = '/onboarding/verify/:short_code';

const search = z.strictObject({
  token: z.string().meta({ description: 'The verification token, from the link in the mail' }),
});
/** A missing token is refused like a wrong one, not as a missing parameter. */
const readSearch = search.partial();
const noParameters = z.strictObject({});

/** Verification of a merchant's e-mail, by the API and by the page that the mailed link leads to (`decisions`: Merchants). */
export function verificationRoutes(dependencies: HttpDependencies): readonly Route[] {
  return [apiRoute(dependencies), ...pageRoutes(dependencies)];
}

function apiRoute(dependencies: HttpDependencies): KeyedRoute {
  return {
    name: verifyMerchant.name,
    summary: verifyMerchant.summary,
    method: 'GET',
    path: '/api/v1/merchants/:merchant_id/verify',
    kind: 'command',
    roles: ['merchant', 'admin'],
    otherRoles: 'forbidden',
    reference: { search, body: undefined, answer: z.strictObject({ message: z.string() }), status: 200, paged: false },
    handle: async (call) => {
      const { token } = parseInput(readSearch, parseSearch(call.search));
      const outcome = await verify(call, call.parameters['merchant_id'], token, call.caller.actor, dependencies);
      return await outcomeAnswer(outcome, { message: VERIFIED }, dependencies);
    },
  };
}

/** @throws {Refusal} `invalid_verification_token`, whatever is wrong with code or token */
async function verify(
  call: Call,
  shortCode: string | undefined,
  token: string | undefined,
  actor: Actor,
  { commandPorts }: HttpDependencies,
): Promise<CommandOutcome> {
  const parsed = verifyMerchant.input.safeParse({ short_code: shortCode, token: token ?? '' });
  if (!parsed.success) throw invalidToken();
  const request = {
    input: parsed.data,
    actor,
    environment: undefined,
    idempotency: undefined,
    ifMatch: undefined,
    requestId: call.requestId,
    traceparent: traceparentOf(call.request.headers),
  };
  return await executeCommand(verifyMerchant, request, commandPorts);
}

/** The token is the credential, so nobody's key stands in the events of a click. */
const BY_LINK: Actor = { role: 'system', keyId: null };

/** Mail scanners open links: what a link opens changes nothing, and a person presses the button. */
function pageRoutes(dependencies: HttpDependencies): readonly OpenRoute[] {
  const facts = { path: PAGE_PATH, kind: 'page', roles: 'anyone' } as const;
  return [
    {
      ...facts,
      name: 'VerificationPage',
      summary: 'The page that the link in a verification mail leads to.',
      method: 'GET',
      reference: { search, body: undefined, answer: z.string(), status: 200, paged: false },
      handle: async (call) =>
        await Promise.resolve(askPage(parseInput(readSearch, parseSearch(call.search)).token ?? '')),
    },
    {
      ...facts,
      name: 'VerifyOnPage',
      summary: 'Verifies the e-mail of a merchant when the button of that page is pressed.',
      method: 'POST',
      reference: { search, body: search, answer: z.string(), status: 200, paged: false },
      handle: async (call) => {
        parseInput(noParameters, parseSearch(call.search));
        const { token } = await readSmallForm(call.request);
        return await pressed(call, token, dependencies);
      },
    },
  ];
}

async function pressed(call: Call, token: string | undefined, dependencies: HttpDependencies): Promise<Answer> {
  try {
    const { position } = await verify(call, call.parameters['short_code'], token, BY_LINK, dependencies);
    await reached(position, dependencies);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_verification_token') return failedPage(error);
    throw error;
  }
  return resultPage('E-mail address verified', VERIFIED, 200);
}

/** The form goes back to the same path, without the query string: `?` alone is an empty one. */
function askPage(token: string): Answer {
  const body = `<h1>Verify your e-mail address</h1>
<p>Press the button to confirm that this e-mail address is yours.</p>
<form method="post" action="?">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit">Verify e-mail address</button>
</form>`;
  return htmlPage({ title: 'Verify your e-mail address', body });
}

function failedPage({ message, status, code }: Refusal): Answer {
  const advice = 'The link may be incomplete, too old, or replaced by a newer one. Ask support to send a new one.';
  return { ...resultPage(message, advice, status), log: { code } };
}

function resultPage(title: string, text: string, status: number): Answer {
  return htmlPage({ title, body: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`, status });
}
