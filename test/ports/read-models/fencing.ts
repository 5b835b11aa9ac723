import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { DocumentToWrite, ReadModels, ReplacedState } from '../../../src/read-models/read-models.ts';
import { claims, findKeys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';

const stale = { name: 'StaleDocument' };
const fenced = { name: 'WriterFenced' };

function at(position: bigint, replaces?: bigint | null, body = `{"at":${position}}`): DocumentToWrite {
  const replaced = typeof replaces === 'bigint' ? replacing(replaces) : replaces;
  return { ...policy('p', { position, body }), replaces: replaced };
}

function replacing(position: bigint, isParked = false): ReplacedState {
  return { position, isParked };
}

export function describeFencing(make: MakeReadModels): void {
  describe('several writers', () => {
    let subject: ReadModelsSubject;
    let readModels: ReadModels;
    beforeEach(async () => {
      subject = await make();
      readModels = subject.readModels;
      await readModels.open([policies, claims]);
    });
    afterEach(() => subject.dispose());

    const readBody = async (): Promise<string | undefined> => (await readModels.get('policies', 'p'))?.body;

    test('a conditional write replaces only the expected state', async () => {
      await readModels.write('policies', [at(1n, null)], 1n);
      await readModels.write('policies', [at(2n, 1n)], 2n);
      expect(await readModels.get('policies', 'p')).toEqual(policy('p', { position: 2n, body: '{"at":2}' }));
      await readModels.write('policies', [{ ...at(3n, 2n), body: undefined }], 3n);
      await readModels.write('policies', [at(4n, 3n)], 4n);
      expect(await readBody()).toBe('{"at":4}');
      expect((await findKeys(readModels, { where: { merchant: 'm1' } })).count).toBe(1);
    });

    test('a repaired document can replace its parked state at the same position', async () => {
      await readModels.write('policies', [at(5n, null)], 5n);
      await readModels.write('policies', [at(5n, 5n, '"newer"')], 6n);
      expect(await readBody()).toBe('"newer"');
    });

    test('a stored document of the same position is kept, and the other documents are written', async () => {
      await readModels.write('policies', [at(10n, null)], 10n);
      const other = { ...policy('other', { position: 4n }), replaces: null };
      for (const late of [
        at(10n, null, '"late"'),
        at(9n, 3n, '"late"'),
        at(10n, 8n, '"late"'),
        at(1n, null, '"late"'),
      ]) {
        await readModels.write('policies', [late, other], 10n);
      }
      expect(await readBody()).toBe('{"at":10}');
      expect(await readModels.get('policies', 'other')).toEqual(policy('other', { position: 4n }));
    });

    test('a stale document is rejected, and the checkpoint is not written', async () => {
      await readModels.write('policies', [at(10n, null)], 10n);
      await expect(readModels.write('policies', [at(12n, null)], 12n)).rejects.toMatchObject(stale);
      await expect(readModels.write('policies', [at(12n, 9n)], 12n)).rejects.toMatchObject(stale);
      await expect(readModels.write('policies', [at(12n, 11n)], 12n)).rejects.toMatchObject(stale);
      const unknown = { ...policy('unknown', { position: 12n }), replaces: replacing(3n) };
      await expect(readModels.write('policies', [unknown], 12n)).rejects.toMatchObject(stale);
      expect(await readBody()).toBe('{"at":10}');
      expect(await readModels.get('policies', 'unknown')).toBeUndefined();
      expect(await readModels.checkpoint('policies')).toBe(10n);
    });

    test('a parked document and its repaired state at the same position are distinguished', async () => {
      const parked = { reason: 'unreadable', eventId: 'e-5', eventType: 'PolicyMoved.v2', position: 5n };
      const stuck = { ...at(5n, null, '"stuck"'), parked };
      await readModels.write('policies', [stuck], 5n);
      await expect(readModels.write('policies', [at(7n, 5n, '"wrong"')], 7n)).rejects.toMatchObject(stale);
      await readModels.write('policies', [{ ...stuck, replaces: replacing(5n, true) }], 6n);
      await readModels.write('policies', [{ ...at(5n, null, '"mended"'), replaces: replacing(5n, true) }], 6n);
      expect(await readModels.countParked('policies')).toBe(0);
      // By a writer that was paused before the repair.
      await readModels.write('policies', [{ ...stuck, replaces: replacing(5n, true) }], 6n);
      const later = { ...at(8n, null, '"stuck"'), parked, replaces: replacing(5n, true) };
      await expect(readModels.write('policies', [later], 8n)).rejects.toMatchObject(stale);
      expect(await readBody()).toBe('"mended"');
      await readModels.write('policies', [at(8n, 5n)], 8n);
      expect(await readBody()).toBe('{"at":8}');
    });

    test('a checkpoint never moves back', async () => {
      await readModels.write('policies', [], 10n);
      await readModels.write('policies', [policy('p')], 9n);
      expect(await readModels.checkpoint('policies')).toBe(10n);
    });

    test('a smaller token than the stored one cannot write a checkpoint', async () => {
      await readModels.write('policies', [], 1n, { token: 1 });
      await readModels.write('policies', [at(2n, null)], 2n, { token: 3 });
      await expect(readModels.write('policies', [], 9n, { token: 2 })).rejects.toMatchObject(fenced);
      await expect(readModels.write('policies', [at(2n, null)], 9n, { token: 1 })).rejects.toMatchObject(fenced);
      expect(await readModels.checkpoint('policies')).toBe(2n);
      await readModels.write('policies', [], 3n, { token: 3 });
      expect(await readModels.checkpoint('policies')).toBe(3n);
      await readModels.write('claims', [], 4n, { token: 1 });
      expect(await readModels.checkpoint('claims')).toBe(4n);
    });

    test('the error of a fenced writer has the greater token', async () => {
      await readModels.fenceCheckpoints({ token: 37 });
      const greater = { ...fenced, token: 37 };
      await expect(readModels.write('policies', [], 2n, { token: 1 })).rejects.toMatchObject(greater);
      await expect(readModels.fenceCheckpoints({ token: 36 })).rejects.toMatchObject(greater);
    });

    test('a fence applies to all collections before the first write, and survives a restart', async () => {
      await readModels.write('claims', [], 1n, { token: 1 });
      await readModels.fenceCheckpoints({ token: 2 });
      await readModels.fenceCheckpoints({ token: 2 });
      expect(await readModels.checkpoint('policies')).toBeUndefined();
      expect(await readModels.checkpoint('claims')).toBe(1n);
      readModels = await subject.reopen();
      await readModels.open([policies, claims]);
      await expect(readModels.fenceCheckpoints({ token: 1 })).rejects.toMatchObject(fenced);
      for (const collection of ['policies', 'claims']) {
        await expect(readModels.write(collection, [], 5n, { token: 1 })).rejects.toMatchObject(fenced);
        await readModels.write(collection, [], 6n, { token: 2 });
        expect(await readModels.checkpoint(collection)).toBe(6n);
      }
    });

    test('of several concurrent writers of a document one succeeds', async () => {
      await readModels.write('policies', [at(1n, null)], 1n);
      const writes = [2n, 3n, 4n, 5n].map(
        async (position) => await readModels.write('policies', [at(position, 1n)], 1n),
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
