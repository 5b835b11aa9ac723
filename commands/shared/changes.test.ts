import { describe, expect, test } from '@jest/globals';
import { changesAnything, changesTo } from './changes.ts';

describe('changesTo', () => {
  interface Details {
    readonly name: string;
    readonly phone: string | null;
    readonly tags: readonly { readonly x: number; readonly y: readonly number[] }[];
  }
  const current: Details = { name: 'a', phone: null, tags: [{ x: 1, y: [2] }] };

  test('keeps only what differs', () => {
    expect(changesTo(current, { name: 'a', phone: '1', tags: [{ y: [2], x: 1 }] })).toEqual({ phone: '1' });
  });

  test('treats null as a value and undefined as missing', () => {
    expect(changesTo<Details>({ ...current, phone: '1' }, { name: undefined, phone: null })).toEqual({ phone: null });
  });

  test('rejects when nothing differs', () => {
    expect(() => changesTo(current, { ...current })).toThrow(expect.objectContaining({ code: 'nothing_to_change' }));
  });
});

describe('changesAnything', () => {
  test('counts every field but the identifier, null included', () => {
    const check = changesAnything('id');
    expect([check({ id: 1 }), check({ id: 1, a: undefined }), check({ id: 1, a: null })]).toEqual([false, false, true]);
  });
});
