import { randomBytes } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Binary } from 'mongodb';

import { openMongoRecords } from '#stores/records/mongodb/mongo-records.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from '../servers/support/mongodb.ts';
import { describeLeases } from './records/leases.ts';
import { describeRecords } from './records.suite.ts';

describeOnMongodb('on MongoDB', (server) => {
  describeRecords('MongoDB', async () => {
    const { url, client, drop } = testDatabase(server);
    let records = openMongoRecords({ url });
    return {
      records,
      reopen: async () => {
        await records.close();
        records = openMongoRecords({ url });
        return records;
      },
      flipBit: async (sha256, row) => {
        const rows = client.db().collection<{ _id: string; bytes: Binary }>('blob_rows');
        const _id = `${sha256} 000${row}`;
        const bytes = (await rows.findOne({ _id }))?.bytes.value() ?? Buffer.of();
        await rows.updateOne({ _id }, { $set: { bytes: new Binary(bytes.with(0, (bytes[0] ?? 0) ^ 1)) } });
      },
      dispose: async () => {
        await records.close();
        await drop();
      },
    };
  });

  describe('records: MongoDB only', () => {
    let database: TestDatabase;
    let processes: readonly ReturnType<typeof openMongoRecords>[];
    beforeEach(() => {
      database = testDatabase(server);
      processes = Array.from({ length: 4 }, () => openMongoRecords({ url: database.url }));
    });
    afterEach(async () => {
      await Promise.all(processes.map(async (records) => await records.close()));
      await database.drop();
    });

    describeLeases('MongoDB', async () => await Promise.resolve((processes[0] ?? openMongoRecords(database)).leases));

    test('several processes can create the same records concurrently', async () => {
      const bytes = randomBytes(1_000);
      for (let round = 0; round < 10; round++) {
        await Promise.all(
          processes.map(async (records) => {
            await records.putBlob(bytes);
            await records.revokeKey(`key-${round}`);
            await records.setValue(`value-${round}`, 'the same');
          }),
        );
        for (const records of processes) {
          expect(await records.isKeyRevoked(`key-${round}`)).toBe(true);
          expect(await records.getRevised(`value-${round}`)).toMatchObject({
            value: 'the same',
            revision: processes.length,
          });
        }
      }
    });

    test('a lease has one holder at a time', async () => {
      let held = 0;
      const tokens: number[] = [];
      await Promise.all(
        processes.map(async ({ leases }, place) => {
          for (let round = 0; round < 15; round++) {
            const token = await leases.acquireLease('projector', `process ${place}`, 60_000);
            if (token === undefined) continue;
            held += 1;
            expect(held).toBe(1);
            tokens.push(token);
            expect(await leases.renewLease('projector', `process ${place}`)).toBe(true);
            held -= 1;
            await leases.releaseLease('projector', `process ${place}`);
          }
        }),
      );
      expect(tokens).toEqual(tokens.map((_, place) => place + 1));
      expect(tokens.length).toBeGreaterThan(0);
    });
  });
});
