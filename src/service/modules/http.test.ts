import { beforeEach, describe, expect, test } from '@jest/globals';
import { Container } from 'inversify';
import { readSettings, type ProcessRole } from '../config/config.ts';
import type { JobQueues, PublicEvents } from '#stores/messaging/messaging.ts';
import type { Projector } from '#read-side/projector.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { TOKENS } from '../compose/tokens.ts';
import { http } from './http.ts';

const SERVERS = {
  EVENTSTORE_URL: 'esdb://one:2113',
  MONGODB_URL: 'mongodb://one/surety',
  KAFKA_BROKERS: 'one:9092',
  SMTP_URL: 'smtp://127.0.0.1',
  SURETY_SECRET: 's'.repeat(32),
  SURETY_ADMIN_KEY: 'k'.repeat(32),
};

let container: Container;
beforeEach(() => {
  container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.runningProcesses).toConstantValue([]);
  container.bind(TOKENS.readModels).toConstantValue({} as ReadModels);
  container.bind(TOKENS.projector).toConstantValue({} as Projector);
  container.bind(TOKENS.jobQueues).toConstantValue({} as JobQueues);
  container.bind(TOKENS.publicEvents).toConstantValue({} as PublicEvents);
});

/** Returns the names of the health checks of a process with these roles. */
async function checksOf(
  roles: readonly ProcessRole[],
  variables: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  container.load(http({ ...readSettings(variables), roles }));
  return (await container.getAllAsync(TOKENS.healthChecks)).flat().map(({ name }) => name);
}

describe('health checks', () => {
  test.each<[readonly ProcessRole[], readonly string[]]>([
    [['api'], ['parked_documents', 'waiting_mails']],
    [['projector'], ['parked_documents', 'projector']],
    [['relay'], ['kafka', 'public_topics']],
    [['mailer'], ['kafka', 'smtp']],
    [['scheduler'], []],
    [
      ['api', 'projector', 'relay', 'mailer', 'scheduler'],
      ['parked_documents', 'kafka', 'public_topics', 'smtp', 'waiting_mails'],
    ],
  ])('of the roles %j, with all servers, are the start and %j', async (roles, names) => {
    expect(await checksOf(roles, SERVERS)).toEqual(['start', ...names]);
  });

  test.each<[readonly ProcessRole[], readonly string[]]>([
    [['relay', 'mailer'], []],
    [
      ['api', 'relay', 'mailer'],
      ['kafka', 'public_topics', 'smtp'],
    ],
  ])('of the roles %j warn only of %j', async (roles, names) => {
    container.load(http({ ...readSettings(SERVERS), roles }));
    const checks = (await container.getAllAsync(TOKENS.healthChecks)).flat();
    expect(checks.filter(({ isOptional }) => isOptional).map(({ name }) => name)).toEqual(names);
  });

  test('of the relay and the mailer without servers are the start and the disk', async () => {
    expect(await checksOf(['relay', 'mailer'], {})).toEqual(['start', 'disk']);
  });

  test('fail until the start is complete', async () => {
    container.load(http(readSettings({})));
    const [start] = (await container.getAllAsync(TOKENS.healthChecks)).flat();
    expect(await start?.check()).toBe('is under way');
    container.get(TOKENS.startup).isDone = true;
    expect(await start?.check()).toBeUndefined();
  });
});
