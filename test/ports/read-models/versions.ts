import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { CollectionDefinition, ReadModels } from '#stores/read-models/read-models.ts';
import { claims, findKeys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { writeDocuments } from '../../support/write-documents.ts';

const second: CollectionDefinition = { name: 'policies', version: 2, indexes: ['merchant'] };

export function describeVersions(make: MakeReadModels): void {
  describe('versions of a collection', () => {
    let subject: ReadModelsSubject;
    beforeEach(async () => {
      subject = await make();
      await subject.readModels.open([policies, claims]);
      await writeDocuments(subject.readModels, 'policies', [policy('p-1')], 1n);
      await writeDocuments(subject.readModels, 'claims', [policy('c-1', { indexes: {} })].map(withoutIndexes), 1n);
    });
    afterEach(() => subject.dispose());

    async function reopenWith(...definitions: readonly CollectionDefinition[]): Promise<ReadModels> {
      const readModels = await subject.reopen();
      await readModels.open(definitions);
      return readModels;
    }

    test('are separate: a new one is empty, and the old one does not change', async () => {
      const newer = await reopenWith(second, claims);
      expect(await newer.get('policies', 'p-1')).toBeUndefined();
      expect(await newer.checkpoint('policies')).toBeUndefined();
      await writeDocuments(newer, 'policies', [{ ...policy('p-2'), indexes: { merchant: 'm9' } }], 2n);
      const older = await reopenWith(policies, claims);
      expect(await older.checkpoint('policies')).toBe(1n);
      expect(await findKeys(older, {})).toEqual({ count: 1, keys: ['p-1'] });
      const again = await reopenWith(second, claims);
      expect(await findKeys(again, { where: { merchant: 'm9' } })).toEqual({ count: 1, keys: ['p-2'] });
    });

    test('have the indexes that they were created with, in any order', async () => {
      await reopenWith(policies);
      await expect(reopenWith({ ...policies, indexes: ['merchant', 'colour'] })).rejects.toThrow(
        'policies version 1 was created with the indexes (amount, merchant, status, test) but declares (colour, merchant)',
      );
      await reopenWith({ ...policies, indexes: policies.indexes.toReversed() });
    });

    test.each<[string, readonly CollectionDefinition[]]>([
      ['one version only', [policies, second]],
      ['cannot name a collection', [{ ...policies, name: 'no."name' }]],
      ['has the version 0', [{ ...policies, version: 0 }]],
      ['differ by case', [{ ...policies, indexes: ['a', 'A'] }]],
    ])('are refused when a definition is invalid: %s', async (reason, definitions) => {
      await expect((await subject.reopen()).open(definitions)).rejects.toThrow(reason);
    });

    test('may have indexes of any name, also that of a column', async () => {
      const names = [
        'key',
        'body',
        '_id',
        '$where',
        'a.b',
        'a%2Eb',
        'created_at',
        'select',
        'a"b',
        'customer-id',
        'größe',
      ];
      const readModels = await reopenWith({ name: 'named', version: 1, indexes: names });
      const indexes = Object.fromEntries(names.map((name) => [name, `of ${name}`]));
      await writeDocuments(readModels, 'named', [{ ...policy('p'), indexes }], 1n);
      expect((await readModels.get('named', 'p'))?.indexes).toEqual(indexes);
      for (const name of names)
        expect((await findKeys(readModels, { where: { [name]: `of ${name}` } }, 'named')).keys).toEqual(['p']);
    });

    test('that are not open can be dropped, without other collections', async () => {
      const newer = await reopenWith(second);
      await writeDocuments(newer, 'policies', [{ ...policy('p-2'), indexes: { merchant: 'm9' } }], 2n);
      await newer.dropOtherVersions();
      expect(await findKeys(newer, {})).toEqual({ count: 1, keys: ['p-2'] });
      const older = await reopenWith(policies, claims);
      expect(await older.checkpoint('policies')).toBeUndefined();
      expect(await older.get('policies', 'p-1')).toBeUndefined();
      expect(await older.checkpoint('claims')).toBe(1n);
      expect(await older.get('claims', 'c-1')).toBeDefined();
    });
  });
}

function withoutIndexes(document: ReturnType<typeof policy>): ReturnType<typeof policy> {
  return { ...document, indexes: {} };
}
