import { z } from 'zod';
import { registerProvider } from '#commands/provider/register-provider.ts';
import { requestQuotes } from '#commands/quote/request-quotes.ts';
import { nestedArray, paging } from '#queries/lists.ts';
import { listInsurers, searchProviders } from '#queries/list-providers.ts';
import { getProduct, listProducts } from '#queries/products.ts';
import { getQuote, notOfferedSchema, quoteItemSchema } from '#queries/quotes.ts';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import { moneyNotNegativeInput } from '#domain/values/money.ts';
import type { QuoteRequestEvent } from '#domain/quote/quote.ts';
import { selectOffers, SORTINGS } from '#domain/quote/quote-selection.ts';
import type { QuoteItem } from '#commands/quote/quote-item.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { bodyRulesOf } from '../bodies/command-body.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { commandResponse, runCommand } from '../handlers/run-command.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { pageOfList } from '../messages/links.ts';
import { parseParts, parseQuery } from '../messages/query-string.ts';
import type { Json } from '../../reference/openapi/page.ts';
import { type AuthenticatedRoute, routesOf } from '../../server/route.ts';

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

const NOT_OFFERED =
  'The products of the type that make no offer, whatever the filters, the oldest first, and why. Only the first are listed where they are very many.';

interface QuoteAnswer {
  readonly quotes: readonly QuoteItem[];
  readonly not_offered: readonly object[];
}

export const quoteRoutes = routesOf<AuthenticatedRoute>('Quotes', [
  queryRoute('/api/v1/quotes/:quote_code/', getQuote),
  {
    name: requestQuotes.name,
    summary: requestQuotes.summary,
    method: 'POST',
    path: '/api/v1/quotes',
    kind: 'command',
    roles: ['merchant'],
    wrongRoleCode: 'merchant_key_required',
    body: () => bodyRulesOf(inputSchemaOf(requestQuotes.input)),
    reference: {
      description: `${requestQuotes.description}

For the next page, POST the same body to \`next\` with the same \`Idempotency-Key\`; without it, new quotes with new codes are created.`,
      errors: requestQuotes.errors,
      example: { query: { sort_by: 'cheapest', limit: 2 }, body: requestQuotes.example as Json },
      search,
      body: requestQuotes.input,
      response: z.array(z.array(quoteItemSchema)),
      besideResults: { not_offered: z.array(notOfferedSchema).meta({ description: NOT_OFFERED }) },
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
      const { quotes, not_offered } = outcome.result as unknown as QuoteAnswer;
      const [offered] = outcome.events as readonly QuoteRequestEvent[];
      const indexes = selectOffers(offered?.data.offers ?? [], selection);
      const items = indexes.slice(offset, offset + limit).map((index) => JSON.stringify(quotes[index]));
      const page = { kind: 'page', count: indexes.length, limit, offset, results: nestedArray(items) } as const;
      const { headers, body } = pageOfList(
        call,
        context.publicUrl,
        page,
        `,"not_offered":${JSON.stringify(not_offered)}`,
      );
      // Quotes are read from their stream, not from read models, so there is nothing to wait for.
      return commandResponse(outcome, body, headers);
    },
  },
]);

export const productRoutes = routesOf('Products', [
  queryRoute('/api/v1/products', listProducts),
  queryRoute('/api/v1/products/:id/', getProduct),
]);

export const providerRoutes = routesOf('Providers', [
  queryRoute('/api/v1/insurers/', listInsurers),
  queryRoute('/api/v1/providers/search/', searchProviders),
  commandRoute('/api/v1/onboarding/providers/registration/', {
    command: registerProvider,
    roles: ['merchant', 'admin'],
  }),
]);
