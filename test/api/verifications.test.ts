import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { verificationSchema } from '#queries/verifications.ts';
import { ADMIN_KEY, type ApiResponse, startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const PATH = '/api/v1/admin/verifications/';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const { api_key: auditor } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });

const start = async (key = ADMIN_KEY, from = service): Promise<ApiResponse> => await from.send('POST', PATH, { key });

const ended = async (path: string, key = ADMIN_KEY): Promise<ApiResponse> =>
  await waitUntil(async () => {
    const response = await service.send('GET', path, { key });
    return response.json.state !== 'running' && response;
  });

describe('A verification', () => {
  test.each([
    ['an administrator', () => ADMIN_KEY],
    ['an auditor', () => auditor],
  ])('is started by %s, and has a report when it has ended', async (_role, key) => {
    const head = (await service.eventStore.lastPosition()) ?? 0n;
    expect(await service.projector.waitFor(head, 10_000)).toBe(true);
    const accepted = await start(key());
    expect([accepted.status, accepted.json]).toMatchObject([202, { state: 'running', ended_at: null, report: null }]);
    const { json } = await ended(accepted.headers.get('location') ?? '', key());
    expect(verificationSchema.safeParse(json).error?.issues ?? []).toEqual([]);
    const none = { moved_on: 0, differing: 0, missing: 0, surplus: 0, parked: 0 };
    expect(json).toMatchObject({
      verification_id: accepted.json.verification_id,
      state: 'completed',
      reason: null,
      report: { log: { up_to: String(head), faults: 0 }, read_models: { ...none, up_to: String(head) } },
    });
    expect(json.report.read_models.compared).toBeGreaterThan(10);
  });

  test("is refused to a merchant's key, with a parameter, and while another one runs", async () => {
    expect((await start(acme.live.key)).json).toMatchObject({ status: 403, code: 'forbidden' });
    const withParameter = await service.send('POST', `${PATH}?collection=policies`, { key: ADMIN_KEY });
    expect(withParameter.json).toMatchObject({ status: 400, errors: [{ field: 'collection' }] });
    const { verification_id } = (await start()).json;
    const second = await start(auditor);
    expect(second.json).toMatchObject({ status: 429, code: 'verification_running', verification_id });
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ended(`${PATH}${verification_id}/`)).json.state).toBe('completed');
  });

  test('is listed, newest first, and found after the next one has started', async () => {
    const ids: string[] = [];
    for (const key of [ADMIN_KEY, auditor]) {
      const { verification_id } = (await start(key)).json;
      ids.unshift(verification_id);
      await ended(`${PATH}${verification_id}/`);
    }
    const response = await service.send('GET', PATH, { key: auditor });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/admin/verifications'));
    const listed = response.json.results.slice(0, 2);
    expect(listed.map((one: { verification_id: string }) => one.verification_id)).toEqual(ids);
    const { json } = await service.send('GET', `${PATH}${ids[1]}/`, { key: auditor });
    expect({ ...json, report: undefined, findings: 0 }).toEqual({ ...listed[1], report: undefined });
    expect(json.report.log.faults).toBe(0);
  });

  test('is not found by another id', async () => {
    const response = await service.send('GET', `${PATH}${randomUUID()}/`, { key: ADMIN_KEY });
    expect(response.json).toMatchObject({ status: 404, code: 'verification_not_found' });
  });

  test('is refused while the read models are built', async () => {
    const building = await startApiService({
      projector: (real) => ({
        waitFor: async (...parameters) => await real.waitFor(...parameters),
        status: () => real.status(),
        initialBuildProgress: () => ({ position: 1n, head: 2n }),
      }),
    });
    expect((await start(ADMIN_KEY, building)).json).toMatchObject({ status: 503, code: 'read_models_building' });
    await building.stop();
  });
});
