import { describe, expect, test } from '@jest/globals';
import { evolvePolicy, type PolicyState } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { decode } from '#domain/events.ts';
import { readCorpus } from '#test/support/corpus.ts';
import { certificateOf } from './certificate-texts.ts';

const corpus = readCorpus();
/**
 * Bought for a year from 2026-03-10, changed on 2026-06-01, cancelled on 2026-08-20 as of 2026-08-31, and reinstated.
 */
const life = corpus
  .filter(({ stream }) => stream === corpus.find(({ type }) => type === 'PolicyReinstated.v1')?.stream)
  .slice(0, 4)
  .map((raw) => decode(raw) as RecordedEvent<PolicyEvent>);

function policyWithout(lastEvents: number, changes: Partial<PolicyState> = {}): PolicyState {
  const events = life.slice(0, life.length - lastEvents);
  const policy = events.reduce<PolicyState | undefined>((state, event) => evolvePolicy(state, event), undefined);
  if (policy === undefined) throw new Error('the corpus has no such policy');
  return { ...policy, ...changes };
}

const cancelled = policyWithout(1);
const active = policyWithout(2);
const textsOf = (policy: PolicyState, day: string) => {
  const { sections } = certificateOf(policy, day, undefined);
  return Object.fromEntries(
    sections.map(({ heading, fields = [], table }) => [
      heading,
      [...fields.map((field) => field.join(': ')), ...(table?.rows ?? []).map(({ cells }) => cells.join(' | '))],
    ]),
  );
};

describe('the certificate of a policy', () => {
  test('has the texts of its view and the parts of the premium', () => {
    const beneficiaries = [
      { beneficiaryId: 'b-1', name: 'Chidi Okafor', relationship: 'brother', sharePercent: '100.00' },
      { beneficiaryId: 'b-2', name: 'Ada Obi', relationship: null, sharePercent: null },
    ];
    expect(textsOf({ ...active, beneficiaries }, '2026-07-01')).toEqual({
      Beneficiaries: ['Chidi Okafor | brother | 100.00 %', 'Ada Obi | not stated | not stated'],
      Cover: [
        'Product: Comprehensive Motor',
        'Type: Auto',
        'Term: 10 March 2026 through 9 March 2027, both days included',
        'Time zone: UTC',
      ],
      'Coverages from 1 June 2026 through 9 March 2027': [
        'Own damage | Collision | 5,000,000.00 | 25,000.00',
        'Third-party liability | Liability | 3,000,000.00 | none',
        'Damages | Damages | none | none',
      ],
      Parties: [
        'Insurer: Baobab General Insurance',
        'Contact of the insurer: claims@baobab.example',
        'Distributor: Harmony Microfinance',
        'Policy holder: Ada Okafor',
        'E-mail: ada.okafor@customers.example',
        'Phone: +2348012345678',
        'Address: 12 Marina Road, Lagos, Lagos, NG',
      ],
      Policy: ['Policy number: BAO-7HT3VX0QK2', 'Status: In force', 'Policy id: c1a7b6f2-5a53-5f0e-9d5b-0d6a2b9b7e10'],
      'Premium agreed for the term': ['Net price | 40,978.05', 'Fee | 500.00', 'Tax | 3,110.85', 'Premium | 44,588.90'],
    });
  });

  test('shows its day and the knowledge of the request', () => {
    const subtitle = (point?: Parameters<typeof certificateOf>[2]) =>
      certificateOf(active, '2026-07-01', point).subtitle;
    expect([
      subtitle(),
      subtitle({ as_of: '2026-07-01' }),
      subtitle({ known_at: '2026-07-02T10:00:00.000Z' }),
      subtitle({ as_of: '2026-07-01', known_at: '2026-07-02T10:00:00.000Z' }),
    ]).toEqual([
      'The policy on 1 July 2026.',
      'The policy on 1 July 2026. What takes effect on later days is not shown.',
      'The policy on 1 July 2026, as it was known on 2 July 2026 at 10:00:00.000 UTC.',
      'The policy on 1 July 2026, as it was known on 2 July 2026 at 10:00:00.000 UTC. What takes effect on later days is not shown.',
    ]);
  });

  test('shows the last day of cover of a cancelled policy', () => {
    const noticeOn = (day: string, end: Partial<NonNullable<PolicyState['end']>> = {}) =>
      certificateOf({ ...cancelled, end: cancelled.end && { ...cancelled.end, ...end } }, day, undefined).notice;
    expect(certificateOf(active, '2026-09-01', undefined).notice).toBeNull();
    expect(noticeOn('2026-08-31')).toBe('Cancelled for a later day. The last day of cover is 31 August 2026.');
    expect(noticeOn('2026-09-01')).toBe('Cancelled. The last day of cover is 31 August 2026.');
    expect(noticeOn('2026-09-01', { refundRule: 'cooling_off' })).toContain('No incident in this term is covered.');
    expect(noticeOn('2026-09-01', { day: '2026-03-09' })).toContain('never gave cover');
  });

  test('says that a policy gives no cover after its last term and between two terms', () => {
    const [term] = active.terms;
    if (term === undefined) throw new Error('the policy has no term');
    const statusOf = (policy: PolicyState, day: string) => [
      certificateOf(policy, day, undefined).notice,
      textsOf(policy, day)['Policy']?.[1],
    ];
    expect(statusOf(active, '2027-03-09')).toEqual([null, 'Status: In force']);
    const lastDay = 'The last day of cover was 9 March 2027.';
    expect(statusOf(active, '2027-03-10')).toEqual([`Cover has ended. ${lastDay}`, 'Status: Not in force']);
    const next = { ...term, termId: 'next', from: '2027-04-01', through: '2028-03-31' };
    expect(statusOf({ ...active, terms: [term, next] }, '2027-03-31')).toEqual([
      `The policy gives no cover on this day. ${lastDay} Cover begins again on 1 April 2027.`,
      'Status: Not in force',
    ]);
  });

  test('shows no day as the last day of cover on which there was no cover', () => {
    const [term] = active.terms;
    if (term === undefined) throw new Error('the policy has no term');
    const next = { ...term, termId: 'next', from: '2027-04-01', through: '2028-03-31' };
    const end = cancelled.end && { ...cancelled.end, day: '2027-03-20' };
    const inGap = { ...active, terms: [term, next], end };
    expect(certificateOf(inGap, '2027-03-21', undefined).notice).toBe(
      'Cancelled. The last day of cover is 9 March 2027.',
    );
    expect(textsOf(inGap, '2027-03-21')['Cover']).toEqual(
      expect.arrayContaining([
        'Agreed term: 10 March 2026 through 9 March 2027, both days included',
        'Last day of cover: 9 March 2027',
      ]),
    );
  });

  test('of an import does not say that there is no limit where none is known', () => {
    const coverages = Object.entries(
      textsOf({ ...active, contract: { ...active.contract, isImported: true } }, '2026-07-01'),
    ).find(([heading]) => heading.startsWith('Coverages'));
    expect(coverages?.[1]).toContain('Damages | Damages | not stated | not stated');
  });

  test('shows amounts and items however they are sent', () => {
    const [term] = active.terms;
    if (term === undefined) throw new Error('the policy has no term');
    const coverage = (limit: string | null, items?: unknown) => ({
      name: 'Glass',
      type: null,
      limit,
      deductible: null,
      ...(items === undefined ? {} : { coveredItems: JSON.stringify(items) }),
    });
    const coverages = [
      coverage('1234567.80', ['glass', { more: ['mirrors'] }]),
      coverage('123.00', 'all'),
      coverage(null),
    ];
    const periods = term.periods.map((period) => ({ ...period, coverages }));
    const { sections } = certificateOf(
      { ...active, terms: [{ ...term, tax: null, periods }] },
      '2026-07-01',
      undefined,
    );
    expect(sections.find(({ heading }) => heading.startsWith('Coverages'))?.table?.rows).toEqual([
      { cells: ['Glass', '', '1,234,567.80', 'none'], note: 'Covered items: glass, {"more":["mirrors"]}' },
      { cells: ['Glass', '', '123.00', 'none'], note: 'Covered items: all' },
      { cells: ['Glass', '', 'none', 'none'] },
    ]);
    const premium = sections.find(({ heading }) => heading.startsWith('Premium'))?.table?.rows;
    expect(premium?.map(({ cells }) => cells.join(' ')).slice(0, 3)).toEqual([
      expect.stringMatching(/^Net price, tax included /),
      expect.stringMatching(/^Fee /),
      'Tax part of the net price, not known',
    ]);
  });
});
