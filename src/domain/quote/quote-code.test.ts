import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { uuid } from '#event-sourcing/identifiers.ts';
import {
  MAX_OFFERS,
  parsePurchaseId,
  parseQuoteCode,
  purchaseId,
  quoteCode,
  deriveQuoteRequestId,
} from './quote-code.ts';

const requestId = fc.bigInt({ min: 0n, max: (1n << 47n) - 1n }).map((bits) => bits.toString(16).padStart(12, '0'));
const index = fc.nat({ max: MAX_OFFERS - 1 });

describe('the codes of an offer', () => {
  test('have the format of the API and identify the offer', () => {
    fc.assert(
      fc.property(requestId, index, (id, at) => {
        const code = quoteCode(id, at);
        const purchase = purchaseId(id, at);
        expect(code).toMatch(/^Quo_[a-z0-9]{5}_[0-9a-f]{8}$/);
        expect(purchase.startsWith('PUR-') && uuid.safeParse(purchase.slice(4)).success).toBe(true);
        expect(parseQuoteCode(code)).toEqual({ requestId: id, index: at });
        expect(parsePurchaseId(purchase)).toEqual({ requestId: id, index: at });
      }),
    );
  });

  test('differ between offers', () => {
    fc.assert(
      fc.property(requestId, index, requestId, index, (id, at, otherId, otherAt) => {
        const same = id === otherId && at === otherAt;
        expect(quoteCode(id, at) === quoteCode(otherId, otherAt)).toBe(same);
        expect(purchaseId(id, at) === purchaseId(otherId, otherAt)).toBe(same);
      }),
    );
  });

  test('are invalid when a digit of a purchase id is changed', () => {
    fc.assert(
      fc.property(requestId, index, fc.nat({ max: 31 }), fc.integer({ min: 1, max: 15 }), (id, at, digit, by) => {
        const text = purchaseId(id, at);
        const index = [...text.matchAll(/(?<=^PUR-.*)[0-9a-f]/g)][digit]?.index ?? 0;
        const changed = ((Number.parseInt(text.charAt(index), 16) + by) % 16).toString(16);
        expect(parsePurchaseId(text.slice(0, index) + changed + text.slice(index + 1))).toBeUndefined();
      }),
    );
  });
});

describe('other texts', () => {
  test.each([
    '',
    'Quo_zzzzz_00000000',
    'quo_00000_00000000',
    'Quo_00000_0000000G',
    ' Quo_00000_00000000',
    'Quo_00000_0',
  ])('such as %p are no quote codes', (text) => {
    expect(parseQuoteCode(text)).toBeUndefined();
  });

  test.each(['', 'PUR-', 'PUR-00000000-0000-4000-8000-000000000000', purchaseId('0123456789ab', 7).toUpperCase()])(
    'such as %p are no purchase ids',
    (text) => {
      expect(parsePurchaseId(text)).toBeUndefined();
    },
  );
});

describe('the ids of quote requests', () => {
  test('never change, because retries derive them again', () => {
    expect(deriveQuoteRequestId('a command', 0)).toBe('43b5cdd414b3');
    expect(quoteCode('0123456789ab', 7)).toBe('Quo_06e51_9e26ac07');
    expect(purchaseId('0123456789ab', 7)).toBe('PUR-01234567-89ab-8007-bf96-5290322b81ad');
  });

  test('have 47 bits and differ from each other', () => {
    const row = Array.from({ length: 100 }, (_, index) => deriveQuoteRequestId('a command', index));
    expect(new Set(row).size).toBe(100);
    for (const id of row) expect(id).toMatch(/^[0-7][0-9a-f]{11}$/);
  });
});
