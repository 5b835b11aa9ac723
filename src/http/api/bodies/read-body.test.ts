import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readBody } from './read-body.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A chunked request that sends its body in these pieces. */
function requestOf(pieces: Iterable<Uint8Array>): IncomingMessage {
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const request = Object.assign(new PassThrough(), { headers });
  process.nextTick(() => {
    for (const piece of pieces) request.emit('data', piece);
    request.emit('end');
  });
  return request as unknown as IncomingMessage;
}

describe('readBody', () => {
  test('concatenates chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 100_000 }))),
        async (sizes) => {
          const pieces = sizes.map((size, index) => Buffer.alloc(size, index));
          let held = 0;
          const { bytes } = await readBody(requestOf(pieces), {
            limit: 10_000_000,
            hold: (count) => (held += count) > 0,
          });
          expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
          expect(held).toBe(bytes.length);
        },
      ),
    );
  });

  test('uses memory by the size of the body, not by the number of chunks', async () => {
    const allocated: number[] = [];
    const { allocUnsafe } = Buffer;
    jest.spyOn(Buffer, 'allocUnsafe').mockImplementation((size) => {
      allocated.push(size);
      return allocUnsafe(size);
    });
    const size = 200_000;
    const one = Buffer.from('1');
    const pieces = (function* () {
      for (let count = 0; count < size; count++) yield one;
    })();
    const { bytes } = await readBody(requestOf(pieces), { limit: size, hold: () => true });
    expect(bytes.length).toBe(size);
    // A list of 200,000 chunks would need much more memory.
    expect(allocated.length).toBeGreaterThan(2);
    expect(allocated.reduce((sum, each) => sum + each, 0)).toBeLessThan(2 * size);
  });
});
