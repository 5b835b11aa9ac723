import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FakeMongodb } from '#test/support/fake-mongodb.ts';
import { openMongoReadModels } from '../../read-models/mongodb/mongo-read-models.ts';
import type { Records } from '../records.ts';
import { openMongoRecords } from './mongo-records.ts';

let server: FakeMongodb;
let records: Records;
beforeEach(async () => {
  server = await FakeMongodb.start();
  records = openMongoRecords({ url: server.url });
});
afterEach(async () => {
  await records.close();
  server.stop();
});

const BYTES = Uint8Array.of(1, 2, 3);
const CONCERN = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting for replication timed out' };

describe('records in MongoDB', () => {
  test('a blob that another process saves at the same time is written again', async () => {
    let updates = 0;
    server.reply = (command) => {
      if (command['update'] !== 'blob_rows') return {};
      updates += 1;
      return updates === 1 ? { n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'duplicate key' }] } : { n: 1 };
    };
    expect(await records.putBlob(BYTES)).toMatch(/^039058c6/);
    expect(updates).toBe(2);
  });

  test.each<[string, (one: Records) => Promise<unknown>]>([
    ['a blob', async (one) => await one.putBlob(BYTES)],
    ['a value', async (one) => await one.setValue('name', 'value')],
    ['a value that is replaced', async (one) => await one.replaceValue('name', 1, 'after')],
    ['a new value', async (one) => await one.replaceValue('name', undefined, 'value')],
    ['a revoked key', async (one) => await one.revokeKey('key')],
  ])('%s that the majority does not confirm in time is not taken as written', async (_what, write) => {
    server.reply = (command) =>
      'update' in command || 'insert' in command ? { n: 1, writeConcernError: CONCERN } : {};
    await expect(write(records)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringMatching(/^MongoDB: .*64/),
    });
  });
});

test('a list is counted without the index of its hint where that index is missing', async () => {
  const definition = { name: 'policies', version: 1, indexes: ['status'] };
  const readModels = openMongoReadModels({ url: server.url, definitions: [definition] });
  let hints = 0;
  server.reply = (command) => {
    const served = { _id: 'hash', served: 0, entries: { 0: { id: 'id', owner: 'owner' } } };
    if ('find' in command) return { cursor: { id: 0n, ns: 'surety.read_models', firstBatch: [served] } };
    if ('hint' in command) {
      hints += 1;
      return { ok: 0, code: 2, codeName: 'BadValue', errmsg: 'hint provided does not correspond to an existing index' };
    }
    return { cursor: { id: 0n, ns: 'surety.policies_v1', firstBatch: [{ n: 7 }] } };
  };
  try {
    const { count } = await readModels.find('policies', { where: { status: 'active' }, limit: 0, offset: 0 });
    expect([count, hints]).toEqual([7, 1]);
  } finally {
    await readModels.close();
  }
});
