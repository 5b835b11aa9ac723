import { describe, expect, jest, test } from '@jest/globals';
import {
  type SampleEvent,
  sampleId,
  MERCHANT_ID,
  policyActivated,
  policyCancelled,
  policyImported,
  policyPurchased,
  policyReinstated,
  policyRenewed,
  policyTermImported,
  toRecorded,
  term,
} from '#test/support/sample-events.ts';
import { termResourcesOn } from './policy-resource.ts';
import { isActiveAt, policies, type PolicyDocument, viewAt } from './policies.ts';

/** Folds the events, of which the first is recorded on 2026-03-01. */
function documentOf(...samples: readonly SampleEvent[]): PolicyDocument {
  const document = toRecorded(...samples).reduce<PolicyDocument | undefined>(
    (before, event) => policies.fold(before, event),
    undefined,
  );
  if (document === undefined) throw new Error('there is no policy');
  return document;
}
const viewOf = (document: PolicyDocument) => policies.view?.(document);
const indexesOf = (...samples: readonly SampleEvent[]) => policies.indexes(documentOf(...samples));

const year = (of: number, premium?: string) => term(`${of}-01-01`, `${of}-12-31`, premium);
/** Cancelled on 2026-03-01 as of a later day. */
const endOn = (effectiveAt: string) =>
  policyCancelled(1, 1, { effectiveAt, cancelledAt: `${effectiveAt}T23:59:59.000Z` });

describe('policies', () => {
  test('show the term of the day on which the last event was recorded, and the cancellation', () => {
    const next = policyRenewed(1, 1, year(2026, '120.00'));
    const document = documentOf(policyImported(1, 1), next, policyCancelled(1, 1));
    expect(viewOf(document)?.resource).toMatchObject({
      policy_id: sampleId('policy', 1),
      effective_from: '2026-01-01',
      effective_through: '2026-12-31',
      premium: '120.00',
      status: 'cancelled',
      cancellation_reason: 'moved away',
      cancellation_initiator: 'A bank',
    });
  });

  test('show an upcoming term from the instant at which it begins in the zone', () => {
    const zoned = policyPurchased(1, 1, term('2025-03-10', '2026-03-09'), { timeZone: 'America/New_York' });
    const document = documentOf(zoned, policyRenewed(1, 1, term('2026-03-10', '2027-03-09', '120.00')));
    const view = viewOf(document);
    expect(view?.resource).toMatchObject({ effective_from: '2025-03-10', premium: '100.00' });
    expect(view?.until).toBe('2026-03-10T04:00:00.000Z');
    expect(viewAt(document, '2026-03-10T03:59:59.999Z')).toEqual(view?.resource);
    expect(viewAt(document, '2026-03-10T04:00:00.000Z')).toMatchObject({
      effective_from: '2026-03-10',
      premium: '120.00',
    });
  });

  test('are found by merchant and mode, status, type, environment and number', () => {
    expect(indexesOf(policyImported(3, 1))).toEqual({
      owner: `${MERCHANT_ID}-live`,
      owner_status: `${MERCHANT_ID}-live active`,
      owner_type: `${MERCHANT_ID}-live Auto`,
      waiting: null,
      owner_renewal: `${MERCHANT_ID}-live 2026-01-01`,
      insurer: `${sampleId('provider', 1)} live`,
      test_mode: false,
      environment: 1,
      number: 'pol-1',
      customer: sampleId('customer', 3),
      due: null,
      active_from: null,
      active_until: null,
      active_next_from: null,
    });
  });

  test('are found by the time in which they are active, unless it is over', () => {
    const [current, next, later] = [
      policyImported(1, 1, year(2026)),
      policyRenewed(1, 1, year(2027)),
      policyRenewed(1, 1, year(2029)),
    ];
    const activeTimeOf = (...samples: readonly SampleEvent[]) => {
      const { active_from, active_until, active_next_from } = indexesOf(...samples);
      return [active_from, active_until, active_next_from];
    };
    const at = (day: string, time = '00:00:00.000') => `${sampleId('customer', 1)} ${day}T${time}Z`;
    expect(activeTimeOf(current)).toEqual([at('2026-01-01'), at('2027-01-01'), null]);
    expect(activeTimeOf(current, next)).toEqual([at('2026-01-01'), at('2028-01-01'), null]);
    expect(activeTimeOf(current, next, later)).toEqual([at('2026-01-01'), at('2028-01-01'), at('2029-01-01')]);
    expect(activeTimeOf(current, next, policyCancelled(1, 1))).toEqual([null, null, null]);
    expect(activeTimeOf(current, next, endOn('2026-06-30'))).toEqual([at('2026-01-01'), at('2026-07-01'), null]);
    expect(activeTimeOf(current, next, endOn('2026-06-30'), policyReinstated(1, 1))).toEqual([
      at('2026-01-01'),
      at('2028-01-01'),
      null,
    ]);
    expect(activeTimeOf(policyImported(1, 1), next)).toEqual([at('2027-01-01'), at('2028-01-01'), null]);
    expect(activeTimeOf(policyImported(1, 1, term('2026-01-01', '9999-12-31')))).toEqual([
      at('2026-01-01'),
      at('9999-12-31', '23:59:59.999'),
      null,
    ]);
  });

  test.each([
    ['accepted ones are due on the start day', { status: 'accepted' }, '2025-01-01T00:00:00.000Z'],
    ['accepted ones that wait are never due', { status: 'accepted', waits: true }, null],
    ['active ones with automatic renewal are due after the last day', { autoRenew: true }, '2026-01-01T00:00:00.000Z'],
    [
      'active ones in Lagos are due when the day begins there',
      { autoRenew: true, timeZone: 'Africa/Lagos' },
      '2025-12-31T23:00:00.000Z',
    ],
    ['active ones that are not renewable are never due', { autoRenew: true, renewable: false }, null],
    ['active ones without automatic renewal are never due', {}, null],
  ])('%s', (_case, changes, due) => {
    expect(indexesOf(policyPurchased(1, 1, undefined, changes)).due).toBe(due);
  });

  test('are due on the start day, then on the renewal day, and no longer after the cancellation', () => {
    const renewal = policyRenewed(1, 1, term('2026-02-01', '2027-02-01'));
    const samples = [
      policyPurchased(1, 1, undefined, { status: 'accepted' }),
      policyActivated(1, 1),
      { ...renewal, data: { ...renewal.data, autoRenew: true } },
      policyCancelled(1, 1),
    ];
    const due = samples.map((_, index) => indexesOf(...samples.slice(0, index + 1)).due);
    expect(due).toEqual(['2025-01-01T00:00:00.000Z', null, '2027-02-02T00:00:00.000Z', null]);
  });

  test.each([
    [2025, 2024],
    [2024, 2025],
  ])('with accepted terms of %i and %i are due on the first start', (first, further) => {
    const accepted = (sample: SampleEvent) => ({ ...sample, data: { ...sample.data, status: 'accepted' } });
    const samples = [policyImported(1, 1, year(first)), policyTermImported(1, 1, year(further))].map(accepted);
    expect(indexesOf(...samples).due).toBe('2024-01-01T00:00:00.000Z');
  });

  test('reject a renewal before the purchase', () => {
    const [, renewal] = toRecorded(policyImported(1, 1), policyRenewed(1, 1, year(2026)));
    expect(() => renewal && policies.fold(undefined, renewal)).toThrow('PolicyRenewed.v1 came before what it changes');
  });

  test('share the resources of periods that an event did not change, and compare no names without a payment', () => {
    const events = [policyImported(1, 1, year(2025)), policyTermImported(1, 1, year(2026))];
    const [recorded, ...later] = toRecorded(...events, policyTermImported(1, 1, year(2027)));
    const before = later.slice(0, 1).reduce(policies.fold, recorded && policies.fold(undefined, recorded));
    const after = later.slice(1).reduce(policies.fold, before);
    const normalize = jest.spyOn(String.prototype, 'normalize');
    const [periodsBefore, periodsAfter] = [before, after].map((document) =>
      document === undefined ? [] : termResourcesOn(document.policy, '2026-03-01').map(({ periods }) => periods[0]),
    );
    const calls = normalize.mock.calls.length;
    normalize.mockRestore();
    expect(periodsAfter).toHaveLength(3);
    expect(periodsBefore?.every((period, index) => period === periodsAfter?.[index])).toBe(true);
    expect(calls).toBe(0);
  });
});

describe('a policy whose end is still to come', () => {
  const document = documentOf(policyImported(1, 1, year(2026)), policyRenewed(1, 1, year(2027)), endOn('2026-06-30'));
  const at = (day: string) => {
    const { status, effective_from, renewable, cancellation_date } = viewAt(document, `${day}T12:00:00.000Z`);
    expect([renewable, cancellation_date]).toEqual([false, '2026-06-30T23:59:59.000Z']);
    return [status, effective_from, isActiveAt(document, `${day}T12:00:00.000Z`)];
  };

  test('is active through that day, then cancelled, and never shows a later term', () => {
    expect(at('2026-06-29')).toEqual(['active', '2026-01-01', true]);
    expect(at('2026-06-30')).toEqual(['active', '2026-01-01', true]);
    expect(at('2026-07-01')).toEqual(['cancelled', '2026-01-01', false]);
    expect(at('2027-06-01')).toEqual(['cancelled', '2026-01-01', false]);
  });

  test('is stored as it is shown until the day after, and is found as cancelled', () => {
    expect(viewOf(document)).toMatchObject({ resource: { status: 'active' }, until: '2026-07-01T00:00:00.000Z' });
    expect(policies.indexes(document)).toMatchObject({
      owner_status: `${MERCHANT_ID}-live cancelled`,
      due: null,
    });
  });
});
