import type { z } from 'zod';
import { addDays, dayIn } from '#domain/values/dates.ts';
import { type Day, dayOf, type Instant } from '#event-sourcing/time.ts';
import { merchantTags } from '#domain/tags.ts';
import { canonicalMoney } from '#domain/values/money.ts';
import { deriveQuoteRequestId } from '#domain/quote/quote-code.ts';
import { toNotOffered, toQuoteItem } from './quote-item.ts';
import {
  QUOTE_DAYS,
  type QuoteRequestEvent,
  type QuoteRequestState,
  QuotesOffered,
  quoteRequest,
  quoteRequestStream,
} from '#domain/quote/quote.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import type { OfferedProduct } from '../services.ts';
import { idOf } from '#event-sourcing/aggregate.ts';
import { wrongFields } from '#domain/refusals.ts';
import { commandIdOf } from '#event-sourcing/executor/command.ts';
import type { LoadedStream } from '#event-sourcing/executor/loaded-stream.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { timeZoneOf } from '../shared/acting-environment.ts';
import { offeringFor } from './offers.ts';
import { type CoveragePreferences, checkDates, requestQuotesInput } from './request-quotes-input.ts';

/** Returns the n-th possible stream of a request. No two commands append to the same candidate. */
function candidateAt(commandId: string, candidate: number): string {
  return quoteRequestStream(deriveQuoteRequestId(commandId, candidate));
}

async function loadFreeStream(context: CommandContext): Promise<LoadedStream<QuoteRequestState>> {
  for (let candidate = 0; ; candidate++) {
    const loaded = await context.loadTarget(quoteRequest, candidateAt(context.commandId, candidate));
    if (loaded.state === undefined) return loaded;
  }
}

function expiryOf(now: Instant): Instant {
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

interface QuoteRequest {
  readonly request: z.output<typeof requestQuotesInput>;
  readonly requestId: string;
  readonly environment: ActingEnvironment;
  /** The products on sale of the type that the environment sees. */
  readonly products: readonly OfferedProduct[];
  readonly now: Instant;
  /** In the zone of the environment. */
  readonly today: Day;
}

function decideOffers(
  _state: undefined,
  { request, requestId, environment, products, now, today }: QuoteRequest,
): readonly NewEvent<QuoteRequestEvent>[] {
  const {
    customer_metadata: customer,
    insurance_details: details,
    coverage_preferences: preferences,
    policy_duration: days,
  } = request;
  const risk = details.additional_information as Record<string, z.core.util.JSONType>;
  const applicant = { risk, birthDate: customer?.date_of_birth ?? null, today };
  const { offers, notOffered, wrongFields: missing } = offeringFor(products, { ...applicant, days, preferences });
  const errors = [...checkDates(request, today), ...missing];
  if (errors.length > 0) throw wrongFields(errors);
  const data = {
    requestId,
    ...environment,
    customer: customer ?? null,
    productType: details.product_type,
    additionalInformation: risk,
    coveragePreferences: storedPreferences(preferences),
    days: days ?? null,
    expiresAt: expiryOf(now),
    offers: [...offers],
    notOffered: [...notOffered],
  };
  return [{ type: QuotesOffered.type, data }];
}

export const requestQuotes = defineCommand({
  name: 'RequestQuotes',
  summary: 'Asks every product on sale for a quote.',
  description: `Returns a quote for every product on sale of the type, or one per tier of a product with tiers. The price is computed by the product's rating for this risk and for \`policy_duration\` days, or a year.

\`additional_information\` describes the risk and is required for Auto, Gadget, Health, Home, Personal_Accident, Travel and Cargo. A product that makes no offer is in \`not_offered\` with its reasons:

| \`code\` | Why |
|---|---|
| \`field_missing\` | The price depends on the field, or the product has bounds of age and \`date_of_birth\` is missing |
| \`field_invalid\` | The price depends on the field, and its value is none that can be priced, such as a text where a number is needed |
| \`not_eligible\` | The customer is too young or too old on the day of the request |
| \`refused\` | The product does not accept this value |
| \`not_rated\`, \`premium_out_of_range\` | The price would be below 0.00, or have more than 8 integer digits |

If no product makes an offer and each names a missing or invalid field, the response is 400 with the fields of the first. So what is offered can be bought. \`coverage_preferences\` filter the quotes: \`coverage_type\` keeps quotes with a coverage of one of these types,
\`additional_coverages\` those with coverages of all these names, \`coverage_amount\` those with at least this limit.

Both \`purchase_id\` and \`quote_code\` can be used to
purchase the quote, until it expires after 30 days.`,
  input: requestQuotesInput,
  example: {
    customer_metadata: {
      first_name: 'Ada',
      last_name: 'Okafor',
      email: 'ada.okafor@customers.example',
      phone: '+2348012345678',
      date_of_birth: '1990-04-12',
      customer_gender: 'F',
      residential_address: {
        house_number: '12',
        street: 'Marina Road',
        city: 'Lagos',
        state: 'Lagos',
        country: 'NG',
      },
    },
    insurance_details: {
      product_type: 'Auto',
      additional_information: {
        vehicle_type: 'Car',
        vehicle_make: 'Honda',
        vehicle_model: 'Accord',
        vehicle_year: 2019,
        vehicle_value: 2000000,
        vehicle_usage: 'Commercial',
        insurance_options: 'Comprehensive',
      },
    },
    coverage_preferences: { coverage_type: ['Collision', 'Liability'] },
  },
  errors: [],
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  findTarget: async (commandId, readStream) => {
    for (let candidate = 0; ; candidate++) {
      const stream = candidateAt(commandId, candidate);
      const [first] = await readStream(stream, { limit: 1 });
      if (first === undefined) return undefined;
      if (commandIdOf(first) === commandId) return stream;
    }
  },
  aggregate: quoteRequest,
  decide: decideOffers,
  handle: async (request, context) => {
    const target = await loadFreeStream(context);
    const { environment, now } = context;
    const products = await context.services.catalogue.productsOnSale(
      request.insurance_details.product_type,
      environment,
    );
    const today = dayIn(await timeZoneOf(context), now);
    const details = { request, requestId: idOf(target.stream), environment, products, now, today };
    const events = decideOffers(undefined, details);
    return { target, events, tags: merchantTags(environment) };
  },
  result: ({ state }) => ({
    quotes: state.offers.map((_, index) => toQuoteItem(state, index)),
    not_offered: state.notOffered.map(toNotOffered),
  }),
});
