import { describe, expect, test } from '@jest/globals';
import type { Role } from '../config.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import type { SharedProjector } from '../processes/shared-projector.ts';
import { furtherChecks, judgedParts, processChecks } from './readiness.ts';

const LEVEL = { collections: [], position: 1n, head: 1n, lagMs: 0, caughtUp: true, unroutable: 0, failure: undefined };

/** A projector as a process sees it. */
function projector(told: { leads: boolean; lagMs?: number; lease?: string }): SharedProjector {
  return {
    isLeading: () => told.leads,
    checkLease: () => told.lease,
    status: () => ({ ...LEVEL, lagMs: told.lagMs ?? 0 }),
    waitFor: async () => await Promise.resolve(true),
    stop: async () => {},
  };
}

const broker = {
  isThere: { ping: async () => {} },
  isAway: { ping: async () => await Promise.reject(new StoreUnavailable('away')) },
};

describe('what a process is judged by', () => {
  test.each<[readonly Role[], readonly string[]]>([
    [['api'], ['event_store', 'records', 'read_models', 'projector']],
    [['projector'], ['event_store', 'records', 'read_models']],
    [['scheduler'], ['event_store', 'records', 'read_models']],
    [['relay'], ['event_store', 'records']],
    [['mailer'], ['event_store', 'records']],
    [
      ['api', 'relay'],
      ['event_store', 'records', 'read_models', 'projector'],
    ],
  ])('given the roles %j, then these stores: %j', (roles, parts) => {
    expect(judgedParts({ roles })).toEqual(parts);
  });

  test.each<[Role, readonly string[]]>([
    ['api', []],
    ['projector', ['projector']],
    ['relay', ['kafka']],
    ['mailer', ['kafka', 'smtp']],
    ['scheduler', []],
  ])('given the role %s, a broker and a mail server, then besides: %j', (role, names) => {
    const checks = furtherChecks(
      { roles: [role], kafkaBrokers: ['one:9092'], smtpUrl: 'smtp://127.0.0.1' },
      { projector: projector({ leads: true }), jobQueues: broker.isThere },
    );
    expect(checks.map(({ name }) => name)).toEqual(names);
  });

  test.each<[readonly Role[], string | undefined]>([
    [['scheduler'], 'holds'],
    [['api', 'scheduler'], undefined],
  ])(
    'with the roles %j, the warning of a process is %j as a failure, and a warning in any case',
    async (roles, failure) => {
      const scheduler = { name: 'scheduler', check: () => undefined, warning: () => 'holds', stop: async () => {} };
      const [check] = processChecks({ roles }, [scheduler]);
      expect([await check?.check(), check?.warning?.()]).toEqual([failure, 'holds']);
    },
  );

  test('given a broker that is away, then the relay is not ready', async () => {
    const [check] = furtherChecks(
      { roles: ['relay'], kafkaBrokers: ['one:9092'], smtpUrl: undefined },
      { projector: projector({ leads: true }), jobQueues: broker.isAway },
    );
    await expect(check?.check()).rejects.toThrow('away');
  });

  test('given a public topic that is missing, then the relay is not ready, by a sentence that names it', async () => {
    const publicEvents = { findMissing: async () => await Promise.resolve(['surety.claims.v1']) };
    const [check] = furtherChecks(
      { roles: ['relay'], kafkaBrokers: ['one:9092'], smtpUrl: undefined },
      { projector: projector({ leads: true }), publicEvents },
    );
    expect(check?.name).toBe('public_topics');
    expect(await check?.check()).toMatch(
      /surety\.claims\.v1, because the topic is missing: .* --create-topics --from start/,
    );
  });

  test('given a process that serves requests and mails, then a mail server that is away does not make it ill', () => {
    const settings = { roles: ['api', 'mailer'], kafkaBrokers: undefined, smtpUrl: 'smtp://127.0.0.1' } as const;
    const checks = furtherChecks(settings, { projector: projector({ leads: true }), jobQueues: broker.isThere });
    expect(checks.map(({ name }) => name)).toEqual([]);
  });

  test.each<[string, Parameters<typeof projector>[0], unknown]>([
    ['leads and is level', { leads: true }, undefined],
    ['leads and is behind', { leads: true, lagMs: 9_000 }, 'the read models are 9 s behind the log'],
    ['stands by while the leader is behind', { leads: false, lagMs: 9_000 }, undefined],
    ['cannot see who leads', { leads: false, lease: 'the records do not answer' }, 'the records do not answer'],
  ])('given a projector that %s, then it says so', async (_case, told, reason) => {
    const [check] = furtherChecks(
      { roles: ['projector'], kafkaBrokers: undefined, smtpUrl: undefined },
      { projector: projector(told) },
    );
    expect(await check?.check()).toBe(reason);
  });
});
