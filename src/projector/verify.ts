import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyProjection } from '../../projections/projection.ts';
import type { EventStore, Position } from '../event-store/event-store.ts';
import type { ParkedDocument, ReadModels, StoredDocument } from '../read-models/read-models.ts';
import { Collection, definitionOf } from './collection.ts';
import { differencesOf } from './compare-document.ts';
import { newStoredParts, wholeKeyOf } from './parts.ts';
import { ProjectionBatch } from './projection-batch.ts';
import { refold } from './refold.ts';
import { Router } from './routing.ts';
import { toStored } from './stored-form.ts';
import { writeCollections } from './write-collections.ts';
import type { ProjectorLog } from './projector-options.ts';

export interface Difference {
  readonly collection: string;
  readonly key: string;
  /** `missing`: the document is not stored; `surplus`: no event creates it. */
  readonly what: 'differing' | 'missing' | 'surplus';
  /** JSON Pointers of the first differences of a differing document, from the stored document: `/body/…`, `/revision`. */
  readonly pointers: readonly string[];
}

export interface Verification {
  /** Position up to which the log was folded; undefined when neither every collection has a checkpoint nor a position is published. */
  readonly upTo: Position | undefined;
  /** Number of stored documents. */
  readonly compared: number;
  /** Number of documents that had advanced beyond `upTo` meanwhile; they were compared at their own position. */
  readonly advancedCount: number;
  readonly differing: number;
  readonly missing: number;
  readonly surplus: number;
  /** The first 1,000 differences. */
  readonly differences: readonly Difference[];
  /** Number of documents that are parked: they equal their fold, but show an old state. */
  readonly parked: number;
  /** The first 1,000 of them. */
  readonly parkedDocuments: readonly (ParkedDocument & { readonly collection: string })[];
}

/** An empty store for the recomputed documents, which is not opened yet. It holds all of them, so it should not be in memory. */
export type ScratchStore = Pick<ReadModels, 'open' | 'checkpoint' | 'countParked' | 'getMany' | 'write' | 'scan'>;

/** The parts of the event store that a verification reads. */
export type LogToVerify = Pick<EventStore, 'readAll' | 'readStream'>;

export interface VerifyOptions {
  readonly eventStore: LogToVerify;
  readonly readModels: Pick<ReadModels, 'checkpoint' | 'scan'>;
  readonly scratch: ScratchStore;
  readonly projections: readonly AnyProjection[];
  /** The published position: collections that no event changes store their own checkpoints rarely. */
  readonly publishedPosition?: Position | undefined;
  readonly onProgress?: (progress: VerificationProgress) => void;
}

export interface VerificationProgress {
  readonly step: 'log' | 'fold' | 'compare';
  /** Number of events read or folded, or of documents compared. */
  readonly count: number;
  /** Share of the step, 0 to 1. */
  readonly share: number;
  /** Position up to which the log is read or folded. */
  readonly position: Position;
  /** Position up to which the log will be read or folded. */
  readonly head: Position;
}

const PAGE = 1_000;
/** Number of recomputed documents in memory. */
const MAX_HELD_DOCUMENTS = 5_000;
const MAX_NAMED = 1_000;
const SILENT: ProjectorLog = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Verifies the read models: folds the log into the scratch store, and compares both stores document by document in the order of their
 * keys. The memory that it needs does not grow with the number of documents.
 * @throws {StoreUnavailable}
 */
export async function verifyReadModels(options: VerifyOptions): Promise<Verification> {
  const checkpoints: (Position | undefined)[] = [];
  for (const { name } of options.projections) checkpoints.push(await options.readModels.checkpoint(name));
  const [first] = checkpoints;
  const lowest = checkpoints.reduce((a, b) => (a === undefined || b === undefined ? undefined : a < b ? a : b), first);
  const upTo = higher(lowest, options.publishedPosition);
  const report = new Report(upTo);
  if (upTo === undefined) return report.result();
  await options.scratch.open(options.projections.map(definitionOf));
  await foldLog(options, upTo);
  for (const [done, projection] of options.projections.entries()) {
    await compareCollection(options, projection, upTo, report, () =>
      options.onProgress?.({
        step: 'compare',
        count: report.compared,
        share: done / options.projections.length,
        position: upTo,
        head: upTo,
      }),
    );
  }
  return report.result();
}

/** Collects the result. */
class Report {
  compared = 0;
  advancedCount = 0;
  readonly #upTo: Position | undefined;
  readonly #counts = { differing: 0, missing: 0, surplus: 0 };
  readonly #differences: Difference[] = [];
  #parked = 0;
  readonly #parkedDocuments: Verification['parkedDocuments'][number][] = [];

  constructor(upTo: Position | undefined) {
    this.#upTo = upTo;
  }

  /** Adds the comparison of two states of a document, if it has a difference. */
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

  /** Counts a stored document, and names it if it is parked. */
  count(collection: string, { key, parked }: StoredDocument): void {
    this.compared += 1;
    if (parked === undefined) return;
    this.#parked += 1;
    if (this.#parkedDocuments.length < MAX_NAMED) this.#parkedDocuments.push({ collection, key, parked });
  }

  result(): Verification {
    const { compared, advancedCount } = this;
    const differences = { ...this.#counts, differences: this.#differences };
    const parked = { parked: this.#parked, parkedDocuments: this.#parkedDocuments };
    return { upTo: this.#upTo, compared, advancedCount, ...differences, ...parked };
  }

  #addDifference(difference: Difference): void {
    this.#counts[difference.what] += 1;
    if (this.#differences.length < MAX_NAMED) this.#differences.push(difference);
  }
}

/** Folds the log up to the position into the scratch store. */
async function foldLog({ eventStore, scratch, projections, onProgress }: VerifyOptions, upTo: Position): Promise<void> {
  const collections = projections.map((projection) => new Collection(projection, scratch));
  const router = new Router(collections, SILENT);
  const newBatch = (): ProjectionBatch => new ProjectionBatch(collections, router, { eventStore, log: SILENT });
  let batch = newBatch();
  let count = 0;
  for (let after: Position | undefined; after === undefined || after < upTo; ) {
    const page = await eventStore.readAll({ after, limit: PAGE });
    const events = page.filter(({ position }) => position <= upTo);
    await batch.apply(events);
    if (batch.size >= MAX_HELD_DOCUMENTS) {
      await writeCollections(scratch, await batch.prepareWrites(), undefined);
      batch = newBatch();
    }
    count += events.length;
    after = page.length < PAGE ? upTo : (events.at(-1)?.position ?? upTo);
    onProgress?.({ step: 'fold', count, share: Number(after) / Number(upTo), position: after, head: upTo });
    await nextTurn();
  }
  await writeCollections(scratch, await batch.prepareWrites(), undefined);
}

async function compareCollection(
  { eventStore, readModels, scratch }: VerifyOptions,
  projection: AnyProjection,
  upTo: Position,
  report: Report,
  onPage: () => void,
): Promise<void> {
  const pairs = inOrderOfKeys(documentsOf(projection.name, readModels), documentsOf(projection.name, scratch));
  for await (const { found, wanted } of pairs) {
    if (found !== undefined) report.count(projection.name, found);
    if (found === undefined || found.position <= upTo) report.add(projection.name, found, wanted);
    else {
      report.advancedCount += 1;
      report.add(projection.name, found, await foldAgain(projection, eventStore, found));
    }
    if (report.compared % PAGE === 0) onPage();
  }
}

/** Folds a document from its stream up to its own position; undefined when no event of the stream makes it. */
async function foldAgain(
  projection: AnyProjection,
  eventStore: LogToVerify,
  { key, stream, position }: StoredDocument,
): Promise<StoredDocument | undefined> {
  const request = { projection, onFailure: () => {}, key: wholeKeyOf(key), stream, upTo: position };
  const whole = await refold(eventStore, request);
  if (whole.stream === '') return undefined;
  return [toStored(projection, whole, null), ...newStoredParts(projection, whole, undefined)].find(
    (document) => document.key === key,
  );
}

function higher(a: Position | undefined, b: Position | undefined): Position | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

async function* documentsOf(collection: string, readModels: Pick<ReadModels, 'scan'>): AsyncGenerator<StoredDocument> {
  for (let after: string | undefined; ; ) {
    const page = await readModels.scan(collection, { after, limit: PAGE });
    yield* page;
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

/** Merges two sequences that are sorted by key. */
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
