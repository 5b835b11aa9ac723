import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, describe, expect, test } from '@jest/globals';

import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { openSqliteRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { policies, policy } from '../ports/read-models/subject.ts';
import { temporaryFolder } from '../ports/support/temporary-folder.ts';
import { Disk } from './store-disk.ts';
import { takeOverServed, writeDocuments } from '../support/write-documents.ts';

const writer = fileURLToPath(new URL('./store-document-writer.ts', import.meta.url));
const unavailable = { name: 'StoreUnavailable' };

describe('Read models after kill -9', () => {
  const { folder, remove } = temporaryFolder();
  afterAll(remove);

  test.each(Array.from({ length: 5 }, () => 1 + Math.floor(Math.random() * 150)))(
    'have documents and checkpoint of one write (kill after %i writes)',
    async (writes) => {
      const answered = await writeUntilKilled(folder, writes);
      const definitions = [{ name: 'policies', version: 1, indexes: ['round'] }];
      const readModels = openSqliteReadModels({ folder, definitions });
      const checkpoint = (await readModels.checkpoint())?.position;
      expect(checkpoint).toBeGreaterThanOrEqual(answered);
      const documents = await readModels.scan('policies', { after: undefined, limit: 100 });
      expect(new Set(documents.map(({ position }) => position))).toEqual(new Set([checkpoint]));
      const { count } = await readModels.find('policies', {
        where: { round: Number(checkpoint) },
        limit: 1,
        offset: 0,
      });
      expect([documents.length, count]).toEqual([50, 50]);
      await readModels.close();
    },
  );
});

describe('On a full disk', () => {
  test('read models keep documents and checkpoint, and continue when there is space', async () => {
    const { folder, remove } = temporaryFolder();
    const disk = new Disk();
    const readModels = openSqliteReadModels({ folder, definitions: [policies], onOpened: disk.attach });
    const generation = await takeOverServed(readModels);
    await writeDocuments(generation, 'policies', [policy('small')], 1n);
    disk.fill();
    const written = [policy('small', { body: '{"v":2}' }), policy('large', { body: `"${'x'.repeat(100_000)}"` })];
    for (const _ of [1, 2]) {
      await expect(writeDocuments(generation, 'policies', written, 2n)).rejects.toMatchObject(unavailable);
      expect(await readModels.get('policies', 'small')).toEqual(policy('small'));
      expect((await readModels.checkpoint())?.position).toBe(1n);
    }
    disk.empty();
    await writeDocuments(generation, 'policies', written, 2n);
    expect(await readModels.getMany('policies', ['small', 'large'])).toHaveLength(2);
    expect((await readModels.checkpoint())?.position).toBe(2n);
    await readModels.close();
    remove();
  });

  test('records refuse writes, and accept them when there is space', async () => {
    const { folder, remove } = temporaryFolder();
    const disk = new Disk();
    const records = openSqliteRecords({ file: join(folder, 'records.db'), onOpened: disk.attach });
    await records.revokeKey('key-1');
    disk.fill();
    const bytes = new Uint8Array(100_000);
    await expect(records.putBlob(bytes)).rejects.toMatchObject(unavailable);
    expect(await records.isKeyRevoked('key-1')).toBe(true);
    disk.empty();
    expect(await records.getBlobRow(await records.putBlob(bytes), 0)).toHaveLength(100_000);
    await records.close();
    remove();
  });
});

/** Runs a writer, kills it after the given number of writes and returns the last acknowledged checkpoint. */
async function writeUntilKilled(folder: string, writes: number): Promise<bigint> {
  const child = spawn(process.execPath, [writer, folder], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > writes) child.kill('SIGKILL');
  });
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  return BigInt(output.split('\n').at(-2) ?? 0);
}
