import { expect } from '@jest/globals';
import { addDays } from '#domain/values/dates.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Service } from '../../support/service-process.ts';
import { today } from '../../support/varied-policies.ts';
import type { FiguresOfDays } from './consumer.ts';

/** Days of a made book, and days about today. */
export const BOOK_DAYS: readonly string[] = [
  '2021-12-31',
  '2022-01-01',
  '2022-08-15',
  '2023-06-30',
  '2024-12-31',
  '2025-12-31',
  ...[-30, -1, 0, 1, 9, 10, 20, 40, 60, 200, 365, 400].map((days) => addDays(today(), days)),
];

interface Portfolio {
  readonly position: string;
  readonly results: readonly { readonly group: string; readonly policies_in_force: number }[];
}

type Requests = Pick<Service, 'request'>;

/**
 * Expects that what is counted after it is the policies in force by product type, as the portfolio has them on each of
 * the days.
 */
export async function expectPortfolio(
  service: Requests,
  count: () => Promise<FiguresOfDays>,
  days = BOOK_DAYS,
): Promise<void> {
  const expected: Record<string, Record<string, number>> = {};
  let end = 0n;
  for (const day of days) {
    const response = await service.request(`/api/v1/audit/portfolio/?as_of=${day}&group_by=product_type`);
    const { position, results } = (await response.json()) as Portfolio;
    end = BigInt(position);
    const figures: Record<string, number> = {};
    // One row for each currency of a product type.
    for (const { group, policies_in_force: count } of results)
      if (count > 0) figures[group] = (figures[group] ?? 0) + count;
    expected[day] = figures;
  }
  expect(Object.values(expected)).not.toEqual(days.map(() => ({})));
  await waitUntil(async () => (await publishedPosition(service)) >= end);
  expect(await count()).toEqual(expected);
}

async function publishedPosition(service: Requests): Promise<bigint> {
  const { headers } = await service.request('/api/v1/events/?limit=1');
  return BigInt(headers.get('surety-position') ?? '0');
}
