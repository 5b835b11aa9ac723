import { expect, test } from '@jest/globals';
import { type Admin, KafkaJSNumberOfRetriesExceeded, KafkaJSProtocolError } from 'kafkajs';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { setUpTopicsBy } from './topics.ts';
import { TopicMismatch } from '../messaging.ts';

const PLAN = { topic: 't', partitions: 2, replication: 1 };

const CONFIG_ENTRIES = ['cleanup.policy delete', 'retention.ms -1', 'retention.bytes -1'];
const SETTINGS = CONFIG_ENTRIES.map((text) => text.split(' ')).map(([configName, configValue]) => ({
  configName,
  configValue,
}));
const UNKNOWN = new KafkaJSProtocolError({ type: 'UNKNOWN_TOPIC_OR_PARTITION', message: 'not here' } as never);

interface Brokers {
  readonly settings?: typeof SETTINGS;
  readonly reportsAtCall: number;
  readonly refusal?: Error;
  /** Topics that exist at the start. */
  readonly existingTopics?: readonly string[];
}

/** Creates an admin client of brokers that create a topic at once, and report it from the given call on. */
function laggingBrokers({ reportsAtCall, refusal = UNKNOWN, existingTopics = [], settings = SETTINGS }: Brokers) {
  const callCount = { createTopics: 0, fetchTopicMetadata: 0, describeConfigs: 0, fetchTopicOffsets: 0 };
  const countCall = (name: keyof typeof callCount): void => {
    callCount[name] += 1;
    if (callCount[name] < reportsAtCall) throw refusal;
  };
  const admin = {
    listTopics: async () => await Promise.resolve(existingTopics),
    fetchTopicOffsets: async () => {
      countCall('fetchTopicOffsets');
      return await Promise.resolve([]);
    },
    createTopics: async () => {
      countCall('createTopics');
      return await Promise.resolve(true);
    },
    fetchTopicMetadata: async () => {
      countCall('fetchTopicMetadata');
      return await Promise.resolve({ topics: [{ name: 't', partitions: [{ replicas: [1] }, { replicas: [1] }] }] });
    },
    describeConfigs: async () => {
      countCall('describeConfigs');
      return await Promise.resolve({ resources: [{ resourceName: 't', configEntries: settings }] });
    },
  };
  return { admin: admin as unknown as Admin, callCount };
}

const NOT_LED = new KafkaJSProtocolError({ type: 'NOT_LEADER_FOR_PARTITION', message: 'not here' } as never);

test.each([
  ['', UNKNOWN],
  [' (after the retries of kafkajs)', new KafkaJSNumberOfRetriesExceeded(UNKNOWN, { retryCount: 2, retryTime: 100 })],
  [' (the partitions had no leader)', NOT_LED],
])(
  'creates a topic once when the brokers report it, and its settings, only at the third request%s',
  async (_, refusal) => {
    const { admin, callCount } = laggingBrokers({ reportsAtCall: 3, refusal });
    expect(await setUpTopicsBy(admin, [PLAN])).toEqual([PLAN]);
    expect(callCount).toEqual({ createTopics: 1, fetchTopicMetadata: 3, describeConfigs: 3, fetchTopicOffsets: 3 });
  },
);

test('fails at the deadline when the brokers never report the topic', async () => {
  const { admin, callCount } = laggingBrokers({ reportsAtCall: Infinity });
  const setUp = setUpTopicsBy(admin, [PLAN], {}, 250);
  await expect(setUp).rejects.toThrow(
    'the brokers do not report the topics yet that they have created; run surety setup again',
  );
  await expect(setUp).rejects.toThrow(StoreUnavailable);
  expect(callCount.createTopics).toBe(1);
  expect(callCount.fetchTopicMetadata).toBeLessThan(10);
});

test('fails at once when the brokers refuse to create a topic', async () => {
  const refusal = new KafkaJSProtocolError({ type: 'POLICY_VIOLATION', message: 'not allowed' } as never);
  const { admin, callCount } = laggingBrokers({ reportsAtCall: Infinity, refusal });
  await expect(setUpTopicsBy(admin, [PLAN])).rejects.toThrow('not allowed');
  expect(callCount).toEqual({ createTopics: 1, fetchTopicMetadata: 0, describeConfigs: 0, fetchTopicOffsets: 0 });
});

const settingsWith = (name: string, configValue: string) =>
  SETTINGS.map((entry) => (entry.configName === name ? { ...entry, configValue } : entry));

test('rejects a topic whose messages expire unless its plan allows it', async () => {
  const { admin } = laggingBrokers({
    reportsAtCall: 1,
    existingTopics: ['t'],
    settings: settingsWith('retention.ms', '604800000'),
  });
  await expect(setUpTopicsBy(admin, [PLAN])).rejects.toThrow('has retention.ms 604800000 instead of -1');
  expect(await setUpTopicsBy(admin, [{ ...PLAN, mayExpire: true }])).toEqual([PLAN]);
  const compacted = laggingBrokers({
    reportsAtCall: 1,
    existingTopics: ['t'],
    settings: settingsWith('cleanup.policy', 'compact'),
  });
  await expect(setUpTopicsBy(compacted.admin, [{ ...PLAN, mayExpire: true }])).rejects.toThrow(
    'cleanup.policy compact',
  );
});

test('rejects a topic with another layout, also when it is reported late', async () => {
  const { admin } = laggingBrokers({ reportsAtCall: 2 });
  await expect(setUpTopicsBy(admin, [{ ...PLAN, partitions: 6 }])).rejects.toThrow(TopicMismatch);
});

test('creates no topic when an existing one does not match', async () => {
  const { admin, callCount } = laggingBrokers({ reportsAtCall: 1, existingTopics: ['t'] });
  const plans = [
    { ...PLAN, partitions: 6 },
    { ...PLAN, topic: 'missing', partitions: 6 },
  ];
  await expect(setUpTopicsBy(admin, plans)).rejects.toThrow('The topic t has 2 partitions instead of 6');
  expect(callCount.createTopics).toBe(0);
});
