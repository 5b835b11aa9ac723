import { describe, expect, test } from '@jest/globals';
import { policy } from '#domain/policy/policy.ts';
import { addDays } from '#domain/values/dates.ts';
import type { AgreedTerm } from '#domain/policy/term.ts';
import { given, type GivenEvent } from '#test/support/given.ts';
import {
  changed,
  FIRST,
  FIRE,
  GLASS,
  givenTermId,
  policyEvent,
  ratedTerm,
  NEXT,
  bought,
  WAITING,
  CANCELLED,
  renewedWith,
  RADIO,
} from '#test/support/policy-events.ts';
import { policyDeclined, policyImported, term } from '#test/support/sample-events.ts';
import { changePolicy } from './change-policy.ts';

describe('ChangePolicy', () => {
  /** Decided on the day before. */
  const changeOn = (from: string, changes: readonly object[], ...history: readonly GivenEvent[]) =>
    given(...history).when(changePolicy, {
      ...changePolicy.input.parse({ policy_id: 'POL-1', changes }),
      today: addDays(from, -1),
    });
  const ADD = { action: 'add', coverage_type: 'radio', additional_amount: '43.8' };
  const RADIO_TOO = { annual: '401.50', coverages: [FIRE, GLASS, RADIO] };
  /** A changed term of a given event, with what it costs more. */
  const touched = (revision: number, after: object, difference: object) => {
    const { minimum: _minimum, taxRate: _tax, commissionRate: _commission, ...facts } = after as AgreedTerm;
    return { termId: givenTermId(revision), ...facts, difference };
  };
  const changedTo = (effectiveAt: string, terms: readonly object[], changes: readonly object[] = [ADD]) =>
    policyEvent('PolicyChanged', { reason: null, changes, terms, effectiveAt });
  const costs = (premium: string, net: string, tax: string, commission: string) => {
    return { premium, net, fee: '0.00', tax, commission };
  };
  const next = touched(1, ratedTerm('2027-01-01', 'year', RADIO_TOO), costs('43.80', '36.50', '7.30', '3.65'));

  test('changes the rest of the term of the day, and every later term', () => {
    const [before] = FIRST.periods;
    const after = {
      ...FIRST,
      premium: '520.08',
      net: '383.40',
      tax: '86.68',
      commission: '38.34',
      periods: [
        { ...before, through: '2026-06-30', net: '181.00' },
        { ...ratedTerm('2026-07-01', 184, RADIO_TOO).periods[0], net: '202.40' },
      ],
    };
    const first = touched(0, after, costs('22.08', '18.40', '3.68', '1.84'));
    changeOn('2026-07-01', [ADD], bought(), renewedWith(NEXT)).then(changedTo('2026-07-01', [first, next]));
    const unknown = policyImported(1, 1, term('2026-01-01', '2026-12-31', '365.00'));
    const difference = { ...costs('43.80', '43.80', '', ''), tax: null, commission: null };
    const [free] = term('2026-01-01', '2026-12-31', '408.80').periods;
    const imported = {
      ...term('2026-01-01', '2026-12-31', '408.80'),
      periods: [{ ...free, coverages: [...(free?.coverages ?? []), RADIO] }],
    };
    changeOn('2026-01-01', [ADD], unknown).then(changedTo('2026-01-01', [touched(0, imported, difference)]));
  });

  test('before the first day and in a gap changes later terms alone', () => {
    const whole = touched(0, ratedTerm('2026-01-01', 'year', RADIO_TOO), costs('43.80', '36.50', '7.30', '3.65'));
    for (const from of ['2025-12-31', '2026-01-01'])
      changeOn(from, [ADD], bought({ status: 'accepted' })).then(changedTo('2026-01-01', [whole]));
    const short = bought({}, ratedTerm('2026-01-01', 30));
    changeOn('2026-03-01', [ADD], short, renewedWith(NEXT)).then(changedTo('2026-03-01', [next]));
  });

  test('keeps what the policy retains of a term in any case', () => {
    const cancellation = { coolingOffDays: 0, refundAfterClaim: true, minimumRetained: '300.00' };
    const less = [{ action: 'modify', coverage_name: 'fire', additional_amount: '-438' }];
    const after = {
      ...FIRST,
      premium: '420.00',
      net: '300.00',
      tax: '70.00',
      commission: '30.00',
      periods: [
        { ...FIRST.periods[0], through: '2026-06-30', net: '181.00' },
        { ...FIRST.periods[0], from: '2026-07-01', annualNet: '0.00', net: '119.00' },
      ],
    };
    const first = touched(0, after, costs('-78.00', '-65.00', '-13.00', '-6.50'));
    changeOn('2026-07-01', less, bought({ cancellation })).then(changedTo('2026-07-01', [first], less));
  });

  test('is refused for a policy that has ended, waits or has run out', () => {
    const toCome = changed(CANCELLED, { effectiveAt: '2026-12-31' });
    for (const end of [CANCELLED, toCome, policyDeclined(1, 1)])
      changeOn('2026-03-01', [ADD], bought(), end).thenRefused('policy_not_changeable');
    changeOn('2026-03-01', [ADD], WAITING).thenRefused('policy_not_changeable');
    changeOn('2027-01-01', [ADD], bought()).thenRefused('policy_not_changeable');
  });

  test('is refused before the day of the last change, after the clock was set back', () => {
    const earlier = policyEvent('PolicyChanged', { reason: null, changes: [], terms: [], effectiveAt: '2026-07-01' });
    for (const today of ['2026-06-30', '2025-12-31'])
      changeOn(today, [ADD], bought(), earlier).thenRefused('policy_not_changeable');
    expect(changeOn('2026-07-01', [ADD], bought(), earlier).error()).toBeUndefined();
  });

  test('is refused whole, naming change and term, when a term does not fit', () => {
    const without = ratedTerm('2027-01-01', 'year', { annual: '10.00', coverages: [GLASS] });
    const [glass, fire] = ['glass', 'fire'].map((name) => ({ action: 'remove', coverage_name: name }));
    const message = (text: string, year: number) => `${text} (in the term from ${year}-01-01 through ${year}-12-31)`;
    const refused = (
      changes: readonly (object | undefined)[],
      field: string,
      text: string,
      history: readonly GivenEvent[] = [bought()],
    ) =>
      changeOn('2026-07-01', changes as object[], ...history).thenRefused('invalid_request', {
        fields: [{ field, message: text }],
      });
    refused([glass, glass], 'changes.1.coverage_name', message('must be the name of a coverage of the policy', 2026));
    refused([glass, fire], 'changes.1', message('would leave the policy without a coverage', 2026));
    const history = [bought(), renewedWith(without)];
    refused([fire], 'changes.0.coverage_name', message('must be the name of a coverage of the policy', 2027), history);
    const cheaper = { ...ADD, additional_amount: '-12.01' };
    const negative = message('would make the annual price negative', 2027);
    refused([cheaper], 'changes.0.additional_amount', negative, history);
    const dear = { ...ADD, additional_amount: '99999999.99' };
    changeOn('2026-01-01', [dear, { ...dear, coverage_type: 'tyres' }], bought()).thenRefused('premium_out_of_range', {
      fields: [
        {
          field: 'changes.1.additional_amount',
          message:
            'The premium of the term would have more than 8 integer digits (in the term from 2026-01-01 through 2026-12-31)',
        },
      ],
    });
  });

  test('is refused when every coverage and price is so already', () => {
    const same = [{ action: 'modify', coverage_name: 'fire', additional_amount: '0.00' }];
    changeOn('2026-07-01', same, bought(), renewedWith(NEXT)).thenRefused('nothing_to_change');
  });

  test('gives a policy at most 100 coverages', () => {
    const many = Array.from({ length: 99 }, (_, number) => ({ ...GLASS, name: `part ${number}` }));
    const full = ratedTerm('2026-01-01', 'year', { coverages: many });
    expect(changeOn('2026-07-01', [ADD], bought({}, full)).error()).toBeUndefined();
    changeOn('2026-07-01', [ADD, { ...ADD, coverage_type: 'tyres' }], bought({}, full)).thenRefused('invalid_request', {
      fields: [
        {
          field: 'changes.1',
          message: 'would give the policy more than 100 coverages (in the term from 2026-01-01 through 2026-12-31)',
        },
      ],
    });
  });

  test('gives a policy names, types and covered items of coverages of at most 20,000 characters in all', () => {
    const items = { ...GLASS, coveredItems: JSON.stringify(['x'.repeat(9_000)]) };
    const long = ratedTerm('2026-01-01', 'year', { coverages: [items, { ...items, name: 'part' }] });
    const add = { ...ADD, covered_items: ['x'.repeat(1_900)] };
    expect(changeOn('2026-07-01', [add], bought({}, long)).error()).toBeUndefined();
    const message =
      'would give the policy names, types and covered_items of coverages of more than 20000 characters in all (in the term from 2026-01-01 through 2026-12-31)';
    const refused = { fields: [{ field: 'changes.0', message }] };
    const longer = [
      { ...ADD, covered_items: ['x'.repeat(2_000)] },
      { ...add, coverage_name: 'x'.repeat(255) },
      { ...add, coverage_name: 'radio', coverage_type: 'x'.repeat(255) },
    ];
    for (const change of longer)
      changeOn('2026-07-01', [change], bought({}, long)).thenRefused('invalid_request', refused);
  });

  test('is refused when 20 changes begin on its day already', () => {
    let history: readonly GivenEvent[] = [bought()];
    for (let number = 1; number <= 20; number += 1) {
      const [event] = changeOn('2026-07-01', [{ ...ADD, coverage_type: `part ${number}` }], ...history).events();
      if (event === undefined) throw new Error('a change is an event');
      history = [...history, event];
    }
    changeOn('2026-07-01', [{ ...ADD, coverage_type: 'part 21' }], ...history).thenRefused('policy_not_changeable');
    expect(changeOn('2026-07-02', [{ ...ADD, coverage_type: 'part 21' }], ...history).error()).toBeUndefined();
  });

  test('records the period that it cuts and the new one, however many came before', () => {
    const days = ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'];
    let history: readonly GivenEvent[] = [bought()];
    for (const [number, day] of days.entries()) {
      const [event] = changeOn(day, [{ ...ADD, coverage_type: `part ${number}` }], ...history).events();
      if (event === undefined) throw new Error('a change is an event');
      const { terms } = event.data as { readonly terms: readonly { readonly periods: readonly object[] }[] };
      expect(terms[0]?.periods).toMatchObject([{ through: addDays(day, -1) }, { from: day, through: '2026-12-31' }]);
      history = [...history, event];
    }
    expect(given(...history).foldedBy(policy)?.terms[0]?.periods).toHaveLength(5);
  });
});
