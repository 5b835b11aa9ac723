import { randomBytes } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Binary } from 'mongodb';

import { openMongoRecords } from '#stores/records/mongodb/mongo-records.ts';
import type { Records } from '#stores/records/records.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from '../servers/support/mongodb.ts';
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
    let processes: readonly Records[];
    beforeEach(() => {
      database = testDatabase(server);
      processes = Array.from({ length: 4 }, () => openMongoRecords({ url: database.url }));
    });
    afterEach(async () => {
      await Promise.all(processes.map(async (records) => await records.close()));
      await database.drop();
    });

    test('several processes can create the same records concurrently', async () => {
      const bytes = randomBytes(1_000);
      for (let round = 0; round < 10; round++) {
        await Promise.all(
          processes.map(async (records, token) => {
            await records.putBlob(bytes);
            await records.revokeKey(`key-${round}`);
            await records.setValue(`value-${round}`, 'the same');
            await records.setValue(`fenced-${round}`, `by ${token}`, { token }).catch((error: unknown) => {
              expect(error).toMatchObject({ name: 'WriterFenced' });
            });
          }),
        );
        for (const records of processes) {
          expect(await records.isKeyRevoked(`key-${round}`)).toBe(true);
          expect(await records.getValue(`value-${round}`)).toBe('the same');
          expect(await records.getValue(`fenced-${round}`)).toBe(`by ${processes.length - 1}`);
        }
      }
    });

    test('a lease has one holder at a time', async () => {
      let held = 0;
      const tokens: number[] = [];
      await Promise.all(
        processes.map(async (records, place) => {
          for (let round = 0; round < 15; round++) {
            const seen = await records.readLease('projector');
            if (seen?.holder !== undefined) continue;
            const lease = await records.acquireLease('projector', `process ${place}`, seen);
            if (lease === undefined) continue;
            held += 1;
            expect(held).toBe(1);
            tokens.push(lease.token);
            expect(await records.renewLease('projector', lease)).toMatchObject({ token: lease.token });
            held -= 1;
            await records.releaseLease('projector', lease);
          }
        }),
      );
      expect(tokens).toEqual(tokens.map((_, place) => place + 1));
      expect(tokens.length).toBeGreaterThan(0);
    });
  });
});
