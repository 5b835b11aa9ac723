import { isDeepStrictEqual } from 'node:util';
import type { AnyProjection } from '../../projections/projection.ts';
import type { EventStore, Position } from '../event-store/event-store.ts';
import type { ReadModels, StoredDocument } from '../read-models/read-models.ts';
import { Collection, type CollectionStore } from './collection.ts';
import type { ProjectorLog } from './log.ts';
import { refold } from './refold.ts';
import { Reflection } from './reflection.ts';
import { Router } from './routing.ts';
import { toStored } from './stored-form.ts';

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
  /** How many of these had gone on beyond `upTo` meanwhile, and were compared as they are after their own newest event. */
  readonly movedOn: number;
  readonly differences: readonly Difference[];
}

export interface VerifyOptions {
  readonly eventStore: EventStore;
  /** Opened before. */
  readonly readModels: Pick<ReadModels, 'checkpoint' | 'scan'>;
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
    const gone: GoneOn[] = [];
    for await (const found of documentsOf(projection.name, options.readModels)) {
      const wanted = expected.get(found.key);
      expected.delete(found.key);
      if (found.position > upTo) gone.push({ found, streams: new Set(Object.keys(wanted?.streams ?? {})) });
      else differences.push(...differencesOf(projection.name, found, wanted));
      compared += 1;
    }
    differences.push(...(await differencesSince(projection, options.eventStore, upTo, gone)));
    movedOn += gone.length;
    for (const key of expected.keys()) differences.push({ collection: projection.name, key, what: 'missing' });
  }
  return { upTo, compared, movedOn, differences };
}

/** A document that has gone on meanwhile, and the streams that make it, by what the log says. */
interface GoneOn {
  readonly found: StoredDocument;
  readonly streams: Set<string>;
}

/** Compares each with what its streams make of it up to its own newest event. */
async function differencesSince(
  projection: AnyProjection,
  eventStore: EventStore,
  upTo: Position,
  gone: readonly GoneOn[],
): Promise<readonly Difference[]> {
  if (gone.length === 0) return [];
  await addStreamsSince(projection, eventStore, upTo, gone);
  const differences: Difference[] = [];
  for (const { found, streams } of gone) {
    const request = { projection, onFailure: () => {}, key: found.key, streams: [...streams], upTo: found.position };
    const wanted = streams.size === 0 ? undefined : toStored(projection, await refold(eventStore, request), null);
    differences.push(...differencesOf(projection.name, found, wanted));
  }
  return differences;
}

/** Finds in the log behind `upTo` what has come to belong to the documents, as far as they reflect it. */
async function addStreamsSince(
  projection: AnyProjection,
  eventStore: EventStore,
  upTo: Position,
  gone: readonly GoneOn[],
): Promise<void> {
  const byKey = new Map(gone.map((document) => [document.found.key, document]));
  const router = new Router([new Collection(projection, inMemory(new Map()))], SILENT);
  const end = gone.reduce((last, { found }) => (found.position > last ? found.position : last), upTo);
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
