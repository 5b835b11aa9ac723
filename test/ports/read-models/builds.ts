import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { PUBLISHED_POSITION, type ReadModels } from '#stores/read-models/read-models.ts';
import { WriterFenced } from '#stores/read-models/fence.ts';
import { claims, counted, findKeys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { writeDocuments } from '../../support/write-documents.ts';

const BUILD = '0123456789ab';
const OTHER = 'ba9876543210';
const reached = { name: PUBLISHED_POSITION, version: 2, indexes: [] };
const all = [policies, claims, counted, reached];

export function describeBuilds(make: MakeReadModels): void {
  describe('builds beside the served documents', () => {
    let subject: ReadModelsSubject;
    let served: ReadModels;
    beforeEach(async () => {
      subject = await make();
      served = subject.readModels;
      await served.open(all);
      await writeDocuments(served, 'policies', [policy('p-1')], 1n);
      await writeDocuments(served, 'counted', [policy('p-1')], 1n);
    });
    afterEach(() => subject.dispose());

    async function reopen(): Promise<ReadModels> {
      served = await subject.reopen();
      await served.open(all);
      return served;
    }

    test('are served from one switch on, also after a restart', async () => {
      expect(await served.get('policies', 'p-1')).toBeDefined();
      const beside = await served.openBuild(BUILD, ['policies', 'counted']);
      expect(await beside.checkpoint('policies')).toBeUndefined();
      await writeDocuments(beside, 'policies', [policy('p-1', { body: '"rebuilt"' }), policy('p-2')], 5n);
      await writeDocuments(beside, 'counted', [policy('p-1'), policy('p-2')], 5n);
      expect(await countOf(served)).toBe(1);
      expect(await findKeys(served, {})).toEqual({ count: 1, keys: ['p-1'] });
      expect((await served.get('policies', 'p-1'))?.body).toBe('{"id":"p-1"}');
      expect(await served.checkpoint('policies')).toBe(1n);
      expect(await served.builds()).toEqual({});
      await served.serveBuilds({ policies: BUILD, counted: BUILD });
      for (const open of [async () => served, reopen]) {
        const one = await open();
        expect(await one.builds()).toEqual({ policies: BUILD, counted: BUILD });
        expect(await findKeys(one, {})).toEqual({ count: 2, keys: ['p-1', 'p-2'] });
        expect((await one.get('policies', 'p-1'))?.body).toBe('"rebuilt"');
        expect(await one.checkpoint('policies')).toBe(5n);
        expect(await countOf(one)).toBe(2);
      }
      await writeDocuments(served, 'policies', [policy('p-3', { position: 6n })], 6n);
      expect(await served.checkpoint('policies')).toBe(6n);
      expect((await findKeys(served, {})).count).toBe(3);
    });

    test('continue from their checkpoints after a restart', async () => {
      await writeDocuments(await served.openBuild(BUILD, ['policies']), 'policies', [policy('p-1')], 3n);
      const beside = await (await reopen()).openBuild(BUILD, ['policies']);
      expect(await beside.checkpoint('policies')).toBe(3n);
      expect(await beside.get('policies', 'p-1')).toBeDefined();
      expect(await served.checkpoint('policies')).toBe(1n);
    });

    test('are dropped unless they are served or kept', async () => {
      const first = await served.openBuild(BUILD, ['policies']);
      await writeDocuments(first, 'policies', [policy('p-1'), policy('p-2')], 5n);
      await writeDocuments(await served.openBuild(OTHER, ['policies']), 'policies', [policy('p-4')], 4n);
      await served.serveBuilds({ policies: BUILD });
      await served.dropBuilds(async () => [OTHER]);
      expect((await findKeys(served, {})).count).toBe(2);
      expect(await (await served.openBuild(OTHER, ['policies'])).checkpoint('policies')).toBe(4n);
      await served.dropBuilds(async () => []);
      expect(await (await served.openBuild(OTHER, ['policies'])).checkpoint('policies')).toBeUndefined();
      expect((await findKeys(await reopen(), {})).count).toBe(2);
      expect(await served.get('counted', 'p-1')).toBeDefined();
    });

    test('are kept when they are opened or served after the stored ones were listed', async () => {
      await writeDocuments(await served.openBuild(BUILD, ['policies']), 'policies', [policy('p-1')], 5n);
      await served.dropBuilds(async () => {
        await writeDocuments(await served.openBuild(OTHER, ['policies']), 'policies', [policy('p-4')], 4n);
        await served.serveBuilds({ policies: BUILD });
        return [];
      });
      expect(await served.checkpoint('policies')).toBe(5n);
      expect(await (await served.openBuild(OTHER, ['policies'])).checkpoint('policies')).toBe(4n);
    });

    test('are dropped with the other versions', async () => {
      await writeDocuments(await served.openBuild(BUILD, ['policies']), 'policies', [policy('p-2')], 5n);
      await served.serveBuilds({ policies: BUILD });
      const newer = await subject.reopen();
      await newer.open([{ ...policies, version: 2 }, claims, counted, { ...reached, version: 3 }]);
      expect(await newer.builds()).toEqual({});
      await newer.dropOtherVersions();
      await reopen();
      expect(await served.checkpoint('policies')).toBeUndefined();
      expect(await served.get('policies', 'p-2')).toBeUndefined();
    });

    test('are not switched by a writer with a smaller token', async () => {
      const beside = await served.openBuild(BUILD, ['policies']);
      await beside.fenceCheckpoints({ token: 3 });
      await served.fenceCheckpoints({ token: 4 });
      await expect(served.serveBuilds({ policies: BUILD }, { token: 3 })).rejects.toThrow(WriterFenced);
      expect(await served.builds()).toEqual({});
      await served.serveBuilds({ policies: BUILD }, { token: 4 });
      expect(await served.builds()).toEqual({ policies: BUILD });
    });
  });
}

async function countOf(readModels: ReadModels): Promise<number> {
  return (await findKeys(readModels, { where: { merchant: 'm1' }, limit: 0 }, 'counted')).count;
}
