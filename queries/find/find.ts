import { z } from 'zod';
import { eventEntries } from '#projections/event-entries/event-entries.ts';
import { isFoundBy, type SearchFields, searchTextOf } from '#projections/search-terms/search-text.ts';
import { emailAddress } from '#domain/values/email.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { testModeOf } from '../lists.ts';
import { defineQuery, EVERY_ROLE, type QueryContext } from '../query.ts';
import { getMerchantDocument, getOwnMerchantDocument, MERCHANT_ERRORS } from '../resources.ts';
import { type FindScope, readResults, type SearchResult, searchResultSchema } from './found.ts';
import { hasMoreRows, partsOf, readStreams } from './read-terms.ts';

const MAX_RESULTS = 20;

export const find = defineQuery({
  name: 'Find',
  roles: EVERY_ROLE,
  summary:
    'Finds policies, claims, customers, merchants, insurers and products by names, numbers, e-mails, phones and ids.',
  description: `At most 20 of what the key may read, the best first: what is the whole text, what begins or ends with it, then names with its words. Policies and claims are found by number (whole, the beginning of 3 characters or more, the end of 4 or more) and id; customers by the words of the name (each the beginning of one, the longest of 2 letters or more), e-mail (its beginning), phone (the last 6 digits or more), reference and id; merchants by name and short code, insurers and products by name; and what an event concerns by the id of the event. Case, accents and characters that show nothing do not matter. Nothing found is an empty array.

A merchant key finds only its own merchant, in its own mode, and the insurers and products that it sees; an insurer its policies, claims and products; a platform key everything, live unless \`test_mode\` is true. With \`short_code\` only that merchant is searched, without insurers and products. At most 2,000 entries of the index are read; when the text has more, the response has the header \`Surety-Incomplete: true\`: a longer text finds the rest.

It is a POST so that the text is in no URL. It reads only and ignores an \`Idempotency-Key\`.`,
  errors: MERCHANT_ERRORS,
  example: { search: { text: 'LAG-FXYSYCAQGH', short_code: 'ACM-20E3' } },
  search: z.strictObject({
    text: z
      .string()
      .trim()
      .min(1, 'must not be blank')
      .max(255, 'must have at most 255 characters')
      .meta({ description: 'Words of a name, a number, reference, e-mail, phone, short code or id' }),
    short_code: z.string().optional().meta({ description: 'Only what belongs to this merchant' }),
    test_mode: z
      .boolean()
      .optional()
      .meta({ description: 'True finds test data; a merchant key is bound to its mode' }),
  }),
  response: z.array(searchResultSchema).max(MAX_RESULTS),
  async respond({ search: { text, short_code: shortCode, test_mode } }, context) {
    const scope = await scopeOf(context, shortCode, test_mode);
    const email = emailAddress.safeParse(text);
    const searchText = searchTextOf(email.success ? email.data : text);
    const results: SearchResult[] = [];
    const seen = new Set<string>();
    const add = async (streams: readonly string[], isFound: (fields: SearchFields) => boolean): Promise<void> => {
      const others = [...new Set(streams)].filter((stream) => !seen.has(stream));
      for (const stream of others) seen.add(stream);
      results.push(...(await readResults(context, scope, others, isFound)));
    };
    if (uuid.safeParse(text).success) await add(await streamsOfId(context, text.toLowerCase()), () => true);
    const parts = await partsOf(context, scope, searchText);
    for await (const streams of readStreams(context, parts)) {
      await add(streams, (fields) => isFoundBy(fields, searchText));
      if (results.length >= MAX_RESULTS) break;
    }
    const isIncomplete = await hasMoreRows(context, parts);
    return { kind: 'resource', body: JSON.stringify(results.slice(0, MAX_RESULTS)), etag: undefined, isIncomplete };
  },
});

/** Returns what is searched. @throws {Refusal} also for another merchant */
async function scopeOf(
  context: QueryContext,
  shortCode: string | undefined,
  wanted: boolean | undefined,
): Promise<FindScope> {
  const { reader } = context;
  const testMode = testModeOf(reader, { test_mode: wanted });
  const getMerchant = reader.role === 'insurer' ? getMerchantDocument : getOwnMerchantDocument;
  const merchantId = shortCode === undefined ? undefined : (await getMerchant(context, shortCode)).key;
  return { reader, testMode, merchantId };
}

/** Returns the streams that an id may be of, and that of the event with this id. */
async function streamsOfId({ readModels }: QueryContext, id: string): Promise<readonly string[]> {
  const entry = await readModels.get(eventEntries.name, id);
  const own = ['policy', 'claim', 'customer', 'provider', 'product'].map((category) => `${category}-${id}`);
  return [...own, ...(entry === undefined ? [] : [entry.stream])];
}
