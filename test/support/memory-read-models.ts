import type { Position } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import {
  type Builds,
  type CollectionDefinition,
  type CollectionWrite,
  type DocumentToWrite,
  type FindQuery,
  type FindResult,
  type IndexValue,
  type SortKey,
  type ReadModels,
  type ScanIndexOptions,
  StaleDocument,
  type StoredDocument,
  type WriteStep,
} from '#stores/read-models/read-models.ts';
import { type Fence, WriterFenced } from '#stores/read-models/fence.ts';

interface MemoryCollection {
  readonly documents: Map<string, StoredDocument>;
  checkpoint: Position | undefined;
  token: number;
  /** Whether the collection was dropped while in use and is not recreated yet. */
  isDropped: boolean;
}

/** Called before or after a write: may inspect it, or throw as a failing store does. */
export type OnWrite = (collection: string, documents: readonly StoredDocument[], checkpoint: Position) => void;

/** The read models in memory, with hooks for faults. */
export class MemoryReadModels implements ReadModels {
  beforeWrite: OnWrite = () => {};
  /** Called after documents and checkpoint are written, before the write returns. */
  afterWrite: OnWrite = () => {};
  readonly #collections = new Map<string, MemoryCollection>();
  readonly #opened = new Map<string, MemoryReadModels>();
  #builds: Builds = {};

  async open(collections: readonly CollectionDefinition[]): Promise<void> {
    for (const { name } of collections) {
      if (!this.#collections.has(name))
        this.#collections.set(name, {
          documents: new Map(),
          checkpoint: undefined,
          token: 0,
          isDropped: false,
        });
    }
  }

  async get(collection: string, key: string): Promise<StoredDocument | undefined> {
    return this.#getCollection(collection).documents.get(key);
  }

  async getMany(collection: string, keys: readonly string[]): Promise<readonly StoredDocument[]> {
    const { documents } = this.#getCollection(collection);
    return keys.flatMap((key) => documents.get(key) ?? []);
  }

  async find(
    collection: string,
    {
      where = {},
      contains = {},
      atMost = {},
      above = {},
      newestFirst = false,
      after,
      before,
      skipCount = false,
      limit,
      offset,
    }: FindQuery,
  ): Promise<FindResult> {
    const found = [...this.#getCollection(collection).documents.values()].filter(
      ({ body, indexes }) =>
        body !== undefined &&
        Object.entries(where).every(([index, wanted]) => [wanted].flat().includes(indexes[index] ?? null)) &&
        Object.entries(atMost).every(([index, most]) => isAtMost(indexes[index] ?? null, most)) &&
        Object.entries(above).every(([index, least]) => isAbove(indexes[index] ?? null, least)) &&
        Object.entries(contains).every(([index, text]) => hasText(indexes[index], text)),
    );
    const sorted = found.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.key, b.key));
    if (newestFirst) sorted.reverse();
    const following = after === undefined ? sorted : sorted.filter((document) => isAfter(document, after, newestFirst));
    const matching =
      before === undefined ? following : sorted.filter((document) => isAfter(document, before, !newestFirst));
    if (before !== undefined) matching.reverse();
    const documents = matching.slice(offset, offset + limit);
    if (before !== undefined) documents.reverse();
    return { count: skipCount ? offset + documents.length : sorted.length, documents };
  }

  async scanIndex(collection: string, { index, atMost, after, limit }: ScanIndexOptions) {
    const placeOf = (one: Pick<StoredDocument, 'key' | 'createdAt' | 'indexes'>) => [
      String(one.indexes[index]),
      one.createdAt,
      one.key,
    ];
    const compareBy = (a: readonly string[], b: readonly string[]): number =>
      a.reduce((order, part, at) => order || compare(part, b[at] ?? ''), 0);
    const matching = [...this.#getCollection(collection).documents.values()].filter(
      (one) =>
        one.body !== undefined &&
        isAtMost(one.indexes[index] ?? null, atMost) &&
        (after === undefined || compareBy(placeOf(one), placeOf(after)) > 0),
    );
    return matching.sort((a, b) => compareBy(placeOf(a), placeOf(b))).slice(0, limit);
  }

  async write(steps: readonly WriteStep[], fence?: Fence): Promise<void> {
    for (const written of steps.flat()) this.#writeCollection(written, fence);
  }

  #writeCollection({ collection, documents, checkpoint }: CollectionWrite, fence: Fence | undefined): void {
    this.beforeWrite(collection, documents, checkpoint);
    const target = this.#getCollection(collection);
    if (target.isDropped) throw new StoreUnavailable(`${collection} was dropped while it was in use`);
    const accepted = documents.filter((document) =>
      isAccepted(collection, target.documents.get(document.key), document),
    );
    for (const { key, body, stream, revision, position, createdAt, indexes, parked } of accepted)
      target.documents.set(key, { key, body, stream, revision, position, createdAt, indexes, parked });
    // The port allows a store to write the documents before it checks the fence.
    if (fence !== undefined) checkFence(collection, target, fence);
    target.checkpoint =
      target.checkpoint === undefined || checkpoint > target.checkpoint ? checkpoint : target.checkpoint;
    this.afterWrite(collection, documents, checkpoint);
  }

  async fenceCheckpoints(fence: Fence): Promise<readonly string[]> {
    for (const [collection, target] of this.#collections) checkFence(collection, target, fence);
    const missing = await this.missing();
    for (const target of this.#collections.values()) {
      if (missing.length > 0) target.checkpoint = undefined;
      target.isDropped = false;
    }
    return missing;
  }

  async missing(): Promise<readonly string[]> {
    return [...this.#collections].flatMap(([name, { isDropped }]) => (isDropped ? [name] : []));
  }

  async checkpoint(collection: string): Promise<Position | undefined> {
    return this.#getCollection(collection).checkpoint;
  }

  async parked(collection: string, { limit, offset }: { limit: number; offset: number }) {
    const documents = [...this.#getCollection(collection).documents.values()];
    const sorted = documents.sort((a, b) => Number(a.position - b.position) || compare(a.key, b.key));
    const entries = sorted.flatMap(({ key, parked }) => (parked === undefined ? [] : [{ key, parked }]));
    return entries.slice(offset, offset + limit);
  }

  async countParked(collection: string): Promise<number> {
    return (await this.parked(collection, { limit: Infinity, offset: 0 })).length;
  }

  async scan(collection: string, { after, limit }: { after: string | undefined; limit: number }) {
    const documents = [...this.#getCollection(collection).documents.values()].sort((a, b) => compare(a.key, b.key));
    return documents.filter(({ key }) => after === undefined || key > after).slice(0, limit);
  }

  /** Overwrites a checkpoint, as after a crash between documents and checkpoint. */
  setCheckpoint(collection: string, checkpoint: Position | undefined): void {
    this.#getCollection(collection).checkpoint = checkpoint;
  }

  /** Writes a document that the projector did not create. */
  put(collection: string, document: StoredDocument): void {
    this.#getCollection(collection).documents.set(document.key, document);
  }

  remove(collection: string, key: string): void {
    this.#getCollection(collection).documents.delete(key);
  }

  /** Drops every collection with its checkpoint while in use, as an operator does on a server. */
  deleteAll(): void {
    for (const name of this.#collections.keys())
      this.#collections.set(name, {
        documents: new Map(),
        checkpoint: undefined,
        token: 0,
        isDropped: true,
      });
  }

  /** Drops a collection but keeps its checkpoint, as an operator does by mistake. */
  drop(collection: string): void {
    const { checkpoint, token } = this.#getCollection(collection);
    this.#collections.set(collection, { documents: new Map(), checkpoint, token, isDropped: true });
  }

  async createListIndexes(): Promise<void> {}

  async dropOtherVersions(): Promise<void> {}

  async openBuild(build: string, collections: readonly string[]): Promise<MemoryReadModels> {
    const opened = this.#opened.get(build) ?? new MemoryReadModels();
    this.#opened.set(build, opened);
    await opened.open(collections.map((name) => ({ name, version: 1, indexes: [] })));
    return opened;
  }

  async builds(): Promise<Builds> {
    return this.#builds;
  }

  async serveBuilds(builds: Builds): Promise<void> {
    for (const [name, build] of Object.entries(builds)) {
      const opened = this.#opened.get(build);
      if (opened === undefined) throw new Error(`the build ${build} was not opened`);
      this.#collections.set(name, opened.#getCollection(name));
    }
    this.#builds = { ...this.#builds, ...builds };
  }

  async dropBuilds(openBuilds: () => Promise<readonly string[]>): Promise<void> {
    const stored = [...this.#opened.keys()];
    const open = await openBuilds();
    for (const build of stored) if (!open.includes(build)) this.#opened.delete(build);
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #getCollection(collection: string): MemoryCollection {
    const target = this.#collections.get(collection);
    if (target === undefined) throw new Error(`the collection ${collection} was not opened`);
    return target;
  }
}

/** @throws {StaleDocument} */
function isAccepted(collection: string, stored: StoredDocument | undefined, document: DocumentToWrite): boolean {
  const { replaces, position } = document;
  if (replaces === null && stored === undefined) return true;
  const isParked = stored?.parked !== undefined;
  if (replaces !== null && replaces.position === stored?.position && replaces.isParked === isParked) return true;
  if (stored === undefined || stored.position < position) throw new StaleDocument(collection);
  return false;
}

/** @throws {WriterFenced} */
function checkFence(collection: string, target: MemoryCollection, { token }: Fence): void {
  if (target.token > token) throw new WriterFenced(collection, target.token);
  target.token = token;
}

function hasText(value: IndexValue | undefined, text: string): boolean {
  return typeof value === 'string' && value.includes(text);
}

function isAtMost(value: unknown, most: string): boolean {
  return typeof value === 'string' && value <= most;
}

function isAbove(value: unknown, least: string): boolean {
  return typeof value === 'string' && value > least;
}

function isAfter(document: StoredDocument, after: SortKey, newestFirst: boolean): boolean {
  const order = compare(document.createdAt, after.createdAt) || compare(document.key, after.key);
  return newestFirst ? order < 0 : order > 0;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
