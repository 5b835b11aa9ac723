import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { appendTo, type EventStore, type EventToAppend, type Position } from '#stores/event-log/event-log.ts';
import { newestRecordedAt } from '#processes/scheduler/clock.ts';
import { requireLogIdentity } from '#stores/event-log/log-identity.ts';
import { events, ids, newStream, readRest } from '../event-store/subject.ts';
import type { ReadFault } from '../../servers/eventstoredb/faults.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';

describe('reads from EventStoreDB', () => {
  let harness: StandInHarness;
  let store: EventStore;
  beforeEach(async () => {
    harness = await StandInHarness.start();
    store = harness.store();
  });
  afterEach(() => harness.dispose());

  const systemEvents = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await harness.server.log.writeSystemEvent('$stats', '$statsCollected', { n });
  };

  test('return nothing while the log has system events only', async () => {
    await systemEvents(40);
    expect(await store.lastPosition()).toBeUndefined();
    expect(await store.readAll({ after: undefined, limit: 10 })).toEqual([]);
  });

  test('of the last position read system events at the end of the log only once', async () => {
    const { position } = await appendTo(store, newStream(), 'no_stream', events(1));
    await systemEvents(500);
    expect(await store.lastPosition()).toBe(position);
    const before = harness.server.faults.eventsRead;
    await systemEvents(20);
    expect(await store.lastPosition()).toBe(position);
    expect(harness.server.faults.eventsRead - before).toBeLessThan(60);
    const next = await appendTo(store, newStream(), 'no_stream', events(1));
    expect(await store.lastPosition()).toBe(next.position);
  });

  test('return the last position of a restored log, not a cached one', async () => {
    await systemEvents(5);
    const { position } = await appendTo(store, newStream(), 'no_stream', events(1));
    await systemEvents(50);
    expect(await store.lastPosition()).toBe(position);
    await harness.server.stop();
    rmSync(join(harness.folder, 'log.ndjson'));
    await harness.start();
    expect(await store.lastPosition()).toBeUndefined();
    await systemEvents(200);
    expect(await store.lastPosition()).toBeUndefined();
    const other = await appendTo(store, newStream(), 'no_stream', events(1));
    await systemEvents(200);
    expect(await store.lastPosition()).toBe(other.position);
  });

  test('of a slow server succeed while data arrives', async () => {
    const all = events(6);
    await appendTo(store, newStream(), 'no_stream', all);
    const withShortLimit = harness.store({ readTimeoutMs: 2_000 });
    harness.server.faults.readPauseMs = 400;
    expect(ids(await withShortLimit.readAll({ after: undefined, limit: 10 }))).toEqual(ids(all));
    harness.server.faults.readPauseMs = 4_000;
    await expect(withShortLimit.readAll({ after: undefined, limit: 10 })).rejects.toMatchObject({
      name: 'StoreUnavailable',
    });
  });

  test('of pages skip system events', async () => {
    const written: string[] = [];
    let last: Position | undefined;
    for (let n = 0; n < 6; n += 1) {
      await systemEvents(n * 7);
      const all = events(1 + (n % 2));
      last = (await appendTo(store, newStream(), 'no_stream', all)).position;
      written.push(...ids(all));
    }
    await systemEvents(70);
    for (const page of [1, 2, 100]) expect(ids(await readRest(store, undefined, page))).toEqual(written);
    expect(await store.lastPosition()).toBe(last);
    expect(await store.readAll({ after: last, limit: 5 })).toEqual([]);
  });

  test('at a position find events, but no system events', async () => {
    const { position } = await appendTo(store, newStream(), 'no_stream', events(3));
    await systemEvents(1);
    expect((await store.readAt(position))?.position).toBe(position);
    expect(await store.readAt(BigInt(harness.server.log.all.at(-1)?.position ?? 0))).toBeUndefined();
    expect(harness.server.faults.misplacedReads).toBe(0);
  });

  test('of the newest event for the scheduler use only positions of records', async () => {
    const [event] = events(1);
    const recordedAt = '2026-03-01T10:00:00.000Z';
    await appendTo(store, newStream(), 'no_stream', [{ ...event, metadata: { recordedAt } } as EventToAppend]);
    expect(await newestRecordedAt(store)).toBe(recordedAt);
    expect(harness.server.faults.misplacedReads).toBe(0);
  });

  test.each([
    ['by an unknown error, as 23.10', false],
    ['by a specific error, as 24.2', true],
  ])('at a position of another log, which the server reports %s, find no event', async (_, reportsInvalid) => {
    harness.server.faults.reportsInvalidPositions = reportsInvalid;
    const { position } = await appendTo(store, newStream(), 'no_stream', events(20));
    const stored = await store.readAll({ after: undefined, limit: 100 });
    const between = (stored[9]?.position ?? 0n) + 5n;
    expect(await store.readAt(between)).toBeUndefined();
    expect(await store.readAt(position + 1_000_000n)).toBeUndefined();
    for (const after of [between, position + 1_000_000n]) {
      const point = { position: after, id: stored[9]?.id ?? '' };
      await expect(requireLogIdentity('a checkpoint', point, store, '')).rejects.toMatchObject({ name: 'LogMismatch' });
      await expect(store.readAll({ after, limit: 3 })).rejects.toMatchObject({ name: 'StoreUnavailable' });
    }
  });

  test('at a position are repeated when the server fails as for an invalid position', async () => {
    const { position } = await appendTo(store, newStream(), 'no_stream', events(1));
    harness.server.faults.pushReads('handler');
    expect((await store.readAt(position))?.position).toBe(position);
    harness.server.faults.pushReads('handler', 'handler');
    await expect(store.readAt(position)).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect((await store.readAt(position))?.position).toBe(position);
  });

  test('return data that is not JSON as text', async () => {
    const stream = newStream();
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const written = { id: randomUUID(), type: 'Broken.v1', data: base64('{broken'), metadata: base64('[broken') };
    await harness.server.log.append(stream, 'no_stream', [
      { ...written, contentType: 'application/json' },
      { ...written, contentType: 'application/octet-stream', metadata: '' },
    ]);
    const [json, bytes] = await store.readStream(stream);
    expect(json).toMatchObject({ data: '{broken', metadata: '[broken' });
    expect(bytes).toMatchObject({ data: '{broken', metadata: null });
    expect(ids(await readRest(store, undefined))).toHaveLength(2);
  });

  test('are repeated on a new connection after a cut', async () => {
    const stream = newStream();
    const all = events(2);
    await appendTo(store, stream, 'no_stream', all);
    for (let cuts = 0; cuts < 5; cuts += 1) {
      harness.server.cut();
      expect(ids(await store.readStream(stream))).toEqual(ids(all));
    }
  });

  test.each<[string, ReadFault]>([
    ['is too busy', 'too_busy'],
    ['does not lead the cluster and names the leader', 'not_leader'],
    ['is stopping', 'internal'],
  ])('are repeated once when the server %s', async (_, fault) => {
    harness.server.faults.pushReads(fault);
    expect(await store.readStream(newStream())).toEqual([]);
    harness.server.faults.pushReads(fault, fault);
    await expect(store.readStream(newStream())).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await store.ping();
  });

  test('fail with StoreUnavailable after a reset for flow control', async () => {
    harness.server.faults.pushReads('exhausted');
    const unavailable = { name: 'StoreUnavailable', message: 'EventStoreDB does not answer' };
    await expect(store.readStream(newStream())).rejects.toMatchObject(unavailable);
    expect(await store.readStream(newStream())).toEqual([]);
  });
});
