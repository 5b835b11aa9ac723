import { describe, expect, test } from '@jest/globals';
import { FakeConsumer, fakeKafka } from '../../../test/support/fake-kafka.ts';
import { DeadLetters } from './dead-letters.ts';
import { deadMessageOf, deadRecordOf, type DeadRecord, notReplayed, replayedMessageOf } from './dead-record.ts';
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

const letter = (id: string, reason: string): DeadRecord => ({ kind: 'dead', job: { id, body: 1 }, reason });
const replayed = (id: string, of: bigint): DeadRecord => ({ kind: 'replayed', id, of });

/** What is left of the records of one partition. */
function left(...records: readonly DeadRecord[]): readonly string[] {
  const placed = records.map((record, offset) => ({ ...record, partition: 0, offset: BigInt(offset) }));
  return notReplayed(placed).map(({ job, reason }) => `${job.id} ${reason}`);
}

describe('Records of dead letters', () => {
  test.each<[string, DeadRecord[], string[]]>([
    ['letters', [letter('a', '1'), letter('b', '2')], ['a 1', 'b 2']],
    ['a job that died twice', [letter('a', '1'), letter('b', '2'), letter('a', '3')], ['b 2', 'a 3']],
    ['a letter that was replayed', [letter('a', '1'), letter('b', '2'), replayed('a', 0n)], ['b 2']],
    ['a job that died again before that was written', [letter('a', '1'), letter('a', '2'), replayed('a', 0n)], ['a 2']],
    ['a job that died again since', [letter('a', '1'), replayed('a', 0n), letter('a', '2')], ['a 2']],
    ['the mark of a letter that is gone', [replayed('a', 7n), letter('b', '1')], ['b 1']],
  ])('given %s, then those are left that nobody replayed', (_title, records, expected) => {
    expect(left(...records)).toEqual(expected);
  });

  test('given a job that lies in two partitions, since there are more by now, then each letter is marked by itself', () => {
    const [one, two] = [0, 1].map((partition) => ({ ...letter('a', '1'), partition, offset: 5n }));
    const mark = { ...replayed('a', 5n), partition: 0, offset: 6n };
    expect(notReplayed([one, two, mark].filter((record) => record !== undefined))).toEqual([two]);
  });

  test('given a letter and its mark, then their messages read as they were written', () => {
    const read = ({ key, value, headers = {} }: ReturnType<typeof deadMessageOf>): DeadRecord =>
      deadRecordOf({
        key: Buffer.from(String(key)),
        value: value === null ? null : Buffer.from(String(value)),
        headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(String(text))])),
      });
    const job = { id: 'a', body: { of: ['Ω', null] } };
    expect(read(deadMessageOf(job, 'queue', 'why'))).toEqual({ kind: 'dead', job, reason: 'why' });
    const message = replayedMessageOf({ job, reason: 'why', partition: 3, offset: 12n });
    expect(read(message)).toEqual({ kind: 'replayed', id: 'a', of: 12n });
    expect(message.partition).toBe(3);
  });
});

test.each([
  ['control characters', '\u0001'.repeat(400_000)],
  ['letters', 'ü'.repeat(500_000)],
])(
  'given a job of somebody else that is too large as a letter, of %s, then the letter has its beginning',
  (_of, body) => {
    const { value } = deadMessageOf({ id: 'junk', body }, 'mails', 'unreadable');
    expect(Buffer.byteLength(String(value))).toBeLessThan(10_000);
    expect(deadRecordOf({ key: null, value: Buffer.from(String(value)) })).toMatchObject({
      job: { body: expect.stringContaining(' bytes)') },
    });
  },
);
