import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { AnyProjection } from '#projections/projection.ts';
import type { DocumentsReport, VerificationProgress } from '#queries/verifications.ts';
import type { EventStore, Position } from '#stores/event-log/event-log.ts';
import type { DocumentReader, Generation, StoredDocument } from '#stores/read-models/read-models.ts';
import { differencesOf } from './compare-document.ts';
import { ProjectionBatch } from './projection-batch.ts';
import { Router } from './routing.ts';
import { isRepairedStream, remake } from './stored-documents.ts';
import { writeChanges } from './write-changes.ts';
import type { ProjectorLog } from './projector.ts';

/** An empty generation for the recomputed documents. It holds all of them, so it should not be in memory. */
type ScratchStore = Pick<Generation, 'getMany' | 'write' | 'scan'>;

type LogToVerify = Pick<EventStore, 'readAll' | 'readStream'>;

export interface VerifyOptions {
  readonly eventStore: LogToVerify;
  readonly readModels: Pick<DocumentReader, 'checkpoint' | 'scan'>;
  readonly scratch: ScratchStore;
  readonly projections: readonly AnyProjection[];
  readonly onProgress?: ((progress: VerificationProgress) => void) | undefined;
  /** Lets other work run between two pages. Default: a turn of the event loop. */
  readonly nextTurn?: (() => Promise<void>) | undefined;
}

const PAGE = 1_000;
const MAX_HELD_DOCUMENTS = 5_000;
const MAX_NAMED = 1_000;
const SILENT: ProjectorLog = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Verifies the read models: folds the log into the scratch store, and compares both stores document by document in the
 * order of their keys. The memory that it needs does not grow with the number of documents.
 * @throws {StoreUnavailable}
 */
export async function verifyReadModels(options: VerifyOptions): Promise<DocumentsReport> {
  const upTo = (await options.readModels.checkpoint())?.position;
  const report = new Report(upTo);
  if (upTo === undefined) return report.result;
  await foldLog(options, upTo);
  for (const [done, projection] of options.projections.entries()) {
    const share = done / options.projections.length;
    await compareCollection(options, projection, upTo, report, () => {
      const at = { position: String(upTo), head: String(upTo) };
      options.onProgress?.({ step: 'compare', count: report.result.compared, share, ...at });
    });
  }
  return report.result;
}

class Report {
  readonly result: DocumentsReport;

  constructor(upTo: Position | undefined) {
    const counts = { compared: 0, moved_on: 0, differing: 0, missing: 0, surplus: 0, parked: 0 };
    this.result = { up_to: upTo?.toString() ?? null, ...counts, differences: [], parked_documents: [] };
  }

  add(collection: string, found: StoredDocument | undefined, wanted: StoredDocument | undefined): void {
    if (found !== undefined && wanted !== undefined) {
      const pointers = differencesOf(found, wanted);
      if (pointers.length > 0) this.#addDifference({ collection, key: found.key, what: 'differing', pointers });
    } else if (found !== undefined) {
      this.#addDifference({ collection, key: found.key, what: 'surplus', pointers: [] });
    } else if (wanted !== undefined) {
      this.#addDifference({ collection, key: wanted.key, what: 'missing', pointers: [] });
    }
  }

  count(collection: string, { key, parked }: StoredDocument): void {
    this.result.compared += 1;
    if (parked === undefined) return;
    this.result.parked += 1;
    if (this.result.parked_documents.length >= MAX_NAMED) return;
    const { reason, eventId: event_id, eventType: event_type, position } = parked;
    this.result.parked_documents.push({ collection, key, reason, event_id, event_type, position: String(position) });
  }

  #addDifference(difference: DocumentsReport['differences'][number]): void {
    this.result[difference.what] += 1;
    if (this.result.differences.length < MAX_NAMED) this.result.differences.push(difference);
  }
}

async function foldLog(options: VerifyOptions, upTo: Position): Promise<void> {
  const { eventStore, scratch, projections, onProgress, nextTurn = turnOfLoop } = options;
  const router = new Router(projections, SILENT);
  const ports = { documents: scratch, eventStore, log: SILENT };
  const newBatch = (): ProjectionBatch => new ProjectionBatch(router, ports);
  let batch = newBatch();
  let count = 0;
  for (let after: Position | undefined; after === undefined || after < upTo; ) {
    const page = await eventStore.readAll({ after, limit: PAGE });
    const events = page.filter(({ position }) => position <= upTo);
    await batch.apply(events);
    if (batch.size >= MAX_HELD_DOCUMENTS) {
      await writeChanges(scratch, await batch.changes());
      batch = newBatch();
    }
    count += events.length;
    after = page.length < PAGE ? upTo : (events.at(-1)?.position ?? upTo);
    const share = Number(after) / Number(upTo);
    onProgress?.({ step: 'fold', count, share, position: String(after), head: String(upTo) });
    await nextTurn();
  }
  await writeChanges(scratch, await batch.changes());
}

async function compareCollection(
  { eventStore, readModels, scratch, nextTurn = turnOfLoop }: VerifyOptions,
  projection: AnyProjection,
  upTo: Position,
  report: Report,
  onPage: () => void,
): Promise<void> {
  const pairs = inOrderOfKeys(
    documentsOf(projection.name, readModels, nextTurn),
    documentsOf(projection.name, scratch, nextTurn),
  );
  for await (const { found, wanted } of pairs) {
    if (found !== undefined) report.count(projection.name, found);
    if (found === undefined || found.position <= upTo) report.add(projection.name, found, wanted);
    else {
      report.result.moved_on += 1;
      report.add(projection.name, found, await remake(eventStore, projection, found));
    }
    if (report.result.compared % PAGE === 0) onPage();
  }
}

async function* documentsOf(
  collection: string,
  readModels: Pick<DocumentReader, 'scan'>,
  nextTurn: () => Promise<void>,
): AsyncGenerator<StoredDocument> {
  for (let after: string | undefined; ; ) {
    const page = await readModels.scan(collection, { after, limit: PAGE });
    yield* page.filter((document) => !isRepairedStream(document));
    // Embedded stores never wait, and the garbage collector needs turns to release memory early.
    await nextTurn();
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}

interface Pair {
  readonly found: StoredDocument | undefined;
  readonly wanted: StoredDocument | undefined;
}

async function* inOrderOfKeys(
  stored: AsyncGenerator<StoredDocument>,
  recomputed: AsyncGenerator<StoredDocument>,
): AsyncGenerator<Pair> {
  let found = (await stored.next()).value as StoredDocument | undefined;
  let wanted = (await recomputed.next()).value as StoredDocument | undefined;
  while (found !== undefined || wanted !== undefined) {
    const order = orderOf(found?.key, wanted?.key);
    yield { found: order <= 0 ? found : undefined, wanted: order >= 0 ? wanted : undefined };
    if (order <= 0) found = (await stored.next()).value as StoredDocument | undefined;
    if (order >= 0) wanted = (await recomputed.next()).value as StoredDocument | undefined;
  }
}

/** Compares keys as both kinds of stores sort them, by their bytes of UTF-8; the end comes last. */
function orderOf(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
