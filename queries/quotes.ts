import { z } from 'zod';
import type { ProductDocument } from '#projections/products/products.ts';
import { money, sum } from '#domain/values/money.ts';
import { loadState } from '#domain/events.ts';
import { PRODUCT_TYPES } from '#domain/product/product.ts';
import { parseQuoteCode, quoteCode } from '#domain/quote/quote-code.ts';
import {
  NO_OFFER_CODES,
  type Offer,
  quoteRequest,
  type QuoteRequestState,
  quoteRequestStream,
} from '#domain/quote/quote.ts';
import { inOtherMode, refusalsOf } from '#domain/refusals.ts';
import { instant } from '#event-sourcing/time.ts';
import { defineQuery, isPlatform, type QueryContext, type Reader } from './query.ts';
import { parseBody, requireReadable } from './resources.ts';

const coverage = z.strictObject({
  coverage_name: z.string(),
  coverage_description: z.string().nullable(),
  coverage_type: z.string().nullable(),
  coverage_limit: money.nullable(),
  deductible: money.nullable(),
});

export const quoteItemSchema = z
  .strictObject({
    quote_code: z
      .string()
      .regex(/^Quo_[a-z0-9]{5}_[0-9a-f]{8}$/)
      .meta({ examples: ['Quo_i61y3_55a7f400'] }),
    provider: z.string().meta({ description: 'Name of the insurer' }),
    product: z.string().meta({ description: 'Name of the product' }),
    product_type: z.enum(PRODUCT_TYPES),
    base_price: sum.meta({ description: 'For a year, before loadings, discount, surcharge and tax' }),
    premium: money.meta({ description: 'What the asked duration costs, tax included' }),
    purchase_id: z
      .string()
      .regex(/^PUR-[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      .meta({ description: 'Another id of the quote, for payment providers' }),
    additional_metadata: z
      .strictObject({
        device_type: z.string().nullable().optional(),
        device_make: z.string().nullable().optional(),
        device_model: z.string().nullable().optional(),
        device_value: money.nullable().optional(),
        tier_name: z.string().nullable(),
        product_plan: z.string().nullable(),
        currency: z.string(),
        coverages: z.array(coverage),
      })
      .meta({ description: 'What helps to choose; the members `device_*` are there for gadgets' }),
  })
  .meta({ id: 'QuoteItem' });

export const notOfferedSchema = z
  .strictObject({
    product_id: z.uuid(),
    product: z.string().meta({ description: 'Name of the product' }),
    provider: z.string().meta({ description: 'Name of the insurer' }),
    reasons: z.array(
      z.strictObject({
        code: z.enum(NO_OFFER_CODES),
        field: z
          .string()
          .nullable()
          .meta({
            description: 'The field of the request',
            examples: ['customer_metadata.date_of_birth'],
          }),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'NotOffered' });

export const quoteSchema = z
  .strictObject({
    quote_code: z.string(),
    base_price: sum,
    premium: money,
    policy_duration: z.int().nullable().meta({ description: 'The days that the premium is for; null: a year' }),
    quote_expiry_date: instant.meta({ description: 'From then on the quote cannot be bought' }),
    product: z.strictObject({
      id: z.uuid(),
      created_at: instant.nullable(),
      updated_at: instant.nullable(),
      is_trashed: z.boolean(),
      trashed_at: instant.nullable(),
      restored_at: instant.nullable(),
      name: z.string(),
      description: z.string(),
      product_type: z.enum(PRODUCT_TYPES),
      provider: z.uuid(),
      coverage_details: z.string().nullable(),
      insurer: z.string(),
      price: z.strictObject({
        amount: z.number().meta({ description: 'Net price and discount together, before surcharges and tax' }),
        description: z.string(),
        currency: z.string(),
        discount_amount: z.number(),
        surcharges: z.number(),
        tax: z.number(),
        commission: z.number().meta({ description: 'Part of the net price' }),
      }),
      price_text: z
        .strictObject({ amount: sum, discount_amount: sum, surcharges: money, tax: money, commission: money })
        .meta({ description: 'The amounts of `price` as decimal strings, which are exact' }),
    }),
  })
  .meta({ id: 'Quote' });

const refuse = refusalsOf('quote_not_found');

/** Reads a quote from the stream of its request: most quotes are never read again, so they have no read model. */
export const getQuote = defineQuery({
  name: 'GetQuote',
  roles: ['merchant', 'admin', 'auditor'],
  summary: 'Reads one quote, also when it has expired.',
  description:
    'The quote with its price for `policy_duration` days (null: a year) and the product at the time of the request. `price_text` has the amounts of `price` as exact decimal strings. It can be read after it has expired (`quote_expiry_date`) or was purchased.',
  errors: refuse.codes,
  pathParameters: z.strictObject({ quote_code: z.string().meta({ examples: ['Quo_3q8ok_05d6f000'] }) }),
  response: quoteSchema,
  async respond({ path }, context) {
    const named = parseQuoteCode(path.quote_code);
    if (named === undefined) throw refuse('quote_not_found');
    const request = await loadState(quoteRequest, quoteRequestStream(named.requestId), context.eventStore);
    const offer = request?.offers[named.index];
    if (offer === undefined || request === undefined) throw refuse('quote_not_found');
    checkVisible(context.reader, request);
    const body = {
      quote_code: quoteCode(named.requestId, named.index),
      base_price: offer.basePrice,
      premium: offer.premium,
      policy_duration: request.days,
      quote_expiry_date: request.expiresAt,
      product: toQuotedProduct(request, offer, await findProduct(offer.productId, context)),
    };
    return { kind: 'resource', body: JSON.stringify(body), etag: undefined };
  },
});

/** @throws {Refusal} which names the other mode to the merchant of the quote alone */
function checkVisible(reader: Reader, { merchantId, testMode }: QuoteRequestState): void {
  if (isPlatform(reader)) return;
  if (reader.role !== 'merchant' || reader.merchantId !== merchantId) throw refuse('quote_not_found');
  if (reader.testMode !== testMode) throw inOtherMode('quote_not_found', reader.testMode);
}

/** Returns the current product; undefined while the read models do not have it. @throws {Refusal} when it is parked */
async function findProduct(
  productId: string,
  { readModels }: Pick<QueryContext, 'readModels'>,
): Promise<ProductDocument | undefined> {
  const stored = await readModels.get('products', productId);
  return stored && (parseBody(requireReadable(stored, 'quote_not_found')) as ProductDocument);
}

/** The product as it was offered, with its current times of update and removal. */
function toQuotedProduct(request: QuoteRequestState, offer: Offer, product: ProductDocument | undefined) {
  const { amount, discount: discount_amount, surcharges, tax, commission } = offer.price;
  return {
    id: offer.productId,
    created_at: product?.created_at ?? null,
    updated_at: product?.updated_at ?? null,
    is_trashed: product?.is_trashed ?? false,
    trashed_at: product?.trashed_at ?? null,
    restored_at: product?.restored_at ?? null,
    name: offer.productName,
    description: offer.productDescription,
    product_type: request.productType,
    provider: offer.provider.id,
    coverage_details: offer.coverages.map(({ name }) => name).join(', ') || null,
    insurer: offer.provider.name,
    price: {
      amount: Number(amount),
      description: priceDescription(request, offer),
      currency: offer.currency,
      discount_amount: Number(discount_amount),
      surcharges: Number(surcharges),
      tax: Number(tax),
      commission: Number(commission),
    },
    price_text: { amount, discount_amount, surcharges, tax, commission },
  };
}

function priceDescription({ days }: QuoteRequestState, { productName, tierName, currency, price }: Offer): string {
  const what = tierName === null ? productName : `${productName}, ${tierName}`;
  const duration = days === null ? 'A year' : `${days} ${days === 1 ? 'day' : 'days'}`;
  return `${duration} of ${what}, before discount, surcharges and ${currency} ${price.tax} of tax`;
}
