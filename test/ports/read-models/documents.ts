import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { LARGEST_BODY_BYTES } from '#projections/working-document.ts';
import type { Generation, Parking } from '#stores/read-models/read-models.ts';
import { claims, findKeys, keys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { takeOverServed, writeDocuments } from '../../support/write-documents.ts';

const parked: Parking = {
  reason: 'the event has no amount',
  eventId: '5f3f7f0e-3f0c-4c53-9c0b-0f5a5b9c1d11',
  eventType: 'PolicyRenewed.v1',
  position: 12345678901234n,
};

export function describeDocuments(make: MakeReadModels): void {
  describe('documents', () => {
    let subject: ReadModelsSubject;
    let readModels: Generation;
    beforeEach(async () => {
      subject = await make();
      readModels = await takeOverServed(await subject.open([policies, claims]));
    });
    afterEach(() => subject.dispose());

    test('are returned exactly as they were written', async () => {
      const document = policy('p-1', {
        body: '{"name":"Zoë “Łódź” 保险 👩‍👩‍👧","amount":"10.00", "spaced" : true}',
        stream: 'policy-$.Łódź-p-1',
        revision: 3,
        position: 9_007_199_254_740_991n,
        order: 2n ** 62n + 1n,
        indexes: { merchant: 'Zoë', status: '', test: true, amount: -2.5 },
      });
      await writeDocuments(readModels, 'policies', [document], 9_007_199_254_740_991n);
      expect(await readModels.get('policies', 'p-1')).toEqual(document);
      expect((await readModels.checkpoint())?.position).toBe(9_007_199_254_740_991n);
    });

    test('are read as they are answered, or as a fold needs them', async () => {
      const view = { json: '{"name":"Łódź"}', until: '2026-07-01T00:00:00.000Z' };
      const document = policy('p-1', { view, parked });
      const { body, ...answered } = document;
      const { view: _, ...folded } = document;
      await writeDocuments(readModels, 'policies', [document, policy('p-2')], 1n);
      for (const _again of [1, 2]) {
        const found = await readModels.getView('policies', 'p-1');
        expect([found, found !== undefined && 'body' in found]).toEqual([answered, false]);
      }
      const state = await readModels.get('policies', 'p-1');
      expect([state, await readModels.getMany('policies', ['p-1'])]).toEqual([folded, [folded]]);
      expect((await readModels.find('policies', { limit: 1, offset: 0 })).documents).toEqual([document]);
      expect(await readModels.scan('policies', { after: undefined, limit: 1 })).toEqual([document]);
      expect((await readModels.getView('policies', 'p-2'))?.view).toBeUndefined();
      expect(await readModels.getView('policies', 'p-3')).toBeUndefined();
      const never = { json: '{}', until: null };
      await writeDocuments(readModels, 'policies', [policy('p-1', { body, view: never })], 2n);
      expect(await readModels.getView('policies', 'p-1')).toEqual({ ...answered, parked: undefined, view: never });
      await writeDocuments(readModels, 'policies', [policy('p-1')], 3n);
      expect((await readModels.getView('policies', 'p-1'))?.view).toBeUndefined();
    });

    test('without a key are refused', async () => {
      await expect(writeDocuments(readModels, 'policies', [policy('')], 1n)).rejects.toThrow('no key');
      expect(await readModels.checkpoint()).toBeUndefined();
    });

    test('are found by true or false, and not by 1 or 0 instead', async () => {
      const amounts = [true, 1, false, 0];
      const written = amounts.map((amount) => policy(String(amount), { indexes: { amount } }));
      await writeDocuments(readModels, 'policies', written, 1n);
      for (const amount of amounts) {
        expect(await findKeys(readModels, { where: { amount } })).toEqual({ count: 1, keys: [String(amount)] });
        expect((await readModels.get('policies', String(amount)))?.indexes['amount']).toBe(amount);
      }
    });

    test('may have the maximum size', async () => {
      const body = `"${'Ω'.repeat(LARGEST_BODY_BYTES / 2 - 1)}"`;
      expect(Buffer.byteLength(body)).toBe(LARGEST_BODY_BYTES);
      await writeDocuments(readModels, 'policies', [policy('p-1', { body })], 1n);
      expect((await readModels.get('policies', 'p-1'))?.body === body).toBe(true);
    });

    test('that were never written are undefined', async () => {
      expect(await readModels.get('policies', 'p-1')).toBeUndefined();
      expect(await readModels.getMany('policies', ['p-1'])).toEqual([]);
      expect(await readModels.getMany('policies', [])).toEqual([]);
      expect(await findKeys(readModels, {})).toEqual({ count: 0, keys: [] });
      expect(await readModels.scan('policies', { after: undefined, limit: 10 })).toEqual([]);
      expect(await readModels.countParked('policies')).toBe(0);
    });

    test('are replaced completely', async () => {
      await writeDocuments(readModels, 'policies', [policy('p-1', { parked })], 1n);
      const final = policy('p-1', { body: '{"v":3}', position: 3n, indexes: { merchant: 'm2', status: null } });
      await writeDocuments(readModels, 'policies', [final], 3n);
      expect(await readModels.get('policies', 'p-1')).toEqual(final);
      expect(await findKeys(readModels, { where: { merchant: 'm1' } })).toEqual({ count: 0, keys: [] });
      expect(await findKeys(readModels, { where: { merchant: 'm2' } })).toEqual({ count: 1, keys: ['p-1'] });
    });

    test('are current for a reader after a write or removal', async () => {
      for (const position of [1n, 2n, 3n]) {
        const next = policy('p-1', { position, body: position === 3n ? undefined : `{"v":${position}}` });
        await writeDocuments(readModels, 'policies', [next], position);
        expect(await readModels.get('policies', 'p-1')).toEqual(next);
        expect(await readModels.get('policies', 'p-1')).toEqual(next);
      }
    });

    test('can be read several at a time, each once', async () => {
      await writeDocuments(
        readModels,
        'policies',
        ['a', 'b', 'c'].map((key) => policy(key)),
        3n,
      );
      const found = await readModels.getMany('policies', ['c', 'x', 'a', 'c']);
      expect(keys(found).sort()).toEqual(['a', 'c']);
      expect(found.find(({ key }) => key === 'c')).toEqual(policy('c'));
    });

    test('that were removed are found by key, but not listed', async () => {
      await writeDocuments(readModels, 'policies', [policy('gone'), policy('there')], 2n);
      const removed = policy('gone', { body: undefined, position: 3n });
      await writeDocuments(readModels, 'policies', [removed], 3n);
      expect(await readModels.get('policies', 'gone')).toEqual(removed);
      expect(keys(await readModels.getMany('policies', ['gone']))).toEqual(['gone']);
      expect(keys(await readModels.scan('policies', { after: undefined, limit: 10 }))).toEqual(['gone', 'there']);
      expect(await findKeys(readModels, {})).toEqual({ count: 1, keys: ['there'] });
      expect(await findKeys(readModels, { where: { merchant: 'm1' } })).toEqual({ count: 1, keys: ['there'] });
      expect(await readModels.countParked('policies')).toBe(0);
    });

    test('that are parked have a reason, and lists show their last valid state', async () => {
      const late = policy('late', { parked, position: 30n });
      const stateless = policy('stateless', { body: undefined, parked, position: 20n });
      await writeDocuments(readModels, 'policies', [late, stateless, policy('fine')], 30n);
      expect(await readModels.parked('policies', { limit: 10, offset: 0 })).toEqual([
        { key: 'stateless', parked },
        { key: 'late', parked },
      ]);
      expect(await readModels.get('policies', 'late')).toEqual(late);
      expect(await findKeys(readModels, {})).toEqual({ count: 2, keys: ['fine', 'late'] });
      await writeDocuments(readModels, 'policies', [policy('late', { position: 31n })], 31n);
      expect(await readModels.parked('policies', { limit: 10, offset: 0 })).toEqual([{ key: 'stateless', parked }]);
      expect(await readModels.countParked('policies')).toBe(1);
    });

    test('that are parked are counted, and paged by position, then by key', async () => {
      const inOrder = ['b', 'c', 'a', 'd'];
      const positions = [10n, 10n, 11n, 12n];
      const all = inOrder.map((key, index) => policy(key, { parked, position: positions[index] ?? 0n }));
      await writeDocuments(readModels, 'policies', [...all.toReversed(), policy('fine')], 12n);
      expect(await readModels.countParked('policies')).toBe(4);
      const page = async (limit: number, offset: number) =>
        keys(await readModels.parked('policies', { limit, offset }));
      expect([await page(3, 0), await page(3, 3), await page(3, 4)]).toEqual([['b', 'c', 'a'], ['d'], []]);
      expect([await page(0, 0), await page(2, 1)]).toEqual([[], ['c', 'a']]);
    });

    test('can be scanned in order of key, page by page', async () => {
      const all = ['B', 'a', 'b', 'ba', 'ä', '保', '10', '9'];
      await writeDocuments(
        readModels,
        'policies',
        all.map((key) => policy(key)),
        8n,
      );
      const inOrder = all.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      for (const limit of [1, 3, 8, 100]) {
        const read: string[] = [];
        for (;;) {
          const page = await readModels.scan('policies', { after: read.at(-1), limit });
          read.push(...keys(page));
          if (page.length === 0) break;
        }
        expect(read).toEqual(inOrder);
      }
    });

    test('and their checkpoint are written atomically or fail', async () => {
      await writeDocuments(readModels, 'policies', [policy('p-1')], 1n);
      const undeclared = policy('p-3', { indexes: { colour: 'red' } });
      await expect(writeDocuments(readModels, 'policies', [policy('p-2'), undeclared], 2n)).rejects.toThrow('colour');
      expect(await readModels.get('policies', 'p-2')).toBeUndefined();
      expect((await readModels.checkpoint())?.position).toBe(1n);
    });

    test('survive a restart', async () => {
      const many = Array.from({ length: 2_500 }, (_, n) => policy(`p-${n}`, { position: BigInt(n + 1) }));
      await writeDocuments(readModels, 'policies', many, 2_500n);
      readModels = await takeOverServed(await subject.open([policies, claims]));
      expect((await readModels.checkpoint())?.position).toBe(2_500n);
      expect(await readModels.get('policies', 'p-2499')).toEqual(many[2_499]);
      expect((await findKeys(readModels, { limit: 10 })).count).toBe(2_500);
    });

    test('of an unknown collection cannot be read', async () => {
      await expect(readModels.get('quotes', 'q')).rejects.toThrow('quotes');
      await expect(writeDocuments(readModels, 'quotes', [], 1n)).rejects.toThrow('quotes');
    });

    test('an open store answers a ping, a closed one does not', async () => {
      const store = await subject.open([policies, claims]);
      await expect(store.ping()).resolves.toBeUndefined();
      await store.close();
      await expect(store.ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
      await expect(store.get('policies', 'p-1')).rejects.toMatchObject({ name: 'StoreUnavailable' });
    });
  });
}
