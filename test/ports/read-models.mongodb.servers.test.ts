import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { openMongoReadModels } from '#stores/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from '../servers/support/mongodb.ts';
import { describeReadModels } from './read-models.suite.ts';
import { findKeys, policies, policy } from './read-models/subject.ts';
import { writeDocuments } from '../support/write-documents.ts';

describeOnMongodb('on MongoDB', (server) => {
  describeReadModels('MongoDB', async () => {
    const { url, drop } = testDatabase(server);
    let readModels = openMongoReadModels({ url });
    return {
      readModels,
      reopen: async () => {
        await readModels.close();
        readModels = openMongoReadModels({ url });
        return readModels;
      },
      dispose: async () => {
        await readModels.close();
        await drop();
      },
    };
  });

  describe('read models: MongoDB only', () => {
    let database: TestDatabase;
    const open: ReadModels[] = [];
    const opened = async (...given: Parameters<ReadModels['open']>): Promise<ReadModels> => {
      const readModels = openMongoReadModels({ url: database.url });
      open.push(readModels);
      await readModels.open(...given);
      return readModels;
    };
    /** Names of those that begin so. */
    const collections = async (beginning: string): Promise<readonly string[]> => {
      const all = await database.client.db().listCollections({}, { nameOnly: true }).toArray();
      return all.flatMap(({ name }) => (name.startsWith(beginning) ? [name] : [])).toSorted();
    };
    beforeEach(() => {
      database = testDatabase(server);
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map(async (readModels) => await readModels.close()));
      await database.drop();
    });

    test('several processes can create the collections concurrently', async () => {
      const all = await Promise.all(Array.from({ length: 5 }, async () => await opened([policies])));
      await Promise.all(
        all.map(async (readModels, n) => await writeDocuments(readModels, 'policies', [policy(`p-${n}`)], 1n)),
      );
      expect((await findKeys(all[0] as ReadModels, {})).count).toBe(5);
    });

    test('every declared index exists, in the order of lists', async () => {
      await opened([policies]);
      const [name = ''] = await collections('policies_v1');
      const indexes = await database.client.db().collection(name).indexes();
      const keys = indexes.map(({ key }) => Object.keys(key).join(' '));
      for (const index of policies.indexes) expect(keys).toContain(`by.${index} createdAt _id listed`);
      expect(keys).toContain('createdAt _id listed');
      expect(keys).toContain('position _id isParked');
    });

    test('positions keep their order and value up to 64 bits', async () => {
      const readModels = await opened([policies]);
      const positions = [9n, 10n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n];
      for (const position of positions) {
        await writeDocuments(readModels, 'policies', [policy('p', { position })], position);
        expect((await readModels.get('policies', 'p'))?.position).toBe(position);
        expect(await readModels.checkpoint('policies')).toBe(position);
      }
    });

    test('a text with special characters of patterns is found by its parts', async () => {
      const readModels = await opened([policies]);
      const merchant = String.raw`\a^b$c.d*e+f?g(h)i[j]k{l}m|n-o#p q`;
      await writeDocuments(readModels, 'policies', [policy('p', { indexes: { merchant } }), policy('other')], 1n);
      for (let from = 0; from < merchant.length; from++) {
        const contains = { merchant: merchant.slice(from, from + 3) };
        expect(await findKeys(readModels, { contains })).toEqual({ count: 1, keys: ['p'] });
      }
    });

    test('generations share no collection and no fence, even with common versions', async () => {
      const claims = { name: 'claims', version: 1, indexes: [] };
      const older = await opened([policies, claims]);
      const newer = await opened([{ ...policies, version: 2 }, claims]);
      await older.fenceCheckpoints({ token: 37 });
      await writeDocuments(older, 'claims', [withoutIndexes('c')], 5n, { token: 37 });
      await newer.fenceCheckpoints({ token: 1 });
      expect(await newer.checkpoint('claims')).toBeUndefined();
      await writeDocuments(newer, 'claims', [withoutIndexes('d')], 2n, { token: 1 });
      expect((await findKeys(older, {}, 'claims')).keys).toEqual(['c']);
      expect((await findKeys(newer, {}, 'claims')).keys).toEqual(['d']);
      expect(await older.checkpoint('claims')).toBe(5n);
      const [again, other] = [await opened([claims, policies]), await opened([claims])];
      expect(await again.checkpoint('claims')).toBe(5n);
      expect(await other.checkpoint('claims')).toBeUndefined();
      await newer.dropOtherVersions();
      expect(await again.checkpoint('claims')).toBeUndefined();
      expect((await findKeys(newer, {}, 'claims')).keys).toEqual(['d']);
    });

    test('a rebuild does not change the live version, and dropped versions leave nothing', async () => {
      const live = await opened([policies]);
      const rebuilt = await opened([{ ...policies, version: 2 }]);
      await writeDocuments(live, 'policies', [policy('live')], 1n);
      await writeDocuments(rebuilt, 'policies', [policy('rebuilt')], 1n);
      expect((await findKeys(live, {})).keys).toEqual(['live']);
      await rebuilt.dropOtherVersions();
      await writeDocuments(live, 'policies', [policy('late')], 2n, { token: 1 }).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'StoreUnavailable' });
      });
      await rebuilt.dropOtherVersions();
      expect(await collections('')).toEqual([expect.stringMatching(/^policies_v2/), 'read_model_checkpoints']);
      expect((await findKeys(rebuilt, {})).keys).toEqual(['rebuilt']);
    });

    test('a process reads the new documents with its first request after a switch by another one', async () => {
      const all = [policies, { name: 'reached', version: 1, indexes: [] }];
      const [leader, reader] = [await opened(all), await opened(all)];
      await writeDocuments(leader, 'policies', [policy('p-1', { body: '"old"' })], 1n);
      expect((await reader.get('policies', 'p-1'))?.body).toBe('"old"');
      const reading = new AbortController();
      const readers = Array.from({ length: 8 }, async () => {
        while (!reading.signal.aborted) await reader.get('policies', 'p-1');
      });
      for (const build of ['0123456789ab', 'ba9876543210']) {
        const beside = await leader.openBuild(build, ['policies']);
        await writeDocuments(beside, 'policies', [policy('p-1', { body: `"${build}"` })], 1n);
        await leader.serveBuilds({ policies: build });
        expect((await reader.get('policies', 'p-1'))?.body).toBe(`"${build}"`);
        expect((await leader.get('policies', 'p-1'))?.body).toBe(`"${build}"`);
      }
      reading.abort();
      await Promise.all(readers);
    });

    test('read models that were dropped while in use are recreated by the next leader', async () => {
      const readModels = await opened([policies]);
      await writeDocuments(readModels, 'policies', [policy('p')], 5n, { token: 1 });
      await database.client.db().dropDatabase();
      for (const fence of [undefined, { token: 1 }, { token: 7 }]) {
        await expect(writeDocuments(readModels, 'policies', [], 6n, fence)).rejects.toMatchObject({
          name: 'StoreUnavailable',
        });
      }
      await readModels.fenceCheckpoints({ token: 2 });
      await expect(writeDocuments(readModels, 'policies', [], 6n, { token: 1 })).rejects.toMatchObject({
        name: 'WriterFenced',
      });
      expect(await readModels.checkpoint('policies')).toBeUndefined();
      await writeDocuments(readModels, 'policies', [policy('p')], 1n, { token: 2 });
      expect(await readModels.checkpoint('policies')).toBe(1n);
    });

    test.each([
      ['', false],
      [', also when a write has created it again', true],
    ])(
      'a collection that was dropped while its checkpoint stayed is created again by the next leader, and all with it%s',
      async (_, isWritten) => {
        const claims = { name: 'claims', version: 1, indexes: [] };
        const running = await opened([policies, claims]);
        await running.fenceCheckpoints({ token: 1 });
        await writeDocuments(running, 'policies', [policy('p')], 5n, { token: 1 });
        await writeDocuments(running, 'claims', [withoutIndexes('c')], 5n, { token: 1 });
        expect(await running.missing()).toEqual([]);
        const [name = ''] = await collections('policies_v1');
        await database.client.db().dropCollection(name);
        if (isWritten) await writeDocuments(running, 'policies', [policy('q', { position: 6n })], 6n, { token: 1 });
        expect(await running.missing()).toEqual(['policies']);

        // Readers do not change it, so that the leader detects it.
        const reader = await opened([policies, claims]);
        expect(await reader.missing()).toEqual(['policies']);
        expect(await reader.checkpoint('claims')).toBe(5n);

        expect(await running.fenceCheckpoints({ token: 1 })).toEqual(['policies']);
        for (const collection of ['policies', 'claims']) expect(await running.checkpoint(collection)).toBeUndefined();
        expect((await database.client.db().collection(name).indexes()).length).toBeGreaterThan(2);
        await writeDocuments(running, 'policies', [policy('p')], 7n, { token: 1 });
        expect(await running.fenceCheckpoints({ token: 2 })).toEqual([]);
        const next = await opened([policies, claims]);
        expect(await next.checkpoint('policies')).toBe(7n);
        expect(await next.missing()).toEqual([]);
      },
    );

    const claims = { name: 'claims', version: 1, indexes: [] };
    /** Opens two collections that have checkpoints. */
    const openWithCheckpoints = async (): Promise<ReadModels> => {
      const readModels = await opened([policies, claims]);
      await readModels.fenceCheckpoints({ token: 1 });
      for (const collection of ['policies', 'claims'])
        await writeDocuments(readModels, collection, [], 5n, { token: 1 });
      return readModels;
    };

    test('the next leader completes the reset of checkpoints after a kill', async () => {
      const readModels = await openWithCheckpoints();
      const [name = ''] = await collections('policies_v1');
      await database.client.db().dropCollection(name);
      const [claimsPlace = ''] = await collections('claims_v1');
      // The checkpoint of the missing one is forgotten last.
      const catalog = database.client.db().collection<{ _id: string }>('read_model_checkpoints');
      await catalog.updateOne({ _id: claimsPlace }, { $unset: { position: '' } });
      expect(await readModels.fenceCheckpoints({ token: 2 })).toEqual(['policies']);
      expect(await readModels.checkpoint('policies')).toBeUndefined();
    });

    test('a deleted checkpoint causes a rebuild of all collections', async () => {
      await openWithCheckpoints();
      const [name = ''] = await collections('policies_v1');
      await database.client.db().collection<{ _id: string }>('read_model_checkpoints').deleteOne({ _id: name });
      const next = await opened([policies, claims]);
      expect(await next.missing()).toEqual(['policies']);
      expect(await next.fenceCheckpoints({ token: 2 })).toEqual(['policies']);
      expect(await next.checkpoint('claims')).toBeUndefined();
      expect(await next.missing()).toEqual([]);
    });
  });
});

function withoutIndexes(key: string): ReturnType<typeof policy> {
  return { ...policy(key), indexes: {} };
}
