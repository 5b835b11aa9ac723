import { describe, expect, test } from '@jest/globals';
import { KafkaJSProtocolError } from 'kafkajs';
import { FakeConsumer, fakeKafka } from '../../../test/support/fake-kafka.ts';
import { DeadLetters } from './dead-letters.ts';
import { deadMessageOf, deadRecordOf, type DeadRecord, settledMessageOf, unsettled } from './dead-record.ts';
import { Sender } from './sender.ts';

test('given kafkajs gives up while a reader of dead letters joins its group, then the reading fails with the reason', async () => {
  const consumer = new FakeConsumer({
    run: async () => {
      consumer.crash(new Error('not authorized'));
      await Promise.withResolvers<void>().promise;
    },
  });
  const kafka = fakeKafka(() => consumer, {
    fetchTopicOffsets: async () => await Promise.resolve([{ partition: 0, low: '0', high: '1' }]),
    fetchOffsets: async () => await Promise.resolve([]),
  });
  await expect(new DeadLetters(kafka, new Sender(kafka)).list('dead')).rejects.toThrow('Kafka: not authorized');
  expect(consumer.steps.at(-1)).toBe('disconnect');
});

test('given a broker that has just begun and does not know its groups yet, then it is asked again', async () => {
  let asked = 0;
  const kafka = fakeKafka(() => new FakeConsumer({}), {
    fetchTopicOffsets: async () => await Promise.resolve([]),
    fetchOffsets: async () => {
      asked += 1;
      if (asked < 3) throw new KafkaJSProtocolError({ type: 'GROUP_LOAD_IN_PROGRESS', message: 'is loading' } as never);
      return await Promise.resolve([]);
    },
  });
  expect(await new DeadLetters(kafka, new Sender(kafka)).list('dead')).toEqual([]);
  expect(asked).toBe(3);
});

const DIED_AT = '2026-03-01T10:00:00.000Z';
const letter = (id: string, reason: string): DeadRecord & { readonly kind: 'dead' } => ({
  kind: 'dead',
  job: { id, body: 1 },
  reason,
  diedAt: DIED_AT,
});
const settled = (id: string, of: bigint): DeadRecord => ({ kind: 'settled', id, of });

/** What is left of the records of one partition. */
function left(...records: readonly DeadRecord[]): readonly string[] {
  const placed = records.map((record, offset) => ({ ...record, partition: 0, offset: BigInt(offset) }));
  return unsettled(placed).map(({ job, reason }) => `${job.id} ${reason}`);
}

describe('Records of dead letters', () => {
  test.each<[string, DeadRecord[], string[]]>([
    ['letters', [letter('a', '1'), letter('b', '2')], ['a 1', 'b 2']],
    ['a job that died twice', [letter('a', '1'), letter('b', '2'), letter('a', '3')], ['b 2', 'a 3']],
    ['a letter that was replayed', [letter('a', '1'), letter('b', '2'), settled('a', 0n)], ['b 2']],
    ['a job that died again before that was written', [letter('a', '1'), letter('a', '2'), settled('a', 0n)], ['a 2']],
    ['a job that died again since', [letter('a', '1'), settled('a', 0n), letter('a', '2')], ['a 2']],
    ['the mark of a letter that is gone', [settled('a', 7n), letter('b', '1')], ['b 1']],
    [
      'letters of strangers without a key, one of which is settled',
      [letter('', '1'), letter('', '2'), letter('', '3'), settled('', 1n)],
      [' 1', ' 3'],
    ],
  ])('given %s, then those are left that nobody replayed or discarded', (_title, records, expected) => {
    expect(left(...records)).toEqual(expected);
  });

  test('given a job that lies in two partitions, since there are more by now, then each letter is marked by itself', () => {
    const [one, two] = [0, 1].map((partition) => ({ ...letter('a', '1'), partition, offset: 5n }));
    const mark = { ...settled('a', 5n), partition: 0, offset: 6n };
    const left = unsettled([one, two, mark].filter((record) => record !== undefined));
    expect(left.map(({ place }) => place)).toEqual(['1/5']);
  });

  test('given letters of two partitions, in whatever order they were read, then those that died first come first', () => {
    const at = (partition: number, offset: bigint, hour: string): ReturnType<typeof placed> =>
      placed(partition, offset, `2026-03-01T${hour}:00:00.000Z`);
    const placed = (partition: number, offset: bigint, diedAt: string) => ({
      ...letter(`${partition}-${offset}`, '1'),
      diedAt,
      partition,
      offset,
    });
    const records = [at(1, 0n, '11'), at(1, 1n, '12'), at(0, 0n, '10'), at(0, 1n, '12')];
    for (const read of [records, records.toSorted((one, other) => one.partition - other.partition)])
      expect(unsettled(read).map(({ place }) => place)).toEqual(['0/0', '1/0', '0/1', '1/1']);
  });

  test('given a letter and its mark, then their messages read as they were written', () => {
    const read = ({ key, value, timestamp = '-1', headers = {} }: ReturnType<typeof deadMessageOf>): DeadRecord =>
      deadRecordOf({
        key: Buffer.from(String(key)),
        value: value === null ? null : Buffer.from(String(value)),
        timestamp,
        headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(String(text))])),
      });
    const job = { id: 'a', body: { of: ['Ω', null] } };
    expect(read(deadMessageOf(job, 'queue', 'why', DIED_AT))).toEqual({
      kind: 'dead',
      job,
      reason: 'why',
      diedAt: DIED_AT,
    });
    for (const how of ['replayed', 'discarded'] as const) {
      const message = settledMessageOf({ job, partition: 3, offset: 12n }, how);
      expect(read(message)).toEqual({ kind: 'settled', id: 'a', of: 12n });
      expect(message.partition).toBe(3);
    }
  });

  test('given a letter whose writer did not say when, then nobody makes a moment up', () => {
    for (const timestamp of ['-1', '', '99999999999999999999'])
      expect(deadRecordOf({ key: null, value: null, timestamp })).toMatchObject({ kind: 'dead', diedAt: undefined });
  });
});

test.each([
  ['control characters', '\u0001'.repeat(400_000)],
  ['letters', 'ü'.repeat(500_000)],
])(
  'given a job of somebody else that is too large as a letter, of %s, then the letter has its beginning',
  (_of, body) => {
    const { value } = deadMessageOf({ id: 'junk', body }, 'mails', 'unreadable', DIED_AT);
    expect(Buffer.byteLength(String(value))).toBeLessThan(10_000);
    expect(deadRecordOf({ key: null, value: Buffer.from(String(value)), timestamp: '-1' })).toMatchObject({
      job: { body: expect.stringContaining(' bytes)') },
    });
  },
);
