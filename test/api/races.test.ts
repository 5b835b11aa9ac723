import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { shortCodeCandidate } from '../../commands/merchant/register-merchant.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import { importTerm, makeMerchant, type MerchantScene, termRow } from '../support/api-scene.ts';
import { ADMIN_KEY, type ApiAnswer, type ApiService, startApiService } from '../support/api-service.ts';
import { BODY_KINDS, written } from '../support/forms.ts';

const CLIENTS = 24;
const REGISTRATION = '/api/v1/onboarding/providers/registration';
const CANCEL = '/api/v1/policies/cancel';
const REGISTER_MERCHANT = '/api/v1/admin/commands/RegisterMerchant';

let service: ApiService;
let acme: MerchantScene;

beforeAll(async () => {
  service = await startApiService();
  acme = await makeMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

/** The same moment for all of them. */
async function atOnce(send: (client: number) => Promise<ApiAnswer>): Promise<ApiAnswer[]> {
  return await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => await send(client)));
}

/** How many events of a type were written while it ran. */
async function eventsWhile(type: string, run: () => Promise<void>): Promise<number> {
  const count = async () => (await service.log()).filter((event) => event.type === type).length;
  const before = await count();
  await run();
  return (await count()) - before;
}

const provider = (name: string) => ({ name, support_email: 'help@p.example', support_phone: '1' });

async function newPolicy(number: string): Promise<string> {
  return (await importTerm(service, acme.live.environmentId, termRow(number))).policy_id;
}

describe('the same idempotency key from many clients at once', () => {
  test('given a new provider, in all types of body, then there is one, and all get one answer', async () => {
    const effects = await eventsWhile('ProviderRegistered.v1', async () => {
      const answers = await atOnce(async (client) => {
        const sent = await written(provider('One Insurer'), BODY_KINDS[client % BODY_KINDS.length] ?? 'json');
        const headers = { ...sent.headers, 'Idempotency-Key': 'race-1' };
        return await service.send('POST', REGISTRATION, { key: acme.live.key, ...sent, headers });
      });
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(201);
      expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    });
    expect(effects).toBe(1);
  });

  test('given a renewal, then there is one new term, and all get one answer', async () => {
    const policyId = await newPolicy('RACE-1');
    const effects = await eventsWhile('PolicyRenewed.v1', async () => {
      const answers = await atOnce(
        async () =>
          await service.send('POST', '/api/v1/policies/renew', {
            key: acme.live.key,
            body: { policy_id: policyId, preferred_policy_start_date: '2027-01-01', policy_duration: 30 },
            headers: { 'Idempotency-Key': 'race-2' },
          }),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
    });
    expect(effects).toBe(1);
  });

  test('given different bodies, then one of them wins and the rest is told 422', async () => {
    const effects = await eventsWhile('ProviderRegistered.v1', async () => {
      const answers = await atOnce(
        async (client) =>
          await service.send('POST', REGISTRATION, {
            key: acme.live.key,
            body: provider(`Insurer number ${client}`),
            headers: { 'Idempotency-Key': 'race-3' },
          }),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ json }) => json.code === 'idempotency_key_reused')).toHaveLength(CLIENTS - 1);
    });
    expect(effects).toBe(1);
  });
});

describe('different requests for the same thing at once', () => {
  test('given different cancellations of a policy, then one wins and the rest finds it cancelled', async () => {
    const policyId = await newPolicy('RACE-2');
    const effects = await eventsWhile('PolicyCancelled.v1', async () => {
      const answers = await atOnce(
        async (client) =>
          await service.send('POST', CANCEL, {
            key: acme.live.key,
            body: { policy_id: policyId, cancellation_reason: `reason ${client}` },
            headers: { 'Idempotency-Key': `cancel ${client}` },
          }),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ json }) => json.code === 'policy_already_cancelled')).toHaveLength(CLIENTS - 1);
      const shown = await service.send('GET', `/api/v1/policies/${policyId}`, { key: acme.live.key });
      expect(shown.json.cancellation_reason).toBe(won[0]?.json.data.cancellation_reason);
    });
    expect(effects).toBe(1);
  });

  test('given a renewal and a cancellation, then what is shown follows from the order in which they were taken', async () => {
    const policyId = await newPolicy('RACE-3');
    const answers = await atOnce(
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
    const count = (wanted: string): number => answers.filter(({ json }) => (json.code ?? 'done') === wanted).length;
    const renewed = answers.filter(({ json }) => json.renewal_status === 'success').length;
    expect(renewed).toBeLessThanOrEqual(1);
    expect(count('done')).toBe(1 + renewed);
    expect(count('policy_already_cancelled')).toBe(CLIENTS / 2 - 1);
    expect(count('policy_not_renewable') + count('renewal_overlaps_current_term')).toBe(CLIENTS / 2 - renewed);
  });

  test('given the same provider name, in any case, then one wins', async () => {
    const effects = await eventsWhile('ProviderRegistered.v1', async () => {
      const answers = await atOnce(
        async (client) =>
          await service.send('POST', REGISTRATION, {
            key: acme.live.key,
            body: provider(client % 2 === 0 ? 'Same Insurer' : ' SAME insurer '),
          }),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ json }) => json.code === 'provider_already_registered')).toHaveLength(CLIENTS - 1);
    });
    expect(effects).toBe(1);
  });

  test('given registrations that all want the same short code, then one gets it and each has one of its own', async () => {
    const keys = keysOfOneShortCode('Same Bank', 3);
    const wanted = candidateOf('Same Bank', keys[0] as string);
    const answers = await atOnce(
      async (client) =>
        await service.send('POST', REGISTER_MERCHANT, {
          key: ADMIN_KEY,
          body: { name: 'Same Bank', business_email: 'office@bank.example' },
          headers: { 'Idempotency-Key': keys[client % keys.length] as string },
        }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const codes = new Set(answers.map(({ json }) => json.result.short_code as string));
    expect(codes.size).toBe(keys.length);
    expect(codes).toContain(wanted);
    expect(new Set(answers.map(({ json }) => json.result.tenant_id)).size).toBe(keys.length);
  });
});

/** The first short code that a registration under this idempotency key asks for. */
function candidateOf(name: string, key: string): string {
  return shortCodeCandidate(name, derivedId('idempotency-key', 'platform', '', 'POST', REGISTER_MERCHANT, key), 0);
}

/** Idempotency keys under which registrations ask for one and the same short code. */
function keysOfOneShortCode(name: string, many: number): readonly string[] {
  const byCode = new Map<string, string[]>();
  for (let tried = 0; ; tried++) {
    const key = `merchant ${tried}`;
    const code = candidateOf(name, key);
    const found = [...(byCode.get(code) ?? []), key];
    if (found.length === many) return found;
    byCode.set(code, found);
  }
}
