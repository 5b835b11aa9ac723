import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Connection } from '../../sqlite/connection.ts';
import { type DatabaseOptions, inTransaction, openDatabase, openReader, select } from '../../sqlite/database.ts';
import { rowsOf } from '../blobs.ts';
import { type Fence, WriterFenced, type Records } from '../records.ts';
import { leaseSchema, leaseFunctions, prepareLeases } from './leases.ts';

type Statements = ReturnType<typeof prepare>;

const schema = `
  CREATE TABLE IF NOT EXISTS blob_rows (
    sha256 TEXT NOT NULL, row INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (sha256, row)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS revoked_keys (key_id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS named_values (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS value_fences (name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  ${leaseSchema}
`;

const SELECT_BLOB_ROW = 'SELECT bytes FROM blob_rows WHERE sha256 = ? AND row = ?';

/** Opens the records in `file`, and creates it if it is missing. Every write is synced before its function returns. */
export function openSqliteRecords(options: Pick<DatabaseOptions, 'file' | 'onOpened'>): Records {
  const connection = new Connection(
    options.file,
    () => openDatabase({ ...options, synchronous: 'full', cacheMib: 4 }),
    prepare,
  );
  connection.use(() => {});
  const useFenced = <T>(name: string, { token }: Fence, action: (statements: Statements) => T): T =>
    connection.use((statements, database) =>
      inTransaction(database, () => {
        if (statements.setToken.run(name, token).changes === 0)
          throw new WriterFenced(name, Number(statements.tokenOf.get(name)?.[0]));
        return action(statements);
      }),
    );
  const read = ({ getValue }: Statements, name: string): string | undefined =>
    getValue.get(name)?.[0] as string | undefined;
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
    getValue: async (name) => connection.use((statements) => read(statements, name)),
    setValue: async (name, value, fence) => {
      const set = ({ setValue }: Statements): unknown => setValue.run(name, value);
      if (fence === undefined) connection.use(set);
      else useFenced(name, fence, set);
    },
    replaceValue: async (name, expected, value) =>
      connection.use(({ addValue, replaceValue }) => {
        const { changes } =
          expected === undefined ? addValue.run(name, value) : replaceValue.run(value, name, expected);
        return changes > 0;
      }),
    fenceValue: async (name, fence) => useFenced(name, fence, (statements) => read(statements, name)),
    list: async (kind, { after = '', limit }) =>
      connection.use(({ lists }) => lists[kind].all(after, limit).map(([name]) => String(name))),
    ...leaseFunctions((action) => connection.use(action)),
    ping: async () => connection.use(({ getValue }) => void getValue.get('')),
    close: async () => connection.close(),
  };
}

export type BlobReader = Pick<Records, 'getBlobRow' | 'close'>;

/** Opens existing records for reading blobs only, beside the process or thread that writes them. */
export function openSqliteBlobReader(file: string): BlobReader {
  const connection = new Connection(
    file,
    () => openReader(file, 4),
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
    getValue: select(database, 'SELECT value FROM named_values WHERE name = ?'),
    setValue: database.prepare(
      'INSERT INTO named_values (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    ),
    addValue: database.prepare('INSERT INTO named_values (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    replaceValue: database.prepare('UPDATE named_values SET value = ? WHERE name = ? AND value = ?'),
    setToken: database.prepare(
      `INSERT INTO value_fences (name, token) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET token = excluded.token WHERE token <= excluded.token`,
    ),
    tokenOf: select(database, 'SELECT token FROM value_fences WHERE name = ?'),
    lists: {
      blobs: select(database, 'SELECT sha256 FROM blob_rows WHERE row = 0 AND sha256 > ? ORDER BY sha256 LIMIT ?'),
      revoked_keys: select(database, 'SELECT key_id FROM revoked_keys WHERE key_id > ? ORDER BY key_id LIMIT ?'),
      values: select(database, 'SELECT name FROM named_values WHERE name > ? ORDER BY name LIMIT ?'),
    },
    ...prepareLeases(database),
    /** All revoked keys, in memory because every request checks them. Only this process writes the file. */
    revokedKeys: new Set(
      select(database, 'SELECT key_id FROM revoked_keys')
        .all()
        .map(([keyId]) => String(keyId)),
    ),
  };
}
