import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { appendTo, type CommitBatch, type EventStore, WrongExpectedRevision } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { openSqliteEventStore, openSqliteLogReader } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { pragma } from '#stores/sqlite/database.ts';
import { describeEventStore } from './event-store.suite.ts';
import { describeModel } from './event-store/model.ts';
import { collect, event, events, newStream } from './event-store/subject.ts';
import { openTemporaryEventStore } from './support/sqlite-event-store.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

async function inBatchesOf(store: EventStore, work: (commit: CommitBatch) => Promise<void>): Promise<void> {
  if (store.inBatches === undefined) throw new Error('the store has no batches');
  await store.inBatches(work);
}

describeEventStore('SQLite', openTemporaryEventStore);
describe('event store: SQLite, which processes appends in the order of arrival', () => {
  describeModel(openTemporaryEventStore, { together: 8 });
});

describe('event store: SQLite only', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.folder, 'data', 'events.db');
  });
  afterEach(() => folder.remove());

  test('writes with a write-ahead log, synced at every commit', async () => {
    const settings: unknown[] = [];
    const store = openSqliteEventStore({
      file,
      onOpened: (database) => {
        settings.push(pragma(database, 'journal_mode'), pragma(database, 'synchronous'));
        settings.push(pragma(database, 'foreign_keys'), pragma(database, 'busy_timeout'));
      },
    });
    await store.close();
    expect(settings).toEqual(['wal', 2, 1, 5000]);
  });

  test('an empty log has no last position, and a subscription to it has caught up at 0', async () => {
    const store = openSqliteEventStore({ file });
    expect(await store.lastPosition()).toBeUndefined();
    expect(await store.readAll({ after: undefined, limit: 10 })).toEqual([]);
    for await (const message of store.subscribe({
      after: undefined,
      batch: 10,
      signal: new AbortController().signal,
    })) {
      expect(message).toEqual({ kind: 'caught_up', position: 0n });
      break;
    }
    await store.close();
  });

  test('lets other work run while it reads a stream, whose events may be large', async () => {
    const store = openSqliteEventStore({ file });
    const stream = newStream();
    await appendTo(store, stream, 'no_stream', events(200));
    const over = new AbortController();
    const reading = store.readStream(stream).finally(() => over.abort());
    let turns = 0;
    for (; !over.signal.aborted; turns++) await setImmediate();
    expect(await reading).toHaveLength(200);
    expect(turns).toBeGreaterThanOrEqual(200 / 50);
    await store.close();
  });

  test('ends a read of a stream after the event with which it has as many characters as are asked for', async () => {
    const store = openSqliteEventStore({ file });
    const stream = newStream();
    const large = events(5).map((event) => ({ ...event, data: { text: 'x'.repeat(1_000) } }));
    await appendTo(store, stream, 'no_stream', large);
    const read = async (from: number, maxCharacters: number): Promise<readonly number[]> =>
      (await store.readStream(stream, { from, limit: 4, maxCharacters })).map(({ revision }) => revision);
    expect(await read(0, 1)).toEqual([0]);
    expect(await read(1, 1_500)).toEqual([1, 2]);
    expect(await read(1, 100_000)).toEqual([1, 2, 3, 4]);
    expect(await read(5, 1)).toEqual([]);
    await store.close();
  });

  test('appends of one turn share a commit and have separate results', async () => {
    let commits = 0;
    const store = openSqliteEventStore({
      file,
      onOpened: (database) => {
        const exec = database.exec.bind(database);
        database.exec = (sql) => {
          commits += sql === 'COMMIT' ? 1 : 0;
          exec(sql);
        };
      },
    });
    const stream = newStream();
    const outcomes = await Promise.allSettled([
      appendTo(store, stream, 'no_stream', events(2)),
      appendTo(store, stream, 'no_stream', events(1)),
      appendTo(store, stream, 1, events(1)),
      ...Array.from({ length: 200 }, () => appendTo(store, newStream(), 'no_stream', events(1))),
    ]);
    expect(outcomes.slice(0, 3).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(commits).toBe(1);
    await appendTo(store, newStream(), 'no_stream', events(2_500));
    const sizes = await Promise.all(
      Array.from({ length: 5 }, () => appendTo(store, newStream(), 'no_stream', events(600))),
    );
    expect(sizes.map(({ revision }) => revision)).toEqual([599, 599, 599, 599, 599]);
    expect(commits).toBe(1 + 1 + 5);
    await store.close();
  });

  describe('in batches', () => {
    const read = async (store: EventStore): Promise<readonly string[]> =>
      (await store.readAll({ after: undefined, limit: 100 })).map(({ stream }) => stream);

    test('appends can be read at once, and are stored by the commit of their batch, or undone', async () => {
      const store = openSqliteEventStore({ file });
      const [first, second, third] = [newStream(), newStream(), newStream()];
      await inBatchesOf(store, async (commit) => {
        await appendTo(store, first, 'no_stream', events(1));
        expect(await appendTo(store, first, 0, events(1))).toMatchObject({ revision: 1, position: 2n });
        await expect(appendTo(store, first, 0, events(1))).rejects.toThrow(WrongExpectedRevision);
        expect(await store.readStream(first)).toHaveLength(2);
        const other = openSqliteLogReader(file);
        expect(await other.lastPosition()).toBeUndefined();
        await commit();
        expect(await other.lastPosition()).toBe(2n);
        await commit();
        await appendTo(store, second, 'no_stream', events(1));
        await other.close();
      });
      expect(await read(store)).toEqual([first, first]);
      await appendTo(store, third, 'no_stream', events(1));
      await store.close();
      const reopened = openSqliteEventStore({ file });
      expect(await read(reopened)).toEqual([first, first, third]);
      await reopened.close();
    });

    test('nothing is stored after an error of SQLite, which undoes the batch', async () => {
      let opened: DatabaseSync | undefined;
      const store = openSqliteEventStore({ file, onOpened: (database) => (opened = database) });
      const [first, second] = [newStream(), newStream()];
      await inBatchesOf(store, async (commit) => {
        await appendTo(store, first, 'no_stream', events(1));
        opened?.exec("CREATE TEMP TRIGGER failing BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'failed'); END");
        await expect(appendTo(store, second, 'no_stream', events(1))).rejects.toThrow(StoreUnavailable);
        await expect(appendTo(store, second, 'no_stream', events(1))).rejects.toThrow(StoreUnavailable);
        await expect(commit()).rejects.toThrow(StoreUnavailable);
      });
      expect(await read(store)).toEqual([]);
      await store.close();
    });
  });

  test('a refused append to several streams does not fail an append of the same commit', async () => {
    const store = openSqliteEventStore({ file });
    const [first, second] = [newStream(), newStream()];
    await appendTo(store, second, 'no_stream', events(1));
    const refused = store.append([
      { stream: first, expected: 'no_stream', events: events(1) },
      { stream: second, expected: 'no_stream', events: events(1) },
    ]);
    const beside = appendTo(store, second, 0, events(1));
    await expect(refused).rejects.toThrow(WrongExpectedRevision);
    expect(await beside).toMatchObject({ revision: 1, position: 3n });
    await store.close();
  });

  test('an append that is too large for SQLite does not fail others', async () => {
    const store = openSqliteEventStore({ file });
    const huge = appendTo(store, newStream(), 'no_stream', [{ ...event(0), data: 'x'.repeat(17 * 1024 * 1024) }]);
    const other = appendTo(store, newStream(), 'no_stream', events(1));
    await expect(huge).rejects.toThrow('too large');
    expect((await other).revision).toBe(0);
    await expect(appendTo(store, newStream(), 'no_stream', [{ ...event(0), data: undefined }])).rejects.toThrow(
      'not JSON',
    );
    await store.close();
  });

  test('stored text that is not JSON is returned as text', async () => {
    const store = openSqliteEventStore({ file });
    const { position } = await appendTo(store, 'policy-1', 'no_stream', events(1));
    await store.close();
    withDatabase((database) =>
      database
        .prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(position + 1n, 'policy-1', 1, 'not-even-a-uuid', 'Broken.v1', '{"half":', '', 0),
    );
    const again = openSqliteEventStore({ file });
    const last = await again.readLast('policy-1');
    expect([last?.data, last?.metadata, last?.type]).toEqual(['{"half":', '', 'Broken.v1']);
    expect(JSON.parse(JSON.stringify(last))).toMatchObject({ position: '2', data: '{"half":' });
    expect((await appendTo(again, 'policy-1', 1, events(1))).revision).toBe(2);
    await again.close();
  });

  test('subscriptions deliver the events of an append as the objects that it returned', async () => {
    const store = openSqliteEventStore({ file });
    await appendTo(store, 'policy-1', 'no_stream', events(1));
    const delivered = collect(store, undefined, new Set(['policy-1']), 4);
    const appended = await appendTo(store, 'policy-1', 0, events(3));
    expect((await delivered).slice(1)).toEqual(appended.events);
    (await delivered).slice(1).forEach((each, index) => expect(each).toBe(appended.events?.[index]));
    await store.close();
  });

  test('data is parsed once', async () => {
    const store = openSqliteEventStore({ file });
    await appendTo(store, 'policy-1', 'no_stream', events(1));
    const last = await store.readLast('policy-1');
    expect(last?.data).toBe(last?.data);
    expect(last?.metadata).toBe(last?.metadata);
    await store.close();
  });

  function withDatabase(action: (database: DatabaseSync) => void): void {
    const database = new DatabaseSync(file);
    action(database);
    database.close();
  }
});
