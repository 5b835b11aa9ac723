import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from '@jest/globals';

import { Connection } from './connection.ts';

/** Creates a connection to a database in memory, which is empty after it is reopened. */
function countingConnection(beforeOpening: (opening: number) => void = () => {}) {
  let openings = 0;
  const open = (): DatabaseSync => {
    openings += 1;
    beforeOpening(openings);
    return new DatabaseSync(':memory:');
  };
  const connection = new Connection('in memory', open, (database) => ({ one: database.prepare('SELECT 1 AS one') }));
  return { connection, openings: () => openings };
}

describe('a connection', () => {
  test('is opened by its first use and stays open', () => {
    const { connection, openings } = countingConnection();
    expect(openings()).toBe(0);
    expect(connection.use(({ one }) => one.get()?.['one'])).toBe(1);
    connection.use(({ one }) => one.get());
    expect(openings()).toBe(1);
  });

  test('is reopened after an error of SQLite', () => {
    const { connection, openings } = countingConnection();
    const failing = (): unknown => connection.use((_, database) => database.exec('SELECT * FROM nowhere'));
    expect(failing).toThrow(expect.objectContaining({ name: 'StoreUnavailable', store: 'SQLite' }));
    expect(connection.use(({ one }) => one.get()?.['one'])).toBe(1);
    expect(openings()).toBe(2);
  });

  test('stays open after an error of the caller', () => {
    const { connection, openings } = countingConnection();
    connection.use(() => {});
    const mistake = new TypeError('a mistake');
    expect(() =>
      connection.use(() => {
        throw mistake;
      }),
    ).toThrow(mistake);
    connection.use(() => {});
    expect(openings()).toBe(1);
  });

  test('is retried by every use until it opens', () => {
    const { connection, openings } = countingConnection((opening) => {
      if (opening < 3) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    });
    for (const _ of [1, 2]) expect(() => connection.use(() => {})).toThrow('no space left');
    connection.use(() => {});
    expect(openings()).toBe(3);
  });

  test('cannot be reopened after close', () => {
    const { connection, openings } = countingConnection();
    connection.use(() => {});
    connection.close();
    connection.close();
    expect(() => connection.use(() => {})).toThrow('closed');
    expect(openings()).toBe(1);
  });
});
