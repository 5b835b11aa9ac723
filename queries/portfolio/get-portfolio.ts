import { z } from 'zod';
import { day, instant } from '#event-sourcing/time.ts';
import { pointInTimeOf, pointInTimeSearch } from '../history/point-in-time.ts';
import { testModeOf, testModeSearch } from '../lists.ts';
import { defineQuery } from '../query.ts';
import { GROUPS, portfolioRowSchema, refusePortfolio } from './portfolio.ts';

export const getPortfolio = defineQuery({
  name: 'GetPortfolio',
  summary:
    'Computes the book on a day: policies in force, premiums and claims, as they are known or were known at an instant.',
  description: `The book on a day, folded from the event log in a thread of its own, never from the read models. For each policy and claim it folds exactly the events that the
view with the same \`as_of\` and \`known_at\` folds; what that view answers with 404 counts nowhere. Each policy is counted by the day in its own time zone. Amounts are computed
per term, rounded half-up to 2 decimals and then summed; written = earned + unearned + returned.

A claim has the group and currency of its policy. Rows of zeros are left out. The day may lie in the future: then only what is agreed counts. \`position\` is the end of the log when
the computation began.

A process computes one portfolio at a time and refuses others (429). It reads the whole log, so the response takes seconds for a large book, and the computation ends when the client
closes the connection. An event of a policy or claim that cannot be folded refuses every portfolio that would count it (\`document_parked\`, which names the stream), because its
figures would be wrong.`,
  errors: refusePortfolio.codes,
  example: { search: { as_of: '2026-03-10', group_by: 'product_type' } },
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
