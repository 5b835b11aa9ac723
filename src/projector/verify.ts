import { isDeepStrictEqual } from 'node:util';
import type { AnyProjection } from '../../projections/projection.ts';
import type { EventStore, Position } from '../event-store/event-store.ts';
import type { ReadModels, StoredDocument } from '../read-models/read-models.ts';
import { Collection, type CollectionStore } from './collection.ts';
import type { ProjectorLog } from './log.ts';
import { refold } from './refold.ts';
import { ProjectionBatch } from './projection-batch.ts';
import { Router } from './routing.ts';
import { toStored } from './stored-form.ts';

export interface Difference {
  readonly collection: string;
  readonly key: string;
  /** `unexpected`: no event creates it; otherwise the fields that differ. */
  readonly what: 'missing' | 'unexpected' | readonly (keyof StoredDocument)[];
}

export interface Verification {
  /** Position up to which the log was folded; undefined when a collection has no checkpoint. */
  readonly upTo: Position | undefined;
  readonly compared: number;
  /** Number of documents that had advanced beyond `upTo` meanwhile; they were compared at their own position. */
  readonly advancedCount: number;
  readonly differences: readonly Difference[];
}

export interface VerifyOptions {
  readonly eventStore: EventStore;
  readonly readModels: Pick<ReadModels, 'checkpoint' | 'scan'>;
  readonly projections: readonly AnyProjection[];
  /** The published position: collections that no event changes store their own checkpoints rarely. */
  readonly publishedPosition?: Position | undefined;
  readonly onProgress?: (progress: VerificationProgress) => void;
}

export interface VerificationProgress {
  readonly collection: string;
  /** Number of events folded so far, counted for each collection. */
  readonly events: number;
  /** Share of the work done, 0 to 1. */
  readonly share: number;
}

const PAGE = 1_000;
const COMPARED = ['body', 'streams', 'position', 'createdAt', 'indexes', 'parked'] as const;
const SILENT: ProjectorLog = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Verifies the read models: folds the log again, collection by collection, and compares the documents. It holds one collection in
 * memory.
 * @throws {StoreUnavailable}
 */
export async function verifyReadModels(options: VerifyOptions): Promise<Verification> {
  const checkpoints: (Position | undefined)[] = [];
  for (const { name } of options.projections) checkpoints.push(await options.readModels.checkpoint(name));
  const lowest = checkpoints.reduce((a, b) => (a === undefined || b === undefined || a < b ? a : b), checkpoints[0]);
  const upTo = higher(lowest, options.publishedPosition);
  let [compared, advancedCount] = [0, 0];
  const differences: Difference[] = [];
  if (upTo === undefined) return { upTo, compared, advancedCount, differences };
  let events = 0;
  for (const [done, projection] of options.projections.entries()) {
    const expected = await recompute(projection, options.eventStore, upTo, (count, position) => {
      events += count;
      const share = (done + Number(position) / Number(upTo)) / options.projections.length;
      options.onProgress?.({ collection: projection.name, events, share });
    });
    const advanced: AdvancedDocument[] = [];
    for await (const found of documentsOf(projection.name, options.readModels)) {
      const wanted = expected.get(found.key);
      expected.delete(found.key);
      if (found.position > upTo) advanced.push({ found, streams: new Set(Object.keys(wanted?.streams ?? {})) });
      else differences.push(...differencesOf(projection.name, found, wanted));
      compared += 1;
    }
    differences.push(...(await differencesSince(projection, options.eventStore, upTo, advanced)));
    advancedCount += advanced.length;
    for (const key of expected.keys()) differences.push({ collection: projection.name, key, what: 'missing' });
  }
  return { upTo, compared, advancedCount, differences };
}

/** A document that has advanced beyond `upTo`, and its streams according to the log. */
interface AdvancedDocument {
  readonly found: StoredDocument;
  readonly streams: Set<string>;
}

/** Compares each document with the one folded from its streams up to its own position. */
async function differencesSince(
  projection: AnyProjection,
  eventStore: EventStore,
  upTo: Position,
  advanced: readonly AdvancedDocument[],
): Promise<readonly Difference[]> {
  if (advanced.length === 0) return [];
  await addStreamsSince(projection, eventStore, upTo, advanced);
  const differences: Difference[] = [];
  for (const { found, streams } of advanced) {
    const request = { projection, onFailure: () => {}, key: found.key, streams: [...streams], upTo: found.position };
    const wanted = streams.size === 0 ? undefined : toStored(projection, await refold(eventStore, request), null);
    differences.push(...differencesOf(projection.name, found, wanted));
  }
  return differences;
}

/** Adds the streams of events after `upTo` that the documents reflect. */
async function addStreamsSince(
  projection: AnyProjection,
  eventStore: EventStore,
  upTo: Position,
  advanced: readonly AdvancedDocument[],
): Promise<void> {
  const byKey = new Map(advanced.map((document) => [document.found.key, document]));
  const router = new Router([new Collection(projection, inMemory(new Map()))], SILENT);
  const end = advanced.reduce((last, { found }) => (found.position > last ? found.position : last), upTo);
  for (let after = upTo; after < end; ) {
    const events = await eventStore.readAll({ after, limit: PAGE });
    for (const { key, event, isRetry } of router.route(events)) {
      const document = byKey.get(key);
      if (document !== undefined && !isRetry && event.position <= document.found.position)
        document.streams.add(event.stream);
    }
    after = events.at(-1)?.position ?? end;
  }
}

function higher(a: Position | undefined, b: Position | undefined): Position | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

async function recompute(
  projection: AnyProjection,
  eventStore: EventStore,
  upTo: Position,
  onProgress: (events: number, position: Position) => void,
): Promise<Map<string, StoredDocument>> {
  const documents = new Map<string, StoredDocument>();
  const collection = new Collection(projection, inMemory(documents));
  const router = new Router([collection], SILENT);
  for (let after: Position | undefined; after === undefined || after < upTo; ) {
    const page = await eventStore.readAll({ after, limit: PAGE });
    const events = page.filter(({ position }) => position <= upTo);
    const batch = new ProjectionBatch([collection], router, { eventStore, log: SILENT });
    await batch.apply(events);
    await batch.commit();
    after = page.length < PAGE ? upTo : (events.at(-1)?.position ?? upTo);
    onProgress(events.length, after);
  }
  return documents;
}

function inMemory(documents: Map<string, StoredDocument>): CollectionStore {
  return {
    checkpoint: async () => undefined,
    parked: async () => [],
    getMany: async (_collection, keys) => keys.flatMap((key) => documents.get(key) ?? []),
    write: async (_collection, written) => {
      for (const document of written) documents.set(document.key, document);
    },
  };
}

async function* documentsOf(collection: string, readModels: Pick<ReadModels, 'scan'>): AsyncGenerator<StoredDocument> {
  for (let after: string | undefined; ; ) {
    const page = await readModels.scan(collection, { after, limit: PAGE });
    yield* page;
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}

function differencesOf(collection: string, found: StoredDocument, wanted: StoredDocument | undefined): Difference[] {
  const { key } = found;
  if (wanted === undefined) return [{ collection, key, what: 'unexpected' }];
  const what = COMPARED.filter((part) => !isDeepStrictEqual(found[part], wanted[part]));
  return what.length === 0 ? [] : [{ collection, key, what }];
}
