import { z } from 'zod';
import type { ProductDocument } from '../projections/products/products.ts';
import { loadState } from '../src/domain/events.ts';
import { parseQuoteCode, quoteCode } from '../src/domain/quote/quote-code.ts';
import { type Offer, type QuoteRequestState, quoteRequest, quoteRequestStream } from '../src/domain/quote/quote.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { defineQuery, type QueryContext, type Reader } from './query.ts';
import { quoteSchema } from './quote-schemas.ts';
import { parseBody, requireReadable } from './stored-documents.ts';

/** Reads a quote from the stream of its request: most quotes are never read again, so they have no read model. */
export const getQuote = defineQuery({
  name: 'GetQuote',
  summary: 'Reads one quote, also when it has expired.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ quote_code: z.string() }),
  search: z.strictObject({}),
  paged: false,
  response: quoteSchema,
  async respond({ path }, context) {
    const named = parseQuoteCode(path.quote_code);
    if (named === undefined) throw new Refusal('quote_not_found');
    const request = await loadState(quoteRequest, quoteRequestStream(named.requestId), context.eventStore);
    const offer = request?.offers[named.index];
    if (offer === undefined || request === undefined || !isRequestVisibleTo(context.reader, request))
      throw new Refusal('quote_not_found');
    const body = {
      quote_code: quoteCode(named.requestId, named.index),
      base_price: offer.basePrice,
      premium: offer.premium,
      quote_expiry_date: request.expiresAt,
      product: toQuotedProduct(request, offer, await findProduct(offer.productId, context)),
    };
    return { kind: 'resource', body: JSON.stringify(body), etag: undefined };
  },
});

function isRequestVisibleTo(reader: Reader, { merchantId, testMode }: QuoteRequestState): boolean {
  return reader.role !== 'merchant' || (reader.merchantId === merchantId && reader.testMode === testMode);
}

/** Returns the current product; undefined while the read models do not have it. @throws {Refusal} `document_parked` */
async function findProduct(
  productId: string,
  { readModels }: Pick<QueryContext, 'readModels'>,
): Promise<ProductDocument | undefined> {
  const stored = await readModels.get('products', productId);
  return stored && (parseBody(requireReadable(stored, 'quote_not_found')) as ProductDocument);
}

/** The product as it was offered, with its current times of update and removal. */
function toQuotedProduct({ productType }: QuoteRequestState, offer: Offer, product: ProductDocument | undefined) {
  return {
    id: offer.productId,
    created_at: product?.created_at ?? null,
    updated_at: product?.updated_at ?? null,
    is_trashed: product?.is_trashed ?? false,
    trashed_at: product?.trashed_at ?? null,
    restored_at: product?.restored_at ?? null,
    name: offer.productName,
    description: offer.productDescription,
    product_type: productType,
    provider: offer.provider.id,
    coverage_details: offer.coverages.map(({ name }) => name).join(', ') || null,
    insurer: offer.provider.name,
    price: {
      amount: Number(offer.price.amount),
      description: priceDescription(offer),
      currency: offer.currency,
      discount_amount: Number(offer.price.discount),
      surcharges: Number(offer.price.surcharges),
      commission: Number(offer.price.commission),
    },
  };
}

function priceDescription({ productName, tierName, currency, price }: Offer): string {
  const what = tierName === null ? productName : `${productName}, ${tierName}`;
  return `365 days of ${what}, before discount, surcharges and ${currency} ${price.tax} of tax`;
}
