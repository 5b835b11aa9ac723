import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { claim } from '../../src/domain/claim/claim.ts';
import { decode } from '../../src/domain/events.ts';
import type { RawEvent } from '../../src/event-sourcing/codec.ts';
import { customer } from '../../src/domain/customer/customer.ts';
import { merchant } from '../../src/domain/merchant/merchant.ts';
import { policy } from '../../src/domain/policy/policy.ts';
import { summaryOf } from './summaries.ts';

const CORPUS = fileURLToPath(new URL('../../test/corpus/', import.meta.url));
const TYPES = [customer, policy, claim, merchant].flatMap(({ events }) => events.map(({ wireName }) => wireName));

/** Every stored sample of a type. */
function samplesOf(type: string): readonly RawEvent[] {
  return readdirSync(CORPUS + type).map((name) => {
    const stored = JSON.parse(readFileSync(`${CORPUS}${type}/${name}`, 'utf8')) as RawEvent & { position: string };
    return { ...stored, type, position: BigInt(stored.position) };
  });
}

describe('the summary of an event', () => {
  test.each(TYPES)('is one sentence for every stored %s', (type) => {
    for (const sample of samplesOf(type)) {
      const summary = summaryOf(decode(sample));
      expect(summary).toMatch(/^[\p{L}\d].*\.$/u);
      expect(summary).not.toMatch(/undefined|null|NaN|\[object|\.v\d|\.\.| {2}/);
    }
  });

  test('names the tier of a purchase', () => {
    const summaries = samplesOf('PolicyPurchased.v1').map((sample) => summaryOf(decode(sample)));
    expect(summaries).toContainEqual(expect.stringContaining(': A product (Gold) of An insurer, '));
    expect(summaries).toContainEqual(expect.stringContaining(': A product of An insurer, '));
  });

  test.each(['PolicyCancelled.v3', 'ClaimDenied.v1', 'ClaimReviewStarted.v1'])(
    'of %s contains no free text',
    (type) => {
      for (const sample of samplesOf(type)) {
        const { reason, note } = sample.data as { readonly reason?: string; readonly note?: string | null };
        for (const text of [reason, note]) if (text) expect(summaryOf(decode(sample))).not.toContain(text);
      }
    },
  );
});
