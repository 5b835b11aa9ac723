import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { PublicMessage } from '../public-events.ts';
import { partsOf } from './kafka-public-events.ts';

/** Bytes of what stands in a message. */
function contents({ key, headers, value }: PublicMessage): number {
  return Buffer.byteLength([key, value, ...Object.entries(headers).flat()].join(''));
}

test('given any messages, then they go out in parts that are not too large, whole and in their order', () => {
  const text = fc.string({ maxLength: 60, unit: 'grapheme' });
  const message = text.map((value) => ({ topic: 't', key: 'k', headers: { a: 'Ω' }, value }));
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const parts = partsOf(messages, 400);
      expect(parts.flat()).toEqual(messages);
      for (const part of parts) {
        const size = part.reduce((sum, one) => sum + contents(one), 0);
        expect(part.length === 1 || size <= 400).toBe(true);
      }
    }),
  );
});

test('given messages of nothing, then each counts for what a log needs for it', () => {
  const messages = Array.from({ length: 100 }, () => ({ topic: 't', key: '', headers: {}, value: '' }));
  expect(partsOf(messages, 1_000).length).toBeGreaterThan(2);
});
