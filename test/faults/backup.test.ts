import { claimsOn } from './claims.ts';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openSnapshots } from '#stores/sqlite/snapshots.ts';
import { type ProcessResult, runSurety } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();
const quietly = { settings: { LOG_LEVEL: 'error' } };

const backup = async (...words: readonly string[]): Promise<ProcessResult> =>
  await runSurety(['backup', ...words], { folder: place.folder });

describe('surety backup', () => {
  test('copies all that was acknowledged before it while claims are filed, and the service starts on the copy', async () => {
    const service = await place.startService(quietly);
    const fileClaim = await claimsOn(service);
    const before = [await fileClaim(0)];
    for (let number = 1; number < 40; number += 1) before.push(await fileClaim(number));
    const ended = new AbortController();
    const filing = (async () => {
      for (let number = 40; !ended.signal.aborted; number += 1) await fileClaim(number);
    })();
    const copy = join(place.base, 'copy');
    const result = await backup(copy);
    ended.abort();
    await filing;
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(copy).sort()).toEqual(['admin.key', 'events.db', 'records.db', 'secret']);
    for (const name of readdirSync(copy)) expect(statSync(join(copy, name)).mode & 0o777).toBe(0o600);
    expect(await runSurety(['verify'], { folder: copy })).toMatchObject({ code: 0 });
    await service.process.stop();
    const restored = await place.startService({ ...quietly, settings: { ...quietly.settings, SURETY_DATA: copy } });
    for (const claim of before) {
      const response = await restored.request(`/api/v1/claims/${claim}`, {
        headers: { 'x-api-key': service.adminKey },
      });
      expect(response.status).toBe(200);
    }
  });

  test('does not keep a service from starting after a kill', async () => {
    const service = await place.startService(quietly);
    const fileClaim = await claimsOn(service);
    const snapshots = openSnapshots([join(place.folder, 'events.db'), join(place.folder, 'records.db')]);
    try {
      const claim = await fileClaim(1);
      await service.process.kill();
      const again = await place.startService(quietly);
      const response = await again.request(`/api/v1/claims/${claim}`, { headers: { 'x-api-key': service.adminKey } });
      expect(response.status).toBe(200);
    } finally {
      snapshots.close();
    }
  });
});

describe('surety backup refuses', () => {
  test('a folder without a log, and creates nothing', async () => {
    const copy = join(place.base, 'copy');
    const { code, stderr } = await backup(copy);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `There is no events.db in the data folder ${place.folder}.\n`,
    });
    expect([existsSync(copy), existsSync(place.folder)]).toEqual([false, false]);
  });

  test('a folder that is not empty, and changes nothing in it', async () => {
    expect(await runSurety(['setup'], { folder: place.folder })).toMatchObject({ code: 0 });
    const copy = join(place.base, 'copy');
    mkdirSync(copy);
    writeFileSync(join(copy, 'mine.txt'), 'mine');
    const { code, stderr } = await backup(copy);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The backup to .*copy failed: the folder is not empty; name one that is new or empty\.$/m);
    expect(readdirSync(place.base).sort()).toEqual(['copy', 'data']);
    expect(readdirSync(copy)).toEqual(['mine.txt']);
  });

  test('a target whose unfinished copy would be the data folder, and deletes nothing', async () => {
    const folder = join(place.base, 'copy.partial');
    expect(await runSurety(['setup'], { folder })).toMatchObject({ code: 0 });
    const files = readdirSync(folder).sort();
    const { code, stderr } = await runSurety(['backup', join(place.base, 'copy')], { folder });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/copy\.partial has .*, which no backup creates/)]);
    expect(readdirSync(folder).sort()).toEqual(files);
  });
});

test('surety backup replaces what an interrupted one has left', async () => {
  expect(await runSurety(['setup'], { folder: place.folder })).toMatchObject({ code: 0 });
  const partial = join(place.base, 'copy.partial');
  mkdirSync(partial);
  writeFileSync(join(partial, 'events.db'), 'half');
  writeFileSync(join(partial, 'events.db-journal'), 'half');
  expect(await backup(join(place.base, 'copy'))).toMatchObject({ code: 0 });
  expect(readdirSync(place.base).sort()).toEqual(['copy', 'data']);
  expect(await runSurety(['verify'], { folder: join(place.base, 'copy') })).toMatchObject({ code: 0 });
});
