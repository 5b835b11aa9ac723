import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createPolicyWithHistory } from '../support/policy-with-history.ts';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';
import type { ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { applyChanges } from '../support/apply-changes.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const { api_key: auditorKey } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });

const get = async (path: string, key = acme.live.key): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { key });

/** Reads a whole history and applies its changes. */
async function historyOf(path: string, key = acme.live.key) {
  const { json } = await get(`${path}/history?limit=100`, key);
  const entries: {
    readonly type: string;
    readonly stream: string;
    readonly resource?: string;
    readonly summary: string;
    readonly changes: { path: string; before?: unknown; after?: unknown }[];
  }[] = json.results;
  return {
    entries,
    document: applyChanges(
      undefined,
      entries.flatMap(({ changes }) => changes),
    ),
  };
}

test('A history shows who did it; a merchant reads no labels of keys of the platform', async () => {
  const row = termRow('WHO-1', { term_from: '2026-04-01', term_through: '2027-03-31' });
  const { policy_id } = await importTerm(service, acme.live.environmentId, row);
  const { now } = service.clock;
  service.clock.now = '2026-04-02T00:00:00.000Z';
  // Records the activation first, which is due.
  const switched = await service.send('POST', `/api/v1/policies/${policy_id}/auto_renew`, {
    key: acme.live.key,
    body: { auto_renew: true },
  });
  expect(switched.status).toBe(200);
  service.clock.now = now;
  const actorsFor = async (key: string) => {
    const { json } = await service.send('GET', `/api/v1/policies/${policy_id}/history/`, { key });
    return json.results.map(({ actor }: { actor: { role: string; label: string } }) => [actor.role, actor.label]);
  };
  const own = ['merchant', 'till'];
  expect(await actorsFor(auditorKey)).toEqual([['admin', 'first admin key'], ['system', 'scheduler'], own]);
  expect(await actorsFor(acme.live.key)).toEqual([['admin', null], ['system', 'scheduler'], own]);
});

describe('A parked document', () => {
  /** Appends an event that this version cannot decode, as a later version may have written. */
  async function appendUndecodable(stream: string, tags: object): Promise<void> {
    const last = await service.eventStore.readLast(stream);
    const metadata = {
      recordedAt: service.clock.now,
      $correlationId: randomUUID(),
      $causationId: randomUUID(),
      actor: { role: 'system', keyId: null },
      ...tags,
      command: { name: 'Smuggle', id: randomUUID() },
    };
    const event = { id: randomUUID(), type: 'PolicyPromised.v9', data: { secret: 'of later' }, metadata };
    const { position } = await appendTo(service.eventStore, stream, last?.revision ?? 'no_stream', [event]);
    expect(await service.projector.waitFor(position, 5_000)).toBe(true);
  }

  test('with an event that cannot be decoded, the history is complete, and known_at works up to the event, with as_of too', async () => {
    const { id, bodies } = await createPolicyWithHistory(service, acme.live, 'MOT-PARKED', '2026-05-01');
    const { customer_id } = JSON.parse(bodies[0] ?? '').policy_holder;
    const servedDocument = (await historyOf(`policies/${id}`)).document;
    const { results: terms } = (await get(`policies/${id}/terms`)).json;
    expect(servedDocument).toEqual({ ...JSON.parse(bodies[2] ?? ''), terms });
    service.clock.now = '2026-05-05T00:00:00.000Z';
    await appendUndecodable(`policy-${id}`, { customer: customer_id });
    expect((await get(`policies/${id}`)).status).toBe(503);
    const response = await get(`policies/${id}/history`);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/policies/:policy_id/history'));
    expect(response.json.count).toBe(4);
    expect(response.json.results[3]).toMatchObject({
      type: 'PolicyPromised.v9',
      recorded_at: '2026-05-05T00:00:00.000Z',
      effective_at: null,
      actor: { role: 'system', key_id: null },
      command: 'Smuggle',
      summary: expect.stringContaining('is parked here'),
      data: null,
      changes: [],
    });
    expect(response.text).not.toContain('of later');
    expect((await historyOf(`policies/${id}`)).document).toEqual(servedDocument);
    // Its cover has ended since.
    const knownThen = bodies[2]?.replace('"in_force":true,"cover":"in_force"', '"in_force":false,"cover":"cancelled"');
    expect((await get(`policies/${id}?known_at=2026-05-04T00:00:00Z`)).text).toBe(knownThen);
    const stopped = await get(`policies/${id}?known_at=2026-05-05T00:00:00Z`);
    expect([stopped.status, stopped.json.code]).toEqual([503, 'document_parked']);
    // Nothing is known of the business day of the event.
    const asOf = await get(`policies/${id}?as_of=2026-01-01`);
    expect([asOf.status, asOf.json.code]).toEqual([503, 'document_parked']);
    expect((await get(`policies/${id}?as_of=2026-05-03&known_at=2026-05-04T00:00:00Z`)).text).toBe(bodies[2]);
    await appendUndecodable(`policy-${id}`, { customer: customer_id });
    const [, , , stop, after] = (await get(`policies/${id}/history`)).json.results;
    expect(stop).toEqual(response.json.results[3]);
    expect(after).toMatchObject({
      revision: 4,
      summary: expect.stringContaining('does not show this one'),
      changes: [],
    });
    const ofCustomer = await get(`customers/${customer_id}/history`);
    expect(ofCustomer.json.results.at(-1)).toMatchObject({ type: 'PolicyPromised.v9', changes: [] });
  });

  test('when the first event cannot be decoded, the platform gets document_parked', async () => {
    const id = randomUUID();
    await appendUndecodable(`policy-${id}`, {});
    const response = await get(`policies/${id}/history`, auditorKey);
    expect([response.status, response.json.code]).toEqual([503, 'document_parked']);
    expect((await get(`policies/${id}/history`)).status).toBe(404);
  });
});
