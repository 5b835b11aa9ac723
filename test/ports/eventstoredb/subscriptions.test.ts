import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { EventStore, Position, SubscriptionMessage } from '../../../src/event-store/event-store.ts';
import { event, events, ids, newStream } from '../event-store/subject.ts';
import { World } from '../../servers/eventstoredb/support/world.ts';

describe('subscriptions to EventStoreDB', () => {
  let world: World;
  let store: EventStore;
  let stop: AbortController;
  beforeEach(async () => {
    world = await World.start();
    store = world.store();
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await world.dispose();
  });

  const subscribe = (after: Position | undefined, batch = 100): AsyncIterator<SubscriptionMessage> =>
    store.subscribe({ after, batch, signal: stop.signal })[Symbol.asyncIterator]();

  const caughtUp = async (messages: AsyncIterator<SubscriptionMessage>): Promise<void> => {
    for (;;) {
      const { value, done } = await messages.next();
      if (done === true || value.kind === 'caught_up') return;
    }
  };

  test.each<[string, (world: World) => Promise<void> | void]>([
    ['its connection is cut', ({ server }) => server.cut()],
    ['the server ends it without an error', ({ server }) => server.endSubscriptions()],
    ['the server ends it because it is being stopped', ({ server }) => server.endSubscriptions('internal')],
    ['the server stops', ({ server }) => server.stop()],
  ])(
    'given a subscription that waits, when %s, then it ends as unavailable, and nothing else fails',
    async (_, fail) => {
      const { position } = await store.append(newStream(), 'no_stream', events(3));
      const messages = subscribe(undefined);
      await caughtUp(messages);
      const next = messages.next();
      await fail(world);
      await expect(next).rejects.toMatchObject({ name: 'StoreUnavailable' });
      expect(await messages.next()).toEqual({ done: true, value: undefined });
      await world.server.stop().catch(() => {});
      await world.start();

      const after = events(2);
      await store.append(newStream(), 'no_stream', after);
      const { value } = await subscribe(position).next();
      expect(ids(value.events)).toEqual(ids(after));
    },
  );

  test('given a server that is down, when it is subscribed to, then that is unavailable at once', async () => {
    await world.server.stop();
    await expect(subscribe(undefined).next()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await world.start();
    await caughtUp(subscribe(undefined));
  });

  test('given losses at any time, when the reader goes on from what it has, then it gets each event once and in order', async () => {
    const written: string[] = [];
    const write = async (): Promise<void> => {
      for (let n = 0; n < 150; n += 1) {
        if (n % 3 === 0) await world.server.log.writeSystemEvent('$stats', '$statsCollected', { n });
        const batch = events(1 + (n % 3));
        await world.server.log.append(newStream(), 'no_stream', batch.map(asNew));
        written.push(...ids(batch));
        if (n % 10 === 9) world.server.cut();
        if (n % 25 === 24) world.server.endSubscriptions();
      }
    };
    const read: string[] = [];
    let position: Position | undefined;
    let subscriptions = 0;
    const writing = write();
    while (read.length < 300) {
      subscriptions += 1;
      const own = new AbortController();
      try {
        // Some readers stop by themselves, in the middle of the log as well as at its end.
        let left = subscriptions % 5 === 0 ? 2 : 1_000;
        for await (const message of store.subscribe({ after: position, batch: 7, signal: own.signal })) {
          position = message.kind === 'events' ? message.events.at(-1)?.position : message.position;
          if (message.kind === 'events') read.push(...ids(message.events));
          left -= 1;
          if (read.length >= 300) break;
          if (left === 0) own.abort();
        }
      } catch (error) {
        expect(error).toMatchObject({ name: 'StoreUnavailable' });
      }
    }
    await writing;
    expect(written).toHaveLength(300);
    expect(read).toEqual(written);
    expect(subscriptions).toBeGreaterThan(3);
  });

  test('given a log of 10,000 events and a slow reader, when it stops reading, then the server is not read on', async () => {
    for (let n = 0; n < 20; n += 1) await world.server.log.append(newStream(), 'no_stream', events(500).map(large));
    const messages = subscribe(undefined, 50);
    const first = await messages.next();
    expect(first.value.events).toHaveLength(50);
    for (let sent = -1; sent !== world.server.faults.eventsSent; await pause(300))
      sent = world.server.faults.eventsSent;
    expect(world.server.faults.eventsSent).toBeLessThan(5_000);
    let count = 50;
    while (count < 10_000) {
      const { value } = await messages.next();
      if (value.kind === 'events') count += value.events.length;
    }
    expect(count).toBe(10_000);
  });

  test('given a server that drops who is slow, when much is written at once, then the reader gets all of it, and nothing fails', async () => {
    world.server.faults.dropsSlowReaders = true;
    const messages = subscribe(undefined, 10);
    await caughtUp(messages);
    const written: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      const batch = events(50);
      await world.server.log.append(newStream(), 'no_stream', batch.map(asNew));
      written.push(...ids(batch));
    }
    const read: string[] = [];
    while (read.length < written.length) {
      const { value } = await messages.next();
      if (value.kind === 'events') read.push(...ids(value.events));
    }
    expect(read).toEqual(written);
    expect(world.server.faults.subscriptions).toBeGreaterThan(1);
  });

  test('given a subscription that the server calls too slow, when it had given nothing, then it ends as unavailable', async () => {
    const { position } = await store.append(newStream(), 'no_stream', events(3));
    const messages = subscribe(position);
    await caughtUp(messages);
    const next = messages.next();
    while (world.server.faults.subscriptions === 0) await pause(5);
    world.server.endSubscriptions('too_slow');
    await expect(next).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(world.server.faults.subscriptions).toBe(1);
  });

  test('given a position behind the end of the log, when it is subscribed to, then events before it are not given', async () => {
    const { position } = await store.append(newStream(), 'no_stream', events(3));
    const far = position + 400n;
    const messages = subscribe(far);
    expect((await messages.next()).value).toEqual({ kind: 'caught_up', position: far });
    const next = messages.next();
    const all = Array.from({ length: 8 }, (_, n) => event(n));
    for (const one of all) await store.append(newStream(), 'no_stream', [one]);
    const { value } = await next;
    expect(value.events[0].position).toBeGreaterThan(far);
  });

  test.each([
    ['by an unknown error, as 23.10', false],
    ['by an error of its own, as 24.2', true],
  ])(
    'given a position of another log and a server that tells of it %s, when it is subscribed to, then what lies behind it is given',
    async (_, knows) => {
      world.server.faults.knowsInvalidPositions = knows;
      const all = events(5);
      await store.append(newStream(), 'no_stream', all);
      const stored = await store.readAll({ after: undefined, limit: 10 });
      const { value } = await subscribe((stored[2]?.position ?? 0n) + 1n).next();
      expect(ids(value.events)).toEqual(ids(all.slice(3)));
    },
  );

  test("given the server's own events only, when it is subscribed to, then it has caught up at once", async () => {
    for (let n = 0; n < 100; n += 1) await world.server.log.writeSystemEvent('$stats', '$statsCollected', { n });
    const messages = subscribe(undefined);
    expect((await messages.next()).value).toEqual({ kind: 'caught_up', position: 0n });
  });

  test('given a subscription that nobody reads on, when the store is closed, then it is over', async () => {
    await store.append(newStream(), 'no_stream', events(30));
    const messages = subscribe(undefined, 5);
    await messages.next();
    await store.close();
    expect(await messages.next()).toEqual({ done: true, value: undefined });
  });
});

function asNew({ id, type, data }: ReturnType<typeof event>) {
  const base64 = Buffer.from(JSON.stringify(data)).toString('base64');
  return { id, type, contentType: 'application/json', data: base64, metadata: '' };
}

function large(one: ReturnType<typeof event>) {
  return asNew({ ...one, data: 'x'.repeat(1_000) });
}
