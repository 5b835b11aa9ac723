import { describe, expect, test } from '@jest/globals';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import {
  appendSamples,
  claimImported,
  claimSettled,
  policyActivated,
  policyCancelled,
  policyChanged,
  policyImported,
  policyPurchased,
  policyReinstated,
  policyRenewed,
  RECORDED_AT,
  type SampleEvent,
  sampleId,
  sampleTermId,
  term,
} from '#test/support/sample-events.ts';
import { importedTerm } from '#domain/policy/timeline.ts';
import { foldPortfolio } from './fold-portfolio.ts';
import type { PortfolioRequest, PortfolioRow } from './portfolio.ts';

const on = (effectiveAt: string, sample: SampleEvent, changes: object = {}): SampleEvent => ({
  ...sample,
  data: { ...sample.data, ...changes, effectiveAt },
});
const year = (of: number, premium = '365.00') => term(`${of}-01-01`, `${of}-12-31`, premium);
const imported = (of: number, premium?: string) => on(`${of}-01-01`, policyImported(1, 1, year(of, premium)));
const renewed = (of: number, premium?: string) => on(`${of}-01-01`, policyRenewed(1, 1, year(of, premium)));
const purchased = (of: number, changes: object = {}) =>
  on(`${of - 1}-12-15`, policyPurchased(1, 1, year(of), { status: 'accepted', ...changes }));
/** What an end returns of the term that the first event agreed. */
const returnOf = (of: number, premium: string) => ({
  termId: sampleTermId(1, 0),
  from: `${of}-01-01`,
  through: `${of}-12-31`,
  premium,
  net: premium,
  fee: '0.00',
  tax: null,
  commission: null,
});
const cancelled = (day: string, returned: readonly object[], changes: object = {}) =>
  on(day, policyCancelled(1, 1), { cancelledAt: `${day}T10:00:00.000Z`, returned, ...changes });
const activated = (day: string, movedTerm: object | null) =>
  on(day, policyActivated(1, 1), { cause: 'back_office', movedTerm });

const REQUEST: PortfolioRequest = { asOf: '2025-06-30', knownAt: undefined, groupBy: undefined, testMode: false };

async function storeOf(...samples: readonly SampleEvent[]): Promise<MemoryEventStore> {
  const store = new MemoryEventStore();
  await appendSamples(store, ...samples);
  return store;
}

async function portfolioOf(
  samples: readonly SampleEvent[],
  request: Partial<PortfolioRequest> = {},
): Promise<readonly PortfolioRow[]> {
  const log = await storeOf(...samples);
  const { rows } = await foldPortfolio({ ...REQUEST, ...request }, { log, nextTurn: async () => {} });
  return rows;
}

/** Returns policies in force, premium in force, written, earned, unearned and returned, as one text. */
async function premiumsOn(asOf: string, samples: readonly SampleEvent[]): Promise<string> {
  const [row, ...others] = await portfolioOf(samples, { asOf });
  expect(others).toEqual([]);
  if (row === undefined) return 'no row';
  const { premium_in_force, premium_written, premium_earned, premium_unearned, premium_returned } = row;
  const premiums = [premium_in_force, premium_written, premium_earned, premium_unearned, premium_returned];
  return `${row.policies_in_force}: ${premiums.join(' ')}`;
}

describe('the premiums of a portfolio', () => {
  const waiting = purchased(2025, { waits: true });
  const moved = { termId: sampleTermId(1, 0), from: '2025-03-01', through: '2026-02-28' };
  const end = cancelled('2025-07-01', [returnOf(2025, '183.00')]);
  const cutTerm = importedTerm(
    { from: '2025-01-01', through: '2025-12-31' },
    { premium: '732.00', tax: null, commission: null },
    [],
  );
  const periods = [
    { from: '2025-01-01', through: '2025-06-30', coverages: [], annualNet: '365.00', net: '181.00' },
    { from: '2025-07-01', through: '2025-12-31', coverages: [], annualNet: '1093.04', net: '551.00' },
  ];
  const changed = on('2025-07-01', policyChanged(1, 1, { ...cutTerm, periods }));

  test.each([
    ['before the first term', [imported(2025)], '2024-12-31', 'no row'],
    ['in the middle of the year', [imported(2025)], '2025-06-30', '1: 365.00 365.00 181.00 184.00 0.00'],
    ['half-up to the cent', [imported(2025, '3.65')], '2025-01-01', '1: 3.65 3.65 0.01 3.64 0.00'],
    [
      'in the second term',
      [imported(2025), renewed(2026, '730.00')],
      '2026-01-01',
      '1: 730.00 1095.00 367.00 728.00 0.00',
    ],
    ['while it waits for activation', [waiting], '2025-06-30', 'no row'],
    [
      'from its late activation',
      [waiting, activated('2025-03-01', moved)],
      '2025-03-01',
      '1: 365.00 365.00 1.00 364.00 0.00',
    ],
    ['on the day before its end', [imported(2025), end], '2025-06-30', '1: 365.00 365.00 181.00 184.00 0.00'],
    ['on the day of its end', [imported(2025), end], '2025-07-01', '1: 365.00 365.00 182.00 0.00 183.00'],
    ['after its end', [imported(2025), end], '2026-01-01', '0: 0.00 365.00 182.00 0.00 183.00'],
    [
      'after a reinstatement',
      [imported(2025), end, on('2025-07-01', policyReinstated(1, 1))],
      '2025-07-01',
      '1: 365.00 365.00 182.00 183.00 0.00',
    ],
    ['before a change', [imported(2025), changed], '2025-06-30', '1: 365.00 365.00 181.00 184.00 0.00'],
    ['after a change', [imported(2025), changed], '2025-07-01', '1: 732.00 732.00 183.99 548.01 0.00'],
  ] as const)('%s', async (_case, samples, day, expected) => {
    expect(await premiumsOn(day, samples)).toBe(expected);
  });

  test('contain the fee, not the tax, and have the commission that is not earned', async () => {
    const priced = { ...year(2025), net: '365.00', fee: '10.00', tax: '30.00', commission: '36.50', premium: '405.00' };
    expect(await portfolioOf([on('2025-01-01', policyPurchased(1, 1, priced))], { asOf: '2025-06-30' })).toMatchObject([
      {
        premium_in_force: '375.00',
        premium_written: '375.00',
        premium_earned: '191.00',
        premium_unearned: '184.00',
        tax: '30.00',
        commission: '36.50',
        commission_unearned: '18.40',
      },
    ]);
  });
});

describe('the claims of a portfolio', () => {
  const filed = on('2025-03-02', claimImported(1, 1, 1));
  const claimsOn = async (asOf: string, ...moves: readonly SampleEvent[]) => {
    const [row] = await portfolioOf([imported(2025), filed, ...moves], { asOf });
    return [row?.claims_filed, row?.claims_paid, row?.amount_paid];
  };

  test('count from the day of filing, and are paid from the day of the payment', async () => {
    const paid = claimSettled(1, 1, 1);
    expect(await claimsOn('2025-03-01', paid)).toEqual([0, 0, '0.00']);
    expect(await claimsOn('2025-03-31', paid)).toEqual([1, 0, '0.00']);
    expect(await claimsOn('2025-04-01', paid)).toEqual([1, 1, '50.00']);
  });
});

describe('a portfolio', () => {
  /**
   * Policies of customers with one, two and three policies, in two currencies and product types, with a claim on each.
   */
  const product = (type: string) => ({ id: sampleId('product', 1), name: 'A product', type });
  const book = [1, 2, 2, 3, 3, 3].flatMap((customer, index) => {
    const policy = on('2025-01-01', policyImported(customer, index, year(2025)), {
      currency: index % 2 === 0 ? 'EUR' : 'NGN',
      product: product(index < 3 ? 'Auto' : 'Home'),
    });
    return [policy, claimSettledOf(customer, index)].flat();
  });

  function claimSettledOf(customer: number, index: number): readonly SampleEvent[] {
    return [on('2025-03-02', claimImported(customer, index, index)), claimSettled(customer, index, index)];
  }

  test('has rows by group, then currency, with every customer once in each', async () => {
    const rows = await portfolioOf(book, { groupBy: 'product_type' });
    expect(rows.map(({ group, currency, ...row }) => [group, currency, row.policies_in_force, row.customers])).toEqual([
      ['Auto', 'EUR', 2, 2],
      ['Auto', 'NGN', 1, 1],
      ['Home', 'EUR', 1, 1],
      ['Home', 'NGN', 2, 1],
    ]);
    expect((await portfolioOf(book)).map(({ group, currency, customers }) => [group, currency, customers])).toEqual([
      ['all', 'EUR', 3],
      ['all', 'NGN', 2],
    ]);
  });

  test('is the same when few events are in memory', async () => {
    const log = await storeOf(...book);
    let passes = 0;
    const counting = {
      lastPosition: async () => await log.lastPosition(),
      readAll: async (page: Parameters<typeof log.readAll>[0]) => {
        passes += 1;
        return await log.readAll(page);
      },
    };
    const options = { log: counting, nextTurn: async () => {} };
    for (const groupBy of [undefined, 'product_type'] as const) {
      const request = { ...REQUEST, groupBy };
      const whole = await foldPortfolio(request, options);
      passes = 0;
      expect(await foldPortfolio(request, { ...options, maxEvents: 3 })).toEqual(whole);
      expect(passes).toBeGreaterThan(1);
    }
  });

  test('folds what was recorded by the instant, and groups a claim by its policy also when that was recorded later', async () => {
    const filed = on('2025-03-02', claimImported(1, 1, 1));
    const store = await storeOf(imported(2025), renewed(2026), filed);
    const events = await store.readAll({ after: undefined, limit: 10 });
    const times = ['10:00', '12:00', '09:00'];
    const log = {
      lastPosition: async () => 3n,
      readAll: async () =>
        events.map((event, index) => ({
          ...event,
          metadata: { ...(event.metadata as object), recordedAt: `2026-03-01T${times[index]}:00.000Z` },
        })),
    };
    const knownAt = async (time: string) => {
      const request = { ...REQUEST, asOf: '2026-06-30', knownAt: `2026-03-01T${time}:00.000Z` };
      const { rows } = await foldPortfolio(request, { log, nextTurn: async () => {} });
      return rows.map(({ premium_written, claims_filed }) => [premium_written, claims_filed]);
    };
    expect(await knownAt('08:59')).toEqual([]);
    expect(await knownAt('09:00')).toEqual([['0.00', 1]]);
    expect(await knownAt('10:00')).toEqual([['365.00', 1]]);
    expect(await knownAt('12:00')).toEqual([['730.00', 1]]);
  });

  test('of the other mode is empty', async () => {
    expect(await portfolioOf(book, { testMode: true })).toEqual([]);
  });

  test('ends at the last position', async () => {
    const log = await storeOf(...book);
    const { position } = await foldPortfolio(REQUEST, { log, nextTurn: async () => {} });
    expect(position).toBe(BigInt(book.length));
    const empty = await foldPortfolio(REQUEST, { log: new MemoryEventStore(), nextTurn: async () => {} });
    expect(empty).toEqual({ position: 0n, rows: [] });
  });

  test.each([
    ['data that this version cannot read', { data: { broken: true } }],
    ['an unknown type', { type: 'PolicyPainted.v1' }],
    ['neither tags nor ids', { metadata: { recordedAt: RECORDED_AT }, data: null }],
    ['a revision after a gap', { revision: 2 }],
  ])('is refused because of an event with %s', async (_what, changes) => {
    const store = await storeOf(imported(2025), renewed(2026));
    const stored = await store.readAll({ after: undefined, limit: 10 });
    const log = {
      lastPosition: async () => 2n,
      readAll: async () => stored.map((event, index) => (index === 1 ? { ...event, ...changes } : event)),
    };
    const policy = imported(2025).stream;
    await expect(foldPortfolio(REQUEST, { log, nextTurn: async () => {} })).rejects.toMatchObject({
      code: 'document_parked',
      detail: expect.stringContaining(policy),
    });
  });
});
