import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { appendTo, type EventStore } from '#stores/event-log/event-log.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { collect, event, events, ids, newStream } from '../ports/event-store/subject.ts';
import { temporaryFolder } from '../ports/support/temporary-folder.ts';
import { Disk } from './store-disk.ts';
import { addOutput, expectNothingLost } from './store-history.ts';
import type { History } from './store-history.ts';

const unavailable = { name: 'StoreUnavailable' };

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.folder, 'events.db');
});
afterEach(() => folder.remove());

describe('The event log on a full disk', () => {
  test('refuses appends whose group does not fit on the disk, stays readable, and continues when there is space', async () => {
    const disk = new Disk();
    const store = openSqliteEventStore({ file, onOpened: disk.attach });
    const stream = newStream();
    await appendTo(store, stream, 'no_stream', events(20));
    const last = await store.lastPosition();

    disk.fill();
    const large = { ...event(1), data: 'x'.repeat(100_000) };
    const together = [appendTo(store, stream, 19, [large]), appendTo(store, newStream(), 'no_stream', events(1))];
    for (const append of together) await expect(append).rejects.toMatchObject(unavailable);
    await expect(appendTo(store, stream, 19, [large])).rejects.toMatchObject(unavailable);
    expect(await store.readStream(stream)).toHaveLength(20);
    expect(await store.lastPosition()).toBe(last);

    disk.empty();
    const subscriber = collect(store, undefined, new Set([stream]), 21);
    expect((await appendTo(store, stream, 19, [large])).revision).toBe(20);
    expect((await subscriber).map(({ revision }) => revision)).toEqual([...Array(21).keys()]);
    await store.close();
  });
});

describe('The event log when a commit fails', () => {
  test.each([
    ['and nothing of it was written', 'before' as const],
    ['although it was written', 'after' as const],
  ])('%s: the same ids again give one response and one event', async (_name, moment) => {
    const commit = new Commit();
    const store = openSqliteEventStore({ file, onOpened: commit.attach });
    const stream = newStream();
    await appendTo(store, stream, 'no_stream', events(1));
    const batch = events(2);
    const delivered = collect(store, undefined, new Set([stream]), 3);
    commit.failOnce(moment);
    const outcomes = await Promise.allSettled([
      appendTo(store, stream, 0, batch),
      appendTo(store, stream, 0, events(1)),
      appendTo(store, newStream(), 'no_stream', events(1)),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
    expect(await store.readStream(stream, { from: 1 })).toHaveLength(moment === 'after' ? 2 : 0);
    expect((await appendTo(store, stream, 0, batch)).revision).toBe(2);
    expect(ids(await store.readStream(stream, { from: 1 }))).toEqual(ids(batch));
    expect(ids((await delivered).slice(1))).toEqual(ids(batch));
    await store.close();
  });

  test('retries to open the log with every call, and loses no event', async () => {
    const commit = new Commit();
    let broken = false;
    let openings = 0;
    const store = openSqliteEventStore({
      file,
      onOpened: (database) => {
        openings += 1;
        if (broken) throw Object.assign(new Error('input/output error'), { code: 'EIO' });
        commit.attach(database);
      },
    });
    const stream = newStream();
    await appendTo(store, stream, 'no_stream', events(1));
    broken = true;
    commit.failOnce('before');
    const batch = events(3);
    await expect(appendTo(store, stream, 0, batch)).rejects.toMatchObject(unavailable);
    await expect(appendTo(store, stream, 0, batch)).rejects.toThrow('input/output error');
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(store.readStream(stream)).rejects.toMatchObject(unavailable);
    expect(openings).toBe(4);
    broken = false;
    await store.ping();
    expect((await appendTo(store, stream, 0, batch)).revision).toBe(3);
    expect(openings).toBe(5);
    await store.close();
  });

  test('reports lost acknowledged events after it is opened again and refuses writes', async () => {
    const commit = new Commit();
    const store = openSqliteEventStore({
      file,
      onOpened: (database) => {
        if (commit.failed) database.exec('DELETE FROM events WHERE position > 3');
        commit.attach(database);
      },
    });
    await appendTo(store, newStream(), 'no_stream', events(5));
    commit.failOnce('before');
    await expect(appendTo(store, newStream(), 'no_stream', events(1))).rejects.toMatchObject(unavailable);
    const refused = appendTo(store, newStream(), 'no_stream', events(1));
    await expect(refused).rejects.toThrow('the log ends at 3, but 5 was acknowledged');
    await store.close();
  });
});

const canInject =
  spawnSync('strace', ['-f', '-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO:when=99', 'true']).status === 0;
const describeInjected = canInject ? describe : describe.skip;

describeInjected('The event log under injected system errors (needs strace)', () => {
  test.each([
    ['fsync and fdatasync fail for a while', 'fsync,fdatasync', 'EIO', '30..34'],
    ['the disk is full for a while', 'pwrite64', 'ENOSPC', '300..340'],
  ])('%s: nothing acknowledged is lost, and the store continues', async (_name, calls, error, when) => {
    const output = await writeUnder([
      '-f',
      '-qq',
      '--seccomp-bpf',
      '-o',
      join(folder.folder, 'trace.txt'),
      '-e',
      `trace=${calls}`,
      '-e',
      `inject=${calls}:error=${error}:when=${when}`,
    ]);
    expect(output).toContain('unavailable');
    const history: History = { acknowledged: [], unclear: [] };
    addOutput(history, output);
    const store: EventStore = openSqliteEventStore({ file });
    await expectNothingLost(store, history);
    await store.close();
    expect(history.acknowledged.length).toBeGreaterThan(100);
  });

  /** Runs a writer under strace and returns its output. */
  async function writeUnder(options: readonly string[]): Promise<string> {
    const writer = fileURLToPath(new URL('./store-writer.ts', import.meta.url));
    const child = spawn('strace', [...options, process.execPath, writer, file, '8', '40'], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    return output;
  }
});

/** Makes a commit fail before or after SQLite executes it. */
class Commit {
  failed = false;
  #moment: 'before' | 'after' | undefined;

  readonly attach = (database: DatabaseSync): void => {
    const exec = database.exec.bind(database);
    database.exec = (sql) => {
      if (sql !== 'COMMIT' || this.#moment === undefined) return exec(sql);
      if (this.#moment === 'after') exec(sql);
      this.#moment = undefined;
      this.failed = true;
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
    };
  };

  failOnce(moment: 'before' | 'after'): void {
    this.#moment = moment;
  }
}
