import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { Position } from '../../src/event-store/event-store.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { startProjector } from '../../src/projector/start-projector.ts';
import { openSqliteReadModels } from '../../src/read-models/sqlite/sqlite-read-models.ts';
import { median, type Row, rateRow } from './table.ts';

const ROUNDS = 3;
const PAGE = 5_000;
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

/** Measures a rebuild of all read models against a scan of the same log. */
export async function benchRebuild(folder: string, eventsFile: string): Promise<Row> {
  const scans: number[] = [];
  const rebuilds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    scans.push(await scan(eventsFile));
    rebuilds.push(await rebuild(eventsFile, join(folder, `rebuilt-${round}.db`)));
  }
  return rateRow(
    'rebuild of all read models, against a raw scan of the log',
    'events/s',
    median(rebuilds),
    median(scans),
  );
}

async function scan(eventsFile: string): Promise<number> {
  const store = openSqliteEventStore({ file: eventsFile });
  const start = performance.now();
  let after: Position | undefined;
  let count = 0;
  for (;;) {
    const events = await store.readAll({ after, limit: PAGE });
    if (events.length === 0) break;
    count += events.length;
    after = events.at(-1)?.position;
  }
  const seconds = (performance.now() - start) / 1_000;
  await store.close();
  return count / seconds;
}

async function rebuild(eventsFile: string, file: string): Promise<number> {
  const eventStore = openSqliteEventStore({ file: eventsFile });
  const readModels = openSqliteReadModels({ file });
  const last = (await eventStore.lastPosition()) ?? 0n;
  const start = performance.now();
  const projector = await startProjector({
    eventStore,
    readModels,
    projections: PROJECTIONS,
    log: SILENT,
    now: () => new Date().toISOString(),
    pause: async (milliseconds) => await pause(milliseconds),
  });
  if (!(await projector.waitFor(last, 600_000))) throw new Error('the rebuild did not end');
  const seconds = (performance.now() - start) / 1_000;
  await projector.stop();
  await readModels.close();
  await eventStore.close();
  return Number(last) / seconds;
}
