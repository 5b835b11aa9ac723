import { cpSync, existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSqliteRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { nameOfReadModelsIn } from '../support/read-models-file.ts';
import { cleanUp, runSurety, startService, temporaryFolder } from '../support/service-process.ts';

type FileState = 'whole' | 'missing' | 'empty';
const STATES: readonly FileState[] = ['whole', 'missing', 'empty'];
const quietly = { LOG_LEVEL: 'error' };

let base: string;
let whole: string;
let readModelsFile: string;

/** Creates a folder with an event and with read models. */
beforeAll(async () => {
  base = temporaryFolder();
  whole = join(base, 'whole');
  const { command, process } = await startService({ folder: whole, settings: quietly });
  await command('RegisterMerchant', { name: 'Acme', business_email: 'a@b.example' });
  await process.stop();
  readModelsFile = nameOfReadModelsIn(whole);
});
afterAll(async () => await cleanUp(base, []));

/** Copies the folder, with its databases in these states. */
function folderWith(states: Readonly<Record<string, FileState>>): string {
  const folder = join(base, Object.values(states).join('-'));
  cpSync(whole, folder, { recursive: true });
  for (const [name, state] of Object.entries(states)) {
    if (state === 'missing') rmSync(join(folder, name));
    if (state === 'empty') truncateSync(join(folder, name));
  }
  return folder;
}

const combinations = STATES.flatMap((events) =>
  STATES.flatMap((records) => STATES.map((readModels) => ({ events, records, readModels }))),
);

/** Returns the database whose loss is refused: a new one would be taken for the complete one. */
function lostIn({ events, records, readModels }: (typeof combinations)[number]): string | undefined {
  if (records !== 'whole' && (events === 'whole' || readModels === 'whole')) return 'records.db';
  return events !== 'whole' && records === 'whole' ? 'events.db' : undefined;
}

describe('a start on a folder', () => {
  const refused = combinations.filter((states) => lostIn(states) !== undefined);
  test.each(refused)(
    'is refused where events.db is $events, records.db $records, the read models $readModels',
    async (states) => {
      const folder = folderWith({
        'events.db': states.events,
        'records.db': states.records,
        [readModelsFile]: states.readModels,
      });
      const lost = lostIn(states) ?? '';
      const state = existsSync(join(folder, lost)) ? 'empty' : 'missing';
      const { code, stdout, stderr } = await runSurety(['serve'], { folder, settings: quietly });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^.*, although there is \S+: restore the folder from a backup .*\.\n$/);
      expect(stderr).toContain(`${join(folder, lost)} is ${state}, although`);
    },
  );

  const accepted = combinations.filter((states) => lostIn(states) === undefined);
  test.each(accepted)(
    'serves where events.db is $events, records.db $records, the read models $readModels',
    async (states) => {
      const folder = folderWith({
        'events.db': states.events,
        'records.db': states.records,
        [readModelsFile]: states.readModels,
      });
      const { request, process } = await startService({ folder, settings: quietly });
      const { count } = (await (await request('/api/v1/merchants/')).json()) as { count: number };
      await process.stop();
      expect(count).toBe(states.events === 'whole' ? 1 : 0);
    },
  );

  test('serves where the first one was killed between its records and its log', async () => {
    const folder = join(base, 'killed');
    await openSqliteRecords({ file: join(folder, 'records.db') }).close();
    writeFileSync(join(folder, 'events.db'), '');
    const { process } = await startService({ folder, settings: quietly });
    await process.stop();
  });
});

test.each(['verify', 'rebuild', 'setup', 'backup'])(
  'surety %s refuses an empty log beside records, too',
  async (name) => {
    const folder = folderWith({ 'events.db': 'empty' });
    const words = name === 'backup' ? [name, join(base, 'copy')] : [name];
    const { code, stderr } = await runSurety(words, { folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('events.db')]);
    rmSync(folder, { recursive: true });
  },
);
