import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { figuresOf, figuresView } from './insurance-model/book-figures.ts';
import { countDays, endOfYear, localDay, plus } from './insurance-model/days.ts';
import { anyLife, type Life } from './insurance-model/any-life.ts';
import { begin, commandOf, firstNow, nowAfter, take } from './insurance-model/lives.ts';
import { PolicyModel } from './insurance-model/policy.ts';
import type { ImportedRow, Purchase } from './insurance-model/requests.ts';
import { ageOn, pricingOf, type Product, quote } from './insurance-model/rating.ts';
import { hasBegun, type PastPolicy, policyAt } from './insurance-model/state.ts';
import { format, owedOf, premiumOf } from './insurance-model/timeline.ts';
import { policyView, termViews, transactionView } from './insurance-model/views.ts';

/** More for a long run by hand. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 500);

const COVERAGES = [
  { coverage_name: 'Collision', coverage_type: 'Damage', coverage_limit: null, deductible: null },
  { coverage_name: 'Theft', coverage_type: 'Theft', coverage_limit: '5000.00', deductible: null },
];

/** A product at 1000.00 a year with fee 50.00, tax 10 % and commission 20 %. */
function product(changes: Partial<Product> = {}): Product {
  const rating = { surcharge: '50.00', tax_percent: '10', commission_percent: '20' };
  return { base_premium: '1000.00', coverages: COVERAGES, rating, ...changes };
}

function at(day: string): string {
  return `${day}T10:00:00.000Z`;
}

/** A policy for a year that begins on its first day, 1 March 2027, or as the changes say. */
function purchase(offered: Product, changes: Partial<Purchase> = {}, today = '2027-03-01'): PolicyModel {
  const nothing = {
    values: {},
    quoted: null,
    duration: null,
    tier: null,
    autoRenew: false,
    born: null,
    isAsked: false,
  };
  return PolicyModel.purchase('UTC', offered, { ...nothing, from: today, ...changes }, at(today));
}

function imported(changes: Partial<ImportedRow> = {}): PolicyModel {
  const row: ImportedRow = {
    ...{ from: '2027-01-01', through: '2027-12-31', premium: 110_000n, tax: 10_000n, commission: 20_000n },
    ...{ coverages: COVERAGES, autoRenew: false, cancelledOn: null, returnPremium: null },
  };
  return PolicyModel.import('UTC', product(), { ...row, ...changes }, at('2027-03-01'));
}

function pastOf(model: PolicyModel, asOf: string): PastPolicy {
  const past = policyAt(model, { asOf, knownAt: at('2040-01-01') });
  if (typeof past === 'string') throw new Error(past);
  return past;
}

/** The parts of every transaction: kind, amount, net, fee, tax, commission, date. */
function entriesOf(model: PolicyModel) {
  return model.transactions.map(transactionView).map(({ kind, amount, net, fee, tax, commission, date }) => {
    return [kind, amount, net, fee, tax, commission, date];
  });
}

function bookOn(model: PolicyModel, day: string) {
  const book = figuresView(figuresOf(pastOf(model, day)));
  const { premium_written, premium_earned, premium_unearned, premium_returned } = book;
  return [premium_written, premium_earned, premium_unearned, premium_returned];
}

function netsOf(model: PolicyModel, day: string) {
  return termViews(pastOf(model, day)).map(({ net, periods }) => [net, ...periods.map((period) => period.net)]);
}

describe('the price of a term', () => {
  test('a year costs the annual price with or without 29 February, and 73 days a fifth of it', () => {
    expect([endOfYear('2027-03-01'), endOfYear('2027-02-28'), endOfYear('2028-02-29')]).toEqual([
      ...['2028-02-29', '2028-02-27', '2029-02-28'],
    ]);
    const years = [purchase(product()), purchase(product(), {}, '2026-03-01')];
    expect(years.map(({ last }) => [countDays(last.from, last.through), last.periods[0]?.net])).toEqual([
      ...[
        [366, 100_000n],
        [365, 100_000n],
      ],
    ]);
    expect(entriesOf(purchase(product(), { duration: 73 }))).toEqual([
      ['premium', '275.00', '200.00', '50.00', '25.00', '40.00', '2027-03-01'],
    ]);
  });

  test('the worked example of rating', () => {
    const rated: Product = {
      base_premium: '5000.00',
      coverages: COVERAGES,
      rating: {
        rate: { field: 'vehicle_value', percent: '1.5' },
        loadings: [{ field: 'vehicle_use', equals: 'Commercial', percent: '20', label: 'Commercial use' }],
        ...{ discount_percent: '5', surcharge: '500.00', tax_percent: '7.5' },
      },
    };
    const values = { vehicle_value: '2000000', vehicle_use: 'Commercial' };
    const year = { base_price: '35000.00', amount: '42000.00', discount_amount: '2100.00', surcharges: '500.00' };
    expect(quote(rated, values, null)?.price).toMatchObject({ ...year, tax: '3030.00', total_price: '43430.00' });
    const fifth = { amount: '8400.00', discount_amount: '420.00', surcharges: '500.00', tax: '636.00' };
    expect(quote(rated, values, 73)?.price).toMatchObject({ ...fifth, total_price: '9116.00' });
    expect(quote(rated, { vehicle_use: 'Private' }, null)).toBeUndefined();
    expect(pricingOf(rated)).toMatchObject({ amount: '5000.00', tax: '412.50', total_price: '5912.50' });
  });

  test('a minimum and a fee are not divided by days', () => {
    const rating = { minimum_premium: '500.00', surcharge: '50.00', tax_percent: '20', discount_percent: '10' };
    const prices = [1, 73, 365, null].map((n) => quote({ base_premium: '10.00', rating }, {}, n)?.price);
    const price = { amount: '500.00', discount_amount: '0.00', total_price: '660.00' };
    expect(prices).toEqual(prices.map(() => expect.objectContaining(price)));
  });

  test('an imported term has the premium and the tax of its row, and a renewal keeps its rates', () => {
    const model = imported({ through: '2027-03-14' });
    expect(entriesOf(model)).toEqual([['premium', '1100.00', '1000.00', '0.00', '100.00', '200.00', '2027-01-01']]);
    model.product = { base_premium: '0.00' };
    // 1000.00 for 73 days are 5000.00 a year.
    model.renew({ from: '2027-03-15', days: 365, autoRenew: false, change: null }, at('2027-03-02'));
    expect(entriesOf(model).at(-1)).toEqual([
      ...['premium', '5500.00', '5000.00', '0.00', '500.00', '1000.00', '2027-03-15'],
    ]);
  });

  test('a renewal is priced at the present rates of the product, except where its tax is unknown', () => {
    const renewal = { from: '2028-03-01', days: 365, autoRenew: false, change: null };
    const model = purchase(product());
    model.product = product({ rating: { tax_percent: '20', minimum_premium: '2000.00' } });
    model.renew(renewal, at('2027-03-02'));
    expect(entriesOf(model).at(-1)).toEqual([
      ...['premium', '2400.00', '2000.00', '0.00', '400.00', '0.00', '2028-03-01'],
    ]);
    const unknown = imported({ tax: null, commission: null });
    unknown.renew(renewal, at('2027-03-02'));
    expect(entriesOf(unknown).at(-1)).toEqual(['premium', '1100.00', '1100.00', '0.00', null, null, '2028-03-01']);
  });

  test('a year renews for a year and keeps its date', () => {
    const model = purchase(product(), { autoRenew: true }, '2027-01-01');
    model.settle(at('2031-01-01'));
    const years = ['2027', '2028', '2029', '2030', '2031'];
    expect(model.agreed.map(({ from }) => from)).toEqual(years.map((year) => `${year}-01-01`));
    const leap = imported({ from: '2027-01-01', through: '2028-01-01', autoRenew: true });
    leap.settle(at('2028-02-01'));
    expect(leap.last).toMatchObject({ from: '2028-01-02', through: '2029-01-01' });
  });

  test('somebody born on 29 February is a year older from 1 March', () => {
    expect([ageOn('2008-02-29', '2026-02-28'), ageOn('2008-02-29', '2026-03-01')]).toEqual([17, 18]);
    const limited = product({ additional_information: { min_age: 18 } });
    const isAsked = true;
    expect(() => purchase(limited, { born: '2009-03-02', isAsked })).toThrow('no_quote');
    expect(purchase(limited, { born: '2009-03-01', isAsked }).agreed).toHaveLength(1);
    expect(() => purchase(limited, { born: '2009-03-01' })).toThrow('no_quote');
  });
});

describe('a change in the middle of a term', () => {
  const glass = { action: 'add', coverage_type: 'Glass', additional_amount: '366.00' } as const;

  test('the days before keep what they have earned, and the rest is priced at the new annual price', () => {
    // 366 days; 366.00 with tax are 332.73 net a year. After 183 days half of both.
    const model = purchase(product());
    const answer = model.change([glass], at(plus('2027-03-01', 182)));
    expect(netsOf(model, '2027-08-31')).toEqual([['1166.37', '500.00', '666.37']]);
    expect(entriesOf(model).at(-1)).toEqual([
      ...['premium_change', '183.01', '166.37', '0.00', '16.64', '33.27', '2027-08-31'],
    ]);
    expect(answer).toMatchObject({ premium_difference: '183.01', tax_difference: '16.64' });
    expect(bookOn(model, '2027-08-30')).toEqual(['1050.00', '550.00', '500.00', '0.00']);
    expect(bookOn(model, '2027-08-31')).toEqual(['1216.37', '553.64', '662.73', '0.00']);
    expect(bookOn(model, '2028-02-29')).toEqual(['1216.37', '1216.37', '0.00', '0.00']);
  });

  test('a second change on a day replaces the period that begins there', () => {
    const model = purchase(product());
    model.change([glass], at('2027-08-30'));
    model.change([{ action: 'remove', coverage_name: 'glass', additional_amount: '-366.00' }], at('2027-08-30'));
    expect(netsOf(model, '2027-08-31')).toEqual([['1000.00', '500.00', '500.00']]);
    expect(entriesOf(model).at(-1)?.slice(0, 3)).toEqual(['premium_change', '-183.01', '-166.37']);
  });

  test('the net falls neither below what is earned nor below what is retained', () => {
    const cheaper = { action: 'remove', coverage_name: 'Theft', additional_amount: '-1100.00' } as const;
    const nothing = { cancellation: { minimum_retained: '700.00' } };
    const [free, retained] = [purchase(product()), purchase(product(nothing))];
    for (const model of [free, retained]) model.change([cheaper], at('2027-08-30'));
    expect(netsOf(free, '2027-08-31')).toEqual([['500.00', '500.00', '0.00']]);
    expect(netsOf(retained, '2027-08-31')).toEqual([['700.00', '500.00', '200.00']]);
    // Two days at 1.00 a year and one at 2.00 have earned 0.01 each time; their exact sum is 0.0109.
    const small = purchase({ base_premium: '1.00', coverages: COVERAGES });
    for (const [day, amount] of [
      ['2027-03-02', '1.00'],
      ['2027-03-03', '-2.00'],
    ] as const)
      small.change([{ action: 'modify', coverage_name: 'Theft', additional_amount: amount }], at(day));
    expect(netsOf(small, '2027-03-04')).toEqual([['0.02', '0.01', '0.01', '0.00']]);
  });

  test('later terms are changed too and priced again, each at its own rates', () => {
    const model = purchase(product());
    model.product = product({ rating: { tax_percent: '20' } });
    model.renew({ from: '2028-03-01', days: 73, autoRenew: false, change: null }, at('2027-03-02'));
    const { terms } = model.change([glass], at('2027-08-30'));
    // 366.00 with 20 % tax are 305.00 net a year, 61.00 for 73 days.
    expect(terms).toMatchObject([
      { premium_before: '1155.00', premium: '1338.01' },
      { premium_before: '240.00', premium: '313.20' },
    ]);
    expect(() => model.change([glass], at('2027-09-01'))).toThrow('invalid_request');
  });

  test('never reaches back: it begins tomorrow, or with a policy that begins later', () => {
    const model = purchase(product(), { from: '2027-03-05' });
    expect(model.change([glass], at('2027-03-01'))).toMatchObject({ effective_on: '2027-03-05' });
    expect(netsOf(model, '2027-03-05')).toEqual([['1332.73', '1332.73']]);
    const cheaper = { action: 'remove', coverage_name: 'Glass', additional_amount: '-366.00' } as const;
    expect(model.change([cheaper], at('2027-03-05'))).toMatchObject({ effective_on: '2027-03-06' });
    const short = purchase(product(), { duration: 30 });
    expect(() => short.change([glass], at('2027-03-30'))).toThrow('policy_not_changeable');
  });

  test('is taken back by an end before it, and brought back by a reinstatement', () => {
    const model = purchase(product());
    model.change([glass], at('2027-08-30'));
    const more = { premium_difference: '183.01' };
    // 183 days have earned 500.00: 500.00 with tax, and what the change costs, are given back.
    expect(model.cancel('Acme Bank', null, at('2027-08-30'))).toMatchObject({ refund_amount: '733.01' });
    expect(
      entriesOf(model)
        .slice(1)
        .map(([kind, amount, , , , , date]) => [kind, amount, date]),
    ).toEqual([
      ...[
        ['premium_change', more.premium_difference, '2027-08-31'],
        ['premium_change', `-${more.premium_difference}`, '2027-08-31'],
        ['return_premium', '-550.00', '2027-08-30'],
      ],
    ]);
    expect(bookOn(model, '2027-08-30')).toEqual(['1050.00', '550.00', '0.00', '500.00']);
    model.reinstate(at('2027-09-10'));
    expect(netsOf(model, '2027-08-31')).toEqual([['1166.37', '500.00', '666.37']]);
    expect(() => model.cancel('admin', '2027-08-30', at('2027-09-10'))).toThrow('changed_after_day');
  });

  test('that made cover cheaper gives at least this back when an end takes it back', () => {
    const model = purchase(product({ cancellation: { minimum_retained: '2000.00' } }));
    model.change([glass], at('2027-03-05'));
    model.change([{ action: 'remove', coverage_name: 'Glass', additional_amount: '-366.00' }], at('2027-08-30'));
    const cheaper = entriesOf(model).at(-1)?.[1];
    expect(model.cancel('Acme Bank', null, at('2027-08-30'))).toMatchObject({ refund_amount: '0.00' });
    expect(entriesOf(model).at(-1)?.[1]).toBe(cheaper);
  });
});

describe('the end', () => {
  const rules = product({ cancellation: { cooling_off_days: 14, minimum_retained: '300.00' } });

  test('within the cooling-off, everything', () => {
    const model = purchase(rules);
    const refund = { refund_amount: '1155.00', tax_refunded: '105.00', refund_rule: 'cooling_off' };
    expect(model.cancel('Acme Bank', '2027-03-15', at('2027-03-10'))).toMatchObject(refund);
    expect(bookOn(model, '2027-03-14')).toEqual(['1050.00', '88.25', '961.75', '0.00']);
    expect(bookOn(model, '2027-03-15')).toEqual(['1050.00', '0.00', '0.00', '1050.00']);
    expect(model.covers('2027-03-05', at('2027-03-11'))).toBe(false);
  });

  test('after it, the net that is not earned and not retained, and the tax of it', () => {
    const early = purchase(rules);
    // 16 days have earned 43.72; 300.00 is retained. Tax of 350.00 is kept.
    expect(early.cancel('Acme Bank', null, at('2027-03-16'))).toMatchObject({
      ...{ refund_amount: '770.00', tax_refunded: '70.00', refund_rule: 'pro_rata' },
    });
    // The day of the end is in force.
    expect(early.covers('2027-03-16', at('2027-03-17'))).toBe(true);
    const firstDay = purchase(product());
    firstDay.cancel('Acme Bank', null, at('2027-03-01'));
    expect(bookOn(firstDay, '2027-03-01')).toEqual(['1050.00', '52.73', '0.00', '997.27']);
    const later = purchase(rules);
    // 183 days have earned 500.00. Tax of 550.00 and commission of 500.00 are kept.
    later.cancel('Acme Bank', '2027-08-30', at('2027-04-01'));
    expect(entriesOf(later).at(-1)).toEqual([
      ...['return_premium', '-550.00', '-500.00', '0.00', '-50.00', '-100.00', '2027-08-30'],
    ]);
    expect(bookOn(later, '2027-08-30')).toEqual(['1050.00', '550.00', '0.00', '500.00']);
  });

  test('before cover begins and while the policy waits, everything', () => {
    const future = purchase(product(), { from: '2027-05-01' });
    const refund = { refund_amount: '1155.00', refund_rule: 'not_begun', effective_on: '2027-03-02' };
    expect(future.cancel('Acme Bank', null, at('2027-03-02'))).toMatchObject(refund);
    expect(entriesOf(future).at(-1)).toEqual([
      ...['return_premium', '-1155.00', '-1000.00', '-50.00', '-105.00', '-200.00', '2027-05-01'],
    ]);
    const waiting = purchase(product({ inspection_required: true }));
    expect(waiting.cancel('Acme Bank', null, at('2027-03-02'))).toMatchObject(refund);
    expect(policyAt(waiting, { asOf: '2027-03-05', knownAt: at('2028-01-01') })).toBe('not_in_force_yet');
  });

  test('the back office ends the term in force before its first day', () => {
    const model = purchase(product());
    expect(() => model.cancel('Acme Bank', '2027-02-28', at('2027-03-05'))).toThrow('invalid_request');
    const refund = { refund_amount: '1155.00', refund_rule: 'not_begun', effective_on: '2027-02-28' };
    expect(model.cancel('admin', '2027-02-28', at('2027-03-05'))).toMatchObject(refund);
    expect(policyAt(model, { asOf: '2027-03-05', knownAt: at('2027-03-05') })).toBe('not_in_force_yet');
  });

  test('an imported return premium stands', () => {
    const model = imported({ cancelledOn: '2027-02-01', returnPremium: 55_000n });
    expect(entriesOf(model).at(-1)).toEqual([
      ...['return_premium', '-550.00', '-500.00', '0.00', '-50.00', '-100.00', '2027-02-01'],
    ]);
    const view = policyView(model, pastOf(model, '2027-02-01'));
    expect(view).toMatchObject({ status: 'cancelled', cancellation_date: '2027-02-01T23:59:59.000Z' });
  });

  test('a reinstatement owes again what was returned, without a gap', () => {
    const model = purchase(product(), { autoRenew: true });
    model.cancel('Acme Bank', '2027-08-30', at('2027-08-30'));
    model.reinstate(at('2027-10-01'));
    expect(entriesOf(model).at(-1)?.slice(0, 3)).toEqual(['premium_reinstated', '550.00', '500.00']);
    expect(policyView(model, pastOf(model, '2027-10-01'))).toMatchObject({ status: 'active', auto_renew: true });
    expect(bookOn(model, '2027-08-30')).toEqual(['1050.00', '550.00', '500.00', '0.00']);
  });
});

/** Plays a life; calls `check` at the beginning and after every step. */
function play({ contract, minutes, steps }: Life, check: (model: PolicyModel, now: string) => void) {
  let now = firstNow(minutes);
  const { answer: model } = begin(contract, now);
  if (model === undefined) return undefined;
  check(model, now);
  for (const step of steps) {
    now = nowAfter(now, step);
    take(model, commandOf(model, step, now), now);
    check(model, now);
  }
  return { model, now };
}

/** "The sum of a policy's premium transactions = price of its timeline less what its end returned." */
function expectOwed({ transactions, state }: PolicyModel): void {
  const total = transactions.reduce((sum, { amounts }) => sum + premiumOf(amounts), 0n);
  expect(total).toBe(state.terms.reduce((sum, term) => sum + premiumOf(owedOf(term)), 0n));
}

/** Returns the days on which the book of a policy, as it is known at an instant, breaks a rule. */
function wrongDays(model: PolicyModel, knownAt: string): readonly object[] {
  const days = model.state.terms.flatMap(({ from, through }) => [from, through]).toSorted();
  const wrong: object[] = [];
  let before = 0n;
  for (let day = plus(days[0] ?? '', -2); day <= plus(days.at(-1) ?? '', 2); day = plus(day, 1)) {
    const past = policyAt(model, { asOf: day, knownAt });
    if (typeof past === 'string') continue;
    const { state } = past;
    const figures = figuresOf(past);
    const { written, earned, unearned, returned, tax } = figures;
    const mayFall = state.end?.day === day && (state.end.rule === 'cooling_off' || state.end.initiator === 'import');
    const begun = new Set(state.terms.filter((term) => hasBegun(state, term, day)).map(({ number }) => number));
    const dated = model.transactions.filter(({ date, term }) => date <= day && begun.has(term.number));
    const owed = dated.reduce((sum, { amounts }) => sum + premiumOf(amounts), 0n);
    const isRight =
      written === earned + unearned + returned &&
      Object.values(figures).every((figure) => figure >= 0n) &&
      (mayFall || earned >= before) &&
      owed === written + tax - returned;
    if (!isRight) wrong.push({ day, ...figuresView(figures), owed: format(owed), earnedBefore: format(before) });
    before = earned;
  }
  return wrong;
}

test(
  'the rules balance for every life of a policy',
  () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const end = play(life, (model, now) => {
          expectOwed(model);
          const past = policyAt(model, { asOf: null, knownAt: now });
          // Everything that was decided is known now, and the fold of the facts is the state.
          expect(past).toEqual({ state: model.state, day: localDay(now, model.zone) });
        });
        if (end !== undefined) expect(wrongDays(end.model, end.now)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 100,
);
