import { afterEach, expect, jest, test } from '@jest/globals';
import type { JobOutcome } from '../messaging.ts';
import { HandOver, type HandOverOptions } from './hand-over.ts';
import type { JobRecord } from './job-record.ts';
import { OpenJobs } from './open-jobs.ts';

const NOW = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-01T22:00:00.000Z';
const published = (id: string): JobRecord => ({ kind: 'published', job: { id, body: 1 } });
const again = (id: string): JobRecord => ({ kind: 'again', job: { id, body: 1 }, of: 0n, due: LATER });

let handOver: HandOver;
afterEach(async () => {
  await handOver.stop();
});

/** One partition, level with these records; `handed` is called for each job that is handed over, which is then done. */
function given(records: readonly JobRecord[], handed: (id: string) => void, rest: Partial<HandOverOptions> = {}): void {
  handOver = new HandOver({
    now: () => NOW,
    lookAgainMs: 1_000,
    pauseAfterErrorMs: 1_000,
    concurrency: 4,
    handle: async ({ id }): Promise<JobOutcome> => {
      handed(id);
      return await Promise.resolve({ kind: 'done' });
    },
    conclude: async () => await new Promise(setImmediate),
    ...rest,
  });
  handOver.assign([0]);
  handOver.take(
    0,
    records.map((record, offset) => [record, BigInt(offset)]),
    true,
  );
}

test('given tens of thousands of jobs that wait, then those that are due are not looked for among them', async () => {
  const count = 30_000;
  const waiting = Array.from({ length: count }, (_, number) => again(`waiting-${number}`));
  const due = Array.from({ length: count }, (_, number) => published(`due-${number}`));
  const handed: string[] = [];
  const all = Promise.withResolvers<void>();
  // Quadratic, this takes minutes; the test would end by its limit.
  given([...waiting, ...due], (id) => {
    handed.push(id);
    if (handed.length === count) all.resolve();
  });
  await all.promise;
  expect(handed).toEqual(due.map((record) => (record.kind === 'published' ? record.job.id : '')));
});

test('given tens of thousands of jobs, most of which are due, then it costs nothing to tell how long the next one has been', async () => {
  const count = 30_000;
  const at = '2026-03-01T09:59:00.000Z';
  const waiting = Array.from({ length: count }, (_, number) => again(`waiting-${number}`));
  const due = Array.from({ length: count }, (_, number) => ({ ...published(`due-${number}`), at }));
  const gate = Promise.withResolvers<JobOutcome>();
  given([...waiting, ...due], () => undefined, { handle: async () => await gate.promise });
  const originally = OpenJobs.prototype.due;
  let steps = 0;
  const counted = jest.spyOn(OpenJobs.prototype, 'due').mockImplementation(function* (this: OpenJobs, now) {
    for (const job of originally.call(this, now)) {
      steps += 1;
      yield job;
    }
    return undefined;
  });
  expect(handOver.overdueMs()).toBe(60_000);
  counted.mockRestore();
  // Those that are handed over, and the next.
  expect(steps).toBe(5);
  handOver.assign([]);
  expect(handOver.overdueMs()).toBe(0);
  gate.resolve({ kind: 'done' });
});

test('given jobs that come due, then each is handed over when it is, the first first', async () => {
  let now = NOW;
  const dueAt = (id: string, due: string): JobRecord => ({ kind: 'again', job: { id, body: 1 }, of: 0n, due });
  const handed: string[] = [];
  const all = Promise.withResolvers<void>();
  const records = [
    dueAt('c', '2026-03-01T10:00:03.000Z'),
    dueAt('a', '2026-03-01T10:00:01.000Z'),
    dueAt('never', LATER),
    dueAt('b', '2026-03-01T10:00:02.000Z'),
  ];
  given(
    records,
    (id) => {
      handed.push(`${id} ${now}`);
      if (handed.length === 3) all.resolve();
    },
    { now: () => now, lookAgainMs: 1 },
  );
  for (const second of [1, 2, 3]) {
    now = `2026-03-01T10:00:0${second}.000Z`;
    while (handed.length < second) await new Promise(setImmediate);
  }
  await all.promise;
  expect(handed).toEqual(['a', 'b', 'c'].map((id, index) => `${id} 2026-03-01T10:00:0${index + 1}.000Z`));
});

test('given the end of a job, then it is written down for the partition in which the job lies', async () => {
  const concluded: number[] = [];
  const done = Promise.withResolvers<void>();
  given([published('a')], () => undefined, {
    conclude: async (_job, _outcome, partition) => {
      concluded.push(partition);
      if (concluded.length === 2) done.resolve();
      await Promise.resolve();
    },
  });
  handOver.assign([0, 7]);
  handOver.take(0, [], true);
  handOver.take(7, [[published('junk'), 0n]], true);
  await done.promise;
  expect(concluded.toSorted((a, b) => a - b)).toEqual([0, 7]);
});

test('given a job whose end cannot be written down, then it is told with the reason until it can, and the others go on', async () => {
  let refused = true;
  let tried = Promise.withResolvers<void>();
  const concluded: string[] = [];
  given([published('a'), published('b')], () => undefined, {
    now: () => new Date().toISOString(),
    pauseAfterErrorMs: 1,
    lookAgainMs: 1,
    conclude: async ({ id }) => {
      await Promise.resolve();
      if (id === 'a' && refused) {
        setImmediate(tried.resolve);
        throw new Error('the message is too large');
      }
      concluded.push(id);
      if (id === 'a') setImmediate(tried.resolve);
    },
  });
  await tried.promise;
  expect(handOver.failure()).toBe(
    'cannot write down how 1 of its jobs ended and tries again (the message is too large)',
  );
  tried = Promise.withResolvers<void>();
  refused = false;
  await tried.promise;
  expect(handOver.failure()).toBeUndefined();
  expect(concluded).toEqual(['b', 'a']);
});

test('given a job whose end stands in the log though the answer to it was lost, then nothing is told of it any more', async () => {
  const tried = Promise.withResolvers<void>();
  given([published('a')], () => undefined, {
    conclude: async () => {
      setImmediate(tried.resolve);
      await Promise.reject(new Error('no answer'));
    },
  });
  await tried.promise;
  expect(handOver.failure()).toContain('no answer');
  handOver.take(0, [[{ kind: 'done', id: 'a', of: 0n }, 1n]], true);
  expect(handOver.open()).toBe(0);
  expect(handOver.failure()).toBeUndefined();
});

test.each([
  [
    'whose end was read before the error came',
    (): void => handOver.take(0, [[{ kind: 'done', id: 'a', of: 0n }, 1n]], true),
  ],
  ['whose partition went to somebody else meanwhile', (): void => handOver.assign([])],
])('given a job that cannot be concluded, %s, then nothing is told of it', async (_, meanwhile) => {
  const tried = Promise.withResolvers<void>();
  given([published('a')], () => undefined, {
    conclude: async () => {
      meanwhile();
      setImmediate(tried.resolve);
      await Promise.reject(new Error('no answer'));
    },
  });
  await tried.promise;
  expect(handOver.failure()).toBeUndefined();
});
