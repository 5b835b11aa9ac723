import { type Position, StoreUnavailable } from '../../src/event-store/event-store.ts';
import {
  type CollectionDefinition,
  type DocumentToWrite,
  type FindQuery,
  type FindResult,
  type IndexValue,
  type ReadModels,
  StaleDocument,
  type StoredDocument,
} from '../../src/read-models/read-models.ts';
import { type Fence, WriterFenced } from '../../src/records/records.ts';

interface Kept {
  readonly documents: Map<string, StoredDocument>;
  checkpoint: Position | undefined;
  token: number;
  /** It was deleted behind the back of those who use it, and nobody has made it anew yet. */
  isGone: boolean;
}

/** What a test may do before or after documents are written: look, or throw as a store does that fails there. */
export type OnWrite = (collection: string, documents: readonly StoredDocument[], checkpoint: Position) => void;

/** The read models' port in memory, with doors for faults. */
export class MemoryReadModels implements ReadModels {
  beforeWrite: OnWrite = () => {};
  /** Runs when documents and checkpoint are in, but before the writer hears of it. */
  afterWrite: OnWrite = () => {};
  readonly #collections = new Map<string, Kept>();

  async open(collections: readonly CollectionDefinition[]): Promise<void> {
    for (const { name } of collections) {
      if (!this.#collections.has(name))
        this.#collections.set(name, { documents: new Map(), checkpoint: undefined, token: 0, isGone: false });
    }
  }

  async get(collection: string, key: string): Promise<StoredDocument | undefined> {
    return this.#kept(collection).documents.get(key);
  }

  async getMany(collection: string, keys: readonly string[]): Promise<readonly StoredDocument[]> {
    const { documents } = this.#kept(collection);
    return keys.flatMap((key) => documents.get(key) ?? []);
  }

  async find(
    collection: string,
    { where = {}, contains = {}, atMost = {}, limit, offset }: FindQuery,
  ): Promise<FindResult> {
    const found = [...this.#kept(collection).documents.values()].filter(
      ({ body, indexes }) =>
        body !== undefined &&
        Object.entries(where).every(([index, wanted]) => [wanted].flat().includes(indexes[index] ?? null)) &&
        Object.entries(atMost).every(([index, most]) => isAtMost(indexes[index] ?? null, most)) &&
        Object.entries(contains).every(([index, text]) => hasText(indexes[index], text)),
    );
    const sorted = found.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.key, b.key));
    return { count: found.length, documents: sorted.slice(offset, offset + limit) };
  }

  async write(
    collection: string,
    documents: readonly DocumentToWrite[],
    checkpoint: Position,
    fence?: Fence,
  ): Promise<void> {
    this.beforeWrite(collection, documents, checkpoint);
    const kept = this.#kept(collection);
    if (kept.isGone) throw new StoreUnavailable(`${collection} was dropped while it was in use`);
    const fresh = documents.filter((document) => isFresh(collection, kept.documents.get(document.key), document));
    for (const { key, body, streams, position, createdAt, indexes, parked } of fresh)
      kept.documents.set(key, { key, body, streams: { ...streams }, position, createdAt, indexes, parked });
    // The most that a store may do before it looks at the fence.
    if (fence !== undefined) raise(collection, kept, fence);
    kept.checkpoint = kept.checkpoint === undefined || checkpoint > kept.checkpoint ? checkpoint : kept.checkpoint;
    this.afterWrite(collection, documents, checkpoint);
  }

  async fenceCheckpoints(fence: Fence): Promise<readonly string[]> {
    for (const [collection, kept] of this.#collections) raise(collection, kept, fence);
    const missing = await this.missing();
    for (const kept of this.#collections.values()) {
      if (missing.length > 0) kept.checkpoint = undefined;
      kept.isGone = false;
    }
    return missing;
  }

  async missing(): Promise<readonly string[]> {
    return [...this.#collections].flatMap(([name, { isGone }]) => (isGone ? [name] : []));
  }

  async checkpoint(collection: string): Promise<Position | undefined> {
    return this.#kept(collection).checkpoint;
  }

  async parked(collection: string): Promise<readonly StoredDocument[]> {
    const parked = [...this.#kept(collection).documents.values()].filter(({ parked }) => parked !== undefined);
    return parked.sort((a, b) => Number(a.position - b.position));
  }

  async scan(collection: string, { after, limit }: { after: string | undefined; limit: number }) {
    const documents = [...this.#kept(collection).documents.values()].sort((a, b) => compare(a.key, b.key));
    return documents.filter(({ key }) => after === undefined || key > after).slice(0, limit);
  }

  /** Makes the store forget how far it is, as when a crash comes between documents and checkpoint. */
  setCheckpoint(collection: string, checkpoint: Position | undefined): void {
    this.#kept(collection).checkpoint = checkpoint;
  }

  /** Puts a document behind the projector's back. */
  put(collection: string, document: StoredDocument): void {
    this.#kept(collection).documents.set(document.key, document);
  }

  remove(collection: string, key: string): void {
    this.#kept(collection).documents.delete(key);
  }

  /** Deletes every collection while others use it, as an operator does on a server. */
  deleteAll(): void {
    for (const name of this.#collections.keys())
      this.#collections.set(name, { documents: new Map(), checkpoint: undefined, token: 0, isGone: true });
  }

  /** Drops a collection while its checkpoint stays, as an operator does by mistake. */
  drop(collection: string): void {
    const { checkpoint, token } = this.#kept(collection);
    this.#collections.set(collection, { documents: new Map(), checkpoint, token, isGone: true });
  }

  async dropOtherVersions(): Promise<void> {}

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #kept(collection: string): Kept {
    const kept = this.#collections.get(collection);
    if (kept === undefined) throw new Error(`the collection ${collection} was not opened`);
    return kept;
  }
}

/** @throws {StaleDocument} */
function isFresh(collection: string, stored: StoredDocument | undefined, document: DocumentToWrite): boolean {
  const { replaces, position } = document;
  if (replaces === undefined || (replaces === null && stored === undefined)) return true;
  const isParked = stored?.parked !== undefined;
  if (replaces !== null && replaces.position === stored?.position && replaces.isParked === isParked) return true;
  if (stored === undefined || stored.position < position) throw new StaleDocument(collection);
  return false;
}

/** @throws {WriterFenced} */
function raise(collection: string, kept: Kept, { token }: Fence): void {
  if (kept.token > token) throw new WriterFenced(collection, kept.token);
  kept.token = token;
}

function hasText(value: IndexValue | undefined, text: string): boolean {
  return typeof value === 'string' && value.includes(text);
}

function isAtMost(value: unknown, most: string): boolean {
  return typeof value === 'string' && value <= most;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
