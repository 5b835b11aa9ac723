import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { compareTexts } from '#event-sourcing/identifiers.ts';
import type { Generation, ScanIndexOptions, StoredDocument } from '#stores/read-models/read-models.ts';
import { keys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { takeOverServed, writeDocuments } from '../../support/write-documents.ts';

/** `status` holds a due time. */
const due = (key: string, status: string | null, rest: Partial<StoredDocument> = {}): StoredDocument =>
  policy(key, { ...rest, indexes: { status } });

export function describeScanning(make: MakeReadModels): void {
  describe('a scan of an index', () => {
    let subject: ReadModelsSubject;
    let readModels: Generation;
    beforeAll(async () => {
      subject = await make();
      readModels = await takeOverServed(await subject.open([policies]));
    });
    afterAll(() => subject.dispose());

    /** Keys of every page. */
    async function pages(options: Omit<ScanIndexOptions, 'after'>): Promise<readonly (readonly string[])[]> {
      const found: (readonly string[])[] = [];
      for (let after: StoredDocument | undefined; found.length < 20; ) {
        const page = await readModels.scanIndex('policies', { ...options, after });
        if (page.length === 0) break;
        found.push(keys(page));
        after = page.at(-1);
      }
      return found;
    }

    test('continues after the sort key of a document that has changed or was removed', async () => {
      await writeDocuments(readModels, 'policies', [due('a', '1'), due('b', '1'), due('c', '2')], 2n);
      const [after] = await readModels.scanIndex('policies', { index: 'status', atMost: '2', limit: 1 });
      await writeDocuments(readModels, 'policies', [due('a', '3'), due('b', '1', { body: undefined })], 3n);
      expect(keys(await readModels.scanIndex('policies', { index: 'status', atMost: '2', after, limit: 9 }))).toEqual([
        'c',
      ]);
    });

    test('contains text only, and refuses an index that is not declared', async () => {
      expect(await readModels.scanIndex('policies', { index: 'amount', atMost: 'z', limit: 9 })).toEqual([]);
      expect(await readModels.scanIndex('policies', { index: 'test', atMost: 'z', limit: 9 })).toEqual([]);
      await expect(readModels.scanIndex('policies', { index: 'colour', atMost: 'z', limit: 9 })).rejects.toThrow(
        'colour',
      );
      expect(await readModels.countIndex('policies', { index: 'amount', atMost: 'z', limit: 9 })).toBe(0);
    });

    test('equals the sorted list of any documents, in pages of any size', async () => {
      let position = 10n;
      const known = new Map<string, StoredDocument>();
      const anyDue = fc
        .record({
          key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
          status: fc.constantFrom('', '1', '1 ', '2', null),
          body: fc.constantFrom('{}', undefined),
        })
        .map(({ key, status, ...rest }) => due(key, status, rest));
      const sortedBy = ({ indexes, key }: StoredDocument): string => `${String(indexes['status'])}\0${key}`;
      await writeDocuments(
        readModels,
        'policies',
        ['a', 'b', 'c'].map((key) => due(key, null)),
        4n,
      );
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(anyDue, { maxLength: 8, selector: ({ key }) => key }),
          fc.constantFrom(undefined, '', '1', '1 '),
          fc.constantFrom('', '1', '1 ', '3'),
          fc.boolean(),
          fc.integer({ min: 1, max: 5 }),
          async (documents, from, atMost, backwards, limit) => {
            position += 1n;
            await writeDocuments(readModels, 'policies', documents, position);
            for (const document of documents) known.set(document.key, document);
            const listed = [...known.values()].filter(({ body, indexes: { status } }) => {
              return body !== undefined && typeof status === 'string' && status <= atMost && status >= (from ?? '');
            });
            const sorted = keys(listed.toSorted((a, b) => compareTexts(sortedBy(a), sortedBy(b))));
            const bounds = { index: 'status', ...(from !== undefined && { atLeast: from }), atMost };
            const expected = backwards ? sorted.toReversed() : sorted;
            expect((await pages({ ...bounds, backwards, limit })).flat()).toEqual(expected);
            expect(await readModels.countIndex('policies', { ...bounds, limit })).toBe(Math.min(limit, listed.length));
          },
        ),
        { numRuns: 100 },
      );
    });
  });
}
