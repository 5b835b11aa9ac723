import { canonicalMoney } from '#domain/values/money.ts';
import { purchaseId, quoteCode } from '#domain/quote/quote-code.ts';
import type { NotOffered, Offer, QuoteRequestState } from '#domain/quote/quote.ts';
import { decimalOf, riskDetail } from '#domain/values/risk-values.ts';

export interface QuoteItem {
  readonly quote_code: string;
  readonly provider: string;
  readonly product: string;
  readonly product_type: string;
  readonly base_price: string;
  readonly premium: string;
  readonly purchase_id: string;
  readonly additional_metadata: Readonly<Record<string, unknown>>;
}

export function toQuoteItem(request: QuoteRequestState, index: number): QuoteItem {
  const offer = request.offers[index];
  if (offer === undefined) throw new RangeError(`there is no offer ${index} in ${request.requestId}`);
  return {
    quote_code: quoteCode(request.requestId, index),
    provider: offer.provider.name,
    product: offer.productName,
    product_type: request.productType,
    base_price: offer.basePrice,
    premium: offer.premium,
    purchase_id: purchaseId(request.requestId, index),
    additional_metadata: { ...deviceFields(request), ...offerFields(offer) },
  };
}

/** Returns a product that makes no offer, with the names of the API. */
export function toNotOffered({ productId, productName, providerName, reasons }: NotOffered): object {
  return { product_id: productId, product: productName, provider: providerName, reasons };
}

function offerFields(offer: Offer) {
  return {
    tier_name: offer.tierName,
    product_plan: offer.productPlan,
    currency: offer.currency,
    coverages: offer.coverages.map(({ name, description, type, limit, deductible }) => ({
      coverage_name: name,
      coverage_description: description,
      coverage_type: type,
      coverage_limit: limit,
      deductible,
    })),
  };
}

/** Names that merchants use in the free-form `gadget_information`. */
const MAKE_NAMES = ['device_make', 'gadget_make', 'make', 'brand', 'manufacturer'];
const MODEL_NAMES = ['device_model', 'gadget_model', 'model'];

function deviceFields({ productType, additionalInformation: risk }: QuoteRequestState) {
  if (productType !== 'Gadget') return {};
  const device = (riskDetail(risk, 'gadget_information') ?? {}) as Readonly<Record<string, unknown>>;
  const value = riskDetail(risk, 'gadget_value');
  return {
    device_type: riskDetail(risk, 'gadget_type') ?? null,
    device_make: firstText(device, MAKE_NAMES),
    device_model: firstText(device, MODEL_NAMES),
    device_value: decimalOf(value) === undefined ? null : canonicalMoney(String(value)),
  };
}

function firstText(device: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  const texts = names.map((name) => riskDetail(device, name)).filter((value) => typeof value === 'string');
  return texts[0] ?? null;
}
