import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LIVE } from '#test/support/command-harness.ts';
import { waitUntilCaughtUp } from '#test/support/test-projector.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { readSettings } from '../config/config.ts';
import { Application } from './application.ts';
import { updateInstallation } from '#stores/records/installation.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { openSqliteRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { InstallationMismatch, type StartupOptions, storeKinds } from '../checks/installation-check.ts';

const log = pino({ enabled: false });
const SERVE: StartupOptions = { purpose: 'serve' };
// Port 1 has no listener.
const EVENTSTORE_URL = 'esdb://127.0.0.1:1?tls=false';
const KAFKA_BROKERS = '127.0.0.1:1';

let temporary: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(() => temporary.remove());

const settingsWith = (addresses: Readonly<Record<string, string>>) =>
  readSettings({ SURETY_DATA: temporary.folder, ...addresses });

/** Creates records of an installation with these servers. */
async function createRecords(addresses: Readonly<Record<string, string>>): Promise<void> {
  const records = openSqliteRecords({ file: join(temporary.folder, 'records.db') });
  await updateInstallation(records, (current) => ({ ...current, ...storeKinds(SERVE, settingsWith(addresses)) }));
  await records.close();
}

const createdFiles = (): readonly string[] =>
  readdirSync(temporary.folder).filter((name) => !name.startsWith('surety.'));

test.each([
  [{ EVENTSTORE_URL }, {}, 'set EVENTSTORE_URL; '],
  [{ KAFKA_BROKERS }, {}, 'set KAFKA_BROKERS; '],
  [{}, { EVENTSTORE_URL, KAFKA_BROKERS }, 'unset KAFKA_BROKERS, or set MONGODB_URL if '],
])('creates nothing when an installation with %j is opened with %j', async (before, now, message) => {
  await createRecords(before);
  const opening = Application.open(settingsWith(now), log, SERVE);
  await expect(opening).rejects.toThrow(InstallationMismatch);
  await expect(opening).rejects.toThrow(message);
  expect(createdFiles()).toEqual(['records.db']);
});

test('opens without Kafka for roles that use no jobs', async () => {
  await createRecords({ KAFKA_BROKERS });
  await openSqliteEventStore({ file: join(temporary.folder, 'events.db') }).close();
  const application = await Application.open({ ...settingsWith({}), roles: ['projector'] }, log);
  await application.stop();
});

test('set-up of a folder is idempotent', async () => {
  for (let start = 0; start < 2; start += 1) {
    const application = await Application.open(settingsWith({}), log, SERVE);
    expect(await application.setUp()).toEqual({ createdTopics: [], missingTopics: [], isSecretKnown: true });
    await application.stop();
  }
  await expect(Application.open(settingsWith({ EVENTSTORE_URL }), log, SERVE)).rejects.toThrow(InstallationMismatch);
});

test('starts one projector when a command of a tool reads the catalogue', async () => {
  const application = await Application.open(settingsWith({}), log);
  const { catalogue } = application.commandPorts.services;
  expect(await Promise.all([1, 2].map(async () => await catalogue.productsOnSale('Auto', LIVE)))).toEqual([[], []]);
  const projector = await application.startProjector();
  expect(await application.startProjector()).toBe(projector);
  await application.stop();
  await (await Application.open(settingsWith({}), log)).stop();
});

test('answers before it is ready, and is ready after start', async () => {
  const application = await Application.open(settingsWith({ PORT: '0' }), log, SERVE);
  await application.setUp();
  const readiness = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;
  const during: number[] = [];
  const { url } = await application.start(async (url) => {
    await waitUntilCaughtUp(await application.startProjector());
    during.push(await readiness(url));
  });
  expect([...during, await readiness(url)]).toEqual([503, 200]);
  await application.stop();
  await expect(fetch(`${url}/readyz`)).rejects.toThrow('fetch failed');
});
