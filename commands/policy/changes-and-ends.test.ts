import { describe, expect, test } from '@jest/globals';
import { ratesOf } from '../../src/domain/values/rating.ts';
import type { AgreedTerm } from '../../src/domain/policy/term.ts';
import { given, type GivenEvent, NOW } from '../../test/support/given.ts';
import {
  changed,
  FIRE,
  GLASS,
  givenTermId,
  policyEvent,
  RATING,
  ratedTerm,
  returnedOf,
} from '../../test/support/policy-events.ts';
import {
  policyCancelled,
  policyDeclined,
  policyImported,
  policyPurchased,
  policyRenewed,
  term,
} from '../../test/support/sample-events.ts';
import { cancelPolicy } from './cancel-policy.ts';
import { changePolicy } from './change-policy.ts';
import { reinstatePolicy } from './reinstate-policy.ts';
import { renewPolicy } from './renew-policy.ts';

const FIRST = ratedTerm('2026-01-01');
const NEXT = ratedTerm('2027-01-01');
const bought = (changes: object = {}, first: AgreedTerm = FIRST) => policyPurchased(1, 1, first, changes);
const WAITING = bought({ status: 'accepted', waits: true, inspectionRequired: true });
const CANCELLED = policyCancelled(1, 1, { effectiveAt: '2026-09-30' });
const renewedWith = (next: AgreedTerm, changes: object = {}) =>
  changed(policyRenewed(1, 1, next), { effectiveAt: next.from, ...changes });
const RADIO = { name: 'radio', type: 'radio', limit: null, deductible: null };

describe('RenewPolicy', () => {
  const RULES = ratesOf(RATING);
  const renewOn = (today: string, changes: object, ...history: readonly GivenEvent[]) => {
    const { rates = RULES, ...fields } = changes as { rates?: object };
    const body = { policy_number: 'POL-1', preferred_policy_start_date: '2027-01-01', policy_duration: 365, ...fields };
    return given(...history).when(renewPolicy, {
      ...renewPolicy.input.parse(body),
      today,
      rates: rates as typeof RULES,
    });
  };
  const renew = (changes: object, ...history: readonly GivenEvent[]) =>
    renewOn('2026-03-01', changes, ...(history.length === 0 ? [bought()] : history));

  test('adds exactly the days that are asked for, at the annual net price and the present rates', () => {
    renew({}).then(renewedWith(ratedTerm('2027-01-01', 365)));
    renew({ policy_duration: 30, auto_renew: true }).then(
      renewedWith(ratedTerm('2027-01-01', 30), { autoRenew: true }),
    );
    const rating = { minimum_premium: '400.00', tax_percent: '10' };
    renew({ rates: ratesOf(rating) }).then(renewedWith(ratedTerm('2027-01-01', 365, { rating })));
    renew({ rates: null }).then(renewedWith(ratedTerm('2027-01-01', 365)));
  });

  test('takes price and coverages of the last period, and the annual net price of an import rounded', () => {
    const period = { ...NEXT.periods[0], from: '2027-06-01', coverages: [GLASS], annualNet: '730.00' };
    const { premium, net, fee, tax, commission } = NEXT;
    const difference = { premium, net, fee, tax, commission };
    const periods = [{ ...NEXT.periods[0], through: '2027-05-31' }, period];
    const change = { ...returnedOf(1, NEXT), difference, periods };
    const event = policyEvent('PolicyChanged', { reason: null, changes: [], terms: [change] });
    const next = ratedTerm('2028-01-01', 365, { annual: '730.00', coverages: [GLASS] });
    renew({ preferred_policy_start_date: '2028-01-01' }, bought(), renewedWith(NEXT), event).then(renewedWith(next));

    const imported = policyImported(1, 1, term('2026-12-02', '2026-12-31', '100.00'));
    const agreed = { ...term('2027-01-01', '2027-12-31', '1216.67'), coverages: undefined };
    renew({}, imported).then(renewedWith(agreed));
  });

  const START = 'preferred_policy_start_date';
  const startOn = (from: string, today = '2026-03-01', history: GivenEvent = bought()) =>
    renewOn(today, { [START]: from, policy_duration: 1 }, history);
  const wrongStart = (message: string) => ({ fields: [{ field: START, message }] });
  const oneDay = (from: string) => renewedWith(ratedTerm(from, 1));

  test('is refused for a policy that is cancelled, waits or is not renewable', () => {
    const to = changed(CANCELLED, { effectiveAt: '2026-12-31' });
    for (const history of [[bought(), CANCELLED], [bought(), to], [WAITING], [bought({ renewable: false })]])
      renew({ [START]: '2026-01-01' }, ...history).thenRefused('policy_not_renewable');
  });

  test('begins today at the earliest, also with a gap', () => {
    startOn('2026-02-28').thenRefused('invalid_request', wrongStart('must not be in the past'));
    startOn('2027-03-05', '2027-03-05').then(oneDay('2027-03-05'));
  });

  test('begins after the last term', () => {
    const overlaps = { ...wrongStart('must be later than 2026-12-31'), members: { earliest_start: '2027-01-01' } };
    for (const from of ['2026-12-31', '2026-03-01'])
      startOn(from).thenRefused('renewal_overlaps_current_term', overlaps);
    const endless = policyImported(1, 1, term('2026-01-01', '9999-12-31', '365.00'));
    renew({}, endless).thenRefused('renewal_overlaps_current_term', { members: { earliest_start: null } });
  });

  test('begins at most 366 days after the last term, or after today when that is later', () => {
    startOn('2028-01-01').then(oneDay('2028-01-01'));
    startOn('2028-01-02').thenRefused('invalid_request', wrongStart('must not be later than 2028-01-01'));
    startOn('2028-06-01', '2027-06-01').then(oneDay('2028-06-01'));
    startOn('2028-06-02', '2027-06-01').thenRefused('invalid_request', wrongStart('must not be later than 2028-06-01'));
    const endless = policyImported(1, 1, term('2026-01-01', '9999-12-30', '365.00'));
    startOn('9999-12-31', '2026-03-01', endless).thenRefused(
      ...(['invalid_request', wrongStart('must let the term end before 9999-12-31')] as const),
    );
  });

  const change = (kind: 'additional' | 'modified', details: object, changes: object = {}) => {
    const flag = kind === 'additional' ? 'include_additional_coverage' : 'modify_exisitng_coverage';
    return renew({ [flag]: true, coverage_details: details, ...changes });
  };

  test('can add or modify a coverage, at the new rate of tax, and keeps what it was sent', () => {
    const added = { coverage_type: ' radio ', additional_amount: 12, brand: ['any'] };
    const next = ratedTerm('2027-01-01', 365, { annual: '375.00', coverages: [FIRE, GLASS, RADIO] });
    change('additional', added).then(renewedWith(next, { coverageChange: { kind: 'additional', details: added } }));
    const half = ratesOf({ tax_percent: '50' });
    change('additional', added, { rates: half }).then(
      renewedWith(
        ratedTerm('2027-01-01', 365, {
          ...{ annual: '373.00', coverages: [FIRE, GLASS, RADIO], rating: { tax_percent: '50' } },
        }),
        { coverageChange: { kind: 'additional', details: added } },
      ),
    );
    const modified = { coverage_type: 'peril', coverage_limit: '5', additional_amount: '-12', covered_items: null };
    const coverages = [{ ...FIRE, limit: '5.00' }, GLASS];
    change('modified', modified).then(
      renewedWith(ratedTerm('2027-01-01', 365, { annual: '355.00', coverages }), {
        coverageChange: { kind: 'modified', details: modified },
      }),
    );
    renew({ coverage_details: {} }).then(renewedWith(ratedTerm('2027-01-01', 365)));
  });

  test('is refused with a change that does not fit, and for a term that becomes too dear', () => {
    const field = 'coverage_details.coverage_type';
    change('modified', { coverage_type: 'hail' }).thenRefused('invalid_request', {
      fields: [{ field, message: 'must be the name or the type of exactly one coverage of the policy' }],
    });
    change('additional', { coverage_type: 'FIRE' }).thenRefused('invalid_request', {
      fields: [{ field, message: 'is the name of a coverage of the policy already; modify it instead' }],
    });
    change('modified', { coverage_type: 'fire', additional_amount: '-438.01' }).thenRefused('invalid_request', {
      fields: [{ field: 'coverage_details.additional_amount', message: 'would make the annual price negative' }],
    });
    const dear = { coverage_type: 'radio', additional_amount: '99999999.99' };
    change('additional', dear).thenRefused('premium_out_of_range');
    expect(change('additional', dear, { policy_duration: 364 }).error()).toBeUndefined();
  });
});

describe('ChangePolicy', () => {
  const changeOn = (today: string, changes: readonly object[], ...history: readonly GivenEvent[]) =>
    given(...history).when(changePolicy, { ...changePolicy.input.parse({ policy_id: 'POL-1', changes }), today });
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
      ...{ ...FIRST, premium: '520.08', net: '383.40', tax: '86.68', commission: '38.34' },
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
    changeOn('2025-12-31', [ADD], bought({ status: 'accepted' })).then(changedTo('2025-12-31', [whole]));
    const short = bought({}, ratedTerm('2026-01-01', 30));
    changeOn('2026-03-01', [ADD], short, renewedWith(NEXT)).then(changedTo('2026-03-01', [next]));
  });

  test('keeps what the policy retains of a term in any case', () => {
    const cancellation = { coolingOffDays: 0, refundAfterClaim: true, minimumRetained: '300.00' };
    const less = [{ action: 'modify', coverage_name: 'fire', additional_amount: '-438' }];
    const after = {
      ...{ ...FIRST, premium: '420.00', net: '300.00', tax: '70.00', commission: '30.00' },
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
    changeOn('2026-01-01', [dear, { ...dear, coverage_type: 'tyres' }], bought()).thenRefused('premium_out_of_range');
  });
});

describe('CancelPolicy', () => {
  const cancelBy = (today: string, changes: object, ...history: readonly GivenEvent[]) => {
    const { isBackOffice = false, ...fields } = changes as { isBackOffice?: boolean };
    const input = cancelPolicy.input.parse({ policy_number: 'POL-1', cancellation_reason: 'moved away', ...fields });
    const now = `${today}${NOW.slice(10)}`;
    return given(...history).when(cancelPolicy, { ...input, isBackOffice, initiator: 'A bank', now, today });
  };
  const cancelled = (decidedOn: string, returned: readonly object[], changes: object = {}) =>
    policyCancelled(1, 1, {
      ...{ decidedOn, cancelledAt: `${decidedOn}${NOW.slice(10)}`, effectiveAt: decidedOn, returned },
      ...changes,
    });
  /** Of the first term, through 2026-06-30. */
  const REST = returnedOf(0, FIRST, {
    premium: '220.80',
    net: '184.00',
    fee: '0.00',
    tax: '36.80',
    commission: '18.40',
  });
  const NOTHING = { premium: '0.00', net: '0.00', fee: '0.00', tax: '0.00', commission: '0.00' };
  const JUNE = { effectiveAt: '2026-06-30', cancelledAt: '2026-06-30T23:59:59.000Z' };
  const wrongDay = (message: string) => ({ fields: [{ field: 'effective_on', message }] });

  test('ends cover today, and records what was said', () => {
    const said = { merchant_feedback: 'too dear', alternative_offerings: ['a', null] };
    const recorded = { merchantFeedback: 'too dear', alternativeOfferings: ['a', null] };
    cancelBy('2026-06-30', said, bought()).then(cancelled('2026-06-30', [REST], recorded));
    cancelBy('2026-06-30', {}, bought(), renewedWith(NEXT)).then(cancelled('2026-06-30', [REST, returnedOf(1, NEXT)]));
  });

  test('ends cover on a later day of the term in force, at its last second in the zone', () => {
    const effective_on = '2026-06-30';
    cancelBy('2026-03-01', { effective_on }, bought()).then(cancelled('2026-03-01', [REST], JUNE));
    const inLagos = { ...JUNE, cancelledAt: '2026-06-30T22:59:59.000Z' };
    cancelBy('2026-03-01', { effective_on }, bought({ timeZone: 'Africa/Lagos' })).then(
      cancelled('2026-03-01', [REST], inLagos),
    );
    const last = { effectiveAt: '2026-12-31', cancelledAt: '2026-12-31T23:59:59.000Z' };
    cancelBy('2026-03-01', { effective_on: '2026-12-31' }, bought(), renewedWith(NEXT)).then(
      cancelled('2026-03-01', [returnedOf(0, FIRST, NOTHING), returnedOf(1, NEXT)], last),
    );
  });

  test('returns by the rules of the policy', () => {
    const cancellation = { coolingOffDays: 14, refundAfterClaim: true, minimumRetained: '200.00' };
    const rule = (refundRule: string) => ({ refundRule });
    cancelBy('2026-01-15', {}, bought({ cancellation })).then(
      cancelled('2026-01-15', [returnedOf(0, FIRST)], rule('cooling_off')),
    );
    const retained = { premium: '198.00', net: '165.00', fee: '0.00', tax: '33.00', commission: '16.50' };
    cancelBy('2026-01-16', {}, bought({ cancellation })).then(
      cancelled('2026-01-16', [returnedOf(0, FIRST, retained)]),
    );
  });

  test('returns everything of a policy that has not begun, waits or is in a gap, for today alone', () => {
    const not_begun = { refundRule: 'not_begun' };
    const short = ratedTerm('2026-01-01', 30);
    const cases: readonly (readonly [string, readonly object[], ...GivenEvent[]])[] = [
      ['2025-12-31', [returnedOf(0, FIRST)], bought({ status: 'accepted' })],
      ['2027-06-30', [returnedOf(0, FIRST)], WAITING],
      ['2026-03-01', [returnedOf(1, NEXT)], bought({}, short), renewedWith(NEXT)],
    ];
    for (const [today, returned, ...history] of cases) {
      cancelBy(today, {}, ...history).then(cancelled(today, returned, not_begun));
      for (const effective_on of ['2025-12-30', '2026-03-02', '2027-01-01'])
        for (const isBackOffice of [true, false])
          cancelBy(today, { effective_on, isBackOffice }, ...history).thenRefused(
            ...(['invalid_request', wrongDay(`must be ${today}: the policy is not in force today`)] as const),
          );
    }
  });

  test('ends cover on an earlier day for the back office, back to the day before the term in force', () => {
    const early = (effective_on: string, ...history: readonly GivenEvent[]) =>
      cancelBy('2027-03-01', { effective_on, isBackOffice: true }, ...history);
    const history = [bought(), renewedWith(ratedTerm('2027-01-01'))];
    const through = (day: string) => ({ effectiveAt: day, cancelledAt: `${day}T23:59:59.000Z` });
    const rest = { premium: '436.80', net: '364.00', fee: '0.00', tax: '72.80', commission: '36.40' };
    early('2027-01-01', ...history).then(cancelled('2027-03-01', [returnedOf(1, NEXT, rest)], through('2027-01-01')));
    const both = [returnedOf(0, FIRST, NOTHING), returnedOf(1, NEXT)];
    early('2026-12-31', ...history).then(cancelled('2027-03-01', both, through('2026-12-31')));
    const range = wrongDay('must be a day from 2026-12-31 through 2027-12-31');
    for (const day of ['2026-12-30', '2028-01-01']) early(day, ...history).thenRefused('invalid_request', range);
    const merchants = wrongDay('must be a day from 2027-03-01 through 2027-12-31');
    for (const effective_on of ['2027-02-28', '2028-01-01'])
      cancelBy('2027-03-01', { effective_on }, ...history).thenRefused('invalid_request', merchants);
  });

  test('is not before the last change, which a renewal or a reinstatement is not', () => {
    const change = policyEvent('PolicyChanged', { reason: null, changes: [], terms: [], effectiveAt: '2026-02-01' });
    const early = (effective_on: string, ...history: readonly GivenEvent[]) =>
      cancelBy('2026-07-31', { effective_on, isBackOffice: true }, bought(), ...history);
    early('2026-01-31', change).thenRefused('changed_after_day');
    expect(early('2026-02-01', change).error()).toBeUndefined();
    early('2026-06-30', changed(renewedWith(NEXT), {})).then(
      cancelled('2026-07-31', [REST, returnedOf(1, NEXT)], JUNE),
    );
    const again = policyEvent('PolicyReinstated', {
      reason: 'x',
      autoRenew: false,
      reinstated: [],
      effectiveAt: '2026-07-30',
    });
    early('2026-06-30', CANCELLED, again).then(cancelled('2026-07-31', [REST], JUNE));
  });

  test('is refused for a policy that has ended or run out, before its day is judged', () => {
    const day = { effective_on: '2025-01-01' };
    const toCome = changed(CANCELLED, { effectiveAt: '2026-12-31' });
    for (const end of [CANCELLED, toCome, policyDeclined(1, 1)])
      cancelBy('2026-03-01', day, bought(), end).thenRefused('policy_already_cancelled');
    cancelBy('2027-01-01', {}, bought(), toCome).thenRefused('policy_already_cancelled');
    cancelBy('2027-01-01', day, bought()).thenRefused('policy_expired');
  });
});

describe('ReinstatePolicy', () => {
  const reinstate = (today: string, ...history: readonly GivenEvent[]) =>
    given(...history).when(reinstatePolicy, { reason: 'mistake', today });
  const returned = [
    returnedOf(0, FIRST, { premium: '120.00', net: '100.00', fee: '0.00', tax: '20.00', commission: '10.00' }),
  ];
  const ended = changed(CANCELLED, { returned });
  const reinstated = (autoRenew: boolean) =>
    policyEvent('PolicyReinstated', { reason: 'mistake', autoRenew, reinstated: returned, effectiveAt: '2026-09-30' });

  test('makes every returned amount owed again, as of the day of the cancellation, and restores automatic renewal', () => {
    for (const today of ['2026-03-01', '2026-12-31']) {
      reinstate(today, bought(), ended).then(reinstated(false));
      reinstate(today, bought({ autoRenew: true }), ended).then(reinstated(true));
    }
  });

  test('is possible for a policy that waited, after the days of its term', () => {
    reinstate('2027-06-01', WAITING, ended).then(reinstated(false));
  });

  test('is refused for a policy that is not cancelled, was declined, or has run out', () => {
    reinstate('2027-01-01', bought()).thenRefused('policy_not_cancelled');
    reinstate('2026-03-01', bought(), ended, reinstated(false)).thenRefused('policy_not_cancelled');
    reinstate('2026-03-01', WAITING, policyDeclined(1, 1)).thenRefused('policy_not_cancelled');
    reinstate('2027-01-01', bought(), ended).thenRefused('policy_expired');
  });
});
