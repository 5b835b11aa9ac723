import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { RequestLimit } from './request-limit.ts';

const BUSY = { code: 'busy', message: 'Too many downloads are under way; send the same request again' };

describe('A limit of requests', () => {
  test('refuses those above it, of a caller and in all, until others end', async () => {
    const limit = new RequestLimit({ subject: 'downloads', perCaller: 2, total: 3 });
    const end = await limit.begin('a');
    await limit.begin('a');
    await expect(limit.begin('a')).rejects.toMatchObject(BUSY);
    const endOther = await limit.begin('b');
    await expect(limit.begin('c')).rejects.toMatchObject(BUSY);
    end();
    await limit.begin('a');
    await expect(limit.begin('c')).rejects.toMatchObject(BUSY);
    endOther();
    await limit.begin('c');
  });

  test('lets some of a caller wait, and begins those of another before them', async () => {
    const limit = new RequestLimit({ subject: 'downloads', perCaller: 1, total: 2, waiting: 2 });
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const begin = async (caller: string, name: string): Promise<void> => {
      ends.set(name, await limit.begin(caller));
      begun.push(name);
    };
    const all = [begin('a', 'a1'), begin('a', 'a2'), begin('a', 'a3'), begin('b', 'b1'), begin('b', 'b2')];
    await expect(limit.begin('a')).rejects.toMatchObject(BUSY);
    const later = begin('c', 'c1');
    await turn();
    expect(begun).toEqual(['a1', 'b1']);
    for (const name of ['b1', 'a1', 'b2', 'a2']) {
      ends.get(name)?.();
      await turn();
    }
    await Promise.all([...all, later]);
    // `a2` came before `b2`, but `a1` was still under way.
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2', 'c1', 'a3']);
  });

  test('frees the capacity of work that fails', async () => {
    const limit = new RequestLimit({ subject: 'downloads', perCaller: 1 });
    await expect(limit.run('a', async () => await Promise.reject(new Error('no paper')))).rejects.toThrow('no paper');
    expect(await limit.run('a', async () => await Promise.resolve('made'))).toBe('made');
  });

  test('lets more wait where the caller allows more', async () => {
    const limit = new RequestLimit({ subject: 'downloads', perCaller: 1 });
    const works = Array.from({ length: 20 }, async (_, index) => {
      return await limit.run('a', async () => await turn(index), Number.POSITIVE_INFINITY);
    });
    expect(await Promise.all(works)).toEqual([...works.keys()]);
  });
});
