import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { idOf, type JobRecord, messageOf, recordOf } from './job-record.ts';
import { OpenJobs } from './open-jobs.ts';

const DUE = '2026-03-01T10:00:00.000Z';
const published = (id: string): JobRecord => ({ kind: 'published', job: { id, body: 1 } });
const again = (id: string, of: bigint): JobRecord => ({ kind: 'again', job: { id, body: 1 }, of, due: DUE });
const done = (id: string, of: bigint): JobRecord => ({ kind: 'done', id, of });

function folded(records: readonly JobRecord[], from = 0): OpenJobs {
  const jobs = new OpenJobs();
  records.forEach((record, offset) => {
    if (offset >= from) jobs.take(record, BigInt(offset));
  });
  return jobs;
}

const open = (jobs: OpenJobs): string[] => [...jobs.all()].map(({ id, offset, due }) => `${id}@${offset} ${due ?? ''}`);

/** Any records of three jobs; an end is about any publication of its job before it, as several consumers may write it. */
const anyRecords: fc.Arbitrary<JobRecord[]> = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(published, again, done), fc.nat(100)), {
    maxLength: 30,
  })
  .map((choices) => {
    const records: JobRecord[] = [];
    for (const [id, make, choice] of choices) {
      const earlier = records.flatMap((record, offset) =>
        record.kind !== 'done' && record.job.id === id ? [BigInt(offset)] : [],
      );
      const of = earlier[choice % Math.max(1, earlier.length)];
      records.push(of === undefined ? published(id) : make(id, of));
    }
    return records;
  });

describe('Open jobs', () => {
  test('given any records, when reading begins at any low water there was, then the same jobs are open', () => {
    fc.assert(
      fc.property(anyRecords, fc.nat(30), (records, upTo) => {
        const lowWater = folded(records.slice(0, upTo)).lowWater() ?? 0n;
        expect(open(folded(records, Number(lowWater)))).toEqual(open(folded(records)));
      }),
    );
  });

  test('given any records, then those are due that are by now, and the next one is when it is', () => {
    const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
    fc.assert(
      fc.property(anyRecords, fc.array(fc.nat(59), { minLength: 30 }), fc.nat(59), (records, minutes, minute) => {
        const jobs = folded(
          records.map((record, offset) =>
            record.kind === 'again' ? { ...record, due: at(minutes[offset] ?? 0) } : record,
          ),
        );
        const now = at(minute);
        const isDue = ({ due }: { readonly due: string | undefined }): boolean => due === undefined || due <= now;
        const ids = (some: Iterable<{ readonly id: string }>): string[] => [...some].map(({ id }) => id).sort();
        expect(ids(jobs.due(now))).toEqual(ids([...jobs.all()].filter(isDue)));
        const later = [...jobs.all()].filter((job) => !isDue(job)).map(({ due }) => due ?? '');
        expect(jobs.nextDue()).toBe(later.toSorted((a, b) => (a < b ? -1 : 1))[0]);
      }),
    );
  });

  test('given ends by two consumers that had different records, when reading begins behind the newer, then it is the same', () => {
    const records = [published('a'), published('a'), published('b'), again('a', 0n), done('a', 1n)];
    expect(open(folded(records))).toEqual(['b@2 ']);
    expect(open(folded(records, 2))).toEqual(['b@2 ']);
  });

  test('given any records, when some come again, then nothing changes', () => {
    fc.assert(
      fc.property(anyRecords, fc.nat(30), (records, from) => {
        const jobs = folded(records);
        const before = open(jobs);
        jobs.resume();
        records.forEach((record, offset) => {
          if (offset >= from) jobs.take(record, BigInt(offset));
        });
        expect(open(jobs)).toEqual(before);
      }),
    );
  });

  test.each<[string, JobRecord[], string[]]>([
    ['is published twice, then it is one job', [published('a'), published('a')], ['a@1 ']],
    ['is done, then it is not open', [published('a'), done('a', 0n)], []],
    ['is published while it is done, then it is open', [published('a'), published('a'), done('a', 0n)], ['a@1 ']],
    ['is to come again, then it waits', [published('a'), again('a', 0n)], [`a@1 ${DUE}`]],
    ['is published while it waits, then it is due now', [published('a'), again('a', 0n), published('a')], ['a@2 ']],
    [
      'is published before it is put off, then it is due now',
      [published('a'), published('a'), again('a', 0n)],
      ['a@1 '],
    ],
  ])('given a job that %s', (_title, records, expected) => {
    expect(open(folded(records))).toEqual(expected);
  });

  test('given others have read on meanwhile, then what stands before their low water is at its end', () => {
    const jobs = folded([published('a'), published('b')]);
    jobs.resume();
    jobs.take(published('c'), 7n);
    expect(open(jobs)).toEqual(['c@7 ']);
    expect(jobs.lowWater()).toBe(7n);
  });

  test('given a hole in the log without that, then nothing is dropped', () => {
    const jobs = folded([published('a')]);
    jobs.take(published('c'), 7n);
    expect(open(jobs)).toEqual(['a@0 ', 'c@7 ']);
  });
});

describe('A record of a job', () => {
  test.each([
    [{ kind: 'published', job: { id: 'a', body: { of: ['Ω', null] } }, at: DUE }],
    [{ kind: 'again', job: { id: 'a', body: 'text' }, of: 12n, due: DUE }],
    [{ kind: 'done', id: 'a', of: 12n }],
  ] as const)('given %j, then its message reads as it was written', (record) => {
    const { key, value, timestamp = '-1', headers = {} } = messageOf(record);
    const bytes = (text: unknown): Buffer => Buffer.from(String(text));
    const read = recordOf(
      {
        key: bytes(key),
        value: value === null ? null : bytes(value),
        timestamp,
        offset: '5',
        headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, bytes(text)])),
      },
      3,
    );
    expect(read).toEqual(record);
  });

  test.each(['soon', '', '2026-03-01', '2026-03-01T10:00:00Z', '2026-13-01T10:00:00.000Z'])(
    'given one that is to come again at no moment (%j), then it is a job that is due now',
    (due) => {
      const headers = { 'surety-job': 'again', 'surety-of': '1', 'surety-due': due };
      const asBytes = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]));
      const message = {
        key: Buffer.from('a'),
        value: Buffer.from('1'),
        timestamp: '-1',
        offset: '5',
        headers: asBytes,
      };
      const read = recordOf(message, 3);
      expect(read).toEqual({ kind: 'published', job: { id: 'a', body: 1 } });
    },
  );

  test('given messages without an id, then each is a job of its own, and so is its end', () => {
    const jobs = new OpenJobs();
    const keyless = (offset: number) => ({
      key: null,
      value: Buffer.from('1'),
      timestamp: '-1',
      offset: String(offset),
    });
    for (const offset of [0, 1, 2]) jobs.take(recordOf(keyless(offset), 0), BigInt(offset));
    expect(jobs.size).toBe(3);
    const [first] = jobs.all();
    const { key, headers } = messageOf({ kind: 'done', id: String(first?.id), of: 0n });
    expect(key).toBe('without id 0/0');
    // Earlier versions wrote ends without a key, too.
    const asBytes = Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, text]) => [name, Buffer.from(String(text))]),
    );
    for (const end of [String(key), '']) {
      const message = { key: Buffer.from(end), value: null, timestamp: '-1', offset: '3', headers: asBytes };
      expect(recordOf(message, 0)).toEqual({ kind: 'done', id: 'without id 0/0', of: 0n });
    }
    jobs.take({ kind: 'done', id: String(key), of: 0n }, 3n);
    expect(jobs.size).toBe(2);
  });

  test('given a key that is no text, then it is no id: two of them are two jobs', () => {
    const ids = [0xff, 0xfe].map((byte, offset) => {
      const message = { key: Buffer.from([byte]), value: null, timestamp: '-1', offset: String(offset) };
      return idOf(recordOf(message, 0));
    });
    expect(ids).toEqual(['without id 0/0', 'without id 0/1']);
  });

  test.each([
    [null, 'no json', 'without id 3/5', 'no json'],
    ['', '1', 'without id 3/5', 1],
    ['k'.repeat(201), '1', 'without id 3/5', 1],
    ['a', null, 'a', ''],
  ])(
    'given a message of somebody else (%j, %j), then it is a job that its handler cannot read',
    (key, value, id, body) => {
      const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
      const message = {
        key: bytes(key),
        value: bytes(value),
        timestamp: '-1',
        offset: '5',
        headers: { 'surety-job': Buffer.from('again') },
      };
      expect(recordOf(message, 3)).toEqual({ kind: 'published', job: { id, body } });
    },
  );
});
