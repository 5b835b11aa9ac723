import type { z } from 'zod';
import { addDays } from '../../src/domain/values/dates.ts';
import { dayOf, type Moment } from '../../src/event-sourcing/time.ts';
import { merchantTags } from '../../src/domain/tags.ts';
import { canonicalMoney } from '../../src/domain/values/money.ts';
import { quoteRequestIdCandidate } from '../../src/domain/quote/quote-code.ts';
import { type QuoteItem, toQuoteItem } from '../../src/domain/quote/quote-item.ts';
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
import { type ExecutedCommand, defineCommand, stateOf } from '../../src/command-handling/command.ts';
import { refusedByAll } from './narrowing.ts';
import { offersFor } from './offers.ts';
import { type CoveragePreferences, faultsOnDay, requestQuotesInput } from './quote-request.ts';

const targetInRow = (commandId: string, place: number): string =>
  quoteRequestStream(quoteRequestIdCandidate(commandId, place));

/** From then on, quotes of this moment can no longer be bought. */
function expiryOf(now: Moment): Moment {
  return addDays(dayOf(now), QUOTE_DAYS) + now.slice(10);
}

function preferencesOf(told: CoveragePreferences | undefined): QuoteRequestState['coveragePreferences'] {
  if (told === undefined) return null;
  return {
    coverageTypes: told.coverage_type ?? [],
    coverageAmount: told.coverage_amount === undefined ? null : canonicalMoney(String(told.coverage_amount)),
    additionalCoverages: told.additional_coverages ?? [],
  };
}

export const requestQuotes = defineCommand({
  name: 'RequestQuotes',
  summary: 'Asks every product on sale for a quote.',
  input: requestQuotesInput,
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  creates: false,
  targetInRow,
  handle: async (request, context) => {
    const target = await context.loadFreeTarget(quoteRequest, targetInRow);
    const { customer_metadata: customer, insurance_details: details, coverage_preferences: preferences } = request;
    const { product_type: productType } = details;
    const told = details.additional_information as Record<string, z.core.util.JSONType>;
    const offered = await context.liveProducts(productType);
    const faults = faultsOnDay(request, context.today);
    faults.push(
      ...refusedByAll(
        offered.map(({ product }) => product),
        told,
      ),
    );
    if (faults.length > 0) throw wrongFields(faults);
    const data = {
      requestId: idOf(target.stream),
      ...context.environment,
      customer: customer ?? null,
      productType,
      additionalInformation: told,
      coveragePreferences: preferencesOf(preferences),
      expiresAt: expiryOf(context.now),
      offers: [...offersFor(offered, told, preferences)],
    };
    await context.commitTo(targetInRow(context.commandId, 0));
    await context.append(target, [{ type: QuotesOffered.type, data }], merchantTags(context.environment));
    return { stream: target.stream };
  },
  result: ({ history }: ExecutedCommand<QuoteRequestEvent>) => ({ quotes: quoteItems(stateOf(quoteRequest, history)) }),
});

function quoteItems(state: QuoteRequestState): readonly QuoteItem[] {
  return state.offers.map((_, place) => toQuoteItem(state, place));
}
