import { describe, expect, test } from '@jest/globals';
import { decode } from '#domain/events.ts';
import { readCorpus } from '#test/support/corpus.ts';
import { dataOf } from './history-page.ts';

const dataOfFirst = (type: string) => {
  const sample = readCorpus().find((stored) => stored.type === type);
  if (sample === undefined) throw new Error(`there is no sample of ${type}`);
  return dataOf(decode(sample));
};

describe('the data of an event in a history', () => {
  test('has the names of the API at every depth, and no business day', () => {
    const data = dataOfFirst('PolicyChanged.v1');
    expect(data).not.toHaveProperty('effective_at');
    expect(data).toMatchObject({
      policy_id: expect.any(String),
      terms: [
        { term_id: expect.any(String), difference: { premium: '1158.90' }, periods: [{}, { annual_net: '41295.35' }] },
      ],
    });
  });

  test('leaves JSON that a client sent as it is', () => {
    const [sample] = readCorpus().filter(({ type }) => type === 'PolicyChanged.v1');
    if (sample === undefined) throw new Error('there is no sample');
    const changes = [
      { action: 'add', coverage_type: 'Fire', covered_items: { theShed: { builtIn: 1990 } }, isNew: true },
    ];
    expect(dataOf(decode({ ...sample, data: { ...(sample.data as object), changes } }))).toMatchObject({ changes });
  });

  test('has documents by their hash', () => {
    const { documents } = dataOfFirst('ClaimSubmitted.v1') as { documents: readonly object[] };
    expect(Object.keys(documents[0] ?? {})).toEqual([
      'name',
      'evidence_type',
      'content_type',
      'sha256',
      'bytes',
      'uploaded_at',
    ]);
  });

  test.each(['CustomerUpdated.v1', 'MerchantUpdated.v1'])('of %s has the new values alone', (type) => {
    const { changes } = dataOfFirst(type) as { changes: object };
    expect(Object.keys(changes)).not.toHaveLength(0);
    expect(Object.values(changes)).not.toContain(undefined);
    expect(Object.keys(changes).join()).toMatch(/^[a-z_,]+$/);
  });
});
