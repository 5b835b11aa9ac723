import { describe, expect, test } from '@jest/globals';
import type { ProcessRole } from '../config/config.ts';
import type { SharedProjector } from '#processes/lease/shared-projector.ts';
import {
  checkedParts,
  diskCheck,
  parkedCheck,
  processChecks,
  projectorCheck,
  publicTopicsCheck,
  waitingMailsCheck,
} from './readiness.ts';

const CAUGHT_UP = {
  collections: [],
  position: 1n,
  head: 1n,
  lagMs: 0,
  caughtUp: true,
  unroutable: 0,
  failure: undefined,
};

function projector(state: { leads: boolean; lagMs?: number; lease?: string }): SharedProjector {
  return {
    isLeading: () => state.leads,
    leadingSince: () => (state.leads ? '2026-03-01T10:00:00.000Z' : undefined),
    checkLease: () => state.lease,
    status: () => ({ ...CAUGHT_UP, lagMs: state.lagMs ?? 0 }),
    initialBuildProgress: () => undefined,
    waitFor: async () => await Promise.resolve(true),
    stop: async () => {},
  };
}

describe('readiness', () => {
  test.each<[readonly ProcessRole[], readonly string[]]>([
    [['api'], ['event_store', 'records', 'read_models', 'projector']],
    [['projector'], ['event_store', 'records', 'read_models']],
    [['scheduler'], ['event_store', 'records', 'read_models']],
    [['relay'], ['event_store', 'records']],
    [['mailer'], ['event_store', 'records']],
    [
      ['api', 'relay'],
      ['event_store', 'records', 'read_models', 'projector'],
    ],
  ])('of the roles %j checks %j', (roles, parts) => {
    expect(checkedParts({ roles })).toEqual(parts);
  });

  test.each<[readonly ProcessRole[], string | undefined]>([
    [['scheduler'], 'holds'],
    [['api', 'scheduler'], undefined],
  ])('with the roles %j reports a warning of a process as the failure %j', async (roles, failure) => {
    const scheduler = { name: 'scheduler', check: () => undefined, warning: () => 'holds', stop: async () => {} };
    const [check] = processChecks({ roles }, [scheduler]);
    expect([await check?.check(), check?.warning?.()]).toEqual([failure, 'holds']);
  });

  test.each<[readonly ProcessRole[], string, boolean]>([
    [['relay'], 'public_events', false],
    [['api', 'relay'], 'public_events', true],
    [['api', 'relay'], 'mail_relay', true],
    [['api', 'mailer'], 'mailer', true],
    [['api', 'scheduler'], 'completion', false],
  ])('with the roles %j the process %s is optional: %p', (roles, name, isOptional) => {
    const [check] = processChecks({ roles }, [{ name, check: () => 'stalls', stop: async () => {} }]);
    expect(check).toMatchObject({ name, isOptional });
  });

  test('warns of mails that wait after a refused attempt, by its reason', async () => {
    let jobs: readonly object[] = [
      { last_error: null, smtp_code: null },
      { last_error: 'server_unreachable', smtp_code: null },
      { last_error: 'recipient_refused', smtp_code: 451 },
      { last_error: 'server_unreachable', smtp_code: null },
    ];
    const find = async () => {
      const document = { stream: 's', revision: 0, position: 1n, order: 1n, indexes: {}, parked: undefined };
      const documents = jobs.map((job, index) => ({ ...document, key: `${index}`, body: JSON.stringify(job) }));
      return await Promise.resolve({ documents, count: jobs.length });
    };
    const { check, warning } = waitingMailsCheck({ find });
    expect(await check()).toBeUndefined();
    expect(await warning?.()).toBe(
      'mails wait for another attempt (server_unreachable: 2, recipient_refused 451: 1): ' +
        'GET /api/v1/admin/mail-jobs?status=waiting lists them',
    );
    jobs = [{ last_error: null, smtp_code: null }];
    expect(await warning?.()).toBeUndefined();
  });

  test('names a missing public topic', async () => {
    const { name, check } = publicTopicsCheck({
      findMissing: async () => await Promise.resolve(['surety.claims.v1']),
    });
    expect(name).toBe('public_topics');
    expect(await check()).toMatch(/surety\.claims\.v1, because the topic is missing: .* --create-topics --from start/);
  });

  test.each<[string, Parameters<typeof projector>[0], unknown]>([
    ['is the leader and has caught up', { leads: true }, undefined],
    ['is the leader and is behind', { leads: true, lagMs: 9_000 }, 'the read models are 9 s behind the log'],
    ['stands by while the leader is behind', { leads: false, lagMs: 9_000 }, undefined],
    ['cannot read the lease', { leads: false, lease: 'the records do not answer' }, 'the records do not answer'],
  ])('of a projector that %s', async (_case, state, reason) => {
    expect(await projectorCheck(projector(state)).check()).toBe(reason);
  });

  test('warns of parked documents by collection, and stays ready', async () => {
    const counts: Record<string, number> = { policies: 2, claims: 0, customers: 1 };
    const readModels = { countParked: async (name: string) => await Promise.resolve(counts[name] ?? 0) };
    const { name, check, warning } = parkedCheck(readModels, ['policies', 'claims', 'customers']);
    expect([name, await check()]).toEqual(['parked_documents', undefined]);
    expect(await warning?.()).toBe('policies 2, customers 1: GET /api/v1/admin/parked lists them');
    counts['policies'] = counts['customers'] = 0;
    expect(await warning?.()).toBeUndefined();
  });

  const GIB = 2 ** 30;
  test.each([
    [100 * GIB, 2 * GIB, undefined],
    [100 * GIB, GIB - 1, '1023 MiB of 100 GiB are free'],
    [10 * GIB, GIB - 1, undefined],
    [10 * GIB, GIB / 4, '256 MiB of 10 GiB are free'],
    [100 * GIB, 0, '0 MiB of 100 GiB are free'],
  ])('of a disk with %d bytes, of which %d are free, warns %p', async (total, free, reason) => {
    const blocks = { bsize: 1, blocks: total, bavail: free };
    const { name, check, warning } = diskCheck('/data', async () => await Promise.resolve(blocks));
    expect([name, await check()]).toEqual(['disk', undefined]);
    expect(await warning?.()).toBe(reason);
  });
});
