import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { openMongoReadModels } from '#stores/read-models/mongodb/mongo-read-models.ts';
import type { CollectionDefinition, ReadModels } from '#stores/read-models/read-models.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from '../servers/support/mongodb.ts';
import { describeReadModels } from './read-models.suite.ts';
import { claims, findKeys, policies, policy } from './read-models/subject.ts';
import { checkpointAt, takeOverServed, writeDocuments } from '../support/write-documents.ts';

const takenOver = { name: 'TakenOver' };
const now = async (): Promise<boolean> => await Promise.resolve(true);

describeOnMongodb('on MongoDB', (server) => {
  describeReadModels('MongoDB', async () => {
    const { url, drop } = testDatabase(server);
    let readModels: ReadModels | undefined;
    return {
      open: async (definitions) => {
        await readModels?.close();
        readModels = openMongoReadModels({ url, definitions });
        return readModels;
      },
      dispose: async () => {
        await readModels?.close();
        await drop();
      },
    };
  });

  describe('read models: MongoDB only', () => {
    let database: TestDatabase;
    const opened: ReadModels[] = [];
    const open = (...definitions: readonly CollectionDefinition[]): ReadModels => {
      const readModels = openMongoReadModels({ url: database.url, definitions });
      opened.push(readModels);
      return readModels;
    };
    /** Names of those that end so. */
    const collections = async (end: string): Promise<readonly string[]> => {
      const all = await database.client.db().listCollections({}, { nameOnly: true }).toArray();
      return all.flatMap(({ name }) => (name.endsWith(end) ? [name] : [])).toSorted();
    };
    beforeEach(() => {
      database = testDatabase(server);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(async (readModels) => await readModels.close()));
      await database.drop();
    });

    test('of several processes that create a generation at once, at most one owns it, and none fails otherwise', async () => {
      const taken = await Promise.allSettled(Array.from({ length: 5 }, async () => await open(policies).takeOver(0)));
      for (const one of taken) if (one.status === 'rejected') expect(one.reason).toMatchObject(takenOver);
      const writes = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const written = await Promise.allSettled(
        writes.map(async (generation, n) => await writeDocuments(generation, 'policies', [policy(`p-${n}`)], 1n)),
      );
      expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await collections('_policies')).toHaveLength(1);
    });

    test('every declared index exists, in the order of lists', async () => {
      await open(policies).takeOver(0);
      const [name = ''] = await collections('_policies');
      const indexes = await database.client.db().collection(name).indexes();
      const keys = indexes.map(({ key }) => Object.keys(key).join(' '));
      for (const index of policies.indexes) expect(keys).toContain(`by.${index} order listed`);
      expect(keys).toContain('order listed');
      expect(keys).toContain('position _id isParked');
    });

    test('positions keep their order and value up to 64 bits', async () => {
      const generation = await takeOverServed(open(policies));
      const positions = [9n, 10n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n];
      for (const position of positions) {
        await writeDocuments(generation, 'policies', [policy('p', { position })], position);
        expect((await generation.get('policies', 'p'))?.position).toBe(position);
        expect(await generation.checkpoint()).toEqual(checkpointAt(position));
      }
    });

    test('a text with special characters of patterns is found by its parts', async () => {
      const generation = await takeOverServed(open(policies));
      const merchant = String.raw`\a^b$c.d*e+f?g(h)i[j]k{l}m|n-o#p q`;
      await writeDocuments(generation, 'policies', [policy('p', { indexes: { merchant } }), policy('other')], 1n);
      for (let from = 0; from < merchant.length; from++) {
        const contains = { merchant: merchant.slice(from, from + 3) };
        expect(await findKeys(generation, { contains })).toEqual({ count: 1, keys: ['p'] });
      }
    });

    test('the checkpoints, switches and refusals of a process are rejected once another has taken over', async () => {
      const [first, second] = [open(policies), open(policies)];
      const [served, beside] = [await takeOverServed(first), await first.takeOver(1)];
      await writeDocuments(served, 'policies', [policy('p')], 5n);
      const taken = await second.takeOver(0);
      expect(await taken.checkpoint()).toEqual(checkpointAt(5n));
      await second.takeOver(1);
      await expect(served.write([], checkpointAt(6n))).rejects.toMatchObject(takenOver);
      await expect(beside.write([], checkpointAt(6n))).rejects.toMatchObject(takenOver);
      await expect(first.serve(1, now)).rejects.toMatchObject(takenOver);
      await expect(first.refuse(1, 'no reason')).rejects.toMatchObject(takenOver);
      expect(await second.state()).toEqual({ served: 0, refused: new Map() });
      await taken.write([], checkpointAt(6n));
      expect(await second.checkpoint()).toEqual(checkpointAt(6n));
    });

    test.each([
      { takes: 0, hasTakenServed: true },
      { takes: 1, hasTakenServed: true },
      { takes: 0, hasTakenServed: false },
    ])(
      'a switch to 1 is rejected where another process takes $takes over after the announcement (has taken 0 over: $hasTakenServed)',
      async ({ takes, hasTakenServed }) => {
        const [first, second] = [open(policies), open(policies)];
        await takeOverServed(hasTakenServed ? first : second);
        await first.takeOver(1);
        const switching = first.serve(1, async () => {
          await second.takeOver(takes);
          return true;
        });
        await expect(switching).rejects.toMatchObject(takenOver);
        expect((await second.state()).served).toBe(0);
      },
    );

    test('a process that could not take the served generation over switches to one that it has taken over', async () => {
      const [first, second] = [open(policies), open(policies)];
      await takeOverServed(first);
      await second.takeOver(1);
      await second.serve(1, now);
      expect((await first.state()).served).toBe(1);
    });

    test('a process reads the new documents with its first request after a switch by another one', async () => {
      const [leader, reader] = [open(policies), open(policies)];
      await writeDocuments(await takeOverServed(leader), 'policies', [policy('p-1', { body: '"old"' })], 1n);
      expect((await reader.get('policies', 'p-1'))?.body).toBe('"old"');
      const reading = new AbortController();
      const readers = Array.from({ length: 8 }, async () => {
        while (!reading.signal.aborted) await reader.get('policies', 'p-1');
      });
      for (const number of [1, 2]) {
        const beside = await leader.takeOver(number);
        await writeDocuments(beside, 'policies', [policy('p-1', { body: `"${number}"` })], 1n);
        await leader.serve(number, now);
        expect((await reader.get('policies', 'p-1'))?.body).toBe(`"${number}"`);
        expect((await leader.get('policies', 'p-1'))?.body).toBe(`"${number}"`);
      }
      reading.abort();
      await Promise.all(readers);
    });

    test('read models whose database was dropped while in use are built again by the next leader', async () => {
      const readModels = open(policies);
      const generation = await takeOverServed(readModels);
      await writeDocuments(generation, 'policies', [policy('p')], 5n);
      await database.client.db().dropDatabase();
      await expect(generation.write([], checkpointAt(6n))).rejects.toMatchObject(takenOver);
      expect(await readModels.inspect()).toEqual({ served: undefined, refused: new Map() });
      const again = await takeOverServed(readModels);
      expect(await again.checkpoint()).toBeUndefined();
      await writeDocuments(again, 'policies', [policy('p')], 1n);
      expect((await readModels.checkpoint())?.position).toBe(1n);
    });

    test.each([
      ['', false],
      [', also when a write has created it again', true],
    ])(
      'a generation of which a collection was dropped is not served, and has other collections when it is created again%s',
      async (_, isWritten) => {
        const [leader, reader] = [open(policies, claims), open(policies, claims)];
        const running = await takeOverServed(leader);
        await writeDocuments(running, 'policies', [policy('p')], 5n);
        await writeDocuments(running, 'claims', [{ ...policy('c'), indexes: {} }], 5n);
        expect((await leader.inspect()).served).toBe(0);
        const [name = ''] = await collections('_policies');
        await database.client.db().dropCollection(name);
        if (isWritten) await writeDocuments(running, 'policies', [policy('q', { position: 6n })], 6n);
        expect((await reader.state()).served).toBe(0);
        expect((await leader.inspect()).served).toBeUndefined();
        await expect(running.write([], checkpointAt(7n))).rejects.toMatchObject(takenOver);
        const again = await leader.takeOver(0);
        expect(await again.checkpoint()).toBeUndefined();
        expect(await again.get('claims', 'c')).toBeUndefined();
        await writeDocuments(again, 'policies', [policy('p', { body: '"again"' })], 7n);
        await leader.serve(0, now);
        expect((await reader.get('policies', 'p'))?.body).toBe('"again"');
        await leader.dropUnused();
        expect(await collections('_claims')).toHaveLength(1);
        expect((await leader.inspect()).served).toBe(0);
      },
    );

    test('dropped versions leave nothing', async () => {
      const live = await takeOverServed(open(policies));
      const newer = open({ ...policies, version: 2 });
      const other = await takeOverServed(newer);
      await writeDocuments(live, 'policies', [policy('live')], 1n);
      await writeDocuments(other, 'policies', [policy('newer')], 1n);
      await newer.dropOtherVersions();
      await expect(writeDocuments(live, 'policies', [policy('late')], 2n)).rejects.toMatchObject(takenOver);
      await newer.dropOtherVersions();
      expect(await collections('')).toEqual(['read_models', expect.stringMatching(/^read_models_[0-9a-f]{12}_0_/)]);
      expect((await findKeys(newer, {})).keys).toEqual(['newer']);
    });
  });
});
