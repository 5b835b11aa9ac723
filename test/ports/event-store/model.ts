import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { appendTo, WrongExpectedRevision } from '#stores/event-log/event-log.ts';
import type { EventStore, ExpectedRevision, EventToAppend } from '#stores/event-log/event-log.ts';
import { event, readRest } from './subject.ts';
import type { EventStoreSubject, OpenEventStore } from './subject.ts';

/** One append with a stream, a revision and ids out of a few. */
interface Attempt {
  readonly stream: number;
  readonly expected: ExpectedRevision;
  readonly ids: readonly number[];
}

/** Few ids and revisions, so that conflicts and repeats are the rule. */
const attempt: fc.Arbitrary<Attempt> = fc.record({
  stream: fc.nat(2),
  expected: fc.oneof(fc.constant('no_stream' as const), fc.nat(5)),
  ids: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }),
});

interface Outcome {
  readonly revision?: number;
  readonly refusedAt?: number | undefined;
}

/** Model of the port: compares ids by revision, never data. */
class Model {
  readonly streams = new Map<string, string[]>();
  readonly log: { readonly stream: string; readonly id: string }[] = [];

  append(stream: string, expected: ExpectedRevision, ids: readonly string[]): Outcome {
    const stored = this.streams.get(stream) ?? [];
    const from = expected === 'no_stream' ? 0 : expected + 1;
    if (stored.length === from) {
      this.streams.set(stream, [...stored, ...ids]);
      this.log.push(...ids.map((id) => ({ stream, id })));
      return { revision: from + ids.length - 1 };
    }
    if (ids.every((id, index) => stored[from + index] === id)) return { revision: from + ids.length - 1 };
    return { refusedAt: stored.length === 0 ? undefined : stored.length - 1 };
  }
}

/**
 * Compares any sequence of appends with the model. `together` sends that many at once, for a store that processes
 * appends in the order in which they were sent.
 */
export function describeModel(open: OpenEventStore, { together = 1 }: { readonly together?: number } = {}): void {
  describe(`any sequence of appends, ${together} at a time`, () => {
    let subject: EventStoreSubject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.dispose());

    test('matches the model', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(attempt, { maxLength: 25 }), async (attempts) => {
          await compare(subject.store, attempts, together);
        }),
        { numRuns: 60 },
      );
    });
  });
}

async function compare(store: EventStore, attempts: readonly Attempt[], together: number): Promise<void> {
  const run = randomUUID();
  const idOf = new Map<number, string>();
  const uuid = (n: number): string => idOf.get(n) ?? idOf.set(n, randomUUID()).get(n) ?? '';
  const model = new Model();
  const after = await store.lastPosition();
  for (let index = 0; index < attempts.length; index += together) {
    const group = attempts.slice(index, index + together).map(({ stream, expected, ids }) => ({
      stream: `policy-${run}-${stream}`,
      expected,
      ids: ids.map(uuid),
    }));
    const promised = group.map(({ stream, expected, ids }) => model.append(stream, expected, ids));
    const outcomes = group.map(({ stream, expected, ids }) =>
      outcome(
        store,
        stream,
        expected,
        ids.map((id, n) => event(n, id)),
      ),
    );
    expect(await Promise.all(outcomes)).toEqual(promised);
  }
  for (const [stream, ids] of model.streams) {
    expect((await store.readStream(stream)).map(({ id }) => id)).toEqual(ids);
    expect((await store.readLast(stream))?.id).toBe(ids.at(-1));
  }
  const log = (await readRest(store, after, 7)).filter(({ stream }) => stream.startsWith(`policy-${run}-`));
  expect(log.map(({ stream, id }) => ({ stream, id }))).toEqual(model.log);
}

async function outcome(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<Outcome> {
  try {
    const { revision, position } = await appendTo(store, stream, expected, events);
    const [stored] = await store.readStream(stream, { from: revision, limit: 1 });
    expect(stored?.position).toBe(position);
    return { revision };
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return { refusedAt: error.actual };
    throw error;
  }
}
