import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import { TopicsUnfit } from '../messaging/kafka/topics.ts';
import type { TopicFound } from '../messaging/topic-plan.ts';
import { mailJobsCheckpoint } from '../processes/mail-jobs/mail-job-relay.ts';
import { publicEventsCheckpoint } from '../processes/public-events/relay.ts';
import { topicPlans } from '../processes/topics.ts';
import { keepTopics, readTopics } from '../records/topics-mark.ts';
import { type BrokerParts, type BrokerSetUp, CannotSetUp, setUpBroker } from './broker.ts';

const ALL = topicPlans({ partitions: 3, replication: 1 }).map(({ topic }) => topic);
const POLICIES = 'surety.policies.v1';
const MAILS = 'surety.jobs.mail.v1';

/** A broker, as far as a set-up asks it. */
class FakeBroker {
  readonly topics = new Set<string>();
  mailersRun = false;
  unfit = false;
  /** What was asked for that changes something, in its order. */
  readonly did: string[] = [];

  readonly stores = {
    TopicsUnfit,
    partitionsOf: async () => await Promise.resolve(new Map([...this.topics].map((topic) => [topic, 3]))),
    forgetGroup: async () => {
      if (!this.mailersRun) this.did.push('forget');
      return await Promise.resolve(!this.mailersRun);
    },
    setUpTopicsAt: async (
      _place: object,
      _layout: object,
      { only = () => true }: { only?: (topic: string) => boolean },
    ) => {
      const wanted = ALL.filter(only);
      if (this.unfit && wanted.length > 0) throw new TopicsUnfit('unfit');
      for (const topic of wanted) {
        if (!this.topics.has(topic)) this.did.push(`make ${topic}`);
        this.topics.add(topic);
      }
      return await Promise.resolve(
        wanted.map((topic): TopicFound => ({ topic, partitions: 3, replication: 1, made: false })),
      );
    },
  };
}

let broker: FakeBroker;
let records: MemoryRecords;
beforeEach(async () => {
  broker = new FakeBroker();
  records = new MemoryRecords();
  for (const checkpoint of [mailJobsCheckpoint(records), publicEventsCheckpoint(records)]) await checkpoint.save(9n);
});

const eventStore = {
  lastPosition: async () => await Promise.resolve(9n),
  readAll: async () => await Promise.resolve([{ position: 5n } as StoredEvent]),
};
const setUp = async (said: BrokerSetUp = {}, further: Partial<BrokerParts> = {}): Promise<readonly string[]> => {
  const onServers = async () => await Promise.resolve(broker.stores);
  const pause = async (): Promise<void> => await Promise.resolve();
  return await setUpBroker({ brokers: [] }, said, { records, eventStore, pause, onServers, ...further });
};
const places = async () => [await mailJobsCheckpoint(records).read(), await publicEventsCheckpoint(records).read()];

describe('topics that are lost', () => {
  beforeEach(async () => {
    await setUp();
    broker.did.length = 0;
  });

  test('given one is gone, then it is named, and neither made nor sent again', async () => {
    broker.topics.delete(POLICIES);
    await expect(setUp()).rejects.toThrow(
      /gone, with all they held: surety\.policies\.v1\. .*--send-again --from start/,
    );
    expect(broker.did).toEqual([]);
    expect(await places()).toEqual([9n, 9n]);
  });

  test('given a broker that shows it at the second look only, then nothing is lost', async () => {
    broker.topics.delete(POLICIES);
    const pause = async (): Promise<void> => {
      broker.topics.add(POLICIES);
      await Promise.resolve();
    };
    expect(await setUp({ sendAgain: 'start' }, { pause })).toEqual([]);
    expect(await places()).toEqual([9n, 9n]);
  });

  test.each<[string, string[], (bigint | undefined)[]]>([
    ['of public events', [POLICIES], [9n, 5n]],
    ['of mails', [MAILS], [5n, 9n]],
    ['of both', [POLICIES, MAILS], [5n, 5n]],
  ])(
    'given those %s are to be sent again, then only who sent to them begins anew, before they are made',
    async (_of, gone, expected) => {
      for (const topic of gone) broker.topics.delete(topic);
      expect(await setUp({ sendAgain: 5n })).toEqual(gone);
      expect(await places()).toEqual(expected);
      const forgotten = gone.includes(MAILS) ? ['forget'] : [];
      expect(broker.did).toEqual([...forgotten, ...gone.map((topic) => `make ${topic}`)]);
      expect(await records.readLease('relay')).toMatchObject({ holder: undefined });
    },
  );

  test('given the relay led before, then it can save nothing any more', async () => {
    const led = await records.takeLease('relay', 'frozen', undefined);
    broker.topics.delete(POLICIES);
    await setUp({ sendAgain: 'start' });
    const frozen = publicEventsCheckpoint(records).under({ token: led?.token ?? 0 });
    await expect(frozen.save(9n)).rejects.toThrow('written by another process');
    expect(await places()).toEqual([9n, undefined]);
  });

  test('given somebody leads the relay, or mailers run, then nothing begins anew', async () => {
    broker.topics.delete(MAILS);
    let lease = await records.takeLease('relay', 'somebody', undefined);
    const pause = async (): Promise<void> => {
      if (lease !== undefined) lease = await records.beatLease('relay', lease);
    };
    await expect(setUp({ sendAgain: 'start' }, { pause })).rejects.toThrow('A process of the role relay runs');
    if (lease !== undefined) await records.releaseLease('relay', lease);
    broker.mailersRun = true;
    await expect(setUp({ sendAgain: 'start' })).rejects.toThrow('A process of the role mailer runs');
    expect([broker.did, await places()]).toEqual([[], [9n, 9n]]);
    expect(await records.readLease('relay')).toMatchObject({ holder: undefined });
  });

  test('given those beside them are unfit, then nothing begins anew', async () => {
    broker.topics.delete(POLICIES);
    broker.unfit = true;
    await expect(setUp({ sendAgain: 'start' })).rejects.toThrow(CannotSetUp);
    expect([broker.did, await places()]).toEqual([[], [9n, 9n]]);
  });
});

test('given records of a version that kept no mark, then what is to be sent again is what is not there', async () => {
  expect(await setUp({ sendAgain: 'start' })).toEqual(ALL);
  expect(await places()).toEqual([undefined, undefined]);
  expect((await readTopics(records)).size).toBe(ALL.length);
});

test('given records of a version that kept no mark and nothing said, then what is missing is made as ever', async () => {
  expect(await setUp()).toEqual([]);
  expect(await places()).toEqual([9n, 9n]);
});

test('given a mark that nobody can read, then it is named', async () => {
  await keepTopics(records, new Map([[POLICIES, 0]]));
  await expect(setUp()).rejects.toThrow('The named value topics-mark in the records cannot be read');
});
