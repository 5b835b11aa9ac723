import { describe, expect, test } from '@jest/globals';
import type { Role } from '../config.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import type { SharedProjector } from '../processes/shared-projector.ts';
import { furtherChecks, judgedParts } from './readiness.ts';

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
      projector({ leads: true }),
      broker.isThere,
    );
    expect(checks.map(({ name }) => name)).toEqual(names);
  });

  test('given a broker that is away, then the relay is not ready', async () => {
    const [check] = furtherChecks(
      { roles: ['relay'], kafkaBrokers: ['one:9092'], smtpUrl: undefined },
      projector({ leads: true }),
      broker.isAway,
    );
    await expect(check?.check()).rejects.toThrow('away');
  });

  test('given a process that serves requests and mails, then a mail server that is away does not make it ill', () => {
    const settings = { roles: ['api', 'mailer'], kafkaBrokers: undefined, smtpUrl: 'smtp://127.0.0.1' } as const;
    const checks = furtherChecks(settings, projector({ leads: true }), broker.isThere);
    expect(checks.map(({ name }) => name)).toEqual(['job_queues']);
  });

  test.each<[string, Parameters<typeof projector>[0], unknown]>([
    ['leads and is level', { leads: true }, undefined],
    ['leads and is behind', { leads: true, lagMs: 9_000 }, 'the read models are 9 s behind the log'],
    ['stands by while the leader is behind', { leads: false, lagMs: 9_000 }, undefined],
    ['cannot see who leads', { leads: false, lease: 'the records do not answer' }, 'the records do not answer'],
  ])('given a projector that %s, then it says so', async (_case, told, reason) => {
    const [check] = furtherChecks(
      { roles: ['projector'], kafkaBrokers: undefined, smtpUrl: undefined },
      projector(told),
      undefined,
    );
    expect(await check?.check()).toBe(reason);
  });
});
