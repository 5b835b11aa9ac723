import { describe, expect, test } from '@jest/globals';
import { deriveShortCode } from '#commands/merchant/register-merchant.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { importTerm, createMerchant, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { BODY_ENCODINGS, encodeBody } from '../support/encode-body.ts';

const CLIENTS = 24;
const REGISTRATION = '/api/v1/onboarding/providers/registration';
const CANCEL = '/api/v1/policies/cancel';
const REGISTER_MERCHANT = '/api/v1/admin/commands/RegisterMerchant';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

/** Sends all requests at the same time. */
async function sendConcurrently(send: (client: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => await send(client)));
}

/** Counts the events of a type that were written during a run. */
async function countEventsDuring(type: string, run: () => Promise<void>): Promise<number> {
  const count = async () => (await service.log()).filter((event) => event.type === type).length;
  const before = await count();
  await run();
  return (await count()) - before;
}

const provider = (name: string) => ({ name, support_email: 'help@p.example', support_phone: '1' });

async function createPolicy(number: string): Promise<string> {
  return (await importTerm(service, acme.live.environmentId, termRow(number))).policy_id;
}

describe('Concurrent requests with the same idempotency key', () => {
  test('create one provider, in all body encodings, and get the same response', async () => {
    const effects = await countEventsDuring('ProviderRegistered.v1', async () => {
      const responses = await sendConcurrently(async (client) => {
        const sent = await encodeBody(
          provider('One Insurer'),
          BODY_ENCODINGS[client % BODY_ENCODINGS.length] ?? 'json',
        );
        const headers = { ...sent.headers, 'Idempotency-Key': 'race-1' };
        return await service.send('POST', REGISTRATION, { key: acme.live.key, ...sent, headers });
      });
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(responses[0]?.status).toBe(201);
      expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    });
    expect(effects).toBe(1);
  });

  test('with different bodies: one succeeds and the others get 422', async () => {
    const effects = await countEventsDuring('ProviderRegistered.v1', async () => {
      const responses = await sendConcurrently(
        async (client) =>
          await service.send('POST', REGISTRATION, {
            key: acme.live.key,
            body: provider(`Insurer number ${client}`),
            headers: { 'Idempotency-Key': 'race-3' },
          }),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(responses.filter(({ json }) => json.code === 'idempotency_key_reused')).toHaveLength(CLIENTS - 1);
    });
    expect(effects).toBe(1);
  });
});

describe('Concurrent requests for the same resource', () => {
  test('one of several cancellations succeeds and the others find the policy cancelled', async () => {
    const policyId = await createPolicy('RACE-2');
    const effects = await countEventsDuring('PolicyCancelled.v1', async () => {
      const responses = await sendConcurrently(
        async (client) =>
          await service.send('POST', CANCEL, {
            key: acme.live.key,
            body: { policy_id: policyId, cancellation_reason: `reason ${client}` },
            headers: { 'Idempotency-Key': `cancel ${client}` },
          }),
      );
      const successes = responses.filter(({ status }) => status === 200);
      expect(successes).toHaveLength(1);
      expect(responses.filter(({ json }) => json.code === 'policy_already_cancelled')).toHaveLength(CLIENTS - 1);
      const current = await service.send('GET', `/api/v1/policies/${policyId}`, { key: acme.live.key });
      expect(current.json.cancellation_reason).toBe(successes[0]?.json.data.cancellation_reason);
    });
    expect(effects).toBe(1);
  });

  test('the result of a renewal and a cancellation follows from their order in the log', async () => {
    const policyId = await createPolicy('RACE-3');
    const responses = await sendConcurrently(
      async (client) =>
        await (client % 2 === 0
          ? service.send('POST', CANCEL, {
              key: acme.live.key,
              body: { policy_id: policyId, cancellation_reason: 'x' },
            })
          : service.send('POST', '/api/v1/policies/renew', {
              key: acme.live.key,
              body: { policy_id: policyId, preferred_policy_start_date: '2027-01-01', policy_duration: 30 },
            })),
    );
    const count = (wanted: string): number => responses.filter(({ json }) => (json.code ?? 'done') === wanted).length;
    const renewed = responses.filter(({ json }) => json.renewal_status === 'success').length;
    expect(renewed).toBeLessThanOrEqual(1);
    expect(count('done')).toBe(1 + renewed);
    expect(count('policy_already_cancelled')).toBe(CLIENTS / 2 - 1);
    expect(count('policy_not_renewable') + count('renewal_overlaps_current_term')).toBe(CLIENTS / 2 - renewed);
  });

  test('one of several purchases of a quote succeeds', async () => {
    const effects = await countEventsDuring('PolicyPurchased.v1', async () => {
      const responses = await sendConcurrently(
        async (client) =>
          await service.send('POST', '/api/v1/policies', {
            key: acme.live.key,
            body: { quote_code: acme.live.quoteCode },
            headers: { 'Idempotency-Key': `purchase ${client}` },
          }),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(responses.filter(({ json }) => json.code === 'quote_already_purchased')).toHaveLength(CLIENTS - 1);
    });
    expect(effects).toBe(1);
  });

  test('one of several providers with the same name, in any case, is registered', async () => {
    const effects = await countEventsDuring('ProviderRegistered.v1', async () => {
      const responses = await sendConcurrently(
        async (client) =>
          await service.send('POST', REGISTRATION, {
            key: acme.live.key,
            body: provider(client % 2 === 0 ? 'Same Insurer' : ' SAME insurer '),
          }),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(responses.filter(({ json }) => json.code === 'provider_already_registered')).toHaveLength(CLIENTS - 1);
    });
    expect(effects).toBe(1);
  });

  test('registrations that ask for the same short code get different ones', async () => {
    const keys = keysWithSameShortCode('Same Bank', 3);
    const wanted = candidateOf('Same Bank', keys[0] as string);
    const responses = await sendConcurrently(
      async (client) =>
        await service.send('POST', REGISTER_MERCHANT, {
          key: ADMIN_KEY,
          body: { name: 'Same Bank', business_email: 'office@bank.example' },
          headers: { 'Idempotency-Key': keys[client % keys.length] as string },
        }),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const codes = new Set(responses.map(({ json }) => json.result.short_code as string));
    expect(codes.size).toBe(keys.length);
    expect(codes).toContain(wanted);
    expect(new Set(responses.map(({ json }) => json.result.tenant_id)).size).toBe(keys.length);
  });
});

/** Returns the first short code that a registration under this idempotency key asks for. */
function candidateOf(name: string, key: string): string {
  return deriveShortCode(name, derivedId('idempotency-key', 'platform', '', 'POST', REGISTER_MERCHANT, key), 0);
}

/** Finds idempotency keys under which registrations ask for the same short code. */
function keysWithSameShortCode(name: string, count: number): readonly string[] {
  const byCode = new Map<string, string[]>();
  for (let index = 0; ; index++) {
    const key = `merchant ${index}`;
    const code = candidateOf(name, key);
    const found = [...(byCode.get(code) ?? []), key];
    if (found.length === count) return found;
    byCode.set(code, found);
  }
}
