import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { programVersion } from '#service/config/package-folder.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { BuildProgress, ProjectorStatus } from '#read-side/projector.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { takeOverServed, writeDocuments } from '../support/write-documents.ts';

/** The behaviour of the replaced parts. */
const fault: {
  building?: BuildProgress;
  append?: Error;
  read?: Error;
  ping?: Error | 'never' | 'late';
  status?: Partial<ProjectorStatus>;
  hold?: Promise<void>;
} = {};

function withFaults(real: EventStore): EventStore {
  return {
    append: async (...args) => {
      if (fault.append !== undefined) throw fault.append;
      return await real.append(...args);
    },
    readStream: async (...args) => {
      if (fault.read !== undefined) throw fault.read;
      return await real.readStream(...args);
    },
    readLast: async (stream) => await real.readLast(stream),
    readAt: async (position) => await real.readAt(position),
    readAll: async (options) => await real.readAll(options),
    lastPosition: async () => await real.lastPosition(),
    subscribe: (options) => real.subscribe(options),
    ping: async () => {
      if (fault.ping instanceof Error) throw fault.ping;
      if (fault.ping === 'never') await new Promise(() => {});
      if (fault.ping === 'late') await pause(600);
      await real.ping();
    },
    close: async () => await real.close(),
  };
}

let partReason: string | undefined;
let partWarning: string | undefined;

const service = await startSuiteService({
  eventStore: withFaults,
  projector: (real) => ({
    status: () => ({ ...real.status(), ...fault.status }),
    initialBuildProgress: () => fault.building ?? real.initialBuildProgress(),
    waitFor: async (position, timeoutMs) => {
      await fault.hold;
      return await real.waitFor(position, timeoutMs);
    },
  }),
  healthChecks: [{ name: 'part', check: async () => await Promise.resolve(partReason), warning: () => partWarning }],
});
const acme = await createMerchant(service, 'Acme');

afterEach(() => {
  for (const name of Object.keys(fault)) delete fault[name as keyof typeof fault];
  partReason = undefined;
  partWarning = undefined;
});

const registration = {
  body: { name: 'In Need', support_email: 'a@b.example', support_phone: '1' },
} as const;
const REGISTRATION = '/api/v1/onboarding/providers/registration';

describe('Faults', () => {
  test('answers 503 with Retry-After when the store cannot write, and executes the same request later', async () => {
    fault.append = new StoreUnavailable('disk full: /var/secret/place');
    const request = { key: acme.live.key, ...registration, headers: { 'Idempotency-Key': 'need-1' } };
    const response = await service.send('POST', REGISTRATION, request);
    expect([response.status, response.json.code, response.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
    expect(response.text).not.toContain('secret');
    delete fault.append;
    expect((await service.send('POST', REGISTRATION, request)).status).toBe(201);
  });

  test('answers an unexpected error with 500 without details and logs them under the request id', async () => {
    fault.append = new TypeError('the inside of Surety');
    const response = await service.send('POST', REGISTRATION, {
      key: acme.live.key,
      body: { ...registration.body, name: 'Unforeseen' },
      headers: { 'X-Request-Id': 'unforeseen-1' },
    });
    expect([response.status, response.json.code, response.json.request_id]).toEqual([
      500,
      'internal_error',
      'unforeseen-1',
    ]);
    expect(response.text).not.toContain('inside of');
    const lines = service.logged.filter((text) => text.includes('unforeseen-1')).map((text) => JSON.parse(text));
    expect(lines[0]).toMatchObject({ level: 'error', msg: 'A request failed', err: { type: 'TypeError' } });
    // The stack, not the message, which may quote data.
    expect(lines[0].err.stack).toMatch(/^TypeError\n\s+at .*operations\.test\.ts/);
    expect(service.logged.join('')).not.toContain('the inside of Surety');
  });

  test('does not report an unknown key as invalid when the log cannot be read', async () => {
    const issued = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
    fault.read = new StoreUnavailable('away');
    const response = await service.send('GET', '/api/v1/merchants', { key: issued.api_key });
    expect([response.status, response.json.code]).toEqual([503, 'unavailable']);
    expect((await service.send('GET', '/api/v1/merchants', { key: acme.live.key })).status).toBe(200);
  });

  test('reads are 503 with the progress while the read models are being built, and commands are executed', async () => {
    fault.building = { position: 5n, head: 12n };
    for (const path of ['merchants', `policies/${acme.live.policyId}`, 'products', 'merchants/XXX-0000/history']) {
      const response = await service.send('GET', `/api/v1/${path}`, { key: acme.live.key });
      expect([response.status, response.json.code]).toEqual([503, 'read_models_building']);
      expect(response.json.progress).toEqual({ position: '5', head: '12' });
      expect(response.headers.get('retry-after')).toBe('5');
    }
    const command = await service.send('POST', '/api/v1/admin/commands/IssueApiKey', {
      key: ADMIN_KEY,
      body: { role: 'auditor', label: 'audit' },
    });
    expect(command.status).toBe(201);
    fault.building = { position: undefined, head: 12n };
    const { json } = await service.send('GET', '/api/v1/merchants', { key: acme.live.key });
    expect(json.progress).toEqual({ position: null, head: '12' });
  });

  test('the portfolio and what a key is, which are folded from the log, are answered while the read models are being built', async () => {
    fault.building = { position: 5n, head: 12n };
    const me = await service.send('GET', '/api/v1/me/', { key: acme.live.key });
    expect([me.status, me.json.merchant.short_code]).toEqual([200, acme.shortCode]);
    const { status, json } = await service.send('GET', '/api/v1/audit/portfolio/?as_of=2026-03-10', { key: ADMIN_KEY });
    expect([status, json.results[0].policies_in_force]).toEqual([200, 1]);
  });

  test('a parked document is 503 to those who may see it, 404 to others, and listed', async () => {
    const stored = await service.readModels.get('policies', acme.test.policyId);
    if (stored === undefined) throw new Error('the policy is not there');
    const parked = { reason: 'cannot be folded', eventId: 'e', eventType: 'X.v1', position: stored.position };
    await writeDocuments(await takeOverServed(service.readModels), 'policies', [{ ...stored, parked }]);
    const path = `/api/v1/policies/${acme.test.policyId}`;
    const own = await service.send('GET', path, { key: acme.test.key });
    expect([own.status, own.json.code]).toEqual([503, 'document_parked']);
    expect((await service.send('GET', path, { key: acme.live.key })).status).toBe(404);
    const list = await service.send('GET', '/api/v1/policies?test_mode=true', { key: ADMIN_KEY });
    expect(list.json.count).toBe(1);
    const listed = await service.send('GET', '/api/v1/admin/parked', { key: ADMIN_KEY });
    expect(listed.json.results).toEqual([
      {
        collection: 'policies',
        key: acme.test.policyId,
        reason: 'cannot be folded',
        event_id: 'e',
        event_type: 'X.v1',
        position: String(stored.position),
      },
    ]);
  });
});

describe('Health', () => {
  test('is alive and ready', async () => {
    const live = await service.send('GET', '/livez');
    expect([live.status, live.json]).toEqual([200, { status: 'alive', version: programVersion() }]);
    const ready = await service.send('GET', '/readyz/');
    expect([ready.status, ready.json.status]).toEqual([200, 'ready']);
    expect(ready.json.checks.map((check: { name: string }) => check.name)).toEqual([
      'event_store',
      'read_models',
      'records',
      'projector',
      'part',
      'start',
      'parked_documents',
      'disk',
      'waiting_mails',
    ]);
  });

  test.each([
    ['event_store', () => Object.assign(fault, { ping: new Error('secret') })],
    ['projector', () => Object.assign(fault, { status: { failure: 'secret' } })],
    ['projector', () => Object.assign(fault, { status: { caughtUp: false } })],
    ['projector', () => Object.assign(fault, { status: { lagMs: 5_001 } })],
    ['part', () => (partReason = 'is starting')],
  ])('/readyz reports a failure of %s, and /livez stays ok', async (name, fail) => {
    fail();
    const ready = await service.send('GET', '/readyz', { key: ADMIN_KEY });
    expect([ready.status, ready.json.status]).toEqual([503, 'not_ready']);
    const bad = ready.json.checks.filter((check: { ok: boolean }) => !check.ok);
    expect(bad).toEqual([{ name, ok: false, severity: 'failure', reason: expect.any(String) }]);
    expect(ready.text).not.toContain('secret');
    expect((await service.send('GET', '/livez')).status).toBe(200);
  });

  test('/readyz says what is wrong with a store', async () => {
    fault.ping = new StoreUnavailable('EventStoreDB denies access');
    const ready = await service.send('GET', '/readyz', { key: ADMIN_KEY });
    expect(ready.json.checks[0]).toMatchObject({ name: 'event_store', reason: 'EventStoreDB denies access' });
  });

  test('/readyz and /metrics report a store that does not respond within seconds', async () => {
    fault.ping = 'never';
    const began = performance.now();
    const [ready, { text }] = await Promise.all([
      service.send('GET', '/readyz', { key: ADMIN_KEY }),
      service.send('GET', '/metrics'),
    ]);
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(ready.json.checks).toContainEqual({
      name: 'event_store',
      ok: false,
      severity: 'failure',
      reason: 'does not answer within 2 s',
    });
    expect(text).toContain('surety_check_ok{check="event_store"} 0');
    expect(text).toContain('surety_check_ok{check="records"} 1');
    expect(text).toMatch(/surety_check_seconds\{check="event_store"\} (1\.9|[2-9])/);
  });

  test('is ready with a slow store and reports the duration', async () => {
    fault.ping = 'late';
    const [ready, { text }] = await Promise.all([
      service.send('GET', '/readyz', { key: ADMIN_KEY }),
      service.send('GET', '/metrics'),
    ]);
    expect([ready.status, ready.json.status]).toEqual([200, 'ready']);
    expect(ready.json.checks[0]).toMatchObject({ name: 'event_store', ok: true, severity: 'warning' });
    expect(ready.json.checks[0].reason).toMatch(/^answers slowly: after (0\.[5-9]|1\.\d) s$/);
    expect(text).toContain('surety_check_ok{check="event_store"} 1');
    expect(text).toMatch(/surety_check_seconds\{check="event_store"\} (0\.[5-9]|1\.)/);
  });

  test('/readyz shows reasons, which may name addresses, to keys of the platform alone', async () => {
    partReason = 'mongodb://db.internal:27017 is away';
    const readiness = async (key?: string) => {
      const { status, json } = await service.send('GET', '/readyz', { key });
      return [status, json.checks.find(({ name }: { name: string }) => name === 'part')];
    };
    const shown = { name: 'part', ok: false, severity: 'failure' };
    for (const key of [undefined, acme.live.key, 'unknown']) expect(await readiness(key)).toEqual([503, shown]);
    expect(await readiness(ADMIN_KEY)).toEqual([503, { ...shown, reason: partReason }]);
    const issued = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
    expect(await readiness(issued.api_key)).toEqual([503, { ...shown, reason: partReason }]);
  });

  test('/readyz shows the warning of a part, or its failure instead', async () => {
    partWarning = 'waits for the operator';
    const ready = await service.send('GET', '/readyz', { key: ADMIN_KEY });
    expect([ready.status, ready.json.status]).toEqual([200, 'ready']);
    const named = { name: 'part', ok: true, severity: 'warning', reason: 'waits for the operator' };
    expect(ready.json.checks.filter(({ name }: { name: string }) => name === 'part')).toEqual([named]);
    partReason = 'is starting';
    const response = await service.send('GET', '/readyz', { key: ADMIN_KEY });
    expect(response.status).toBe(503);
    expect(response.json.checks).toContainEqual({ ...named, ok: false, severity: 'failure', reason: partReason });
  });

  test('metrics count requests by route and status', async () => {
    await service.send('GET', `/api/v1/policies/${acme.live.policyId}`, { key: acme.live.key });
    const { text, headers } = await service.send('GET', '/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(
      /surety_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/policies\/:policy_id",status="200"\} \d/,
    );
    for (const name of [
      'surety_projector_lag_seconds',
      'surety_read_model_position{collection="policies"}',
      'surety_parked_documents{collection="claims"} 0',
      'nodejs_eventloop_lag_seconds',
      'surety_commands_total{command="CancelPolicy",outcome="executed"} 0',
    ]) {
      expect(text).toContain(name);
    }
  });
});

describe('The metric of commands', () => {
  const countOf = async (outcome: string): Promise<number> => {
    const { text } = await service.send('GET', '/metrics');
    const label = `surety_commands_total{command="RegisterProvider",outcome="${outcome}"} `;
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(label))
        ?.slice(label.length) ?? 0,
    );
  };
  const register = async (name: string, key: string): Promise<number> => {
    const headers = { 'Idempotency-Key': key };
    const body = { ...registration.body, name };
    return (await service.send('POST', REGISTRATION, { key: acme.live.key, body, headers })).status;
  };

  test.each([
    ['executed', 201, 'first'],
    ['repeated', 201, 'first'],
    ['refused', 409, 'second'],
    ['failed', 503, 'third'],
  ])('counts a command that is %s', async (outcome, status, key) => {
    if (outcome === 'failed') fault.append = new StoreUnavailable('disk full');
    const before = await countOf(outcome);
    expect(await register(outcome === 'failed' ? 'Not counted' : 'Counted', key)).toBe(status);
    expect(await countOf(outcome)).toBe(before + 1);
  });

  test('has no label that a client chooses', async () => {
    await service.send('POST', '/api/v1/admin/commands/Nonsense', { key: ADMIN_KEY, body: {} });
    expect((await service.send('GET', '/metrics')).text).not.toContain('Nonsense');
  });
});

describe('Logs', () => {
  test('contain no key, personal data, query string or body', async () => {
    await service.send('GET', `/api/v1/providers/search?name=Somebody%20Private`, { key: acme.live.key });
    await service.send('GET', `/api/v1/merchants?token=sesame`, { key: acme.live.key });
    await service.send('GET', '/api/v1/merchants', { key: `${acme.live.key}x` });
    const text = service.logged.join('\n');
    for (const secret of [
      ADMIN_KEY,
      acme.live.key,
      acme.test.key,
      'Somebody',
      'sesame',
      'customers.example',
      'Holder of',
      'office@',
      'Marina',
      'TIN-',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('have one line with actor, command, route and duration per command', async () => {
    const response = await service.send('POST', REGISTRATION, {
      key: acme.live.key,
      body: { ...registration.body, name: 'Logged' },
      headers: { 'X-Request-Id': 'logged-1' },
    });
    const lines = service.logged.filter((text) => text.includes('logged-1')).map((text) => JSON.parse(text));
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        msg: 'request',
        request_id: 'logged-1',
        method: 'POST',
        route: REGISTRATION,
        status: 201,
        ms: expect.any(Number),
        key_id: acme.live.key.split('_')[2],
        command: 'RegisterProvider',
        stream: `provider-${response.json.provider_id}`,
        position: response.headers.get('surety-position'),
      },
    ]);
  });

  test('have a debug line per read', async () => {
    await service.send('GET', '/livez', { headers: { 'X-Request-Id': 'read-1' } });
    const line = service.logged.find((text) => text.includes('read-1')) ?? '{}';
    expect(JSON.parse(line).level).toBe('debug');
  });
});
