import { z } from 'zod';
import { day as dayInput } from '../../src/event-sourcing/time.ts';
import { pointInTimeOf, pointInTimeSearch } from '../history/point-in-time.ts';
import { testModeOf, worldChoice } from '../lists.ts';
import { defineQuery } from '../query.ts';
import { day, moment, sum } from '../shapes.ts';
import { GROUPS } from './portfolio.ts';

const count = z.int().min(0);

const rowShape = z
  .strictObject({
    group: z.string().meta({ description: 'Product type, provider_id or short_code; `all` without `group_by`' }),
    currency: z.string(),
    policies_in_force: count.meta({ description: 'Policies in force on the day' }),
    premium_in_force: sum.meta({ description: 'Premiums of their terms that contain the day, as charged' }),
    premium_written: sum.meta({ description: 'Premiums of the terms that have begun by the day' }),
    premium_earned: sum.meta({ description: 'Part of the written premium for the days of cover through the day' }),
    premium_unearned: sum.meta({ description: 'Written less earned less returned' }),
    premium_returned: sum.meta({
      description: 'What cancellations and declines by the day returned of terms that had begun',
    }),
    customers: count.meta({ description: 'Holders of the policies in force' }),
    claims_filed: count.meta({ description: 'Claims filed by the day' }),
    claims_paid: count.meta({ description: 'Claims paid by the day' }),
    amount_paid: sum.meta({ description: 'What they paid' }),
  })
  .meta({ id: 'PortfolioRow' });

export const getPortfolio = defineQuery({
  name: 'GetPortfolio',
  summary:
    'Computes the book on a day: policies in force, premiums and claims, as they are known or were known at a moment.',
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({
    as_of: z
      .string('must be given')
      .pipe(dayInput)
      .meta({ description: 'The day of the book; each policy is counted by this day in its own time zone' }),
    known_at: pointInTimeSearch.known_at,
    group_by: z
      .enum(GROUPS, `must be one of: ${GROUPS.join(', ')}`)
      .optional()
      .meta({
        description: 'What a row is about, beside the currency; one row for each currency when it is not given',
      }),
    ...worldChoice,
  }),
  paged: false,
  response: z.strictObject({
    as_of: day,
    known_at: moment.nullable(),
    position: z.string().meta({ description: 'Position of the last event that was read' }),
    results: z.array(rowShape),
  }),
  async answer({ search }, context) {
    const { as_of: asOf, known_at: knownAt, group_by: groupBy } = search;
    pointInTimeOf(search, context);
    const testMode = testModeOf(context.reader, search);
    const { position, rows } = await context.runPortfolio({ asOf, knownAt, groupBy, testMode });
    const body = { as_of: asOf, known_at: knownAt ?? null, position: String(position), results: rows };
    return { kind: 'resource', body: JSON.stringify(body), etag: undefined };
  },
});
