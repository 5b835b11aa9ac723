import { z } from 'zod';
import { day, instant } from '#event-sourcing/time.ts';
import { pointInTimeOf, pointInTimeSearch } from '../history/point-in-time.ts';
import { testModeOf, testModeSearch } from '../lists.ts';
import { defineQuery } from '../query.ts';
import { GROUPS, portfolioRowSchema } from './portfolio.ts';

export const getPortfolio = defineQuery({
  name: 'GetPortfolio',
  summary:
    'Computes the book on a day: policies in force, premiums and claims, as they are known or were known at an instant.',
  roles: ['admin', 'auditor'],
  search: z.strictObject({
    as_of: z
      .string('must be given')
      .pipe(day)
      .meta({ description: 'The day of the book; each policy is counted by this day in its own time zone' }),
    known_at: pointInTimeSearch.known_at,
    group_by: z
      .enum(GROUPS, `must be one of: ${GROUPS.join(', ')}`)
      .optional()
      .meta({
        description: 'What a row is about, beside the currency; one row for each currency when it is not given',
      }),
    ...testModeSearch,
  }),
  readsOnlyLog: true,
  response: z.strictObject({
    as_of: day,
    known_at: instant.nullable(),
    position: z.string().meta({ description: 'Position of the last event that was read' }),
    results: z.array(portfolioRowSchema),
  }),
  async respond({ search }, context) {
    const { as_of: asOf, known_at: knownAt, group_by: groupBy } = search;
    await pointInTimeOf(search, context);
    const testMode = testModeOf(context.reader, search);
    const { position, rows } = await context.runPortfolio({ asOf, knownAt, groupBy, testMode });
    const body = { as_of: asOf, known_at: knownAt ?? null, position: String(position), results: rows };
    return { kind: 'resource', body: JSON.stringify(body), etag: undefined };
  },
});
