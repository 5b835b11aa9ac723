import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LRUCache } from 'lru-cache';
import { Connection } from '../../sqlite/connection.ts';
import {
  inSyncedTransaction,
  inTransaction,
  openReader,
  type Row,
  select,
  type Select,
} from '../../sqlite/database.ts';
import { StoreDamaged } from '../../shared/store-unavailable.ts';
import type {
  Checkpoint,
  CollectionDefinition,
  DocumentState,
  DocumentView,
  FindQuery,
  Generation,
  IndexBounds,
  ScanIndexOptions,
  StoredDocument,
  WriteStep,
} from '../read-models.ts';
import {
  type CollectionTable,
  createTable,
  fromRow,
  parseParking,
  prepareTable,
  sqlOfListIndexes,
  stateFromRow,
  viewFromRow,
  writeDocument,
} from './collection-table.ts';
import { countIndex, find, scanIndex } from './find.ts';

/** Holds the inner pages of all indexes of a book with a million events. */
const SERVED_CACHE_MIB = 96;

/** One row. */
const SCHEMA = `
  CREATE TABLE generation (
    position INTEGER,
    event_id TEXT,
    latest_recorded_at TEXT,
    is_served INTEGER NOT NULL,
    refused TEXT NOT NULL
  ) STRICT;
  INSERT INTO generation VALUES (NULL, NULL, NULL, 0, '[]');
`;
const CHECKPOINT = 'SELECT position, event_id, latest_recorded_at FROM generation';

interface GenerationState {
  readonly isServed: boolean;
  /** Numbers that were refused while this generation was served, with the reasons. */
  readonly refused: readonly (readonly [number, string])[];
}

export interface SqliteGenerationOptions {
  readonly file: string;
  readonly open: () => DatabaseSync;
  readonly definitions: readonly CollectionDefinition[];
  /** Returns whether new tables get their indexes of lists at once, which fills them more slowly. */
  readonly createsIndexes?: () => boolean;
}

/**
 * A generation in a database of its own. Documents and checkpoint share a transaction. A power cut may undo the newest
 * transactions; the projector then folds those events again.
 */
export class SqliteGeneration implements Generation {
  readonly #connection: Connection<Statements>;
  readonly #definitions: readonly CollectionDefinition[];
  readonly #damaged = Promise.withResolvers<undefined>();
  #damage: StoreDamaged | undefined;

  constructor({ file, open, definitions, createsIndexes = () => false }: SqliteGenerationOptions) {
    this.#definitions = definitions;
    this.#connection = new Connection(file, open, (database) => {
      if (!hasSchema(database)) create(database, definitions, createsIndexes());
      return prepare(database, definitions);
    });
  }

  get damaged(): Promise<undefined> {
    return this.#damaged.promise;
  }

  async get(collection: string, key: string): Promise<DocumentState | undefined> {
    return this.#on(collection, ({ definition, readStates, getState }) =>
      readOnce(readStates, key, getState, (row) => stateFromRow(definition, row)),
    );
  }

  async getMany(collection: string, keys: readonly string[]): Promise<readonly DocumentState[]> {
    return this.#on(collection, ({ definition, getStates }) =>
      getStates.all(JSON.stringify(keys)).map((row) => stateFromRow(definition, row)),
    );
  }

  async getView(collection: string, key: string): Promise<DocumentView | undefined> {
    return this.#on(collection, ({ definition, readViews, getView }) =>
      readOnce(readViews, key, getView, (row) => viewFromRow(definition, row)),
    );
  }

  async find(collection: string, query: FindQuery) {
    return this.#on(collection, (table, database) => find(database, table, query));
  }

  async scanIndex(collection: string, options: ScanIndexOptions): Promise<readonly StoredDocument[]> {
    return this.#on(collection, (table, database) => scanIndex(database, table, options));
  }

  async countIndex(collection: string, options: IndexBounds & { readonly limit: number }): Promise<number> {
    return this.#on(collection, (table, database) => countIndex(database, table, options));
  }

  async parked(collection: string, { limit, offset }: { readonly limit: number; readonly offset: number }) {
    const toParked = ([key, parking]: Row) => ({ key: String(key), parked: parseParking(String(parking)) });
    return this.#on(collection, ({ parked }) => parked.all(limit, offset).map(toParked));
  }

  async countParked(collection: string): Promise<number> {
    return this.#on(collection, ({ countParked }) => Number(countParked.get()?.[0]));
  }

  async scan(collection: string, { after, limit }: { readonly after: string | undefined; readonly limit: number }) {
    return this.#on(collection, (table) =>
      documents(table, after === undefined ? table.scanFirst.all(limit) : table.scanAfter.all(after, limit)),
    );
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    return this.#use(({ checkpoint }) => toCheckpoint(checkpoint.get()));
  }

  async write(steps: readonly WriteStep[], checkpoint?: Checkpoint): Promise<void> {
    this.#use((statements, database) =>
      inTransaction(database, () => {
        for (const { collection, documents } of steps.flat()) {
          const table = tableIn(statements, collection);
          for (const document of documents) writeDocument(table, document);
        }
        if (checkpoint === undefined) return;
        const { position, eventId, latestRecordedAt } = checkpoint;
        statements.setCheckpoint.run(position, eventId, latestRecordedAt);
      }),
    );
  }

  /** @throws {StoreDamaged} */
  state(): GenerationState {
    return this.#use((_, database) => {
      const [isServed, refused] = select(database, 'SELECT is_served, refused FROM generation').get() ?? [];
      return { isServed: isServed === 1, refused: JSON.parse(String(refused)) as GenerationState['refused'] };
    });
  }

  setState({ isServed, refused }: GenerationState): void {
    this.#use((_, database) => {
      if (isServed) database.exec(`PRAGMA cache_size = ${-1024 * SERVED_CACHE_MIB}`);
      // Synced, because the files of earlier generations are deleted next.
      inSyncedTransaction(database, () =>
        database
          .prepare('UPDATE generation SET is_served = ?, refused = ?')
          .run(Number(isServed), JSON.stringify(refused)),
      );
    });
  }

  /** Creates the indexes of lists that do not exist, one in a turn. */
  async createListIndexes(): Promise<void> {
    for (const sql of this.#definitions.flatMap(sqlOfListIndexes)) {
      this.#use((_, database) => database.exec(sql));
      await nextTurn();
    }
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  #on<T>(collection: string, action: (table: CollectionTable, database: DatabaseSync) => T): T {
    return this.#use((statements, database) => action(tableIn(statements, collection), database));
  }

  /** A damaged database stays so until it is set aside, also where the page of the next call is whole. */
  #use<T>(action: (statements: Statements, database: DatabaseSync) => T): T {
    if (this.#damage !== undefined) throw this.#damage;
    try {
      return this.#connection.use(action);
    } catch (error) {
      if (error instanceof StoreDamaged) {
        this.#damage = error;
        this.#damaged.resolve(undefined);
      }
      throw error;
    }
  }
}

/** Returns the checkpoint of read models of any version, in an existing file. @throws {StoreUnavailable} */
export function readCheckpoint(file: string): Checkpoint | undefined {
  return toCheckpoint(readRow(file, CHECKPOINT));
}

/** Returns whether an existing file has a generation, and it is served. @throws {StoreUnavailable} */
export function readIsServed(file: string): boolean {
  return readRow(file, 'SELECT is_served FROM generation')?.[0] === 1;
}

function readRow(file: string, sql: string): Row | undefined {
  const open = (): DatabaseSync => openReader(file);
  const connection = new Connection(file, open, (database) => hasSchema(database) && select(database, sql));
  try {
    return connection.use((row) => (row === false ? undefined : row.get()));
  } finally {
    connection.close();
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(database: DatabaseSync, definitions: readonly CollectionDefinition[]) {
  return {
    tables: new Map(definitions.map((definition) => [definition.name, prepareTable(database, definition)])),
    checkpoint: select(database, CHECKPOINT),
    setCheckpoint: database.prepare('UPDATE generation SET position = ?, event_id = ?, latest_recorded_at = ?'),
  };
}

function hasSchema(database: DatabaseSync): boolean {
  return select(database, "SELECT 1 FROM sqlite_master WHERE name = 'generation'").get() !== undefined;
}

function create(database: DatabaseSync, definitions: readonly CollectionDefinition[], withIndexes: boolean): void {
  const indexes = withIndexes ? definitions.flatMap(sqlOfListIndexes) : [];
  inTransaction(database, () => {
    for (const sql of [SCHEMA, ...definitions.map(createTable), ...indexes]) database.exec(sql);
  });
}

function tableIn({ tables }: Statements, collection: string): CollectionTable {
  const table = tables.get(collection);
  if (table === undefined) throw new Error(`There is no collection ${collection}`);
  return table;
}

/** Reads a document unless it was read before. */
function readOnce<Document extends object>(
  cache: LRUCache<string, Document>,
  key: string,
  statement: Select,
  toDocument: (row: Row) => Document,
): Document | undefined {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const row = statement.get(key);
  if (row === undefined) return undefined;
  const document = toDocument(row);
  cache.set(key, document);
  return document;
}

function documents({ definition }: CollectionTable, rows: readonly Row[]): readonly StoredDocument[] {
  return rows.map((row) => fromRow(definition, row));
}

function toCheckpoint([position, eventId, latestRecordedAt]: Row = []): Checkpoint | undefined {
  if (typeof position !== 'number') return undefined;
  return { position: BigInt(position), eventId: String(eventId), latestRecordedAt: String(latestRecordedAt) };
}
