import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { appendSamples, claimSettled, sampleId } from '../support/sample-events.ts';
import { readAllDocuments, waitForPosition } from '../support/test-projector.ts';
import { waitUntil } from '../support/wait-until.ts';
import { takeOverServed, writeDocuments } from '../support/write-documents.ts';

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
    const { rebuild_id, requested_at } = accepted.json;
    const response = await ended(rebuild_id);
    expect(response.json).toEqual({
      rebuild_id,
      state: 'completed',
      reason: null,
      requested_at,
      progress: null,
    });
    expect(await readAllDocuments(service.readModels)).toEqual(before);
    expect((await service.readModels.state()).served).toBe(1);
    const listed = await service.send('GET', '/api/v1/providers/search?name=Assurance', { key: ADMIN_KEY });
    expect(listed.text).not.toContain('read_models_building');
  });

  test('end as refused where a document that is served would be parked', async () => {
    const position = await appendSamples(service.eventStore, claimSettled(1, 1, 1));
    await waitForPosition(service.projector, position);
    const [parked] = await service.readModels.getMany('claims', [sampleId('claim', 1)]);
    if (parked?.parked === undefined) throw new Error('the claim is not parked');
    await writeDocuments(await takeOverServed(service.readModels), 'claims', [{ ...parked, parked: undefined }]);
    const { json } = await ended((await post({})).json.rebuild_id);
    const reason = `documents that are served would be parked: claims ${parked.key} at position ${position}: `;
    expect(json).toMatchObject({ state: 'refused', reason: expect.stringContaining(reason) });
    await writeDocuments(await takeOverServed(service.readModels), 'claims', [parked]);
  });

  test('of one key are one rebuild', async () => {
    const headers = { 'Idempotency-Key': 'one rebuild' };
    const first = await post({}, headers);
    await ended(first.json.rebuild_id);
    const again = await post({}, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(again.json).toMatchObject({ rebuild_id: first.json.rebuild_id, state: 'completed' });
  });

  test('are requested by administrators, and read by auditors too', async () => {
    const { api_key: auditor } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
    expect((await post({}, {}, auditor)).status).toBe(403);
    const { json } = await post({});
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

  test('are completed together where another one is requested meanwhile', async () => {
    const ids = [(await post({})).json.rebuild_id, (await post({})).json.rebuild_id];
    for (const id of ids) expect((await ended(id)).json.state).toBe('completed');
    expect((await service.readModels.state()).served).toBeGreaterThanOrEqual(5);
  });

  test('wait for a projector', async () => {
    await service.projector.stop();
    const accepted = await post({});
    expect([accepted.status, accepted.headers.get('surety-pending')]).toEqual([202, 'true']);
    expect(accepted.json).toMatchObject({ state: 'running', reason: null, progress: null });
    expect((await get(accepted.json.rebuild_id)).json).toEqual(accepted.json);
  });
});
