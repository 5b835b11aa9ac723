import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PROJECTIONS } from '#projections/registry.ts';
import { decode } from '#domain/events.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { type ClaimResource, claimResourceOf } from '#projections/claims/claim-resource.ts';
import type { ClaimDocument } from '#projections/claims/claims.ts';
import { formatMoney, type MinorUnits, parseMoney } from '#domain/values/money.ts';
import type { PolicyDocument } from '#projections/policies/policies.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import type { ReadModels, StoredDocument } from '#stores/read-models/read-models.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import type { BookTotals } from './books.ts';

const PAGE = 5_000;

/** Returns the last position of a folder's log, also while another process writes it; 0 without a log. */
export function logPosition(folder: string): number {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(join(folder, 'events.db'), { readOnly: true, timeout: 5_000 });
  } catch {
    return 0;
  }
  try {
    return Number(
      Object.values(database.prepare('SELECT coalesce(max(position), 0) FROM events').get() ?? { p: 0 })[0],
    );
  } catch {
    return 0;
  } finally {
    database.close();
  }
}

/** Counts the events of commands with these names in a folder. */
export function countEventsOf(folder: string, ...commands: readonly string[]): number {
  const database = new DatabaseSync(join(folder, 'events.db'), { readOnly: true, timeout: 5_000 });
  try {
    const rows = database.prepare('SELECT metadata FROM events').all();
    const names = rows.map(
      ({ metadata }) => (JSON.parse(String(metadata)) as { command: { name: string } }).command.name,
    );
    return names.filter((name) => commands.includes(name)).length;
  } finally {
    database.close();
  }
}

/** Runs a function on the read models of a folder. */
export async function withReadModels<T>(folder: string, run: (readModels: ReadModels) => Promise<T>): Promise<T> {
  const readModels = openSqliteReadModels({ folder, definitions: definitionsOf(PROJECTIONS) });
  try {
    return await run(readModels);
  } finally {
    await readModels.close();
  }
}

/** Reads every document of a collection in order of key. */
export async function* documentsOf(readModels: ReadModels, collection: string): AsyncGenerator<StoredDocument> {
  for (let after: string | undefined; ; ) {
    const page = await readModels.scan(collection, { after, limit: PAGE });
    yield* page;
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}

/** Returns the number of documents of each collection and a hash of their bodies, positions and indexes. */
export async function contentOf(readModels: ReadModels): Promise<Record<string, { count: number; hash: string }>> {
  const content: Record<string, { count: number; hash: string }> = {};
  for (const { name } of PROJECTIONS) {
    const hash = createHash('sha256');
    let count = 0;
    for await (const document of documentsOf(readModels, name)) {
      count += 1;
      hash.update(JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
    }
    content[name] = { count, hash: hash.digest('hex') };
  }
  return content;
}

/** Returns the resource of a claim of the read models. */
export function claimOf(body: string | undefined): ClaimResource {
  return claimResourceOf((parseBody(body) as ClaimDocument).claim);
}

/** Computes the totals of an imported book from the read models and the log of a folder that no process uses. */
export async function readTotals(folder: string): Promise<BookTotals> {
  const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
  try {
    return await withReadModels(folder, async (readModels) => await computeTotals(readModels, eventStore));
  } finally {
    await eventStore.close();
  }
}

/** Computes the totals of an imported book from open read models and a log. */
export async function computeTotals(readModels: ReadModels, eventStore: EventStore): Promise<BookTotals> {
  return { ...(await countDocuments(readModels)), ...(await countIncidents(eventStore)) };
}

async function countDocuments(readModels: ReadModels) {
  let policies = 0;
  let customers = 0;
  let notStarted = 0;
  const claimsByStatus: Record<string, number> = {};
  const policiesByTerms: Record<string, number> = {};
  const premiums = new Map<string, MinorUnits>();
  for await (const { body } of documentsOf(readModels, 'policies')) {
    policies += 1;
    const { policy } = parseBody(body) as PolicyDocument;
    if (policy.status === 'accepted') notStarted += 1;
    count(policiesByTerms, String(policy.terms.length));
    for (const { from, premium } of policy.terms) add(premiums, from, premium);
  }
  for await (const { body } of documentsOf(readModels, 'claims')) {
    count(claimsByStatus, claimOf(body).claim_status);
  }
  for await (const _ of documentsOf(readModels, 'customers')) customers += 1;
  return { policies, customers, notStarted, claimsByStatus, policiesByTerms, premiumByYear: formatSums(premiums) };
}

/** Reads type and day of incidents from the log: no read model has them. */
async function countIncidents(eventStore: EventStore) {
  const claimsByType: Record<string, number> = {};
  const amounts = new Map<string, MinorUnits>();
  for (let after: bigint | undefined; ; ) {
    const page = await eventStore.readAll({ after, limit: PAGE });
    for (const raw of page) {
      if (raw.type !== 'ClaimImported.v1') continue;
      const { data } = decode(raw) as Extract<ClaimEvent, { type: 'ClaimImported' }>;
      count(claimsByType, data.details.claimType);
      add(amounts, data.details.incidentDate, data.details.amount ?? '0');
    }
    after = page.at(-1)?.position;
    if (page.length < PAGE) return { claimsByType, amountByYear: formatSums(amounts) };
  }
}

function parseBody(body: string | undefined): unknown {
  if (body === undefined) throw new Error('a document has no body');
  return JSON.parse(body);
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function add(sums: Map<string, MinorUnits>, day: string, amount: string): void {
  const year = day.slice(0, 4);
  sums.set(year, (sums.get(year) ?? 0n) + parseMoney(amount));
}

function formatSums(sums: ReadonlyMap<string, MinorUnits>): Record<string, string> {
  return Object.fromEntries([...sums].map(([year, sum]) => [year, formatMoney(sum)]));
}
