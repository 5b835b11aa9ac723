import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { temporaryFolder } from '../../test/ports/support/temporary-folder.ts';
import { readSettings } from '../config.ts';
import { Application } from './application.ts';
import { updateInstallation } from '../records/installation.ts';
import { openSqliteRecords } from '../records/sqlite/sqlite-records.ts';
import { InstallationMismatch, type StartupOptions, usedStores } from './installation-check.ts';

const log = pino({ enabled: false });
const SERVE: StartupOptions = { purpose: 'serve' };
/** Nothing listens there. */
const EVENTSTORE_URL = 'esdb://127.0.0.1:1?tls=false';
const KAFKA_BROKERS = '127.0.0.1:1';

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

const settingsWith = (addresses: Readonly<Record<string, string>>) =>
  readSettings({ SURETY_DATA: place.folder, ...addresses });

/** A folder with the records of an installation whose other stores are where the addresses say. */
async function recordsOf(addresses: Readonly<Record<string, string>>): Promise<void> {
  const records = openSqliteRecords({ file: join(place.folder, 'records.db') });
  await updateInstallation(records, (current) => ({ ...current, ...usedStores(SERVE, settingsWith(addresses)) }));
  await records.close();
}

const left = (): readonly string[] => readdirSync(place.folder).filter((name) => !name.startsWith('surety.'));

test.each([
  [{ EVENTSTORE_URL }, {}, 'set EVENTSTORE_URL; '],
  [{ KAFKA_BROKERS }, {}, 'set KAFKA_BROKERS; '],
  [{}, { EVENTSTORE_URL, KAFKA_BROKERS }, 'take KAFKA_BROKERS out, or set MONGODB_URL if '],
])(
  'given records of a folder with %j, when it is opened with %j, then nothing is created',
  async (was, now, sentence) => {
    await recordsOf(was);
    const opening = Application.open(settingsWith(now), log, SERVE);
    await expect(opening).rejects.toThrow(InstallationMismatch);
    await expect(opening).rejects.toThrow(sentence);
    expect(left()).toEqual(['records.db']);
  },
);

test('given work that uses no jobs, then Kafka may be missing', async () => {
  await recordsOf({ KAFKA_BROKERS });
  const application = await Application.open({ ...settingsWith({}), roles: ['projector'] }, log);
  await application.stop();
});

test('given an installation in one folder, when it is set up, then it starts again as before', async () => {
  for (let start = 0; start < 2; start += 1) {
    const application = await Application.open(settingsWith({}), log, SERVE);
    expect(await application.setUp()).toEqual({ createdTopics: [], missingTopics: [], isSecretKnown: true });
    await application.stop();
  }
  await expect(Application.open(settingsWith({ EVENTSTORE_URL }), log, SERVE)).rejects.toThrow(InstallationMismatch);
});

test('given a command that reads the catalogue, when no service runs, then the projector starts once and stops with the rest', async () => {
  const application = await Application.open(settingsWith({}), log);
  const { catalogue } = application.commandPorts;
  expect(await Promise.all([1, 2].map(async () => await catalogue.liveProducts('Auto', 'live')))).toEqual([[], []]);
  const projector = await application.startProjector();
  expect(await application.startProjector()).toBe(projector);
  await application.stop();
  await (await Application.open(settingsWith({}), log)).stop();
});

test('given a service in one folder, then it answers while it is not ready, and is ready after its start', async () => {
  const application = await Application.open(settingsWith({ PORT: '0' }), log, SERVE);
  await application.setUp();
  const readiness = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;
  const during: number[] = [];
  const { url } = await application.start(async (url) => void during.push(await readiness(url)));
  expect([...during, await readiness(url)]).toEqual([503, 200]);
  await application.stop();
  await expect(fetch(`${url}/readyz`)).rejects.toThrow('fetch failed');
});
