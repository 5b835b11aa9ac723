import { z } from 'zod';
import { signIn } from '#commands/person/sign-in.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import { accountOf } from '#projections/persons/persons.ts';
import { escapeHtml } from '#processes/mails/escape-html.ts';
import { type Account, type OpenIdConnect, SignInRefused } from '#service/security/openid-connect.ts';
import { SIGN_IN_MS } from '#service/security/sessions.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { htmlPage } from '../messages/html-page.ts';
import { basePathOf } from '../messages/links.ts';
import { PROBLEM_TYPES, Refusal } from '../messages/problem-types.ts';
import type { RouteResponse } from '../messages/response.ts';
import { findActingEnvironment } from '../session/acting-environment.ts';
import { clearCookie, cookieOf, setCookie } from '../session/cookies.ts';
import type { Call, PublicRoute, RouteContext } from '../../server/route.ts';
import { openedSession } from './session.ts';

const common = {
  method: 'GET',
  kind: 'public',
  roles: 'anyone',
  reference: { search: z.any(), response: z.string() },
} as const;

/** Signing in by OpenID Connect. Both ends lead to the console alone, so that no address leads elsewhere. */
export const signInRoutes: readonly PublicRoute[] = [
  {
    ...common,
    name: 'SignIn',
    summary: 'Leads to the issuer of OpenID Connect.',
    path: '/sign-in',
    handle: async (call, context) =>
      await answering(call, context, async (openIdConnect) => {
        const { url, pending } = await openIdConnect.begin();
        const value = context.sessions.hold([pending.state, pending.nonce, pending.verifier]);
        return redirectTo(url, setCookie('sign-in', { value, seconds: SIGN_IN_MS / 1_000 }, call.request, context));
      }),
  },
  {
    ...common,
    name: 'SignInCallback',
    summary: 'Receives the person from the issuer, and opens a session.',
    path: '/sign-in/callback',
    handle: async (call, context) =>
      await answering(call, context, async (openIdConnect) => {
        const [state, nonce, verifier] = context.sessions.heldIn(cookieOf('sign-in', call.request, context)) ?? [];
        if (state === undefined || nonce === undefined || verifier === undefined)
          throw new SignInRefused('not begun in this browser, or too long ago');
        const account = await openIdConnect.finish(call.search, { state, nonce, verifier });
        const personId = await personOf(account, call, context);
        const opened = await context.sessions.openForPerson(
          personId,
          async (merchantId) => await findActingEnvironment(merchantId, undefined, context),
        );
        return redirectTo(
          consoleUrl(context),
          openedSession(opened, call, context),
          clearCookie('sign-in', call.request, context),
        );
      }),
  },
];

/** Returns the id of the person of an account. @throws {Refusal} when there is none */
async function personOf(account: Account, { requestId }: Call, context: RouteContext): Promise<string> {
  const where = { account: accountOf(account) };
  const { documents } = await context.readModels.find('persons', { where, limit: 1, offset: 0 });
  const input = { ...account, ...(documents[0] && { candidate: documents[0].key }) };
  const { result } = await runSystemCommand(signIn, input, context.commandPorts, requestId);
  return String(result['person_id']);
}

/** Runs a step of signing in. What is not accepted is one page, which says whom to ask. */
async function answering(
  { requestId }: Call,
  context: RouteContext,
  step: (openIdConnect: Pick<OpenIdConnect, 'begin' | 'finish'>) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const { openIdConnect, log } = context;
  if (openIdConnect === undefined)
    throw new Refusal('route_not_found', 'This service has no issuer to sign in at: OIDC_ISSUER is not set');
  try {
    return await step(openIdConnect);
  } catch (error) {
    if (error instanceof StoreUnavailable || (error instanceof Refusal && PROBLEM_TYPES[error.code].status >= 500))
      throw error;
    if (error instanceof SignInRefused || error instanceof Refusal) {
      const reason = error instanceof SignInRefused ? error.reason : error.code;
      log.warn({ request_id: requestId, reason }, 'A sign-in was refused');
      return page(
        403,
        'You cannot sign in',
        'Surety has no person with your account, or the sign-in was not completed.',
        context,
      );
    }
    log.error({ request_id: requestId, err: error }, 'The issuer of OpenID Connect does not answer');
    return page(
      503,
      'Signing in does not work at the moment',
      'The service that knows your account does not answer.',
      context,
    );
  }
}

function page(status: number, title: string, text: string, context: RouteContext): RouteResponse {
  const { supportEmail, publicUrl } = context;
  const whom = supportEmail === undefined ? 'an administrator of Surety' : escapeHtml(supportEmail);
  const back = `<a href="${escapeHtml(basePathOf(publicUrl))}/console/">Back to the console</a>`;
  const body = `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)} Try again, or ask ${whom}.</p>\n<p>${back}</p>`;
  return htmlPage({ title, body, status }, context);
}

function consoleUrl({ publicUrl = '' }: RouteContext): string {
  return `${publicUrl}/console/`;
}

function redirectTo(url: string, ...cookies: string[]): RouteResponse {
  return { status: 302, headers: { Location: url, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' }, body: '' };
}
