import { z } from 'zod';
import { requestQuotes } from '../../../commands/quote/request-quotes.ts';
import { nestedArray, paging } from '../../../queries/lists.ts';
import { getQuote } from '../../../queries/get-quote.ts';
import { quoteItemSchema } from '../../../queries/quote-schemas.ts';
import { parseInput } from '../../command-handling/parse-input.ts';
import { moneyNotNegativeInput } from '../../domain/values/money.ts';
import type { QuoteRequestEvent } from '../../domain/quote/quote.ts';
import { selectOffers, SORTINGS } from '../../domain/quote/quote-selection.ts';
import type { QuoteItem } from '../../../commands/quote/quote-item.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { bodyLimitOf } from '../bodies/command-body.ts';
import { commandAnswer, runCommand } from '../handlers/run-command.ts';
import { parseParts } from '../handlers/parse-parts.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { pageOfList } from '../messages/links.ts';
import { parseQuery } from '../messages/query-string.ts';
import type { AuthenticatedRoute } from '../route.ts';

const searchText = z.string().trim().min(1, 'must not be blank').max(255, 'must have at most 255 characters');

const search = z.strictObject({
  provider_name: searchText
    .optional()
    .meta({ description: "Keeps quotes whose insurer's name contains this, in any case" }),
  coverage_type: searchText.optional().meta({ description: 'Keeps quotes with a coverage of this type' }),
  min_price: moneyNotNegativeInput.optional().meta({ description: 'Least premium' }),
  max_price: moneyNotNegativeInput.optional().meta({ description: 'Largest premium' }),
  sort_by: z
    .enum(SORTINGS, `must be one of ${SORTINGS.join(', ')}`)
    .default('cheapest')
    .meta({ description: '`best_coverage` is the highest coverage limit for the premium' }),
  ...paging,
});

export const quoteRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/quotes/:quote_code', getQuote),
  {
    name: requestQuotes.name,
    summary: requestQuotes.summary,
    method: 'POST',
    path: '/api/v1/quotes',
    kind: 'command',
    roles: ['merchant'],
    wrongRoleCode: 'merchant_key_required',
    body: () => ({ limit: bodyLimitOf(requestQuotes.name), schema: inputSchemaOf(requestQuotes.input) }),
    reference: {
      search,
      body: requestQuotes.input,
      answer: z.array(z.array(quoteItemSchema)),
      status: 200,
      paged: true,
    },
    handle: async (call, context) => {
      const { input, parameters } = await parseParts({
        input: () => parseInput(requestQuotes.input, call.body),
        parameters: () => parseQuery(search, call.search),
      });
      const { limit, offset, ...selection } = parameters;
      const { environment } = call.caller;
      const outcome = await runCommand({ call, command: requestQuotes, input, environment }, context);
      const { quotes } = outcome.result as unknown as { readonly quotes: readonly QuoteItem[] };
      const [offered] = outcome.events as readonly QuoteRequestEvent[];
      const places = selectOffers(offered?.data.offers ?? [], selection);
      const items = places.slice(offset, offset + limit).map((place) => JSON.stringify(quotes[place]));
      const page = { kind: 'page', count: places.length, limit, offset, results: nestedArray(items) } as const;
      const { headers, body } = pageOfList(call, context.publicUrl, page);
      // Quotes are read from their stream, not from read models, so there is nothing to wait for.
      return commandAnswer(outcome, body, headers);
    },
  },
];
