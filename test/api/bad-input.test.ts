import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { COMMANDS } from '../../commands/registry.ts';
import { createMerchant, type MerchantFixture } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';

let service: ApiService;
let acme: MerchantFixture;

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

/** Valid bodies, from which the invalid ones are derived. */
const rightBodies = (): readonly { path: string; key: string; body: Record<string, unknown> }[] => [
  { path: '/api/v1/policies', key: acme.live.key, body: { quote_code: acme.live.quoteCode } },
  {
    path: '/api/v1/policies/renew',
    key: acme.live.key,
    body: { policy_id: acme.live.policyId, preferred_policy_start_date: '2027-01-01', policy_duration: 10 },
  },
  {
    path: '/api/v1/policies/cancel',
    key: acme.live.key,
    body: { policy_id: acme.live.policyId, cancellation_reason: 'sold' },
  },
  {
    path: '/api/v1/claims',
    key: acme.live.key,
    body: { policy_id: acme.live.policyId, claim_details: { claim_type: 'x', incident_date: '2026-02-02' } },
  },
  {
    path: '/api/v1/onboarding/providers/registration',
    key: acme.live.key,
    body: { name: 'New', support_email: 'a@b.example', support_phone: '1' },
  },
  {
    path: '/api/v1/admin/commands/RegisterMerchant',
    key: ADMIN_KEY,
    body: { name: 'New', business_email: 'a@b.example' },
  },
  {
    path: '/api/v1/admin/commands/CreateEnvironment',
    key: ADMIN_KEY,
    body: { short_code: acme.shortCode, environment_name: 'x', test_mode: true },
  },
];

/** A value that no field of these bodies accepts. */
const wrongValue = fc.oneof(
  fc.constantFrom(null, [], {}, [[]], Number.MAX_SAFE_INTEGER, -1.5, '\u0000', '\ud800', ''),
  fc.array(fc.jsonValue({ maxDepth: 2 })),
  fc.record({ toString: fc.string(), constructor: fc.jsonValue() }),
);

/** Changes of a valid body; each makes it invalid. */
const spoiling = fc.record({
  which: fc.nat(),
  field: fc.nat(),
  how: fc.constantFrom('replace', 'add', 'remove'),
  name: fc.string({ minLength: 1, maxLength: 30 }).map((name) => `no_such_${name}`),
  value: wrongValue,
});

describe('Generated requests', () => {
  test('answers 400 with a field to a body with one error and writes no event', async () => {
    const before = (await service.log()).length;
    await fc.assert(
      fc.asyncProperty(spoiling, async ({ which, field, how, name, value }) => {
        const bodies = rightBodies();
        const { path, key, body } = bodies[which % bodies.length]!;
        const fields = Object.keys(body);
        const spoilt = fields[field % fields.length]!;
        const wrong: Record<string, unknown> = { ...body };
        if (how === 'replace') wrong[spoilt] = value;
        else if (how === 'add') wrong[name] = value;
        else delete wrong[spoilt];
        const answer = await service.send('POST', path, { key, body: wrong });
        expect([path, JSON.stringify(wrong), answer.status]).toEqual([path, JSON.stringify(wrong), 400]);
        expect(answer.json.code).toBe('invalid_request');
        expect(answer.json.errors.length).toBeGreaterThan(0);
        for (const error of answer.json.errors) expect(error.field).toMatch(/./);
      }),
      { numRuns: 300 },
    );
    expect(await service.log()).toHaveLength(before);
  });

  test('every command rejects arbitrary bodies without an internal error', async () => {
    const before = (await service.log()).length;
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json({ maxDepth: 4 }),
      fc.dictionary(fc.string(), fc.jsonValue()).map((object) => JSON.stringify(object)),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), anything, async (which, raw) => {
        const command = COMMANDS[which % COMMANDS.length]!;
        const answer = await service.send('POST', `/api/v1/admin/commands/${command.name}`, {
          key: ADMIN_KEY,
          raw: Buffer.from(raw),
          headers: { 'Content-Type': 'application/json' },
        });
        expect([command.name, raw, answer.status]).toEqual([command.name, raw, 400]);
        expect(['invalid_request', 'malformed_body']).toContain(answer.json.code);
      }),
      { numRuns: 300 },
    );
    expect(await service.log()).toHaveLength(before);
  });

  test('no read has an internal error on arbitrary paths, queries and headers', async () => {
    const paths = service.http.routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.dictionary(fc.string(), fc.string()),
        fc.string({ unit: 'grapheme-ascii' }),
        async (path, id, search, header) => {
          const value = encodeURIComponent(id).replaceAll('.', '%2E');
          const real = path.replaceAll(/:\w+/g, () => value);
          const parameters = new URLSearchParams(search).toString();
          const answer = await service.send('GET', `${real}${parameters && `?${parameters}`}`, {
            key: acme.live.key,
            headers: { 'If-None-Match': header, 'X-Request-Id': header, Accept: header },
          });
          expect([real, parameters, answer.status < 500]).toEqual([real, parameters, true]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
