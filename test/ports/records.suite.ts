import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { RecordsSubject } from './records/subject.ts';
import { BLOB_ROW_BYTES, checkBlob, readBlob, type RecordKind, type Records } from '#stores/records/records.ts';

/** Declares the tests that every adapter of store of records must pass unchanged. */
export function describeRecords(name: string, open: () => Promise<RecordsSubject>): void {
  describe(`records: ${name}`, () => {
    let subject: RecordsSubject;
    let records: Records;
    beforeEach(async () => {
      subject = await open();
      records = subject.records;
    });
    afterEach(() => subject.dispose());

    const rowsStored = async (sha256: string): Promise<readonly Uint8Array[]> =>
      await Array.fromAsync(readBlob({ records, nextTurn }, sha256));

    test('bytes are stored under their hash and returned unchanged', async () => {
      const sizes = [0, 5, BLOB_ROW_BYTES - 1, BLOB_ROW_BYTES, BLOB_ROW_BYTES + 1, 3 * 1024 * 1024];
      for (const bytes of sizes.map((size) => randomBytes(size))) {
        const sha256 = await records.putBlob(bytes);
        expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
        const rows = await rowsStored(sha256);
        expect(rows.every(({ length }) => length <= BLOB_ROW_BYTES)).toBe(true);
        expect(Buffer.concat(rows).equals(bytes)).toBe(true);
        expect(await checkBlob({ records, nextTurn }, sha256)).toEqual({ state: 'intact', size: bytes.length });
      }
      expect(await checkBlob({ records, nextTurn }, '0'.repeat(64))).toEqual({ state: 'missing', size: 0 });
      expect(await records.getBlobRow('0'.repeat(64), 0)).toBeUndefined();
    });

    test('the same bytes can be stored again, also concurrently', async () => {
      const bytes = randomBytes(1_000);
      const hashes = await Promise.all(Array.from({ length: 5 }, () => records.putBlob(bytes)));
      expect(new Set(hashes).size).toBe(1);
      expect(await rowsStored(hashes[0] ?? '')).toMatchObject([{ length: 1_000 }]);
    });

    test('a flipped bit is found, and repaired when the same bytes are stored again', async () => {
      const bytes = randomBytes(3 * BLOB_ROW_BYTES);
      const sha256 = await records.putBlob(bytes);
      await subject.flipBit(sha256, 1);
      expect(await checkBlob({ records, nextTurn }, sha256)).toEqual({ state: 'altered', size: bytes.length });
      await records.putBlob(bytes);
      expect(await checkBlob({ records, nextTurn }, sha256)).toEqual({ state: 'intact', size: bytes.length });
    });

    test('a view of a larger buffer is stored as its part', async () => {
      const part = Buffer.from('xxpartxx').subarray(2, 6);
      const [found] = await rowsStored(await records.putBlob(part));
      expect(Buffer.from(found ?? []).toString()).toBe('part');
    });

    test('a key is revoked permanently, and repeatedly', async () => {
      expect(await records.isKeyRevoked('key-1')).toBe(false);
      await records.revokeKey('key-1');
      await records.revokeKey('key-1');
      expect(await records.isKeyRevoked('key-1')).toBe(true);
      expect(await records.isKeyRevoked('key-2')).toBe(false);
    });

    test('a named value is undefined, then written, then replaced', async () => {
      expect(await records.getValue('first')).toBeUndefined();
      await records.setValue('first', '');
      expect(await records.getValue('first')).toBe('');
      await records.setValue('first', 'Zoë 保险');
      await records.setValue('second', 'other');
      expect(await records.getValue('first')).toBe('Zoë 保险');
    });

    test('a value is replaced only while it has the expected revision, and one of several concurrent writers succeeds', async () => {
      expect(await records.getRevised('first')).toBeUndefined();
      expect(await records.replaceValue('first', 1, 'a')).toBe(false);
      expect(await records.getValue('first')).toBeUndefined();
      for (const [expected, revision] of [
        [undefined, 1],
        [1, 2],
        [2, 3],
      ] as const) {
        const written = await Promise.all(
          ['a', 'b', 'c'].map((value) => records.replaceValue('first', expected, value)),
        );
        expect(written.filter((isWritten) => isWritten)).toHaveLength(1);
        const value = ['a', 'b', 'c'][written.indexOf(true)];
        expect(await records.getRevised('first')).toMatchObject({ value, revision });
      }
    });

    test('the revision of a value grows with every write, also of the same text', async () => {
      await records.setValue('first', 'a');
      expect(await records.replaceValue('first', 1, 'a')).toBe(true);
      await records.setValue('first', 'a');
      expect(await records.replaceValue('first', 2, 'b')).toBe(false);
      expect(await records.getRevised('first')).toMatchObject({ value: 'a', revision: 3 });
      records = await subject.reopen();
      expect(await records.replaceValue('first', 3, 'b')).toBe(true);
    });

    test('records are listed by kind and name, in pages', async () => {
      const blobs = await Promise.all(
        [1, 2, 3, 4, BLOB_ROW_BYTES].map((size) => records.putBlob(new Uint8Array(size + 1))),
      );
      for (const name of ['b', 'a c', 'Zoë', 'a']) await records.setValue(name, '');
      await records.revokeKey('key-1');
      const all = async (kind: RecordKind): Promise<string[]> => {
        const names: string[] = [];
        for (;;) {
          const page = await records.list(kind, { after: names.at(-1), limit: 2 });
          if (page.length === 0) return names;
          names.push(...page);
        }
      };
      expect(await all('blobs')).toEqual(blobs.toSorted());
      expect(await all('values')).toEqual(['Zoë', 'a', 'a c', 'b']);
      expect(await all('revoked_keys')).toEqual(['key-1']);
    });

    test('a restart keeps all records', async () => {
      const sha256 = await records.putBlob(Uint8Array.of(1, 2, 3));
      await records.revokeKey('key-1');
      await records.setValue('name', 'value');
      records = await subject.reopen();
      expect([...((await records.getBlobRow(sha256, 0)) ?? [])]).toEqual([1, 2, 3]);
      expect(await records.isKeyRevoked('key-1')).toBe(true);
      expect(await records.getValue('name')).toBe('value');
    });

    test('an open store answers a ping, a closed one does not', async () => {
      await expect(records.ping()).resolves.toBeUndefined();
      await records.close();
      await expect(records.ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
      await expect(records.setValue('a', 'b')).rejects.toMatchObject({ name: 'StoreUnavailable' });
    });
  });
}
