import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { PROJECTIONS } from '#projections/registry.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { definitionsOf, startProjector } from '#read-side/start-projector.ts';
import { nameOfReadModels } from '#service/config/data-folder.ts';
import { hashOf } from '#stores/read-models/collection-definitions.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { secondsOfBareRebuild } from './bare-rebuild.ts';
import { compareRates, type Row } from './table.ts';

const ROUNDS = 3;
const DEFINITIONS = definitionsOf(PROJECTIONS);
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

/** Measures a rebuild of all read models against the work that no rebuild can avoid. */
export async function benchRebuild(folder: string, eventsFile: string): Promise<Row> {
  const what =
    'rebuild of all read models, against reading and parsing every event and writing every finished document once';
  return await compareRates(what, 'events/s', { rounds: ROUNDS }, async (round) => {
    const rebuilt = join(folder, `rebuilt-${round}`);
    const { events, seconds } = await rebuild(eventsFile, rebuilt);
    const file = join(rebuilt, nameOfReadModels(hashOf(DEFINITIONS), 0));
    const bareSeconds = secondsOfBareRebuild(eventsFile, file, join(folder, `bare-${round}.db`));
    return { surety: events / seconds, bare: events / bareSeconds };
  });
}

async function rebuild(eventsFile: string, folder: string): Promise<{ events: number; seconds: number }> {
  const eventStore = openSqliteEventStore({ file: eventsFile });
  const readModels = openSqliteReadModels({ folder, definitions: DEFINITIONS });
  const last = (await eventStore.lastPosition()) ?? 0n;
  const start = performance.now();
  const projector = startProjector({
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
  return { events: Number(last), seconds };
}
