import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { compareRates, type Row } from './table.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

const IN_FLIGHT = 64;
const EVENTS = 20_000;
const BARE_WRITES = 4_000;
const ROUNDS = 3;

/** Durable appends with 64 in flight, against single writes of the same bytes, each with its own fsync. */
export async function benchAppend(folder: string): Promise<Row> {
  const data = { effectiveAt: '2026-01-01', text: 'x'.repeat(600) };
  const metadata = { recordedAt: '2026-01-01T00:00:00.000Z', command: { name: 'Bench', id: randomUUID() } };
  const what = `append, ${IN_FLIGHT} in flight, against one fsynced write after another`;
  return await compareRates(what, 'events/s', { rounds: ROUNDS }, async (round) => ({
    bare: bareWrites(join(folder, `bare-${round}`), Buffer.from(JSON.stringify({ data, metadata }))),
    surety: await appendsInFlight(join(folder, `append-${round}.db`), data, metadata),
  }));
}

async function appendsInFlight(file: string, data: object, metadata: object): Promise<number> {
  const store = openSqliteEventStore({ file });
  let left = EVENTS;
  const writer = async (): Promise<void> => {
    while (left-- > 0) {
      await appendTo(store, `bench-${randomUUID()}`, 'no_stream', [
        { id: randomUUID(), type: 'Bench.v1', data, metadata },
      ]);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, writer));
  const seconds = (performance.now() - start) / 1_000;
  await store.close();
  return EVENTS / seconds;
}

function bareWrites(file: string, bytes: Uint8Array): number {
  const descriptor = openSync(file, 'w');
  const start = performance.now();
  for (let i = 0; i < BARE_WRITES; i++) {
    writeSync(descriptor, bytes);
    fsyncSync(descriptor);
  }
  const seconds = (performance.now() - start) / 1_000;
  closeSync(descriptor);
  return BARE_WRITES / seconds;
}
