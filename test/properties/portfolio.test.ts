import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { foldPortfolio } from '../../queries/portfolio/fold-portfolio.ts';
import { GROUPS, type PortfolioRequest, type PortfolioRow } from '../../queries/portfolio/portfolio.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { anyPoint, pointOf } from './insurance-model/any-point.ts';
import { anyBookHistory, Book, RUNS } from './insurance-model/book.ts';
import { type Contract, expectedPortfolio } from './insurance-model/past-portfolio.ts';
import type { PointInTime } from './insurance-model/point-in-time.ts';

type GroupBy = PortfolioRequest['groupBy'];

interface FirstEvent {
  readonly customerId: string;
  readonly provider: { readonly id: string };
  readonly product: { readonly type: string };
  readonly currency: string;
}

/** Returns what the policies of a book are about. */
async function contractsOf({ policies }: Book, groupBy: GroupBy): Promise<readonly Contract[]> {
  const contracts: Contract[] = [];
  for (const { real } of policies) {
    const [first] = (await real.events()) as RecordedEvent<{ type: string; data: FirstEvent }>[];
    if (first === undefined) throw new Error('the policy exists');
    const { customerId, provider, product, currency } = first.data;
    const groups = { product_type: product.type, provider: provider.id, merchant: 'ACM-0001', all: 'all' };
    contracts.push({ customerId, group: groups[groupBy ?? 'all'], currency });
  }
  return contracts;
}

async function rowsAt(
  { harness: { eventStore: log } }: Book,
  { asOf, knownAt }: PointInTime,
  { groupBy, maxEvents }: { readonly groupBy: GroupBy; readonly maxEvents: number },
) {
  const request = { asOf: asOf ?? knownAt.slice(0, 10), knownAt, groupBy, testMode: false };
  const { rows } = await foldPortfolio(request, { log, nextTurn: async () => {}, maxEvents });
  return rows.map(({ group, currency, ...figures }) => ({ key: `${group} ${currency}`, ...figures }));
}

/** Written = earned + unearned + returned, and none of them is negative. */
function expectBalance(row: Omit<PortfolioRow, 'group' | 'currency'>): void {
  const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));
  const parts = [row.premium_earned, row.premium_unearned, row.premium_returned].map(cents);
  expect(parts.every((part) => part >= 0n)).toBe(true);
  expect(parts.reduce((sum, part) => sum + part)).toBe(cents(row.premium_written));
}

test(
  'the portfolio of any day, as it was known at any moment, is that of an independent model to the cent, after every sequence of commands',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBookHistory,
        fc.array(fc.tuple(anyPoint, fc.constantFrom(undefined, ...GROUPS), fc.integer({ min: 1, max: 20 })), {
          minLength: 6,
          maxLength: 10,
        }),
        async (history, points) => {
          const book = await Book.after(history);
          for (const [any, groupBy, maxEvents] of points) {
            const { asOf, knownAt } = pointOf(book, any);
            const point = { asOf: asOf ?? knownAt.slice(0, 10), knownAt };
            const contracts = await contractsOf(book, groupBy);
            const expected = expectedPortfolio(book, point, (number) => contracts[number] as Contract);
            const rows = await rowsAt(book, point, { groupBy, maxEvents });
            expect({ point, rows }).toEqual({ point, rows: expected.toSorted((a, b) => (a.key < b.key ? -1 : 1)) });
            for (const row of rows) expectBalance(row);
          }
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 1_000,
);
