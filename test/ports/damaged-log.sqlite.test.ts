import { closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { requireWholeLog } from '#stores/event-log/sqlite/require-whole-log.ts';
import { openSqliteEventStore, openSqliteLogReader } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { appendTo, type EventStore, type StoredEvent } from '#stores/event-log/event-log.ts';
import { events } from './event-store/subject.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** More events than a start reads. */
const EVENTS = 300;
const STREAMS = ['policy-1', 'policy-2'];

let folder: ReturnType<typeof temporaryFolder>;
let file: string;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.folder, 'events.db');
  const store = openSqliteEventStore({ file });
  const revisions = Array.from({ length: EVENTS / STREAMS.length }, (_, revision) => revision);
  const appends = revisions.flatMap((revision) =>
    STREAMS.map(
      async (stream) => await appendTo(store, stream, revision === 0 ? 'no_stream' : revision - 1, events(1)),
    ),
  );
  await Promise.all(appends);
  await store.close();
});
afterEach(() => folder.remove());

function damage(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

async function withStore<T>(action: (store: EventStore) => Promise<T>): Promise<T> {
  const store = openSqliteEventStore({ file });
  try {
    return await action(store);
  } finally {
    await store.close();
  }
}

const readAll = async (): Promise<readonly StoredEvent[]> =>
  await withStore(async (store) => await store.readAll({ after: undefined, limit: EVENTS }));

const alteredIn = (log: readonly StoredEvent[]): readonly bigint[] =>
  log.flatMap(({ isAltered, position }) => (isAltered === true ? [position] : []));

/** Delivers the whole log in batches. */
async function subscribe(after?: bigint): Promise<number> {
  return await withStore(async (store) => {
    let delivered = 0;
    const options = { after, batch: 40, signal: new AbortController().signal };
    for await (const message of store.subscribe(options)) {
      if (message.kind === 'caught_up') break;
      delivered += message.events.length;
    }
    return delivered;
  });
}

describe('an event on SQLite', () => {
  test('is not altered as it was appended', async () => {
    expect(alteredIn(await readAll())).toEqual([]);
    const appended = await withStore(async (store) => await appendTo(store, 'policy-3', 'no_stream', events(1)));
    expect(appended.events?.[0]?.isAltered).toBe(false);
  });

  test.each([
    ["stream = 'policy-3'"],
    ['revision = 1000'],
    ["id = replace(id, '-', '+')"],
    ["type = type || ' '"],
    ["data = data || ' '"],
    ["metadata = metadata || ' '"],
    ['checksum = checksum + 1'],
  ])('is altered where %s', async (change) => {
    damage(`UPDATE events SET ${change} WHERE position = 17`);
    expect(alteredIn(await readAll())).toEqual([17n]);
  });

  test('is altered at the position of another, which has its own', async () => {
    damage('UPDATE events SET position = -17 WHERE position = 17');
    damage('UPDATE events SET position = 17 WHERE position = 18');
    damage('UPDATE events SET position = 18 WHERE position = -17');
    expect(alteredIn(await readAll())).toEqual([17n, 18n]);
  });
});

describe('a log on SQLite that lacks an event', () => {
  beforeEach(() => damage('DELETE FROM events WHERE position = 17'));

  test('is not delivered beyond it', async () => {
    await expect(subscribe()).rejects.toMatchObject({
      name: 'StoreDamaged',
      message: `${file} is damaged: the event at position 17 is missing`,
    });
    await expect(subscribe(16n)).rejects.toThrow('position 17');
    expect(await subscribe(17n)).toBe(EVENTS - 17);
  });

  test('does not return its stream, or a page of it, also to a reader in another thread', async () => {
    const missing = {
      name: 'StoreDamaged',
      message: `${file} is damaged: the event at revision 8 of policy-1 is missing`,
    };
    await withStore(async (store) => {
      await expect(store.readStream('policy-1')).rejects.toMatchObject(missing);
      await expect(store.readStream('policy-1', { from: 8 })).rejects.toMatchObject(missing);
      expect(await store.readStream('policy-1', { limit: 8 })).toHaveLength(8);
      expect(await store.readStream('policy-1', { from: 9 })).toHaveLength(EVENTS / 2 - 9);
      expect(await store.readStream('policy-2')).toHaveLength(EVENTS / 2);
    });
    const reader = openSqliteLogReader(file);
    await expect(reader.readStream('policy-1')).rejects.toMatchObject(missing);
    await expect(reader.readAll({ after: 10n, limit: 100 })).rejects.toThrow('position 17 is missing');
    expect(await reader.readAll({ after: 10n, limit: 6 })).toHaveLength(6);
    await reader.close();
  });
});

describe('a start is refused by a log on SQLite', () => {
  test('that lacks an event, wherever it is, and only then', () => {
    requireWholeLog(file);
    damage(`DELETE FROM events WHERE position = ${EVENTS - 3}`);
    expect(() => requireWholeLog(file)).toThrow(`${file} is damaged: the event at position ${EVENTS - 3} is missing`);
    damage('DELETE FROM events WHERE position IN (17, 18)');
    expect(() => requireWholeLog(file)).toThrow(`${file} is damaged: the event at position 17 is missing`);
    damage('DELETE FROM events WHERE position = 1');
    expect(() => requireWholeLog(file)).toThrow(`${file} is damaged: the event at position 1 is missing`);
  });

  test('one of whose newest 100 events was altered', () => {
    damage(`UPDATE events SET data = data || ' ' WHERE position = ${EVENTS - 100}`);
    requireWholeLog(file);
    damage(`UPDATE events SET data = data || ' ' WHERE position = ${EVENTS - 99}`);
    expect(() => requireWholeLog(file)).toThrow(`${file} is damaged: the event at position 201 was altered`);
  });

  test('whose file is cut', () => {
    truncateSync(file, readFileSync(file).length / 2);
    expect(() => requireWholeLog(file)).toThrow(`${file} is damaged: database disk image is malformed`);
  });

  test('whose header is damaged', () => {
    const handle = openSync(file, 'r+');
    writeSync(handle, 'x', 3);
    closeSync(handle);
    expect(() => openSqliteEventStore({ file })).toThrow(`${file} is damaged: file is not a database`);
  });
});
