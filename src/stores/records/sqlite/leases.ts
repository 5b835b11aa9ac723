import type { DatabaseSync } from 'node:sqlite';
import { select } from '../../sqlite/database.ts';
import type { Lease, Records } from '../records.ts';

export const leaseSchema = `
  CREATE TABLE IF NOT EXISTS leases (
    name TEXT PRIMARY KEY NOT NULL,
    holder TEXT,
    token INTEGER NOT NULL,
    beat INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

type LeaseStatements = ReturnType<typeof prepareLeases>;

export function prepareLeases(database: DatabaseSync) {
  const whereHeld = 'WHERE name = ? AND holder = ? AND token = ?';
  return {
    readLease: select(database, 'SELECT holder, token, beat FROM leases WHERE name = ?'),
    insertLease: database.prepare(
      'INSERT INTO leases (name, holder, token, beat) VALUES (?, ?, ? + 1, 1) ON CONFLICT DO NOTHING',
    ),
    acquireLease: database.prepare(
      `UPDATE leases SET holder = ?, token = max(token, ?) + 1, beat = beat + 1
       WHERE name = ? AND token = ? AND beat = ?`,
    ),
    renewLease: database.prepare(`UPDATE leases SET beat = beat + 1 ${whereHeld}`),
    releaseLease: database.prepare(`UPDATE leases SET holder = NULL, beat = beat + 1 ${whereHeld}`),
  };
}

export function leaseFunctions(
  use: <T>(action: (statements: LeaseStatements) => T) => T,
): Pick<Records, 'readLease' | 'acquireLease' | 'renewLease' | 'releaseLease'> {
  const read = ({ readLease }: LeaseStatements, name: string): Lease | undefined => {
    const row = readLease.get(name);
    if (row === undefined) return undefined;
    return { holder: (row[0] as string | null) ?? undefined, token: Number(row[1]), beat: Number(row[2]) };
  };
  return {
    readLease: async (name) => use((statements) => read(statements, name)),
    acquireLease: async (name, holder, expected, minimumToken = 0) =>
      use((statements) => {
        const { insertLease, acquireLease } = statements;
        const { changes } =
          expected === undefined
            ? insertLease.run(name, holder, minimumToken)
            : acquireLease.run(holder, minimumToken, name, expected.token, expected.beat);
        return changes === 0 ? undefined : read(statements, name);
      }),
    renewLease: async (name, { holder, token }) =>
      use((statements) =>
        statements.renewLease.run(name, holder ?? null, token).changes === 0 ? undefined : read(statements, name),
      ),
    releaseLease: async (name, { holder, token }) =>
      use(({ releaseLease }) => void releaseLease.run(name, holder ?? null, token)),
  };
}
