import { expect } from '@jest/globals';
import { foldPortfolio } from '#queries/portfolio/fold-portfolio.ts';
import type { PortfolioRequest } from '#queries/portfolio/portfolio.ts';
import type { ClaimModel } from './claim-model.ts';
import type { Comparison } from '../insurance-model/comparison.ts';
import { type BookedPolicy, expectedPortfolio } from './past-portfolio.ts';
import type { PointInTime } from '../insurance-model/state.ts';

type GroupBy = PortfolioRequest['groupBy'];

/** Policies that share a harness, and their claims. */
export interface RealBook {
  readonly policies: readonly Comparison[];
  readonly claims: readonly { readonly policyId: string; readonly model: ClaimModel }[];
}

async function bookedPolicy({ real, model }: Comparison, { claims }: RealBook, by: GroupBy): Promise<BookedPolicy> {
  const { customerId, provider, product, currency } = await real.contract();
  const groups = { product_type: product.type, provider: provider.id, merchant: 'ACM-0001', all: 'all' };
  const ofPolicy = claims.filter(({ policyId }) => policyId === real.policyId).map((claim) => claim.model);
  return { model, claims: ofPolicy, customerId, key: `${groups[by ?? 'all']} ${currency}` };
}

/** Checks that the portfolio at a point in time is that of the models. @param maxEvents of one pass over the log */
export async function expectBook(
  book: RealBook,
  { asOf, knownAt }: PointInTime,
  groupBy: GroupBy,
  maxEvents = 1_000,
): Promise<void> {
  const point = { asOf: asOf ?? knownAt.slice(0, 10), knownAt };
  const booked = await Promise.all(book.policies.map(async (policy) => await bookedPolicy(policy, book, groupBy)));
  const log = book.policies[0]?.harness.eventStore;
  if (log === undefined) throw new Error('a book has a policy');
  const request = { ...point, groupBy, testMode: false };
  const portfolio = await foldPortfolio(request, { log, nextTurn: async () => {}, maxEvents });
  const rows = portfolio.rows.map(({ group, currency, ...figures }) => ({ key: `${group} ${currency}`, ...figures }));
  expect({ point, rows }).toEqual({ point, rows: expectedPortfolio(booked, point) });
}
