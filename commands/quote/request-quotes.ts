import type { z } from 'zod';
import { addDays } from '../../src/domain/values/dates.ts';
import { dayOf, type Moment } from '../../src/event-sourcing/time.ts';
import { merchantTags } from '../../src/domain/tags.ts';
import { canonicalMoney } from '../../src/domain/values/money.ts';
import { quoteRequestIdCandidate } from '../../src/domain/quote/quote-code.ts';
import { type QuoteItem, toQuoteItem } from './quote-item.ts';
import {
  QUOTE_DAYS,
  type QuoteRequestEvent,
  type QuoteRequestState,
  QuotesOffered,
  quoteRequest,
  quoteRequestStream,
} from '../../src/domain/quote/quote.ts';
import { idOf } from '../../src/event-sourcing/aggregate.ts';
import { wrongFields } from '../../src/domain/refusals.ts';
import { commandIdOf, type ExecutedCommand, type LoadedStream, stateOf } from '../../src/command-handling/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { refusedByAll } from './narrowing.ts';
import { offersFor } from './offers.ts';
import { type CoveragePreferences, checkDates, requestQuotesInput } from './request-quotes-input.ts';

/** Returns the n-th candidate for the stream of a request. No two commands append to the same candidate. */
function candidateAt(commandId: string, candidate: number): string {
  return quoteRequestStream(quoteRequestIdCandidate(commandId, candidate));
}

/** Loads the first candidate that does not exist. */
async function loadFreeStream(context: CommandContext): Promise<LoadedStream<QuoteRequestState, QuoteRequestEvent>> {
  for (let candidate = 0; ; candidate++) {
    const loaded = await context.loadTarget(quoteRequest, candidateAt(context.commandId, candidate));
    if (loaded.state === undefined) return loaded;
  }
}

function expiryOf(now: Moment): Moment {
  return addDays(dayOf(now), QUOTE_DAYS) + now.slice(10);
}

function storedPreferences(preferences: CoveragePreferences | undefined): QuoteRequestState['coveragePreferences'] {
  if (preferences === undefined) return null;
  return {
    coverageTypes: preferences.coverage_type ?? [],
    coverageAmount:
      preferences.coverage_amount === undefined ? null : canonicalMoney(String(preferences.coverage_amount)),
    additionalCoverages: preferences.additional_coverages ?? [],
  };
}

export const requestQuotes = defineCommand({
  name: 'RequestQuotes',
  summary: 'Asks every product on sale for a quote.',
  input: requestQuotesInput,
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  creates: false,
  findTarget: async (commandId, readStream) => {
    for (let candidate = 0; ; candidate++) {
      const stream = candidateAt(commandId, candidate);
      const [first] = await readStream(stream, { limit: 1 });
      if (first === undefined) return undefined;
      if (commandIdOf(first) === commandId) return stream;
    }
  },
  handle: async (request, context) => {
    const target = await loadFreeStream(context);
    const { customer_metadata: customer, insurance_details: details, coverage_preferences: preferences } = request;
    const { product_type: productType } = details;
    const risk = details.additional_information as Record<string, z.core.util.JSONType>;
    const products = await context.services.catalogue.liveProducts(productType, context.environment);
    const errors = checkDates(request, context.today);
    errors.push(
      ...refusedByAll(
        products.map(({ product }) => product),
        risk,
      ),
    );
    if (errors.length > 0) throw wrongFields(errors);
    const data = {
      requestId: idOf(target.stream),
      ...context.environment,
      customer: customer ?? null,
      productType,
      additionalInformation: risk,
      coveragePreferences: storedPreferences(preferences),
      expiresAt: expiryOf(context.now),
      offers: [...offersFor(products, risk, preferences)],
    };
    return { target, events: [{ type: QuotesOffered.type, data }], tags: merchantTags(context.environment) };
  },
  result: ({ history }: ExecutedCommand<QuoteRequestEvent>) => ({ quotes: quoteItems(stateOf(quoteRequest, history)) }),
});

function quoteItems(state: QuoteRequestState): readonly QuoteItem[] {
  return state.offers.map((_, index) => toQuoteItem(state, index));
}
