import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { appendTo, type EventStore, type EventToAppend } from '#stores/event-log/event-log.ts';
import { event, events, ids, newStream } from '../event-store/subject.ts';
import type { AppendFault } from '../../servers/eventstoredb/faults.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('appends to EventStoreDB with unknown result', () => {
  let harness: StandInHarness;
  let store: EventStore;
  let stream: string;
  let all: EventToAppend[];
  beforeEach(async () => {
    harness = await StandInHarness.start();
    harness.server.faults.commitTimeoutMs = 300;
    store = harness.store({ attemptTimeoutMs: 1_000 });
    stream = newStream();
    all = events(3);
  });
  afterEach(() => harness.dispose());

  const expectWrittenOnce = async (): Promise<void> => {
    const stored = await store.readStream(stream);
    expect(ids(stored)).toEqual(ids(all));
    expect(harness.server.log.all.filter((one) => one.stream === stream)).toHaveLength(all.length);
  };

  test.each<[string, AppendFault[]]>([
    ['is written, but the connection is cut before the response', [{ kind: 'cut_after' }]],
    ['is not written, and the connection is cut', [{ kind: 'cut_before' }]],
    ['is cut twice, before and after it was written', [{ kind: 'cut_before' }, { kind: 'cut_after' }]],
    ['is acknowledged after the time limit of the client', [{ kind: 'late', ms: 1_500 }]],
    ['is lost, with a timeout as response', [{ kind: 'lost' }]],
    ['is written, but its response is reset for flow control', [{ kind: 'exhausted' }]],
    ['reaches a server that has just started', [{ kind: 'not_ready' }, { kind: 'not_ready' }]],
  ])('that are repeated after an append that %s are acknowledged and written once', async (_, faults) => {
    harness.server.faults.push(...faults);
    const response = await appendTo(store, stream, 'no_stream', all);
    expect(response).toEqual({ revision: 2, position: (await store.readLast(stream))?.position });
    await expectWrittenOnce();
  });

  test('are written once when the server drops a repeated append in flight', async () => {
    harness.server.faults.push({ kind: 'under_way', ms: 1_600 });
    const response = await appendTo(store, stream, 'no_stream', all);
    expect(response.revision).toBe(2);
    await expectWrittenOnce();
  });

  test.each<[string, AppendFault]>([
    ['is lost without a response', { kind: 'lost' }],
    ['takes so long that its repeat is dropped', { kind: 'under_way', ms: 2_500 }],
  ])('with the default limits are acknowledged after an append that %s', async (_, fault) => {
    harness.server.faults.commitTimeoutMs = fault.kind === 'lost' ? 60_000 : 2_000;
    harness.server.faults.push(fault);
    expect((await appendTo(harness.storeWithDefaults(), stream, 'no_stream', all)).revision).toBe(2);
    await expectWrittenOnce();
  });

  test('fail after the time limit when the server never answers', async () => {
    harness.server.faults.commitTimeoutMs = 60_000;
    harness.server.faults.push(...Array.from({ length: 50 }, () => ({ kind: 'lost' }) as const));
    const began = performance.now();
    await expect(appendTo(harness.storeWithDefaults(), stream, 'no_stream', all)).rejects.toMatchObject({
      name: 'StoreUnavailable',
    });
    expect(performance.now() - began).toBeLessThan(7_000);
    expect(harness.server.faults.pendingAppendFaults).toBeLessThan(49);
  });

  test('are rejected when they are lost and another append is written', async () => {
    await appendTo(store, stream, 'no_stream', all);
    const concurrent = event(9);
    // The concurrent append must be written before the lost one is repeated, hence the long time limits and the
    // connection that is already open.
    harness.server.faults.commitTimeoutMs = 3_000;
    const other = harness.store();
    harness.server.faults.push({ kind: 'lost' });
    const lost = Promise.allSettled([appendTo(other, stream, 2, events(1))]);
    await waitUntil(() => harness.server.faults.pendingAppendFaults <= 0);
    await appendTo(store, stream, 2, [concurrent]);
    const reason = { name: 'WrongExpectedRevision', expected: 2, actual: 3 };
    expect(await lost).toMatchObject([{ status: 'rejected', reason }]);
    all.push(concurrent);
    await expectWrittenOnce();
  });

  test('are rejected only when the conflicting event can be read', async () => {
    harness.server.faults.push({ kind: 'under_way', ms: 400 });
    const first = appendTo(harness.store(), stream, 'no_stream', all);
    await waitUntil(() => harness.server.faults.pendingAppendFaults <= 0);
    await expect(appendTo(store, stream, 'no_stream', events(1))).rejects.toMatchObject({ actual: 2 });
    await expectWrittenOnce();
    expect((await first).revision).toBe(2);
  });

  test('fail with StoreUnavailable while the server is down, and succeed afterwards', async () => {
    await appendTo(store, stream, 'no_stream', all.slice(0, 1));
    await harness.server.stop();
    const withShortTimeout = harness.store({ appendTimeoutMs: 200 });
    const unavailable = { name: 'StoreUnavailable' };
    await expect(appendTo(withShortTimeout, stream, 0, all.slice(1))).rejects.toMatchObject(unavailable);
    await expect(withShortTimeout.readStream(stream)).rejects.toMatchObject(unavailable);
    await expect(withShortTimeout.readLast(stream)).rejects.toMatchObject(unavailable);
    await expect(withShortTimeout.readAll({ after: undefined, limit: 1 })).rejects.toMatchObject(unavailable);
    await expect(withShortTimeout.lastPosition()).rejects.toMatchObject(unavailable);
    await expect(withShortTimeout.ping()).rejects.toMatchObject(unavailable);
    const appended = appendTo(store, stream, 0, all.slice(1));
    await harness.start();
    expect((await appended).revision).toBe(2);
    expect(await appendTo(store, stream, 0, all.slice(1))).toEqual(await appended);
    await expectWrittenOnce();
  });
});

describe('answers of EventStoreDB to appends', () => {
  let harness: StandInHarness;
  let store: EventStore;
  let stream: string;
  beforeEach(async () => {
    harness = await StandInHarness.start();
    store = harness.store();
    stream = newStream();
  });
  afterEach(() => harness.dispose());

  test('without a position are completed by a read', async () => {
    const all = events(3);
    const first = await appendTo(store, stream, 'no_stream', all);
    harness.server.faults.reportsPositionOfRepeats = false;
    expect(await appendTo(store, stream, 'no_stream', all)).toEqual(first);
    const prefix = await appendTo(store, stream, 'no_stream', all.slice(0, 2));
    expect(prefix.position).toBe((await store.readStream(stream))[1]?.position);
  });

  test('report an append that is too large as a programming error', async () => {
    harness.server.faults.largestAppend = 100;
    const mistake = { name: 'TypeError', message: `An append to ${stream} is too large for EventStoreDB` };
    await expect(appendTo(store, stream, 'no_stream', events(2))).rejects.toMatchObject(mistake);
    expect(await store.readStream(stream)).toEqual([]);
  });
});
