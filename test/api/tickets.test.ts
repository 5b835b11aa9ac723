import { afterEach, describe, expect, test } from '@jest/globals';
import { verificationTokens } from '#service/security/verification-token.ts';
import { ADMIN_KEY, type ApiRequest, type ApiResponse, SECRET } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { startSuiteService } from '../support/suite-service.ts';

const START = '2026-03-10T09:30:00.000Z';
const PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Surety-Console': '1' };

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');
afterEach(() => {
  service.clock.now = START;
});

const add = async (name: string, input: object): Promise<string> =>
  String((await service.admin('AddPerson', { name, email: `${name}@surety.example`, ...input })).person_id);
const issueTicket = async (person_id: string): Promise<string> =>
  String((await service.admin('IssueTicket', { person_id })).ticket);
const redeem = async (ticket: string): Promise<ApiResponse> =>
  await service.send('POST', '/api/v1/session/', { body: { ticket }, headers: PAGE });
const cookieIn = ({ headers }: ApiResponse): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const outcomeOf = async (ticket: string): Promise<unknown> => {
  const response = await redeem(ticket);
  return response.json?.code ?? (cookieIn(response) === '' ? 'no cookie' : response.status);
};
const signIn = async (person_id: string): Promise<string> => cookieIn(await redeem(await issueTicket(person_id)));
const get = async (path: string, Cookie: string, headers: ApiRequest['headers'] = {}): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { headers: { Cookie, ...headers } });

describe('A person who signed in with a ticket', () => {
  test('acts under the own name, without a key', async () => {
    const person_id = await add('Ada', { role: 'claims' });
    const Cookie = await signIn(person_id);
    const me = await get('me', Cookie);
    expectDocumentedBody(me, getRoute(service, 'GET', '/api/v1/me'));
    expect(me.json).toMatchObject({
      role: 'claims',
      key_id: null,
      label: null,
      person: { person_id, name: 'Ada' },
      expires_at: '2026-03-10T19:30:00.000Z',
      environments: [],
    });
    const { claimId } = acme.live;
    const body = { claim_id: claimId };
    const request = { body, headers: { Cookie, ...PAGE } };
    expect((await service.send('POST', '/api/v1/admin/commands/ReviewClaim', request)).status).toBe(200);
    const history = await get(`claims/${claimId}/history/`, Cookie);
    expect(history.json.results.at(-1).actor).toEqual({ role: 'claims', key_id: null, person_id, label: 'Ada' });
  });

  test('works in all environments of the merchant, the first live one unless the request names one', async () => {
    const Cookie = await signIn(await add('Bola', { role: 'merchant', short_code: acme.shortCode }));
    const { json } = await get('me', Cookie);
    const live = { id: acme.live.environmentId, name: 'Production', test_mode: false, time_zone: 'UTC' };
    const test = { id: acme.test.environmentId, name: 'Sandbox', test_mode: true, time_zone: 'UTC' };
    expect([json.environment, json.environments]).toEqual([live, [live, test]]);
    const policyIn = async ({ policyId }: { readonly policyId: string }, asked?: string | number) => {
      const headers = asked === undefined ? {} : { 'Surety-Environment': String(asked) };
      return (await get(`policies/${policyId}`, Cookie, headers)).json.code ?? 'found';
    };
    expect([await policyIn(acme.live), await policyIn(acme.test)]).toEqual(['found', 'policy_not_found']);
    expect([await policyIn(acme.live, test.id), await policyIn(acme.test, test.id)]).toEqual([
      'policy_not_found',
      'found',
    ]);
    for (const asked of [beta.live.environmentId, 987_654, `${live.id}, ${test.id}`, '', '__proto__'])
      expect([asked, await policyIn(acme.live, asked)]).toEqual([asked, 'environment_not_found']);
  });
});

describe('A ticket', () => {
  const personId = add('Efe', { role: 'auditor' });

  test('signs in once, even if it is sent twice at a time', async () => {
    const ticket = await issueTicket(await personId);
    const outcomes = await Promise.all([ticket, ticket, ticket].map(outcomeOf));
    expect(outcomes.map(String).sort()).toEqual(['204', 'ticket_invalid', 'ticket_invalid']);
    expect(await outcomeOf(ticket)).toBe('ticket_invalid');
  });

  test('signs in within an hour, and not earlier than it was issued', async () => {
    const tickets = [await issueTicket(await personId), await issueTicket(await personId)] as const;
    service.clock.now = '2026-03-10T10:30:00.000Z';
    const late = await outcomeOf(tickets[0]);
    service.clock.now = '2026-03-10T09:28:59.999Z';
    const early = await outcomeOf(tickets[0]);
    service.clock.now = '2026-03-10T10:29:59.999Z';
    expect([late, early, await outcomeOf(tickets[0])]).toEqual(['ticket_invalid', 'ticket_invalid', 204]);
  });

  test('is not that of somebody else, altered, a session, a token of a mail or a key', async () => {
    const other = await add('Other', { role: 'admin' });
    const ticket = await issueTicket(await personId);
    const session = (await signIn(await personId)).split('=')[1] ?? '';
    for (const wrong of [
      '',
      ticket.replace(await personId, other),
      ticket.slice(0, -1),
      session,
      verificationTokens(SECRET)(acme.tenantId, 1),
      ADMIN_KEY,
    ])
      expect([wrong, await outcomeOf(wrong)]).toEqual([wrong, 'ticket_invalid']);
    const [name] = cookieIn(await redeem(ticket)).split('=');
    expect((await get('me', `${name}=${ticket}`)).json.code).toBe('session_ended');
    expect(service.logged.join('\n')).not.toContain(ticket.slice(-43));
  });

  test('ends with the sessions of the person, and with the person', async () => {
    const person_id = await add('Uche', { role: 'auditor' });
    const ended = await issueTicket(person_id);
    await service.admin('EndSessions', { person_id });
    expect(await outcomeOf(ended)).toBe('ticket_invalid');
    const [ticket, session] = [await issueTicket(person_id), await signIn(person_id)];
    await service.admin('RemovePerson', { person_id, reason: 'Left' });
    expect([await outcomeOf(ticket), (await get('me', session)).json.code]).toEqual([
      'ticket_invalid',
      'session_ended',
    ]);
  });

  test('is issued by id or e-mail address, for persons who were not removed, and the log says by whom', async () => {
    const person_id = await add('Ngozi', { role: 'auditor' });
    const issue = async (body: object) => {
      const path = '/api/v1/admin/commands/IssueTicket';
      const headers = { 'Idempotency-Key': JSON.stringify(body).replaceAll('"', '') };
      const send = async () => (await service.send('POST', path, { key: ADMIN_KEY, body, headers })).json;
      return [await send(), await send()];
    };
    const [issued, repeated] = await issue({ email: 'NGOZI@surety.example' });
    expect(issued.result).toEqual({ person_id, ticket: expect.stringContaining(person_id) });
    expect(repeated.result).toEqual({ person_id, ticket: null });
    const event = (await service.log()).findLast(({ type }) => type === 'PersonTicketIssued.v1');
    expect(event).toMatchObject({ stream: `person-${person_id}`, metadata: { actor: { role: 'admin' } } });
    expect(JSON.stringify(event?.data)).not.toContain('Ngozi');
    for (const body of [{}, { person_id, email: 'ngozi@surety.example' }])
      expect((await issue(body))[0].code).toBe('invalid_request');
    await service.admin('RemovePerson', { person_id, reason: 'Left' });
    expect((await issue({ person_id }))[0].code).toBe('person_removed');
    for (const email of ['ngozi@surety.example', 'nobody@surety.example'])
      expect((await issue({ email }))[0].code).toBe('person_not_found');
  });
});
