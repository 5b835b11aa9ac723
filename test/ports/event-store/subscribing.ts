import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import {
  appendTo,
  type EventStore,
  type Position,
  type StoredEvent,
  type SubscriptionMessage,
} from '#stores/event-log/event-log.ts';
import { collect, event, events, ids, newStream } from './subject.ts';
import type { EventStoreSubject, OpenEventStore } from './subject.ts';

export function describeSubscribing(open: OpenEventStore): void {
  describe('a subscription', () => {
    let subject: EventStoreSubject;
    let store: EventStore;
    beforeAll(async () => {
      subject = await open();
      store = subject.store;
    });
    afterAll(() => subject.dispose());

    test('delivers existing and new events once and in order, with concurrent writers', async () => {
      const after = await store.lastPosition();
      const streams = Array.from({ length: 8 }, newStream);
      const each = 40;
      for (const stream of streams) await appendTo(store, stream, 'no_stream', events(10));
      const subscribers = [1, 2].map(() => collect(store, after, new Set(streams), streams.length * (10 + each)));
      await Promise.all(
        streams.map(async (stream) => {
          for (let n = 0; n < each; n += 1) await appendTo(store, stream, 9 + n, [event(n)]);
        }),
      );
      for (const delivered of await Promise.all(subscribers)) {
        expect(delivered).toHaveLength(streams.length * (10 + each));
        expectRising(delivered);
        for (const stream of streams) {
          const own = delivered.filter((one) => one.stream === stream);
          expect(own.map(({ revision }) => revision)).toEqual([...Array(10 + each).keys()]);
        }
      }
    });

    test('starts after its position', async () => {
      const stream = newStream();
      const all = events(6);
      const { position } = await appendTo(store, stream, 'no_stream', all.slice(0, 2));
      await appendTo(store, stream, 1, all.slice(2));
      expect(ids(await collect(store, position, new Set([stream]), 4))).toEqual(ids(all.slice(2)));
    });

    test('respects the batch size, and reports caught_up again after new events', async () => {
      const after = await store.lastPosition();
      const stream = newStream();
      const written = await appendTo(store, stream, 'no_stream', events(25));
      const stop = new AbortController();
      const received: SubscriptionMessage[] = [];
      let tip: Position = written.position;
      let rounds = 0;
      for await (const message of store.subscribe({ after, batch: 10, signal: stop.signal })) {
        received.push(message);
        if (message.kind === 'events') expect(message.events.length).toBeLessThanOrEqual(10);
        if (message.kind === 'caught_up' && message.position >= tip) {
          rounds += 1;
          if (rounds === 2) stop.abort();
          else tip = (await appendTo(store, stream, 24, events(1))).position;
        }
      }
      const delivered = received.flatMap((message) => (message.kind === 'events' ? message.events : []));
      expect(delivered.filter((one) => one.stream === stream)).toHaveLength(26);
      expectConsistent(received, after ?? 0n);
    });

    test('ends without an error when it is aborted before it starts, while it waits and while it catches up', async () => {
      const after = await store.lastPosition();
      const stream = newStream();
      await appendTo(store, stream, 'no_stream', events(30));
      const aborted = AbortSignal.abort();
      for await (const message of store.subscribe({ after, batch: 10, signal: aborted })) {
        throw new Error(`An aborted subscription delivered ${message.kind}`);
      }

      const waiting = new AbortController();
      const messages = store.subscribe({ after, batch: 1_000, signal: waiting.signal });
      const iterator = messages[Symbol.asyncIterator]();
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        if (next.value.kind === 'caught_up') break;
      }
      const last = iterator.next();
      waiting.abort();
      let end = await last;
      // Events of other writers may still arrive.
      for (; !end.done; end = await iterator.next()) {
        if (end.value.kind === 'events') expect(end.value.events.filter((one) => one.stream === stream)).toEqual([]);
      }
      expect(end).toEqual({ done: true, value: undefined });

      const catchingUp = new AbortController();
      let batches = 0;
      for await (const message of store.subscribe({ after, batch: 1, signal: catchingUp.signal })) {
        batches += message.kind === 'events' ? 1 : 0;
        catchingUp.abort();
      }
      expect(batches).toBe(1);
    });
  });
}

/**
 * Expects that every event up to the position of `caught_up` was delivered before it, and only later events after it.
 */
function expectConsistent(received: readonly SubscriptionMessage[], after: Position): void {
  let considered = after;
  for (const message of received) {
    if (message.kind === 'caught_up') {
      expect(message.position).toBeGreaterThanOrEqual(considered);
      considered = message.position;
    } else {
      for (const { position } of message.events) {
        expect(position).toBeGreaterThan(considered);
        considered = position;
      }
    }
  }
}

function expectRising(list: readonly StoredEvent[]): void {
  expect(list.every(({ position }, index) => index === 0 || position > (list[index - 1]?.position ?? 0n))).toBe(true);
}
