import { describe, expect, test } from '@jest/globals';
import { claim } from '#domain/claim/claim.ts';
import { decode } from '#domain/events.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import { customer } from '#domain/customer/customer.ts';
import { merchant } from '#domain/merchant/merchant.ts';
import { policy } from '#domain/policy/policy.ts';
import { readCorpus } from '#test/support/corpus.ts';
import { summaryOf } from './summaries.ts';

const TYPES = [customer, policy, claim, merchant].flatMap(({ events }) => events.map(({ wireName }) => wireName));

/** Every stored sample of a type. */
const samplesOf = (type: string): readonly RawEvent[] => readCorpus().filter((sample) => sample.type === type);

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
    expect(summaries).toContainEqual(expect.stringContaining(': Comprehensive Motor (Gold) of Baobab'));
    expect(summaries).toContainEqual(expect.stringContaining(': Comprehensive Motor of Baobab'));
  });

  test.each(['PolicyCancelled.v1', 'ClaimDenied.v1', 'ClaimReviewStarted.v1'])(
    'of %s contains no free text',
    (type) => {
      for (const sample of samplesOf(type)) {
        const { reason, note } = sample.data as { readonly reason?: string; readonly note?: string | null };
        for (const text of [reason, note]) if (text) expect(summaryOf(decode(sample))).not.toContain(text);
      }
    },
  );
});
