import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { PublicMessage } from '../messaging.ts';
import { batchesOf } from './kafka-public-events.ts';

/** Bytes of the contents of a message. */
function contents({ key, headers, value }: PublicMessage): number {
  return Buffer.byteLength([key, value, ...Object.entries(headers).flat()].join(''));
}

test('splits messages into batches below the limit, complete and in order', () => {
  const text = fc.string({ maxLength: 60, unit: 'grapheme' });
  const message = text.map((value) => ({ topic: 't', key: 'k', headers: { a: 'Ω' }, value }));
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const batches = batchesOf(messages, 400);
      expect(batches.flat()).toEqual(messages);
      for (const part of batches) {
        const size = part.reduce((sum, one) => sum + contents(one), 0);
        expect(part.length === 1 || size <= 400).toBe(true);
      }
    }),
  );
});

test('counts the overhead of empty messages', () => {
  const messages = Array.from({ length: 100 }, () => ({ topic: 't', key: '', headers: {}, value: '' }));
  expect(batchesOf(messages, 1_000).length).toBeGreaterThan(2);
});
