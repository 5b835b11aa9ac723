import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { pointAt } from '#test/support/log-points.ts';
import { dyingRecords } from '#test/support/dying-records.ts';
import type { Records } from '#stores/records/records.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { readSettings, type ProcessRole, ROLES } from '../config/config.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { replayPublicEvents } from '#processes/relay/replay.ts';
import { publicEventsCheckpoint } from '#processes/relay/relay.ts';
import { PUBLIC_TOPICS } from '#public-events/topics.ts';
import { topicPlans } from './kafka-topics.ts';
import { readInstallation } from '#stores/records/installation.ts';
import { secretHash } from '../security/start-secrets.ts';
import { SecretMismatch, type StartupOptions } from '../checks/installation-check.ts';
import { setUp, type SetUpOutcome } from './set-up.ts';
import { mailCheckpoint } from '#processes/mails/mail-job-relay.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { TopicMismatch } from '#stores/messaging/messaging.ts';

const ALL = topicPlans({ partitions: 3, replication: 1 }).map(({ topic }) => topic);
const [POLICIES = ''] = PUBLIC_TOPICS;
const JOBS = ALL.filter((topic) => !PUBLIC_TOPICS.includes(topic));
const SECRET = 'secret one of thirty-two characters';
const SERVERS = {
  EVENTSTORE_URL: 'esdb://one:2113',
  MONGODB_URL: 'mongodb://one/surety',
  KAFKA_BROKERS: 'one:9092',
  SURETY_SECRET: SECRET,
};
const DONE: SetUpOutcome = { createdTopics: [], missingTopics: [], isSecretKnown: true };
const FIRST: SetUpOutcome = { ...DONE, createdTopics: PUBLIC_TOPICS };

/** Fake of Kafka for set-up. */
class FakeKafka {
  readonly existing = new Map<string, number>();
  isAway = false;
  /** Why a topic is refused. */
  unfit: string | undefined;
  readonly created: string[] = [];

  readonly topics = {
    find: async () => {
      if (this.isAway) throw new StoreUnavailable('Kafka is away');
      return await Promise.resolve(new Map(this.existing));
    },
    setUp: async (_layout: object, options: { readonly createsPublicTopics: boolean }) => {
      if (this.unfit !== undefined) throw new TopicMismatch(this.unfit);
      const missing = ALL.filter((topic) => !this.existing.has(topic));
      const left = missing.filter((topic) => PUBLIC_TOPICS.includes(topic) && !options.createsPublicTopics);
      for (const topic of missing.filter((one) => !left.includes(one))) {
        this.created.push(topic);
        this.existing.set(topic, 3);
      }
      const createdTopics = missing.filter((topic) => PUBLIC_TOPICS.includes(topic) && !left.includes(topic));
      return await Promise.resolve({ createdTopics, missingTopics: left });
    },
  };
}

let kafka: FakeKafka;
let records: Records;
let end: bigint | undefined;
let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  kafka = new FakeKafka();
  records = openTemporaryRecords();
  end = undefined;
  place = temporaryFolder();
});
afterEach(() => place.remove());

const eventStore = {
  lastPosition: async () => await Promise.resolve(end),
  readAt: async (position: bigint) => await Promise.resolve(pointAt(position) as StoredEvent),
};

interface Start extends StartupOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly roles?: readonly ProcessRole[];
}

async function start({ variables = SERVERS, roles = ROLES, ...startup }: Start = { purpose: 'setup' }) {
  const settings = readSettings({ SURETY_DATA: place.folder, ...variables });
  const topics = settings.servers === undefined ? undefined : kafka.topics;
  const randomBytes = (bytes: number) => new Uint8Array(bytes).fill(7);
  return await setUp({ settings: { ...settings, roles }, records, eventStore, startup, randomBytes, topics });
}
const positions = async () => [await mailCheckpoint(records).read(), await publicEventsCheckpoint(records).read()];

describe('the first set-up', () => {
  test('creates document, checkpoints and topics, and is idempotent', async () => {
    expect(await start()).toEqual(FIRST);
    expect(await readInstallation(records)).toEqual({
      format: 1,
      secret: secretHash(SECRET),
      relayStart: { 'checkpoint public-events': '' },
    });
    expect(await positions()).toEqual([undefined, undefined]);
    expect(kafka.created).toEqual(ALL);
    const before = await readInstallation(records);
    expect(await start({ purpose: 'serve', variables: { ...SERVERS, SURETY_ADMIN_KEY: 'k'.repeat(32) } })).toEqual(
      DONE,
    );
    expect(await readInstallation(records)).toEqual(before);
    expect(kafka.created).toHaveLength(ALL.length);
  });

  test('writes nothing when Kafka does not answer', async () => {
    kafka.isAway = true;
    await expect(start()).rejects.toThrow('Kafka is away');
    expect(await records.list('values', { after: undefined, limit: 9 })).toEqual([]);
  });

  test('of a service is completed without Kafka, and creates the topics once Kafka answers', async () => {
    kafka.isAway = true;
    const serve: Start = { purpose: 'serve', variables: { ...SERVERS, SURETY_ADMIN_KEY: 'k'.repeat(32) } };
    const kafkaFailure = new StoreUnavailable('Kafka is away');
    expect(await start(serve)).toEqual({ ...DONE, kafkaFailure });
    expect(await positions()).toEqual([undefined, undefined]);
    end = 9n;
    expect(await start(serve)).toEqual({ ...DONE, kafkaFailure });
    kafka.isAway = false;
    expect(await start(serve)).toEqual(FIRST);
    expect(kafka.created).toEqual(ALL);
  });

  test('writes nothing when a topic is unsuitable, not even a change on purpose', async () => {
    await start();
    const before = await readInstallation(records);
    kafka.unfit = 'surety.jobs.mail.v1 has the retention of another service';
    const changed = { ...SERVERS, SURETY_SECRET: 's'.repeat(40) };
    await expect(start({ purpose: 'setup', changesSecret: true, variables: changed })).rejects.toThrow(kafka.unfit);
    expect(await readInstallation(records)).toEqual(before);
  });

  test('requires --from on a log with events, and starts there', async () => {
    end = 9n;
    await expect(start()).rejects.toThrow('--from start, --from end or --from POSITION');
    expect(await start({ purpose: 'setup', from: 'end' })).toEqual(FIRST);
    expect(await positions()).toEqual([pointAt(9n), pointAt(9n)]);
    expect((await readInstallation(records)).relayStart['checkpoint public-events']).toBe('9 event-9');
  });

  test('is completed by the next set-up after a kill at any write', async () => {
    for (let allowed = 0; allowed < 4; allowed += 1) {
      const real = (records = openTemporaryRecords());
      records = dyingRecords(real, allowed);
      kafka = new FakeKafka();
      await start().catch(() => undefined);
      records = real;
      expect(await start()).toMatchObject({ missingTopics: [], isSecretKnown: true });
      expect(await positions()).toEqual([undefined, undefined]);
      expect(kafka.existing.size).toBe(ALL.length);
    }
  });
});

describe('concurrent first starts', () => {
  test('succeed with the same settings', async () => {
    expect(await Promise.all([start(), start()])).toEqual([FIRST, DONE]);
    expect(await positions()).toEqual([undefined, undefined]);
  });

  test('with different secrets accept that of one process and reject the other', async () => {
    const others = [SERVERS, { ...SERVERS, SURETY_SECRET: 'secret two of thirty-two characters' }];
    const ends = await Promise.allSettled(
      others.map(async (variables) => await start({ purpose: 'setup', variables })),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of ends) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(SecretMismatch);
    const winner = others[ends.findIndex(({ status }) => status === 'fulfilled')] ?? SERVERS;
    expect(await start({ purpose: 'setup', variables: winner })).toEqual(DONE);
  });

  test('keep checkpoints that another process has already moved', async () => {
    const late = start();
    // Between its look at the checkpoints and its writes.
    const replaceValue = records.replaceValue.bind(records);
    records.replaceValue = async (name, seen, value) => {
      if (name === 'installation') await publicEventsCheckpoint(records).save(pointAt(5n));
      return await replaceValue(name, seen, value);
    };
    await late;
    expect((await positions())[1]).toEqual(pointAt(5n));
  });
});

describe('the secret', () => {
  const { SURETY_SECRET: _, ...withoutSecret } = SERVERS;

  test('is set by the first service after a set-up of servers without one', async () => {
    expect(await start({ purpose: 'setup', variables: withoutSecret })).toEqual({ ...FIRST, isSecretKnown: false });
    expect(await start({ purpose: 'serve', variables: withoutSecret })).toEqual(DONE);
    const createdSecret = secretHash('07'.repeat(32));
    expect((await readInstallation(records)).secret).toBe(createdSecret);
    await expect(start({ purpose: 'serve' })).rejects.toThrow(SecretMismatch);
  });

  test('can be changed on purpose', async () => {
    await start();
    const variables = { ...SERVERS, SURETY_SECRET: 'secret two of thirty-two characters' };
    await start({ purpose: 'setup', changesSecret: true, variables });
    expect((await readInstallation(records)).secret).toBe(secretHash(variables.SURETY_SECRET));
  });

  test('of a folder may change with its process', async () => {
    for (const word of ['one', 'two']) {
      const SURETY_SECRET = `secret ${word} of thirty-two characters`;
      await start({ purpose: 'serve', variables: { SURETY_SECRET } });
      expect((await readInstallation(records)).secret).toBe(secretHash(SURETY_SECRET));
    }
  });
});

test('topics and checkpoints are not created by a service with separate roles', async () => {
  const apart = { SURETY_ADMIN_KEY: 'k'.repeat(32), PUBLIC_URL: 'https://surety.example' };
  await start({ purpose: 'serve', variables: { ...SERVERS, ...apart }, roles: ['api'] });
  expect(await readInstallation(records)).toMatchObject({ secret: secretHash(SECRET) });
  expect(kafka.created).toEqual([]);
  expect(await mailCheckpoint(records).isInitialised()).toBe(false);
});

describe('a missing public topic', () => {
  const moveRelay = async (): Promise<void> => {
    const checkpoint = publicEventsCheckpoint(records);
    await checkpoint.takeOver();
    await checkpoint.save(pointAt(5n));
  };
  beforeEach(async () => {
    await start();
    kafka.created.length = 0;
    for (const topic of [POLICIES, ...JOBS]) kafka.existing.delete(topic);
  });

  test('is created while the relay is at its start', async () => {
    expect(await start()).toEqual({ ...DONE, createdTopics: [POLICIES] });
    expect(kafka.created).toEqual([POLICIES, ...JOBS]);
  });

  test('is reported and not created after the relay has moved; topics of jobs are created', async () => {
    await moveRelay();
    expect(await start()).toEqual({ ...DONE, missingTopics: [POLICIES] });
    expect(kafka.created).toEqual(JOBS);
    expect((await positions())[1]).toEqual(pointAt(5n));
  });

  test('is not created when an older installation does not know the start of the relay', async () => {
    records = openTemporaryRecords();
    for (const checkpoint of [mailCheckpoint(records), publicEventsCheckpoint(records)])
      await checkpoint.save(pointAt(5n));
    expect(await start()).toEqual({ ...DONE, missingTopics: [POLICIES] });
  });

  test('is created by the next set-up after a kill between reset and creation', async () => {
    await moveRelay();
    end = 9n;
    const pause = async (): Promise<void> => await Promise.resolve();
    await replayPublicEvents('start', { records, eventStore, pause });
    expect(kafka.existing.has(POLICIES)).toBe(false);
    expect(await start()).toEqual({ ...DONE, createdTopics: [POLICIES] });
    expect(kafka.existing.has(POLICIES)).toBe(true);
  });
});
