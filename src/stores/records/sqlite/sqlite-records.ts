import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Connection } from '../../sqlite/connection.ts';
import {
  type DatabaseOptions,
  inTransaction,
  openDatabase,
  openReader,
  openTemporaryDatabase,
  select,
} from '../../sqlite/database.ts';
import { rowsOf, type Records, type RevisedValue } from '../records.ts';

const CACHE_MIB = 4;

type Statements = ReturnType<typeof prepare>;

const schema = `
  CREATE TABLE IF NOT EXISTS blob_rows (
    sha256 TEXT NOT NULL, row INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (sha256, row)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS revoked_keys (key_id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS named_values (
    name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL, revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

const SELECT_BLOB_ROW = 'SELECT bytes FROM blob_rows WHERE sha256 = ? AND row = ?';

/** Opens the records in `file`, and creates it if it is missing. Every write is synced before its function returns. */
export function openSqliteRecords(options: Pick<DatabaseOptions, 'file' | 'onOpened'>): Records {
  return recordsOn(options.file, () => openDatabase({ ...options, synchronous: 'full', cacheMib: CACHE_MIB }));
}

/**
 * Opens empty records in a temporary file, which ends with `close` or with the process. After an error they are empty
 * again.
 */
export function openTemporaryRecords(): Records {
  return recordsOn('a temporary file', () => openTemporaryDatabase(CACHE_MIB));
}

function recordsOn(file: string, open: () => DatabaseSync): Records {
  const connection = new Connection(file, open, prepare);
  connection.use(() => {});
  const getRevised = (name: string): RevisedValue | undefined => {
    const row = connection.use(({ getValue }) => getValue.get(name));
    return row === undefined ? undefined : { value: String(row[0]), revision: Number(row[1]) };
  };
  return {
    putBlob: async (bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      connection.use(({ putBlobRow }, database) =>
        inTransaction(database, () => {
          for (const [row, part] of rowsOf(bytes).entries()) putBlobRow.run(sha256, row, part);
        }),
      );
      return sha256;
    },
    getBlobRow: async (sha256, row) => readBlobRow(connection, sha256, row),
    revokeKey: async (keyId) =>
      connection.use(({ revoke, revokedKeys }) => {
        revoke.run(keyId);
        revokedKeys.add(keyId);
      }),
    isKeyRevoked: async (keyId) => connection.use(({ revokedKeys }) => revokedKeys.has(keyId)),
    getValue: async (name) => getRevised(name)?.value,
    getRevised: async (name) => getRevised(name),
    setValue: async (name, value) => connection.use(({ setValue }) => void setValue.run(name, value)),
    replaceValue: async (name, revision, value) =>
      connection.use(({ addValue, replaceValue }) => {
        const { changes } =
          revision === undefined ? addValue.run(name, value) : replaceValue.run(value, name, revision);
        return changes > 0;
      }),
    list: async (kind, { after = '', limit }) =>
      connection.use(({ lists }) => lists[kind].all(after, limit).map(([name]) => String(name))),
    ping: async () => connection.use(({ getValue }) => void getValue.get('')),
    close: async () => connection.close(),
  };
}

export type BlobReader = Pick<Records, 'getBlobRow' | 'close'>;

/** Opens existing records for reading blobs only, beside the process or thread that writes them. */
export function openSqliteBlobReader(file: string): BlobReader {
  const connection = new Connection(
    file,
    () => openReader(file, CACHE_MIB),
    (database) => ({ getBlobRow: select(database, SELECT_BLOB_ROW) }),
  );
  return {
    getBlobRow: async (sha256, row) => readBlobRow(connection, sha256, row),
    close: async () => connection.close(),
  };
}

function readBlobRow(
  connection: Connection<Pick<Statements, 'getBlobRow'>>,
  sha256: string,
  row: number,
): Uint8Array | undefined {
  return connection.use(({ getBlobRow }) => getBlobRow.get(sha256, row)?.[0] as Uint8Array | undefined);
}

function prepare(database: DatabaseSync) {
  database.exec(schema);
  return {
    putBlobRow: database.prepare(
      `INSERT INTO blob_rows (sha256, row, bytes) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET bytes = excluded.bytes WHERE bytes <> excluded.bytes`,
    ),
    getBlobRow: select(database, SELECT_BLOB_ROW),
    revoke: database.prepare('INSERT INTO revoked_keys (key_id) VALUES (?) ON CONFLICT DO NOTHING'),
    getValue: select(database, 'SELECT value, revision FROM named_values WHERE name = ?'),
    setValue: database.prepare(
      `INSERT INTO named_values (name, value, revision) VALUES (?, ?, 1)
       ON CONFLICT DO UPDATE SET value = excluded.value, revision = revision + 1`,
    ),
    addValue: database.prepare(
      'INSERT INTO named_values (name, value, revision) VALUES (?, ?, 1) ON CONFLICT DO NOTHING',
    ),
    replaceValue: database.prepare(
      'UPDATE named_values SET value = ?, revision = revision + 1 WHERE name = ? AND revision = ?',
    ),
    lists: {
      blobs: select(database, 'SELECT sha256 FROM blob_rows WHERE row = 0 AND sha256 > ? ORDER BY sha256 LIMIT ?'),
      revoked_keys: select(database, 'SELECT key_id FROM revoked_keys WHERE key_id > ? ORDER BY key_id LIMIT ?'),
      values: select(database, 'SELECT name FROM named_values WHERE name > ? ORDER BY name LIMIT ?'),
    },
    /** All revoked keys, in memory because every request checks them. Only this process writes the file. */
    revokedKeys: new Set(
      select(database, 'SELECT key_id FROM revoked_keys')
        .all()
        .map(([keyId]) => String(keyId)),
    ),
  };
}
