import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { temporaryFolder } from '../../test/ports/support/temporary-folder.ts';
import { readSettings } from '../config.ts';
import { openJobQueues, type Opening, openStores, OtherStores } from '../container.ts';
import { openSqliteRecords } from '../records/sqlite/sqlite-records.ts';
import { changeStores } from './agreed-stores.ts';

const log = pino({ enabled: false });
const MAKE: Opening = { beginning: { kind: 'make' } };
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

/** A folder of an installation that has its records there, and what the addresses name elsewhere. */
async function recordsOf(addresses: Readonly<Record<string, string>>): Promise<void> {
  const records = openSqliteRecords({ file: join(place.folder, 'records.db') });
  await changeStores(records, settingsWith(addresses));
  await records.close();
}

const left = (): readonly string[] => readdirSync(place.folder).filter((name) => !name.startsWith('surety.'));

test.each([
  [{ EVENTSTORE_URL }, {}, 'was set up with EVENTSTORE_URL: '],
  [{ KAFKA_BROKERS }, {}, 'was set up with KAFKA_BROKERS: '],
  [{}, { EVENTSTORE_URL, KAFKA_BROKERS }, 'without EVENTSTORE_URL and KAFKA_BROKERS: set MONGODB_URL if '],
])('given records of a folder with %j, when it is opened with %j, then nothing is made', async (was, now, sentence) => {
  await recordsOf(was);
  const opening = openStores(settingsWith(now), log, MAKE);
  await expect(opening).rejects.toThrow(OtherStores);
  await expect(opening).rejects.toThrow(sentence);
  expect(left()).toEqual(['records.db']);
});

test('given jobs on a broker that is forgotten, then none are looked for in the folder', async () => {
  await recordsOf({ KAFKA_BROKERS });
  await expect(openJobQueues(settingsWith({}), log)).rejects.toThrow('was set up with KAFKA_BROKERS: ');
  expect(left()).toEqual(['records.db']);
});

test('given work that uses no jobs, then the broker may be missing', async () => {
  await recordsOf({ KAFKA_BROKERS });
  const { lifecycle } = await openStores({ ...settingsWith({}), roles: ['projector'] }, log, MAKE);
  await lifecycle.stop();
});

test('given what is asked of the records refuses, then the folder has no other store', async () => {
  await recordsOf({});
  const examine = async (): Promise<void> => await Promise.reject(new Error('not so'));
  await expect(openStores(settingsWith({}), log, { ...MAKE, examine })).rejects.toThrow('not so');
  expect(left()).toEqual(['records.db']);
});

test('given an installation in one folder, when it says where its stores lie, then it starts again as before', async () => {
  for (let start = 0; start < 2; start += 1) {
    const { lifecycle, sayWhichStores } = await openStores(settingsWith({}), log, MAKE);
    await sayWhichStores();
    await lifecycle.stop();
  }
  await expect(openStores(settingsWith({ EVENTSTORE_URL }), log, MAKE)).rejects.toThrow(OtherStores);
});
