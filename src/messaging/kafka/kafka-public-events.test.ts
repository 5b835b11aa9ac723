import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { partsOf } from './kafka-public-events.ts';

test('given any messages, then they go out in parts that are not too large, whole and in their order', () => {
  const message = fc.string({ maxLength: 60 }).map((value) => ({ topic: 't', key: 'k', headers: { a: 'b' }, value }));
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const parts = partsOf(messages, 50);
      expect(parts.flat()).toEqual(messages);
      for (const part of parts) {
        const size = part.reduce((sum, { value }) => sum + value.length + 3, 0);
        expect(part.length === 1 || size <= 50).toBe(true);
      }
    }),
  );
});
