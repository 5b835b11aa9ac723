import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ConsumerConfig, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { FakeConsumer, fakeKafka } from '../../../test/support/fake-kafka.ts';
import { type ConsumerOptions, startConsumer } from './consumer.ts';
import { type JobRecord, messageOf } from './job-record.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

function started(
  consumers: (config: ConsumerConfig) => FakeConsumer,
  rest: Partial<ConsumerOptions> = {},
): ReturnType<typeof startConsumer> {
  return startConsumer({
    kafka: fakeKafka(consumers),
    topic: 't',
    group: 'g',
    sessionTimeoutMs: 10_000,
    now: () => '2026-03-01T10:00:00.000Z',
    lookAgainMs: 1_000,
    pauseAfterErrorMs: 1_000,
    concurrency: 1,
    handle: async () => await Promise.resolve({ kind: 'done' }),
    conclude: async () => await Promise.resolve(),
    ...rest,
  });
}

test('given a consumer of jobs, then it makes no topic, begins with the first record and commits only what it says', async () => {
  let config: ConsumerConfig | undefined;
  const hasBegun = Promise.withResolvers<void>();
  const consumer = new FakeConsumer({ run: async () => await Promise.resolve(hasBegun.resolve()) });
  const running = started((given) => {
    config = given;
    return consumer;
  });
  await hasBegun.promise;
  await running.stop();
  expect(config).toMatchObject({ groupId: 'g', allowAutoTopicCreation: false });
  expect(await config?.retry?.restartOnFailure?.(new Error('any'))).toBe(false);
  expect(consumer.subscribedTo).toEqual({ topics: ['t'], fromBeginning: true });
  expect(consumer.ranWith).toMatchObject({ autoCommit: false });
});

test.each([
  ['connect', ['connect', 'disconnect', 'disconnect']],
  ['subscribe', ['connect', 'subscribe', 'disconnect', 'disconnect']],
  ['run', ['connect', 'subscribe', 'run', 'disconnect', 'disconnect']],
] as const)(
  'given a consumer that is stopped while it does %s, when that is over, then it leaves and does not go on',
  async (step, expected) => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const held = async (): Promise<void> => {
      begun.resolve();
      await gate.promise;
    };
    const consumer = new FakeConsumer({ [step]: held });
    const running = started(() => consumer);
    await begun.promise;
    await running.stop();
    gate.resolve();
    // Nothing of it waits for more than promises.
    await new Promise(setImmediate);
    expect(consumer.steps).toEqual(expected);
  },
);

test('given members of the group that end one after the other, then none of them listens any more, and the log says why once', async () => {
  const signals = new Set<AbortSignal>();
  const add = AbortSignal.prototype.addEventListener;
  jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (this: AbortSignal, ...given) {
    signals.add(this);
    add.apply(this, given);
  });
  const enough = Promise.withResolvers<void>();
  let members = 0;
  const warn = jest.fn();
  const log = { warn, debug: jest.fn() };
  const failing = () => {
    members += 1;
    if (members === 4) enough.resolve();
    return new FakeConsumer({ connect: async () => await Promise.reject(new Error('not now')) });
  };
  const running = started(failing, { log });
  await enough.promise;
  const listeners = [...signals].map((signal) => getEventListeners(signal, 'abort').length);
  expect(Math.max(...listeners)).toBeLessThanOrEqual(1);
  expect(running.check()).toContain('not now');
  expect(warn.mock.calls).toEqual([[{ topic: 't', reason: 'not now' }, expect.stringContaining('tries again')]]);
  await running.stop();
});

/** Records of partition 0 as they come from a topic whose end is at `highWatermark`, the first of them at `from`. */
function batchOf(records: readonly JobRecord[], from: number, highWatermark: number, writtenAt = 1): EachBatchPayload {
  const bytes = (text: unknown): Buffer => Buffer.from(String(text));
  const messages = records.map((record, index) => {
    const { key, value, headers = {} } = messageOf(record);
    return {
      key: bytes(key),
      value: value === null ? null : bytes(value),
      timestamp: String(writtenAt),
      offset: String(from + index),
      headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, bytes(text)])),
    } as KafkaMessage;
  });
  const lastOffset = (): string => String(from + records.length - 1);
  const batch = { topic: 't', partition: 0, messages, highWatermark: String(highWatermark), lastOffset };
  return { batch } as unknown as EachBatchPayload;
}

class SeekingConsumer extends FakeConsumer {
  readonly soughtFrom: string[] = [];

  seek({ offset }: { readonly offset: string }): void {
    this.soughtFrom.push(offset);
  }
}

describe('A consumer of a topic', () => {
  const published = (...ids: string[]): JobRecord[] => ids.map((id) => ({ kind: 'published', job: { id, body: 1 } }));
  const FIRST = published('a', 'b', 'c', 'd');
  let members: SeekingConsumer[];
  let committed: string[];
  let handed: string[];
  let running: ReturnType<typeof startConsumer>;
  beforeEach(() => {
    [members, committed, handed] = [[], [], []];
    running = started(
      () => {
        const member = new SeekingConsumer({});
        members.push(member);
        return member;
      },
      {
        handle: async ({ id }) => {
          handed.push(id);
          return await Promise.resolve({ kind: 'done' });
        },
      },
    );
  });
  afterEach(async () => {
    await running.stop();
  });

  /** The newest member, as soon as it consumes, of which there are so many. */
  const member = async (count: number): Promise<SeekingConsumer> => {
    while (members.length < count || members.at(-1)?.ranWith === undefined) await pause(5);
    const newest = members.at(-1);
    if (newest === undefined) throw new Error('there is none');
    return newest;
  };
  const join = (on: FakeConsumer): void => {
    on.emit('join', { payload: { memberAssignment: { t: [0] } } });
  };
  const take = async (on: FakeConsumer, payload: EachBatchPayload): Promise<void> => {
    const commitOffsetsIfNecessary: EachBatchPayload['commitOffsetsIfNecessary'] = async (offsets) => {
      await Promise.resolve();
      committed.push(offsets?.topics[0]?.partitions[0]?.offset ?? 'nothing');
    };
    await on.ranWith?.eachBatch?.({ ...payload, commitOffsetsIfNecessary });
  };
  /** A member has read four records, which then are at their end here. */
  const readFour = async (): Promise<SeekingConsumer> => {
    const first = await member(1);
    join(first);
    await take(first, batchOf(FIRST, 0, 4));
    while (handed.length < 4) await pause(5);
    return first;
  };

  test.each([
    ['ends before what was read', batchOf(published('new'), 0, 1)],
    ['has as many others', batchOf(published('new', 'b', 'c', 'e'), 0, 4)],
    ['has as many of the same, written later', batchOf(FIRST, 0, 4, 2)],
    ['has more', batchOf(published('new', 'b', 'c', 'e', 'f', 'g'), 0, 6)],
  ])(
    'given the topic was made anew and %s, then the member ends and says so, and the next one begins with nothing',
    async (_how, batch) => {
      const first = await readFour();
      await expect(take(first, batch)).rejects.toThrow('made anew');
      // What comes before it has left is no more taken, wherever the topic ends by then.
      await expect(take(first, batchOf(published('late'), 9, 10))).rejects.toThrow('made anew');
      while (running.check() === undefined) await pause(5);
      expect(running.check()).toMatch(
        /^consumes no jobs and tries again \(the topic t was made anew or has lost records: /,
      );
      expect(handed).toEqual(['a', 'b', 'c', 'd']);
      // Whatever the group had committed may be about the topic that was.
      expect(committed).toEqual(['0', '0', '0']);
      const second = await member(2);
      expect(first.steps).toContain('disconnect');
      join(second);
      expect(running.check()).toBeUndefined();
      await take(second, batch);
      while (handed.length < 4 + batch.batch.messages.length) await pause(5);
      await take(second, batchOf([{ kind: 'done', id: 'z', of: 0n }], 9, 10));
      expect(committed.slice(3)).toEqual(['0', '10']);
    },
  );

  test.each([
    ['all of it', batchOf(FIRST, 0, 4)],
    ['all of it and more', batchOf([...FIRST, ...published('e')], 0, 5)],
    ['a part of it, while there is more', batchOf(FIRST.slice(1, 3), 1, 7)],
    ['the newest of it', batchOf(FIRST.slice(3), 3, 4)],
    ['what comes next', batchOf(published('e'), 4, 5)],
    ['what comes much later', batchOf(published('e'), 40, 41)],
  ])('given the group was shared out anew, when %s comes, then the member goes on', async (_what, batch) => {
    const first = await readFour();
    join(first);
    await take(first, batch);
    await take(first, batchOf(published('last'), 50, 51));
    while (!handed.includes('last')) await pause(5);
    expect(running.check()).toBeUndefined();
    expect(members).toHaveLength(1);
  });

  test('given the topic was made anew and the first of it come alone, then nothing is committed before it is sure', async () => {
    const first = await readFour();
    join(first);
    await take(first, batchOf(published('new', 'b'), 0, 7));
    expect(committed).toEqual(['0']);
    await expect(take(first, batchOf(published('c', 'e', 'f', 'g', 'h'), 2, 7))).rejects.toThrow('made anew');
    expect(committed).toEqual(['0', '0']);
  });

  describe('of which it has not heard for a while', () => {
    const fetched = (on: FakeConsumer, duration: number): void => {
      on.emit('fetch', { payload: { duration } });
    };
    const NEXT = published('e', 'f');

    test('given the topic is the same, then it goes on after the newest record has come once more', async () => {
      const first = await readFour();
      fetched(first, 500);
      await take(first, batchOf(NEXT.slice(0, 1), 4, 5));
      expect(first.soughtFrom).toEqual([]);
      fetched(first, 3_000);
      await take(first, batchOf(NEXT.slice(1), 5, 6));
      expect(first.soughtFrom).toEqual(['4']);
      expect(handed).not.toContain('f');
      await take(first, batchOf(NEXT, 4, 6));
      await take(first, batchOf(published('g'), 6, 7));
      while (!handed.includes('g')) await pause(5);
      expect(handed).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
      expect(first.soughtFrom).toHaveLength(1);
    });

    test.each([
      ['another one, which has more by now', batchOf([...published('z'), ...NEXT], 3, 6)],
      ['one without the newest record', batchOf(NEXT, 4, 6)],
    ])('given the topic is %s, then the member ends and says so', async (_how, again) => {
      const first = await readFour();
      fetched(first, 3_000);
      await take(first, batchOf(NEXT, 4, 6));
      await expect(take(first, again)).rejects.toThrow('made anew');
      expect(handed).toEqual(['a', 'b', 'c', 'd']);
      expect(committed).toEqual(['0', '0']);
    });

    test('given the group is shared out anew before the newest record has come again, then it is asked for again', async () => {
      const first = await readFour();
      fetched(first, 3_000);
      await take(first, batchOf(NEXT, 4, 6));
      join(first);
      await take(first, batchOf(NEXT, 4, 6));
      expect(first.soughtFrom).toEqual(['3', '3']);
      await take(first, batchOf([...FIRST.slice(3), ...NEXT], 3, 6));
      while (!handed.includes('f')) await pause(5);
      expect(members).toHaveLength(1);
    });

    test('given others have read on meanwhile, then it goes on where they were', async () => {
      const first = await readFour();
      fetched(first, 3_000);
      join(first);
      await take(first, batchOf(NEXT, 40, 42));
      while (!handed.includes('f')) await pause(5);
      expect(first.soughtFrom).toEqual([]);
    });
  });
});
