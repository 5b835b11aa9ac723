import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import {
  type DeadLetter,
  type Job,
  type JobConsumer,
  type JobOutcome,
  type JobQueues,
  NoSuchLetters,
} from '../../src/messaging/messaging.ts';

/** Job queues under test, empty at the beginning, with a clock that stands still until it is moved. */
export interface JobQueuesSubject {
  readonly queues: JobQueues;
  readonly clock: { now: string };
  /** Closes what is open without a word to anybody and opens the same data again, as after a kill. */
  reopen(): Promise<JobQueues>;
  dispose(): Promise<void>;
}

const QUEUE = 'surety.jobs.test.v1';
const DONE: JobOutcome = { kind: 'done' };

/** Below what jest gives a test, so that what was waited for in vain is told. */
const WITHIN_MS = 40_000;
const LOOK_AGAIN_MS = 5;

function lettersById(letters: readonly DeadLetter[]): readonly DeadLetter[] {
  return letters.toSorted((one, other) => one.job.id.localeCompare(other.job.id));
}

/** What every store of job queues must do. Whoever adds an adapter passes this unchanged. */
export function describeJobQueues(name: string, open: () => Promise<JobQueuesSubject>): void {
  describe(`job queues: ${name}`, () => {
    let subject: JobQueuesSubject;
    let queues: JobQueues;
    let consumers: JobConsumer[] = [];
    /** Jobs in the order in which they were handed over. */
    let handed: Job[];
    beforeEach(async () => {
      subject = await open();
      queues = subject.queues;
      consumers = [];
      handed = [];
    });
    afterEach(async () => {
      await Promise.all(consumers.map(async (consumer) => await consumer.stop()));
      await subject?.dispose();
    });

    const consume = (handle: (job: Job) => JobOutcome | Promise<JobOutcome> = () => DONE, concurrency = 1): void => {
      const consumer = queues.consume(QUEUE, {
        concurrency,
        handle: async (job) => {
          handed.push(job);
          return await handle(job);
        },
      });
      consumers.push(consumer);
    };
    const ids = (): string[] => handed.map(({ id }) => id);

    /** Waits for something that comes by itself. */
    const until = async (met: () => boolean | Promise<boolean>): Promise<void> => {
      for (const end = performance.now() + WITHIN_MS; !(await met()); await pause(LOOK_AGAIN_MS)) {
        if (performance.now() < end) continue;
        const said = consumers.map((consumer) => `${consumer.check() ?? 'is well'}, ${consumer.open()} open`);
        throw new Error(
          `Not within ${WITHIN_MS / 1_000} s: ${String(met)}\nhanded over: ${ids().join(' ')}\nconsumers: ${said.join('; ')}`,
        );
      }
    };

    test('given jobs published before and after, when they are consumed, then each comes once with its body', async () => {
      await queues.publish(QUEUE, [{ id: 'a', body: { about: 'Ω', list: [1, null] } }]);
      consume();
      await until(() => handed.length === 1);
      await queues.publish(QUEUE, [
        { id: 'b', body: 'b' },
        { id: 'c', body: 3 },
      ]);
      await until(() => handed.length === 3);
      expect(handed.find(({ id }) => id === 'a')?.body).toEqual({ about: 'Ω', list: [1, null] });
      expect(ids().sort()).toEqual(['a', 'b', 'c']);
    });

    test('given another queue, when a job is published to it, then this one does not get it', async () => {
      await queues.publish('surety.jobs.other.v1', [{ id: 'x', body: 1 }]);
      consume();
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 1);
      expect(ids()).toEqual(['a']);
    });

    test('given an id that waits already, when it is published again, then it is one job', async () => {
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await queues.publish(QUEUE, [{ id: 'a', body: 2 }]);
      consume();
      await queues.publish(QUEUE, [{ id: 'end', body: 1 }]);
      await until(() => ids().includes('end'));
      expect(handed.filter(({ id }) => id === 'a')).toEqual([{ id: 'a', body: 2 }]);
    });

    test('given a job that was done, when it is published again, then it comes again', async () => {
      consume();
      for (const count of [1, 2]) {
        await queues.publish(QUEUE, [{ id: 'a', body: count }]);
        await until(() => handed.length === count);
      }
    });

    test('given a job that is to come again later, when its time comes, then it does, and not before', async () => {
      const later = '2026-03-01T11:00:00.000Z';
      consume(({ id }) => (id === 'a' && handed.length === 1 ? { kind: 'again', at: later } : DONE));
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 1);
      await queues.publish(QUEUE, [{ id: 'b', body: 1 }]);
      await until(() => handed.length === 2);
      expect(ids()).toEqual(['a', 'b']);
      subject.clock.now = later;
      await until(() => handed.length === 3);
      expect(ids()).toEqual(['a', 'b', 'a']);
    });

    test('given jobs that wait, are done and are dead, then a consumer tells how many are open', async () => {
      const outcomes: Readonly<Record<string, JobOutcome>> = {
        waits: { kind: 'again', at: '2030-01-01T00:00:00.000Z' },
        dies: { kind: 'dead', reason: 'why' },
      };
      consume(({ id }) => outcomes[id] ?? DONE);
      const open = (): number | undefined => consumers[0]?.open();
      await until(() => open() === 0);
      await queues.publish(
        QUEUE,
        ['waits', 'dies', 'ends'].map((id) => ({ id, body: 1 })),
      );
      await until(() => handed.length === 3 && open() === 1);
    });

    test('given jobs that are due while others are at hand, then a consumer tells how long the one has waited that is next', async () => {
      const gate = Promise.withResolvers<JobOutcome>();
      consume(({ id }) => (id === 'waits' ? { kind: 'again', at: '2030-01-01T00:00:00.000Z' } : gate.promise));
      const overdueMs = (): number | undefined => consumers[0]?.overdueMs();
      await until(() => overdueMs() === 0);
      await queues.publish(QUEUE, [{ id: 'waits', body: 1 }]);
      await until(() => handed.length === 1);
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 2);
      await queues.publish(QUEUE, [{ id: 'b', body: 1 }]);
      subject.clock.now = '2026-03-01T10:01:00.000Z';
      await until(() => overdueMs() === 60_000);
      gate.resolve(DONE);
      await until(() => handed.length === 3 && overdueMs() === 0);
    });

    test('given a job that waits, when it is published again, then it is due now', async () => {
      consume(() => (handed.length === 1 ? { kind: 'again', at: '2030-01-01T00:00:00.000Z' } : DONE));
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 1);
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 2);
    });

    test('given a job that is published while it is done, then it is handed over once more', async () => {
      consume(async () => {
        if (handed.length === 1) await queues.publish(QUEUE, [{ id: 'a', body: 2 }]);
        return DONE;
      });
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 2);
      expect(handed.map(({ body }) => body)).toEqual([1, 2]);
    });

    test('given a dead job, when the queue is opened again, then it does not come, until it is published', async () => {
      consume(() => (handed.length === 1 ? { kind: 'dead', reason: 'nobody can read it' } : DONE));
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 1);
      await stopAll();
      queues = await subject.reopen();
      consume();
      await queues.publish(QUEUE, [{ id: 'b', body: 1 }]);
      await until(() => handed.length === 2);
      expect(ids()).toEqual(['a', 'b']);
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 3);
    });

    test('given dead jobs, when they are replayed, then each comes again, and no dead letter is left', async () => {
      consume(() => (handed.length <= 3 ? { kind: 'dead', reason: `reason ${handed.length}` } : DONE));
      expect(await queues.replayDeadLetters(QUEUE)).toBe(0);
      await queues.publish(QUEUE, [{ id: 'a', body: { of: 'a' } }]);
      await until(() => handed.length === 1);
      await queues.publish(QUEUE, [{ id: 'a', body: { of: 'a' } }]);
      await until(() => handed.length === 2);
      await queues.publish(QUEUE, [{ id: 'b', body: 2 }]);
      await until(() => handed.length === 3);
      await stopAll();
      expect(await queues.deadLetters(QUEUE)).toMatchObject([
        { job: { id: 'a', body: { of: 'a' } }, reason: 'reason 2' },
        { job: { id: 'b', body: 2 }, reason: 'reason 3' },
      ]);
      expect(await queues.replayDeadLetters(QUEUE)).toBe(2);
      expect(await queues.deadLetters(QUEUE)).toEqual([]);
      consume();
      await until(() => handed.length === 5);
      expect(ids().slice(3).sort()).toEqual(['a', 'b']);
    });

    test('given jobs that died one after the other, then each says when it did and where it lies, oldest first', async () => {
      const gate = Promise.withResolvers<JobOutcome>();
      consume(({ id }) => (id === 'a' ? gate.promise : { kind: 'dead', reason: 'b' }), 2);
      const [ten, eleven] = ['2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'];
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      await until(() => handed.length === 1);
      await queues.publish(QUEUE, [{ id: 'b', body: 1 }]);
      await until(async () => (await queues.deadLetters(QUEUE)).length > 0);
      subject.clock.now = eleven;
      gate.resolve({ kind: 'dead', reason: 'a' });
      await stopAll();
      const letters = await queues.deadLetters(QUEUE);
      expect(letters.map(({ job, diedAt }) => [job.id, diedAt])).toEqual([
        ['b', ten],
        ['a', eleven],
      ]);
      expect(new Set(letters.map(({ place }) => place)).size).toBe(2);
    });

    test('given dead jobs, when some are discarded, then they are neither listed nor replayed, nor discarded twice', async () => {
      await letDie('a', 'b', 'c');
      const [a, b, c] = lettersById(await queues.deadLetters(QUEUE));
      const discarded = await queues.discardDeadLetters(QUEUE, [c?.place ?? '', a?.place ?? '']);
      expect(lettersById(discarded)).toEqual([a, c]);
      queues = await subject.reopen();
      expect(await queues.deadLetters(QUEUE)).toEqual([b]);
      await expect(queues.discardDeadLetters(QUEUE, [a?.place ?? ''])).rejects.toThrow(NoSuchLetters);
      expect(await queues.replayDeadLetters(QUEUE)).toBe(1);
      handed = [];
      consume();
      await queues.publish(QUEUE, [{ id: 'end', body: 1 }]);
      await until(() => handed.length === 2);
      expect(ids().sort()).toEqual(['b', 'end']);
    });

    test('given one of several places where nothing lies, when they are discarded, then that is told, and nothing is', async () => {
      await letDie('a');
      const [a] = await queues.deadLetters(QUEUE);
      const discarding = queues.discardDeadLetters(QUEUE, [a?.place ?? '', 'nowhere', '99/99']);
      await expect(discarding).rejects.toMatchObject({ name: 'NoSuchLetters', places: ['nowhere', '99/99'] });
      expect(await queues.deadLetters(QUEUE)).toEqual([a]);
    });

    test('given a job that died again since it was listed, then its letter of then cannot be discarded any more', async () => {
      await letDie('a');
      const [before] = await queues.deadLetters(QUEUE);
      await letDie('a');
      await expect(queues.discardDeadLetters(QUEUE, [before?.place ?? ''])).rejects.toThrow(NoSuchLetters);
      const [after] = await queues.deadLetters(QUEUE);
      expect(await queues.discardDeadLetters(QUEUE, [after?.place ?? ''])).toEqual([after]);
      await letDie('a');
      expect(await queues.deadLetters(QUEUE)).toHaveLength(1);
    });

    test('given a handler that throws, then the job comes again', async () => {
      consume(() => {
        if (handed.length < 3) throw new Error('not now');
        return DONE;
      });
      await queues.publish(QUEUE, [{ id: 'a', body: 1 }]);
      const moving = setInterval(() => {
        subject.clock.now = new Date(Date.parse(subject.clock.now) + 60_000).toISOString();
      }, 5);
      await until(() => handed.length === 3).finally(() => clearInterval(moving));
    });

    test('given jobs nobody has done, when the process is killed, then they come in the next one', async () => {
      await queues.publish(QUEUE, [
        { id: 'a', body: 1 },
        { id: 'b', body: 2 },
      ]);
      queues = await subject.reopen();
      consume();
      await until(() => handed.length === 2);
      expect(ids().sort()).toEqual(['a', 'b']);
    });

    test('given several consumers, when many jobs come, then each is handed over once', async () => {
      for (let count = 0; count < 3; count++) consume(() => DONE, 2);
      // Whoever joins while jobs are handed over may have one come twice.
      await until(() => consumers.every((consumer) => consumer.open() === 0));
      const jobs = Array.from({ length: 60 }, (_, index) => ({ id: `job-${index}`, body: index }));
      await queues.publish(QUEUE, jobs);
      await until(() => new Set(ids()).size === 60);
      expect(handed).toHaveLength(60);
    });

    test('given a consumer at work, when it is stopped, then it ends what is at hand and takes nothing more', async () => {
      const gate = Promise.withResolvers<JobOutcome>();
      consume(() => gate.promise);
      await queues.publish(QUEUE, [
        { id: 'a', body: 1 },
        { id: 'b', body: 1 },
      ]);
      await until(() => handed.length === 1);
      const stopped = stopAll();
      gate.resolve(DONE);
      await stopped;
      queues = await subject.reopen();
      consume();
      await until(() => handed.length === 2);
      expect(ids().sort()).toEqual(['a', 'b']);
    });

    /** Publishes jobs, and hands them over until every one of them has died. */
    async function letDie(...names: readonly string[]): Promise<void> {
      handed = [];
      consume(({ id }) => ({ kind: 'dead', reason: `of ${id}` }));
      const jobs = names.map((id) => ({ id, body: { of: id } }));
      await queues.publish(QUEUE, jobs);
      await until(() => handed.length === names.length);
      await stopAll();
    }

    async function stopAll(): Promise<void> {
      await Promise.all(consumers.splice(0).map(async (consumer) => await consumer.stop()));
    }
  });
}
