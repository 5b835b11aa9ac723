import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { appendSamples, policyImported } from '#test/support/sample-events.ts';
import { PortfolioThread } from './portfolio-thread.ts';

const REQUEST = { asOf: '2026-06-30', knownAt: undefined, groupBy: undefined, testMode: false };
const FILE = '/nowhere/events.db';
const { signal: ANY_TIME } = new AbortController();

/** Returns a file with the code of a worker. */
const workerOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const ENDLESS = workerOf("import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => {});");

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('the thread of portfolios', () => {
  test('reads the log while the service writes it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'surety-portfolio-'));
    folders.push(folder);
    const file = join(folder, 'events.db');
    const store = openSqliteEventStore({ file });
    const position = await appendSamples(store, policyImported(1, 1));
    const thread = new PortfolioThread({ file });
    expect(await thread.run(REQUEST, ANY_TIME)).toMatchObject({ position, rows: [{ premium_written: '100.00' }] });
    await thread.stop();
    await store.close();
  });

  test('reports a log that cannot be read as an outage', async () => {
    const thread = new PortfolioThread({ file: FILE });
    await expect(thread.run(REQUEST, ANY_TIME)).rejects.toMatchObject({ name: 'StoreUnavailable', store: 'SQLite' });
  });

  test.each([
    ['throws', 'throw new Error("out of order")'],
    ['ends without a result', 'process.exit(3)'],
  ])('fails, and runs again, when its worker %s', async (_how, code) => {
    const thread = new PortfolioThread({ file: FILE }, workerOf(code));
    await expect(thread.run(REQUEST, ANY_TIME)).rejects.toThrow('The worker of the portfolio');
    await expect(thread.run(REQUEST, ANY_TIME)).rejects.toThrow('The worker of the portfolio');
  });

  test('ends its worker when the request is aborted', async () => {
    const thread = new PortfolioThread({ file: FILE }, ENDLESS);
    const controller = new AbortController();
    const running = thread.run(REQUEST, controller.signal);
    await expect(thread.run(REQUEST, ANY_TIME)).rejects.toMatchObject({ code: 'portfolio_running' });
    controller.abort(new Error('the client left'));
    await expect(running).rejects.toThrow('the client left');
    await expect(thread.run(REQUEST, controller.signal)).rejects.toThrow('the client left');
  });

  test('ends its worker when the service stops, and starts none after it', async () => {
    const thread = new PortfolioThread({ file: FILE }, ENDLESS);
    const [running] = await Promise.allSettled([thread.run(REQUEST, ANY_TIME), thread.stop()]);
    expect(running).toMatchObject({ status: 'rejected', reason: { message: 'The service stops' } });
    await expect(thread.run(REQUEST, ANY_TIME)).rejects.toThrow('The service stops');
  });
});
