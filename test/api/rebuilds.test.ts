import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { appendSamples, claimSettled, sampleId } from '../support/sample-events.ts';
import { readAllDocuments, waitForPosition } from '../support/test-projector.ts';
import { waitUntil } from '../support/wait-until.ts';
import { writeDocuments } from '../support/write-documents.ts';

const PATH = '/api/v1/admin/rebuilds/';
const service = await startSuiteService();
await service.admin('RegisterProvider', { name: 'Assurance', support_email: 'a@b.example', support_phone: '+1' });

const post = async (
  body: object,
  headers: Readonly<Record<string, string>> = {},
  key = ADMIN_KEY,
): Promise<ApiResponse> => await service.send('POST', PATH, { key, body, headers });
const get = async (id: string, key = ADMIN_KEY): Promise<ApiResponse> =>
  await service.send('GET', `${PATH}${id}/`, { key });

async function ended(id: string): Promise<ApiResponse> {
  return await waitUntil(
    async () => {
      const response = await get(id);
      return response.json.state !== 'running' && response;
    },
    () => [service.logged.filter((l) => !l.includes('GET')).slice(-12), service.projector.status()],
  );
}

describe('rebuilds of read models', () => {
  test('are accepted, and end with the same documents', async () => {
    const before = await readAllDocuments(service.readModels);
    const accepted = await post({});
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('surety-position')).toMatch(/^\d+$/);
    const { rebuild_id, collections, requested_at } = accepted.json;
    expect(collections).toContain('policies');
    const response = await ended(rebuild_id);
    expect(response.json).toEqual({
      rebuild_id,
      state: 'completed',
      reason: null,
      collections,
      requested_at,
      ended_at: expect.any(String),
      progress: null,
    });
    expect(await readAllDocuments(service.readModels)).toEqual(before);
    expect(new Set(Object.keys(await service.readModels.builds()))).toEqual(new Set([...collections, 'log_mark']));
    const listed = await service.send('GET', '/api/v1/providers/search?name=Assurance', { key: ADMIN_KEY });
    expect(listed.text).not.toContain('read_models_building');
  });

  test('end as refused where a document that is served would be parked', async () => {
    const position = await appendSamples(service.eventStore, claimSettled(1, 1, 1));
    await waitForPosition(service.projector, position);
    const [parked] = await service.readModels.getMany('claims', [sampleId('claim', 1)]);
    if (parked?.parked === undefined) throw new Error('the claim is not parked');
    await writeDocuments(service.readModels, 'claims', [{ ...parked, parked: undefined }], position);
    const { json } = await ended((await post({ collections: ['claims'] })).json.rebuild_id);
    const reason = `documents that are served would be parked: claims ${parked.key} at position ${position}: `;
    expect(json).toMatchObject({ state: 'refused', reason: expect.stringContaining(reason) });
    await writeDocuments(service.readModels, 'claims', [parked], position);
  });

  test('of one key are one rebuild', async () => {
    const headers = { 'Idempotency-Key': 'one rebuild' };
    const first = await post({ collections: ['claims'] }, headers);
    await ended(first.json.rebuild_id);
    const again = await post({ collections: ['claims'] }, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(again.json).toMatchObject({ rebuild_id: first.json.rebuild_id, state: 'completed' });
    expect((await post({ collections: ['policies'] }, headers)).status).toBe(422);
  });

  test('are refused for an unknown or repeated collection, or for none', async () => {
    for (const [collections, field] of [
      [['policies', 'letters'], 'collections.1'],
      [['policies', 'policies'], 'collections'],
      [[], 'collections'],
      ['policies', 'collections'],
    ] as const) {
      const response = await post({ collections });
      expect([response.status, response.json.errors?.[0]?.field]).toEqual([400, field]);
    }
  });

  test('are requested by administrators, and read by auditors too', async () => {
    const { api_key: auditor } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
    expect((await post({}, {}, auditor)).status).toBe(403);
    const { json } = await post({ collections: ['merchants'] });
    await ended(json.rebuild_id);
    expect((await get(json.rebuild_id, auditor)).json.state).toBe('completed');
    const listed = await service.send('GET', PATH, { key: auditor });
    expectDocumentedBody(listed, getRoute(service, 'GET', '/api/v1/admin/rebuilds'));
    expect(listed.json.results[0]).toEqual((await get(json.rebuild_id)).json);
    const times = listed.json.results.map((one: { requested_at: string }) => one.requested_at);
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual(times.toSorted().toReversed());
    const unknown = await get('5f4f2c1e-7a0b-5c58-9a3e-6a1f5b0c2d11');
    expect([unknown.status, unknown.json.code]).toEqual([404, 'rebuild_not_found']);
  });

  test('are refused while one of the same collections has not ended', async () => {
    await service.projector.stop();
    const first = await post({ collections: ['claims', 'policies'] });
    expect([first.status, first.headers.get('surety-pending')]).toEqual([202, 'true']);
    expect(first.json).toMatchObject({ state: 'running', ended_at: null, progress: null });
    const second = await post({ collections: ['customers', 'policies'] });
    expect([second.status, second.json.code, second.json.rebuild_id]).toEqual([
      409,
      'rebuild_running',
      first.json.rebuild_id,
    ]);
    expect((await post({ collections: ['customers'] })).status).toBe(202);
  });
});
