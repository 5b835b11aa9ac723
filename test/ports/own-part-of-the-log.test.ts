import { describe, expect, test } from '@jest/globals';
import type { EventStore, StoredEvent, SubscriptionMessage } from '../../src/event-store/event-store.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { newPart, OwnPartOfTheLog } from '../support/own-part-of-the-log.ts';
import { describeEventStore } from './event-store.suite.ts';
import { event, events, ids, newStream, readRest } from './event-store/subject.ts';

// Suites that need a log of their own stand on it where a server has one log for all.

/** A shared log in which an event of somebody else lies before each that is appended. */
function sharedLog(before?: MemoryEventStore): MemoryEventStore {
  const log = new MemoryEventStore(before);
  log.beforeAppend = async (stream) => {
    if (!stream.startsWith('other-')) await log.append(`other-${newStream()}`, 'no_stream', events(1));
  };
  return log;
}

describeEventStore('a part of a shared log, for tests', async () => {
  let log = sharedLog();
  await log.append(newStream(), 'no_stream', events(7));
  const part = await newPart(log);
  let store = new OwnPartOfTheLog(log, part);
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      log = sharedLog(log);
      store = new OwnPartOfTheLog(log, part);
      return store;
    },
    dispose: async () => await store.close(),
  };
});

describe('parts of a shared log', () => {
  const position = (list: readonly StoredEvent[]): bigint | undefined => list.at(-1)?.position;

  async function twoParts(): Promise<{ log: EventStore; one: EventStore; other: EventStore }> {
    const log = new MemoryEventStore();
    await log.append('policy-1', 'no_stream', events(3));
    return {
      log,
      one: new OwnPartOfTheLog(log, await newPart(log)),
      other: new OwnPartOfTheLog(log, await newPart(log)),
    };
  }

  test('given a log that holds events, when a part is begun, then it is empty', async () => {
    const { one } = await twoParts();
    expect(await one.lastPosition()).toBeUndefined();
    expect(await one.readAll({ after: undefined, limit: 10 })).toEqual([]);
    expect(await one.readStream('policy-1')).toEqual([]);
    expect(await one.readLast('policy-1')).toBeUndefined();
  });

  test('given two parts, when both write to streams of the same names, then neither sees the other', async () => {
    const { log, one, other } = await twoParts();
    const [first, second] = [events(5), events(5)];
    for (const n of first.keys()) {
      const expected = n === 0 ? 'no_stream' : n - 1;
      await one.append('policy-1', expected, first.slice(n, n + 1));
      await other.append('policy-1', expected, second.slice(n, n + 1));
    }
    for (const [part, own] of [
      [one, first],
      [other, second],
    ] as const) {
      for (const page of [1, 2, 100]) expect(ids(await readRest(part, undefined, page))).toEqual(ids(own));
      const stored = await part.readStream('policy-1');
      expect(stored.map(({ stream, revision }) => [stream, revision])).toEqual(
        own.map((_, revision) => ['policy-1', revision]),
      );
      expect(stored.map(({ data }) => data)).toEqual(own.map(({ data }) => data));
      expect(await part.lastPosition()).toBe(position(stored));
      const rest = await part.readAll({ after: stored[2]?.position, limit: 10 });
      expect(ids(rest)).toEqual(ids(own.slice(3)));
    }
    expect(await log.readStream('policy-1')).toHaveLength(3);
    expect(await log.lastPosition()).toBe(await other.lastPosition());
  });

  test('given many events, whoever wrote last, then the newest position is that of its own newest event', async () => {
    const { log, one, other } = await twoParts();
    const part = await newPart(log);
    for (let round = 0; round < 4; round += 1) {
      const own = new OwnPartOfTheLog(log, part);
      const { position } = await own.append(newStream(), 'no_stream', events(450));
      expect(await own.lastPosition()).toBe(position);
      await other.append(newStream(), 'no_stream', events(350));
      expect(await own.lastPosition()).toBe(position);
      expect(await new OwnPartOfTheLog(log, part).lastPosition()).toBe(position);
    }
    expect(await one.lastPosition()).toBeUndefined();
  });

  test('given a conflict, then it names the stream as the part does', async () => {
    const { one } = await twoParts();
    await one.append('policy-1', 'no_stream', events(2));
    await expect(one.append('policy-1', 'no_stream', events(1))).rejects.toMatchObject({
      name: 'WrongExpectedRevision',
      stream: 'policy-1',
      actual: 1,
      message: 'policy-1 is at 1, expected no_stream',
    });
  });

  test('given events of others only, when it is subscribed to, then it has caught up, and says so once', async () => {
    const { one, other } = await twoParts();
    const stop = new AbortController();
    const said: SubscriptionMessage[] = [];
    const mine = event(1);
    for await (const message of one.subscribe({ after: undefined, batch: 2, signal: stop.signal })) {
      said.push(message);
      if (said.length === 1) {
        for (let n = 0; n < 5; n += 1) await other.append(newStream(), 'no_stream', events(3));
        await one.append('policy-1', 'no_stream', [mine]);
      }
      if (said.length === 3) stop.abort();
    }
    const at = (await one.lastPosition()) ?? 0n;
    expect(said).toEqual([
      { kind: 'caught_up', position: 0n },
      { kind: 'events', events: [{ ...mine, stream: 'policy-1', revision: 0, position: at }] },
      { kind: 'caught_up', position: at },
    ]);
  });

  test('given a position before the part, when it is read or subscribed to, then its own events come', async () => {
    const { one } = await twoParts();
    const all = events(2);
    await one.append('policy-1', 'no_stream', all);
    expect(ids(await one.readAll({ after: 1n, limit: 5 }))).toEqual(ids(all));
    const stop = new AbortController();
    const messages = one.subscribe({ after: 1n, batch: 5, signal: stop.signal })[Symbol.asyncIterator]();
    expect((await messages.next()).value).toMatchObject({ kind: 'events', events: all.map(({ id }) => ({ id })) });
    stop.abort();
  });
});
