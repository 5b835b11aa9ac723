import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import { createEnvironment, importBook } from '../book/import-process.ts';
import { firstPolicies } from '../servers/support/book-part.ts';
import { plainClient } from '../servers/eventstoredb/support/plain-client.ts';
import type { Installation } from '../servers/support/installation.ts';
import { secondsOfBareAppends } from './bare-appends.ts';
import { findBook } from './book.ts';
import { type Row, rateRow, whole as number } from './table.ts';

const POLICIES = 2_000;

/**
 * Measures an import of the first policies with their claims, read models included, against appends of the same events.
 */
export async function benchServersImport(on: Installation): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'surety-bench-import-'));
  const eventStore = openEventStoreDB({ url: on.eventStore.url });
  const client = plainClient(on.eventStore.url);
  try {
    const whole = findBook(folder);
    const files = { policiesFile: whole.policies, claimsFile: whole.claims };
    const book = firstPolicies(files, POLICIES, await mkdtemp(join(folder, 'part-')));
    const settings = on.addresses();
    const environmentId = await createEnvironment(folder, settings);
    const before = await eventStore.lastPosition();
    const place = { folder, refusedFolder: join(folder, 'refused'), environmentId, settings };
    const imported = await importBook(book, place);
    const rows = imported.files.reduce((sum, { taken }) => sum + taken, 0);
    const events = await eventStore.readAll({ after: before, limit: 1_000_000 });
    const bareSeconds = await secondsOfBareAppends(client, events);
    const what = `import of the first ${number(POLICIES)} policies of ${whole.name} on EventStoreDB (stand-in): ${number(rows)} rows, ${number(events.length)} events, against bare appends of the same events`;
    return rateRow(what, 'rows/s', rows / imported.seconds, rows / bareSeconds);
  } finally {
    await client.dispose();
    await eventStore.close();
    await rm(folder, { recursive: true, force: true });
  }
}
