import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECTIONS } from '#projections/registry.ts';
import { appendTo } from '#stores/event-log/event-log.ts';
import type { Instant } from '#event-sourcing/time.ts';
import { readCorpus } from '#test/support/corpus.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { runTestProjector } from '#test/support/test-projector.ts';
import { getCustomer } from './customers.ts';
import { policies } from '#projections/policies/policies.ts';
import { getPolicy, listMerchantPolicies, listPolicyTerms } from './policies.ts';
import type { AnyQuery, QueryContext, ResourceResponse } from './query.ts';
import { UNUSED_PARTS } from '#test/support/query-context.ts';

const eventStore = new MemoryEventStore();
const readModels = openTestReadModels();
const corpus = readCorpus();
/** Bought for a year from 2026-03-10, changed on 2026-06-01, and cancelled on 2026-08-20 as of 2026-08-31. */
const life = corpus
  .filter(({ stream }) => stream === corpus.find(({ type }) => type === 'PolicyReinstated.v1')?.stream)
  .slice(0, 3);
const { policyId, customerId, merchantShortCode } = { ...(life[0]?.data as Readonly<Record<string, string>>) };

beforeAll(async () => {
  const others = corpus.filter(({ type }) => type.startsWith('Merchant') || type.startsWith('CustomerRegistered'));
  for (const { stream, revision, id, type, data, metadata } of [...others, ...life])
    await appendTo(eventStore, stream, revision === 0 ? 'no_stream' : revision - 1, [
      { id, type, data: data as object, metadata: metadata as object },
    ] as never);
  await runTestProjector({ eventStore, readModels });
});

const contextAt = (now: Instant): QueryContext => ({
  reader: { role: 'auditor' },
  key: { keyId: 'k1', label: 'audit', person: null, authority: null, access: 'full', expiresAt: null },
  readModels,
  records: openTemporaryRecords(),
  eventStore,
  collections: new Map(PROJECTIONS.map(({ name, version }) => [name, version])),
  now,
  nextTurn,
  ...UNUSED_PARTS,
});

/** What the tests look at of an answer. */
interface Answer {
  readonly auto_renew: boolean;
  readonly results: readonly {
    readonly premium: string;
    readonly state: string;
    readonly periods: readonly object[];
  }[];
}

/** Answers a query at noon of a day. */
async function ask(query: AnyQuery, day: string, path: object, search: Record<string, string> = {}) {
  const input = { path: query.pathParameters.parse(path), search: query.search.parse(search) };
  return await query.respond(input, contextAt(`${day}T12:00:00.000Z`));
}
async function read(query: AnyQuery, day: string, path: object, search?: Record<string, string>) {
  const { body, etag } = (await ask(query, day, path, search)) as ResourceResponse;
  return { ...(JSON.parse(body as string) as Answer), etag };
}

describe('a policy that was cancelled as of a day to come', () => {
  test.each([
    ['2026-08-30', 'active', 1, `"${policies.version}-2"`],
    ['2026-08-31', 'active', 1, `"${policies.version}-2"`],
    ['2026-09-01', 'cancelled', 0, `"${policies.version}-2-2026-09-01"`],
  ])('on %s is %s in view, lists and customer', async (day, status, active, etag) => {
    expect(await read(getPolicy, day, { policy_id: policyId })).toMatchObject({ status, etag });
    for (const filter of ['active', 'cancelled', 'accepted']) {
      const page = await ask(listMerchantPolicies, day, { short_code: merchantShortCode }, { status: filter });
      const found = JSON.parse((page as { readonly results: string }).results) as readonly object[];
      expect(found).toMatchObject(filter === status ? [{ policy_id: policyId, status }] : []);
    }
    const cover = active === 1 ? 'in_force' : 'cancelled';
    expect(await read(getPolicy, day, { policy_id: policyId })).toMatchObject({ in_force: active === 1, cover });
    const customer = await read(getCustomer, day, { id: customerId });
    expect(customer).toMatchObject({ active_policies_count: active, purchased_policies: [{ status, cover }] });
  });

  test('has terms that are over from the day after', async () => {
    const on = async (day: string) => {
      const { results, auto_renew, etag } = await read(listPolicyTerms, day, { policy_id: policyId });
      return { states: results.map(({ state }) => state), auto_renew, etag };
    };
    expect(await on('2026-08-31')).toEqual({
      states: ['in_force'],
      auto_renew: false,
      etag: `"${policies.version}-2-2026-06-01"`,
    });
    expect(await on('2026-09-01')).toEqual({
      states: ['past'],
      auto_renew: false,
      etag: `"${policies.version}-2-2026-09-01"`,
    });
  });

  test('has the terms of any day and knowledge', async () => {
    const premiumsAt = async (search: Record<string, string>) => {
      const { results, etag } = await read(listPolicyTerms, '2026-09-15', { policy_id: policyId }, search);
      expect(etag).toBeUndefined();
      return results.map(({ premium, state, periods }) => `${premium} ${state} ${periods.length}`);
    };
    expect(await premiumsAt({ as_of: '2026-05-31' })).toEqual(['43430.00 in_force 1']);
    expect(await premiumsAt({ as_of: '2026-06-01' })).toEqual(['44588.90 in_force 2']);
    expect(await premiumsAt({ as_of: '2026-09-01' })).toEqual(['44588.90 past 2']);
    const known_at = '2026-08-19T00:00:00Z';
    expect(await premiumsAt({ as_of: '2026-09-01', known_at })).toEqual(['44588.90 in_force 2']);
    expect(await premiumsAt({ known_at: '2026-05-01T00:00:00Z' })).toEqual(['43430.00 in_force 1']);
    const before = ask(listPolicyTerms, '2026-09-15', { policy_id: policyId }, { as_of: '2026-03-09' });
    await expect(before).rejects.toMatchObject({ code: 'not_in_force_yet' });
  });
});
