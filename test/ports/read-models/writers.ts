import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { Generation, ReplacedState } from '#stores/read-models/read-models.ts';
import { claims, findKeys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { checkpointAt, takeOverServed, writeDocuments } from '../../support/write-documents.ts';

const stale = { name: 'StaleDocument' };

function at(position: bigint, replaces: bigint | null, body = `{"at":${position}}`) {
  return { ...policy('p', { position, body }), replaces: replaces === null ? null : replacing(replaces) };
}

function replacing(position: bigint, isParked = false): ReplacedState {
  return { position, isParked };
}

export function describeWriters(make: MakeReadModels): void {
  describe('several writers', () => {
    let subject: ReadModelsSubject;
    let readModels: Generation;
    beforeEach(async () => {
      subject = await make();
      readModels = await takeOverServed(await subject.open([policies, claims]));
    });
    afterEach(() => subject.dispose());

    const readBody = async (): Promise<string | undefined> => (await readModels.get('policies', 'p'))?.body;

    test('a conditional write replaces only the expected state', async () => {
      await writeDocuments(readModels, 'policies', [at(1n, null)], 1n);
      await writeDocuments(readModels, 'policies', [at(2n, 1n)], 2n);
      expect(await readModels.get('policies', 'p')).toEqual(policy('p', { position: 2n, body: '{"at":2}' }));
      await writeDocuments(readModels, 'policies', [{ ...at(3n, 2n), body: undefined }], 3n);
      await writeDocuments(readModels, 'policies', [at(4n, 3n)], 4n);
      expect(await readBody()).toBe('{"at":4}');
      expect((await findKeys(readModels, { where: { merchant: 'm1' } })).count).toBe(1);
    });

    test('a repaired document can replace its parked state at the same position', async () => {
      await writeDocuments(readModels, 'policies', [at(5n, null)], 5n);
      await writeDocuments(readModels, 'policies', [at(5n, 5n, '"newer"')], 6n);
      expect(await readBody()).toBe('"newer"');
    });

    test('a stored document of the same position is kept, and the other documents are written', async () => {
      await writeDocuments(readModels, 'policies', [at(10n, null)], 10n);
      const other = { ...policy('other', { position: 4n }), replaces: null };
      for (const late of [
        at(10n, null, '"late"'),
        at(9n, 3n, '"late"'),
        at(10n, 8n, '"late"'),
        at(1n, null, '"late"'),
      ]) {
        await writeDocuments(readModels, 'policies', [late, other], 10n);
      }
      expect(await readBody()).toBe('{"at":10}');
      expect(await readModels.get('policies', 'other')).toEqual(policy('other', { position: 4n }));
    });

    test('a step is not written when one before it was rejected', async () => {
      const claim = { collection: 'claims', documents: [{ ...policy('c'), indexes: {}, replaces: null }] };
      const written = { collection: 'policies', documents: [at(1n, null)] };
      const rejected = { collection: 'policies', documents: [at(3n, 2n)] };
      const writing = readModels.write([[written], [rejected], [claim]], checkpointAt(2n));
      await expect(writing).rejects.toMatchObject(stale);
      expect(await readModels.get('claims', 'c')).toBeUndefined();
      expect(await readModels.checkpoint()).toBeUndefined();
      await readModels.write([[written], [claim]], checkpointAt(2n));
      expect(await readBody()).toBe('{"at":1}');
      expect(await readModels.get('claims', 'c')).toBeDefined();
    });

    test('a stale document is rejected, and the checkpoint is not written', async () => {
      await writeDocuments(readModels, 'policies', [at(10n, null)], 10n);
      await expect(writeDocuments(readModels, 'policies', [at(12n, null)], 12n)).rejects.toMatchObject(stale);
      await expect(writeDocuments(readModels, 'policies', [at(12n, 9n)], 12n)).rejects.toMatchObject(stale);
      await expect(writeDocuments(readModels, 'policies', [at(12n, 11n)], 12n)).rejects.toMatchObject(stale);
      const unknown = { ...policy('unknown', { position: 12n }), replaces: replacing(3n) };
      await expect(writeDocuments(readModels, 'policies', [unknown], 12n)).rejects.toMatchObject(stale);
      expect(await readBody()).toBe('{"at":10}');
      expect(await readModels.get('policies', 'unknown')).toBeUndefined();
      expect((await readModels.checkpoint())?.position).toBe(10n);
    });

    test('a parked document and its repaired state at the same position are distinguished', async () => {
      const parked = { reason: 'unreadable', eventId: 'e-5', eventType: 'PolicyMoved.v1', position: 5n };
      const stuck = { ...at(5n, null, '"stuck"'), parked };
      await writeDocuments(readModels, 'policies', [stuck], 5n);
      await expect(writeDocuments(readModels, 'policies', [at(7n, 5n, '"wrong"')], 7n)).rejects.toMatchObject(stale);
      await writeDocuments(readModels, 'policies', [{ ...stuck, replaces: replacing(5n, true) }], 6n);
      await writeDocuments(
        readModels,
        'policies',
        [{ ...at(5n, null, '"mended"'), replaces: replacing(5n, true) }],
        6n,
      );
      expect(await readModels.countParked('policies')).toBe(0);
      // By a writer that was paused before the repair.
      await writeDocuments(readModels, 'policies', [{ ...stuck, replaces: replacing(5n, true) }], 6n);
      const later = { ...at(8n, null, '"stuck"'), parked, replaces: replacing(5n, true) };
      await expect(writeDocuments(readModels, 'policies', [later], 8n)).rejects.toMatchObject(stale);
      expect(await readBody()).toBe('"mended"');
      await writeDocuments(readModels, 'policies', [at(8n, 5n)], 8n);
      expect(await readBody()).toBe('{"at":8}');
    });

    test('of several concurrent writers of a document one succeeds', async () => {
      await writeDocuments(readModels, 'policies', [at(1n, null)], 1n);
      const writes = [2n, 3n, 4n, 5n].map(
        async (position) => await writeDocuments(readModels, 'policies', [at(position, 1n)], 1n),
      );
      const outcomes = await Promise.allSettled(writes);
      const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
      for (const { reason } of rejected) expect(reason).toMatchObject(stale);
      const position = (await readModels.get('policies', 'p'))?.position ?? 0n;
      expect([2n, 3n, 4n, 5n]).toContain(position);
      // Writes older than the stored state were skipped.
      expect(rejected).toHaveLength(Number(5n - position));
    });
  });
}
