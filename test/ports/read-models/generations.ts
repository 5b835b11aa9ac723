import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { Generation, ReadModels } from '#stores/read-models/read-models.ts';
import { claims, counted, findKeys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { checkpointAt, takeOverServed, writeDocuments } from '../../support/write-documents.ts';

const all = [policies, claims, counted];
const now = async (): Promise<boolean> => await Promise.resolve(true);

export function describeGenerations(make: MakeReadModels): void {
  describe('generations', () => {
    let subject: ReadModelsSubject;
    let store: ReadModels;
    let served: Generation;
    beforeEach(async () => {
      subject = await make();
      store = await subject.open(all);
    });
    afterEach(() => subject.dispose());

    const serveFirst = async (): Promise<void> => {
      served = await takeOverServed(store);
      await writeDocuments(served, 'policies', [policy('p-1')]);
      await writeDocuments(served, 'counted', [policy('p-1')], 1n);
    };
    const countOf = async (): Promise<number> =>
      (await findKeys(store, { where: { merchant: 'm1' }, limit: 0 }, 'counted')).count;

    test('are not read before one is served', async () => {
      const first = await store.takeOver(4);
      await writeDocuments(first, 'policies', [policy('p-1')], 3n);
      await expect(store.get('policies', 'p-1')).rejects.toMatchObject({ name: 'NoneServed' });
      expect(await store.checkpoint()).toBeUndefined();
      expect(await store.state()).toEqual({ served: undefined, refused: new Map() });
      await store.serve(4, async () => await Promise.resolve(false));
      expect((await store.state()).served).toBeUndefined();
      await store.serve(4, now);
      expect((await store.state()).served).toBe(4);
      expect(await store.checkpoint()).toEqual(checkpointAt(3n));
      expect(await store.get('policies', 'p-1')).toEqual(policy('p-1'));
    });

    test('are served from one switch on, also after a restart', async () => {
      await serveFirst();
      const beside = await store.takeOver(1);
      expect(await beside.checkpoint()).toBeUndefined();
      await writeDocuments(beside, 'policies', [policy('p-1', { body: '"rebuilt"' }), policy('p-2')]);
      await writeDocuments(beside, 'counted', [policy('p-1'), policy('p-2')], 5n);
      expect(await countOf()).toBe(1);
      expect(await findKeys(store, {})).toEqual({ count: 1, keys: ['p-1'] });
      expect((await store.get('policies', 'p-1'))?.body).toBe('{"id":"p-1"}');
      expect((await store.checkpoint())?.position).toBe(1n);
      await store.serve(1, now);
      for (const open of [async () => await Promise.resolve(store), async () => await subject.open(all)]) {
        store = await open();
        expect((await store.state()).served).toBe(1);
        expect(await findKeys(store, {})).toEqual({ count: 2, keys: ['p-1', 'p-2'] });
        expect((await store.get('policies', 'p-1'))?.body).toBe('"rebuilt"');
        expect(await store.checkpoint()).toEqual(checkpointAt(5n));
        expect(await countOf()).toBe(2);
      }
      await writeDocuments(await store.takeOver(1), 'policies', [policy('p-3', { position: 6n })], 6n);
      expect((await store.checkpoint())?.position).toBe(6n);
      expect((await findKeys(store, {})).count).toBe(3);
    });

    test('continue from their checkpoints after a restart', async () => {
      await serveFirst();
      await writeDocuments(await store.takeOver(1), 'policies', [policy('p-1')], 3n);
      store = await subject.open(all);
      expect((await store.inspect()).served).toBe(0);
      const beside = await store.takeOver(1);
      expect(await beside.checkpoint()).toEqual(checkpointAt(3n));
      expect(await beside.get('policies', 'p-1')).toBeDefined();
      expect((await store.checkpoint())?.position).toBe(1n);
    });

    test('are dropped when a later request gave them up, and that one was refused', async () => {
      await serveFirst();
      for (const number of [1, 2])
        await writeDocuments(await store.takeOver(number), 'policies', [policy(`p-${number}`)], 5n);
      await store.refuse(2, 'documents would be parked');
      await store.dropUnused();
      expect((await store.state()).served).toBe(0);
      for (const number of [1, 2]) expect(await (await store.takeOver(number)).checkpoint()).toBeUndefined();
    });

    test('are dropped below the served one, and when they were refused', async () => {
      await serveFirst();
      for (const number of [1, 2, 3])
        await writeDocuments(await store.takeOver(number), 'policies', [policy(`p-${number}`)], 5n);
      await store.refuse(2, 'documents would be parked');
      await store.serve(1, now);
      expect(await store.state()).toEqual({ served: 1, refused: new Map([[2, 'documents would be parked']]) });
      await store.dropUnused();
      store = await subject.open(all);
      expect(await store.state()).toEqual({ served: 1, refused: new Map([[2, 'documents would be parked']]) });
      expect((await findKeys(store, {})).keys).toEqual(['p-1']);
      const positions = [0, 1, 2, 3].map(
        async (number) => (await (await store.takeOver(number)).checkpoint())?.position,
      );
      expect(await Promise.all(positions)).toEqual([undefined, 5n, undefined, 5n]);
    });
  });
}
