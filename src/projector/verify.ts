import { isDeepStrictEqual } from 'node:util';
import type { AnyProjection } from '../../projections/projection.ts';
import type { EventStore, Position } from '../event-store/event-store.ts';
import type { ReadModels, StoredDocument } from '../read-models/read-models.ts';
import { Collection, type CollectionStore } from './collection.ts';
import type { ProjectorLog } from './log.ts';
import { Reflection } from './reflection.ts';
import { Router } from './routing.ts';

/** A document that is not what the log says. */
export interface Difference {
  readonly collection: string;
  readonly key: string;
  /** Not there · there without an event · there, but these parts of it differ. */
  readonly what: 'missing' | 'unexpected' | readonly (keyof StoredDocument)[];
}

export interface Verification {
  /** The documents were compared as they are after this event; undefined when a collection has seen nothing. */
  readonly upTo: Position | undefined;
  readonly compared: number;
  /** Documents that have gone on beyond `upTo` meanwhile, so that nothing can be said of them. */
  readonly movedOn: number;
  readonly differences: readonly Difference[];
}

export interface VerifyOptions {
  readonly eventStore: EventStore;
  /** Opened before. */
  readonly readModels: ReadModels;
  readonly projections: readonly AnyProjection[];
  /** Up to here all of them reflect the log, whatever their own checkpoints say: those store them seldom. */
  readonly reached?: Position | undefined;
  readonly onProgress?: (progress: VerificationProgress) => void;
}

export interface VerificationProgress {
  /** What is being compared. */
  readonly collection: string;
  /** Events folded so far, once for each collection. */
  readonly events: number;
  /** Of all the work, 0 to 1. */
  readonly share: number;
}

const PAGE = 1_000;
const COMPARED = ['body', 'streams', 'position', 'createdAt', 'indexes', 'parked'] as const;
const SILENT: ProjectorLog = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Proves the read models by recomputation: folds the log anew, one collection after the other, and compares. It holds the
 * text of one collection in memory.
 * @throws {StoreUnavailable}
 */
export async function verifyReadModels(options: VerifyOptions): Promise<Verification> {
  const checkpoints: (Position | undefined)[] = [];
  for (const { name } of options.projections) checkpoints.push(await options.readModels.checkpoint(name));
  const lowest = checkpoints.reduce((a, b) => (a === undefined || b === undefined || a < b ? a : b), checkpoints[0]);
  const upTo = higher(lowest, options.reached);
  let [compared, movedOn] = [0, 0];
  const differences: Difference[] = [];
  if (upTo === undefined) return { upTo, compared, movedOn, differences };
  let events = 0;
  for (const [done, projection] of options.projections.entries()) {
    const expected = await recompute(projection, options.eventStore, upTo, (count, reached) => {
      events += count;
      const share = (done + Number(reached) / Number(upTo)) / options.projections.length;
      options.onProgress?.({ collection: projection.name, events, share });
    });
    for await (const found of documentsOf(projection.name, options.readModels)) {
      const wanted = expected.get(found.key);
      expected.delete(found.key);
      if (found.position > upTo) movedOn += 1;
      else differences.push(...differencesOf(projection.name, found, wanted));
      compared += 1;
    }
    for (const key of expected.keys()) differences.push({ collection: projection.name, key, what: 'missing' });
  }
  return { upTo, compared: compared - movedOn, movedOn, differences };
}

function higher(a: Position | undefined, b: Position | undefined): Position | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

async function recompute(
  projection: AnyProjection,
  eventStore: EventStore,
  upTo: Position,
  tell: (events: number, reached: Position) => void,
): Promise<Map<string, StoredDocument>> {
  const documents = new Map<string, StoredDocument>();
  const collection = new Collection(projection, inMemory(documents));
  const router = new Router([collection], SILENT);
  for (let after: Position | undefined; after === undefined || after < upTo; ) {
    const page = await eventStore.readAll({ after, limit: PAGE });
    const events = page.filter(({ position }) => position <= upTo);
    const reflection = new Reflection([collection], router, { eventStore, log: SILENT });
    await reflection.take(events);
    await reflection.commit();
    after = page.length < PAGE ? upTo : (events.at(-1)?.position ?? upTo);
    tell(events.length, after);
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

async function* documentsOf(collection: string, readModels: ReadModels): AsyncGenerator<StoredDocument> {
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
