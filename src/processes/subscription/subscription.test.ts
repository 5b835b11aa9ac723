import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { temporaryFolder } from '../../../test/ports/support/temporary-folder.ts';
import { MemoryRecords } from '../../../test/support/memory-records.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { openSqliteEventStore } from '../../event-store/sqlite/sqlite-event-store.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { RunningProcess } from '../runtime/process.ts';
import { Checkpoint } from './checkpoint.ts';
import { runSubscription } from './subscription.ts';

let place: ReturnType<typeof temporaryFolder>;
let eventStore: EventStore;
let records: MemoryRecords;
let handled: string[];

beforeEach(async () => {
  place = temporaryFolder();
  eventStore = openSqliteEventStore({ file: join(place.folder, 'events.db') });
  records = new MemoryRecords();
  handled = [];
  await new Checkpoint('test', records).save(undefined);
});

afterEach(async () => {
  await eventStore.close();
  place.remove();
});

async function append(...streams: readonly string[]): Promise<void> {
  for (const stream of streams)
    await eventStore.append(stream, 'no_stream', [{ id: randomUUID(), type: 'Written.v1', data: {}, metadata: {} }]);
}

function start(): RunningProcess {
  return runSubscription({
    name: 'test',
    eventStore,
    checkpoint: new Checkpoint('test', records),
    log: pino({ level: 'silent' }),
    now: () => '2026-03-01T10:00:00.000Z',
    pause: async (_milliseconds, signal) => await pause(1, undefined, { signal }).catch(() => undefined),
    handle: async (events) => {
      handled.push(...events.map(({ stream }) => stream));
      return await Promise.resolve({ last: events.at(-1), sent: events.length });
    },
  });
}

test('a process refuses to go on after its checkpoint on an older copy of the log that has grown past it', async () => {
  await append('a', 'b', 'c');
  await eventStore.close();
  const copy = join(place.folder, 'copy.db');
  cpSync(join(place.folder, 'events.db'), copy);
  eventStore = openSqliteEventStore({ file: join(place.folder, 'events.db') });
  await append('d', 'e');
  const before = start();
  await waitUntil(() => handled.length === 5);
  await before.stop();
  await eventStore.close();

  eventStore = openSqliteEventStore({ file: copy });
  await append('f', 'g', 'h', 'i');
  const after = start();
  await waitUntil(() => after.check() !== undefined || handled.length > 5);
  expect(after.check()).toMatch(/^checkpoint test is 5, but the log has another event at that position\. .*runbook/);
  await after.stop();
  expect(handled).toEqual(['a', 'b', 'c', 'd', 'e']);
});
