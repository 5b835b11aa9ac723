import { afterEach, describe, expect, test } from '@jest/globals';
import { PROJECTIONS } from '#projections/registry.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { ADMIN_KEY, type ApiService, type ApiServiceOptions, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant } from '../support/merchant-fixture.ts';

const PATH = '/api/v1/admin/status/';

let service: ApiService;
afterEach(async () => await service.stop());

async function start(options: ApiServiceOptions = {}): Promise<void> {
  service = await startApiService(options);
}

describe('The status', () => {
  test('shows checks, read models, leaders, relay and disk to administrators and auditors alone', async () => {
    const stalled = { name: 'mailer', check: async () => await Promise.resolve('receives no messages') };
    const full = { name: 'disk', check: () => undefined, warning: () => '1 MiB of 1 GiB are free' };
    const optional = { name: 'kafka', isOptional: true, check: () => 'no broker answers' };
    await start({ healthChecks: [stalled, full, optional] });
    const { live } = await createMerchant(service, 'Acme');
    const { api_key: auditor } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
    const head = (await service.eventStore.lastPosition()) ?? 0n;
    expect(await service.projector.waitFor(head, 5_000)).toBe(true);
    const response = await service.send('GET', PATH, { key: auditor });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/admin/status'));
    expect(response.status).toBe(200);
    const { checks, read_models, roles, relay, disk, ...rest } = response.json;
    expect(rest).toEqual({ head: String(head) });
    expect(checks.map(({ name }: { name: string }) => name)).toEqual(
      (await service.send('GET', '/readyz')).json.checks.map(({ name }: { name: string }) => name),
    );
    expect(checks).toContainEqual({ name: 'mailer', ok: false, reason: 'receives no messages' });
    expect(checks).toContainEqual({ name: 'disk', ok: true, reason: '1 MiB of 1 GiB are free' });
    expect(checks).toContainEqual({ name: 'kafka', ok: true, reason: 'no broker answers' });
    expect(checks).toContainEqual({ name: 'records', ok: true, reason: null });
    expect(read_models).toEqual(PROJECTIONS.map(({ name }) => ({ name, position: String(head), parked: 0 })));
    expect(roles.map(({ name }: { name: string }) => name)).toEqual(['projector', 'relay', 'scheduler']);
    expect(roles[0].leader).toEqual(expect.any(String));
    expect(relay).toEqual({ position: null, lag_seconds: null });
    expect(disk.free_bytes).toBeLessThan(disk.total_bytes);
    expect((await service.send('GET', PATH, { key: ADMIN_KEY })).status).toBe(200);
    expect((await service.send('GET', PATH, { key: live.key })).json.code).toBe('forbidden');
    const unknown = await service.send('GET', `${PATH}?role=relay`, { key: ADMIN_KEY });
    expect([unknown.status, unknown.json.errors[0].field]).toEqual([400, 'role']);
  });

  test('shows null where a store fails or does not answer within 2 s, and the rest', async () => {
    const readRoles = async (): Promise<never> => await Promise.reject(new StoreUnavailable('away'));
    const readDisk = async (): Promise<never> => await new Promise(() => {});
    const readRelay = async () => await Promise.resolve({ position: 41n, lagSeconds: 1.5 });
    await start({ http: { status: { readRoles, readDisk, readRelay } } });
    const { json } = await service.send('GET', PATH, { key: ADMIN_KEY });
    expect(json.roles).toEqual([]);
    expect(json.disk).toEqual({ free_bytes: null, total_bytes: null });
    expect(json.relay).toEqual({ position: '41', lag_seconds: 1.5 });
    expect(json.head).toBeNull();
  });

  test('shows the published position of read models that another process makes', async () => {
    await start({
      projector: (real) => ({
        waitFor: async (...parameters) => await real.waitFor(...parameters),
        initialBuildProgress: () => undefined,
        status: () => ({ ...real.status(), collections: [], position: 100n }),
      }),
    });
    const { json } = await service.send('GET', PATH, { key: ADMIN_KEY });
    expect(json.read_models).toEqual(PROJECTIONS.map(({ name }) => ({ name, position: '100', parked: 0 })));
  });
});
