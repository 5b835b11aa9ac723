import { describe, expect, test } from '@jest/globals';
import {
  type SampleEvent,
  sampleId,
  MERCHANT_ID,
  policyActivated,
  policyCancelled,
  policyImported,
  policyPurchased,
  policyRenewed,
  policyTermImported,
  toRecorded,
  term,
} from '../../test/support/sample-events.ts';
import { resourceJsonOf } from '../schema.ts';
import { policies, type PolicyDocument, resourceOn } from './policies.ts';

const foldEvents = (...events: ReturnType<typeof toRecorded>) =>
  events.reduce<PolicyDocument | undefined>((document, event) => policies.fold(document, event), undefined);

describe('policies', () => {
  test('show the term of the day on which the last event was recorded, and the cancellation', () => {
    const next = term('2026-01-01', '2026-12-31', '120.00');
    const document = foldEvents(...toRecorded(policyImported(1, 1), policyRenewed(1, 1, next), policyCancelled(1, 1)));
    expect(document?.view).toMatchObject({
      policy_id: sampleId('policy', 1),
      effective_from: '2026-01-01',
      effective_through: '2026-12-31',
      premium: '120.00',
      status: 'cancelled',
      cancellation_reason: 'moved away',
      cancellation_initiator: 'A bank',
    });
    expect(document?.extra).toMatchObject({ merchant_id: MERCHANT_ID, environment_id: 1, test_mode: false });
  });

  test('show the last term also when an earlier one is recorded after it', () => {
    const earlier = term('2024-01-01', '2024-12-31', '80.00');
    const document = foldEvents(...toRecorded(policyImported(1, 1), policyTermImported(1, 1, earlier)));
    expect(document?.view).toMatchObject({ effective_from: '2025-01-01', premium: '100.00' });
  });

  test('show an upcoming term from the instant at which it begins in the zone', () => {
    const zoned = policyPurchased(1, 1, term('2025-03-10', '2026-03-09'), { timeZone: 'America/New_York' });
    const next = term('2026-03-10', '2027-03-09', '120.00');
    const document = foldEvents(...toRecorded(zoned, policyRenewed(1, 1, next)));
    if (document === undefined) throw new Error('a document is expected');
    expect(document.view).toMatchObject({ effective_from: '2025-03-10', premium: '100.00' });
    expect(policies.indexes(document).shown_until).toBe('2026-03-10T04:00:00.000Z');
    expect(resourceOn(document, '2026-03-09')).toEqual(document.view);
    expect(resourceOn(document, '2026-03-10')).toMatchObject({ effective_from: '2026-03-10', premium: '120.00' });
  });

  test('are found by merchant and mode, status, type, environment and number', () => {
    const document = foldEvents(...toRecorded(policyImported(3, 1)));
    expect(document && policies.indexes(document)).toEqual({
      owner: `${MERCHANT_ID}-live`,
      owner_status: `${MERCHANT_ID}-live active`,
      owner_type: `${MERCHANT_ID}-live Auto`,
      test_mode: false,
      environment: 1,
      number: 'pol-1',
      customer: sampleId('customer', 3),
      due: null,
      shown_until: null,
      active_from: null,
      active_until: null,
      active_next_from: null,
    });
  });

  test('are found by the time in which they are active, unless it is over', () => {
    const [year, next, later] = [
      policyImported(1, 1, term('2026-01-01', '2026-12-31')),
      policyRenewed(1, 1, term('2027-01-01', '2027-12-31')),
      policyRenewed(1, 1, term('2029-01-01', '2029-12-31')),
    ];
    const activeTimeOf = (...samples: readonly SampleEvent[]) => {
      const document = foldEvents(...toRecorded(...samples));
      const { active_from, active_until, active_next_from } = document ? policies.indexes(document) : {};
      return [active_from, active_until, active_next_from];
    };
    const at = (day: string) => `${sampleId('customer', 1)} ${day}T00:00:00.000Z`;
    expect(activeTimeOf(year)).toEqual([at('2026-01-01'), at('2027-01-01'), null]);
    expect(activeTimeOf(year, next)).toEqual([at('2026-01-01'), at('2028-01-01'), null]);
    expect(activeTimeOf(year, next, later)).toEqual([at('2026-01-01'), at('2028-01-01'), at('2029-01-01')]);
    expect(activeTimeOf(year, next, policyCancelled(1, 1))).toEqual([null, null, null]);
    expect(activeTimeOf(policyImported(1, 1, term('2025-01-01', '2025-12-31')), next)).toEqual([
      at('2027-01-01'),
      at('2028-01-01'),
      null,
    ]);
    expect(activeTimeOf(policyImported(1, 1, term('2026-01-01', '9999-12-31')))).toEqual([
      at('2026-01-01'),
      `${sampleId('customer', 1)} 9999-12-31T23:59:59.999Z`,
      null,
    ]);
  });

  test.each([
    ['accepted ones are due on the start day', { status: 'accepted' }, '2025-01-01T00:00:00.000Z'],
    ['accepted ones that need an inspection are never due', { status: 'accepted', inspectionRequired: true }, null],
    [
      'accepted ones that need a certification are never due',
      { status: 'accepted', certificationRequired: true },
      null,
    ],
    [
      'active ones with automatic renewal are due on the day after the last',
      { autoRenew: true },
      '2026-01-01T00:00:00.000Z',
    ],
    [
      'active ones in Lagos are due when the day begins there',
      { autoRenew: true, timeZone: 'Africa/Lagos' },
      '2025-12-31T23:00:00.000Z',
    ],
    ['active ones that are not renewable are never due', { autoRenew: true, renewable: false }, null],
    ['active ones without automatic renewal are never due', {}, null],
  ])('%s', (_case, changes, due) => {
    const document = foldEvents(...toRecorded(policyPurchased(1, 1, undefined, changes)));
    expect(document && policies.indexes(document).due).toBe(due);
  });

  test('are due on the start day, then on the renewal day, and no longer after the cancellation', () => {
    const renewal = policyRenewed(1, 1, term('2026-02-01', '2027-02-01'));
    const samples = [
      policyPurchased(1, 1, undefined, { status: 'accepted' }),
      policyActivated(1, 1),
      { ...renewal, data: { ...renewal.data, autoRenew: true } },
      policyCancelled(1, 1),
    ];
    const due = samples.map((_, index) => {
      const document = foldEvents(...toRecorded(...samples.slice(0, index + 1)));
      return document && policies.indexes(document).due;
    });
    expect(due).toEqual(['2025-01-01T00:00:00.000Z', null, '2027-02-02T00:00:00.000Z', null]);
  });

  test.each([
    [['2025-01-01', '2024-01-01'], '2024-01-01'],
    [['2024-01-01', '2025-01-01'], '2024-01-01'],
  ])('with accepted terms from %j are due on %s, the first start', ([from, next], due) => {
    const imported = policyImported(1, 1);
    const further = policyTermImported(1, 1, term(String(next), `${String(next).slice(0, 4)}-12-31`));
    const document = foldEvents(
      ...toRecorded(
        { ...imported, data: { ...imported.data, status: 'accepted', term: term(String(from), '2025-12-31') } },
        { ...further, data: { ...further.data, status: 'accepted' } },
      ),
    );
    expect(document && policies.indexes(document).due).toBe(`${due}T00:00:00.000Z`);
  });

  test('reject a renewal before the purchase', () => {
    const [, renewal] = toRecorded(policyImported(1, 1), policyRenewed(1, 1, term('2026-01-01', '2026-12-31')));
    expect(() => renewal && policies.fold(undefined, renewal)).toThrow('PolicyRenewed.v1 came before what it changes');
  });

  test('contain the JSON of the resource unchanged', () => {
    const view = { a: 'tells ,"extra":{} in a text', b: null };
    expect(resourceJsonOf(JSON.stringify({ view, extra: { merchant_id: 'm' } }))).toBe(JSON.stringify(view));
    expect(() => resourceJsonOf('{"customer_id":1}')).toThrow('not the text of a document with a view');
    const document = foldEvents(...toRecorded(policyImported(1, 1)));
    expect(resourceJsonOf(JSON.stringify(document))).toBe(JSON.stringify(document?.view));
  });
});
