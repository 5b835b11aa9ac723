import { sha256 } from '#event-sourcing/identifiers.ts';

/** Maximum number of offers of a request: the index of an offer has 10 bits in its codes. */
export const MAX_OFFERS = 1024;

export interface OfferReference {
  /** 12 lower-case hex digits, of which the first is at most 7 (47 bits). */
  readonly requestId: string;
  /** Index of the offer in the request. */
  readonly index: number;
}

const INDEX_BITS = 10n;
/** The lower bits of a quote code are written in hex, the upper 25 in base 36. */
const HEX_BITS = 32n;
const UPPER_BITS = 25n;
const REQUEST_ID_MASK = (1n << 47n) - 1n;
const CHECK_MASK = (1n << 62n) - 1n;
/** Version 8 and the variant of RFC 9562. */
const VERSION = 8n;
const VARIANT = 0b10n;

const QUOTE_CODE = /^Quo_([a-z0-9]{5})_([0-9a-f]{8})$/;
const PURCHASE_ID = /^PUR-([0-7][0-9a-f]{7})-([0-9a-f]{4})-8([0-3][0-9a-f]{2})-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Returns the candidate ids of a command's quote request, by index. The first that is free is used. */
export function deriveQuoteRequestId(commandId: string, index: number): string {
  const drawn = BigInt(`0x${sha256(`quote request ${index} of ${commandId}`).slice(0, 12)}`);
  return hex(drawn & REQUEST_ID_MASK, 12);
}

/** Returns the quote code of an offer, `Quo_i61y3_55a7f400`: request id and index in 57 bits. */
export function quoteCode(requestId: string, index: number): string {
  const bits = (BigInt(`0x${requestId}`) << INDEX_BITS) | BigInt(index);
  const upper = (bits >> HEX_BITS).toString(36).padStart(5, '0');
  return `Quo_${upper}_${hex(bits & ((1n << HEX_BITS) - 1n), 8)}`;
}

/** Returns the purchase id of an offer: `PUR-` and a UUID of version 8 with request id, index and a check over both. */
export function purchaseId(requestId: string, index: number): string {
  const middle = (VERSION << 12n) | BigInt(index);
  const check = BigInt(`0x${sha256(`purchase of ${index} of ${requestId}`).slice(0, 16)}`) & CHECK_MASK;
  const last = hex((VARIANT << 62n) | check, 16);
  const first = `${requestId.slice(0, 8)}-${requestId.slice(8)}`;
  return `PUR-${first}-${hex(middle, 4)}-${last.slice(0, 4)}-${last.slice(4)}`;
}

export function parseQuoteCode(text: string): OfferReference | undefined {
  const [, upper, lower] = QUOTE_CODE.exec(text) ?? [];
  if (upper === undefined || lower === undefined) return undefined;
  const high = BigInt(Number.parseInt(upper, 36));
  if (high >> UPPER_BITS !== 0n) return undefined;
  const bits = (high << HEX_BITS) | BigInt(`0x${lower}`);
  return { requestId: hex(bits >> INDEX_BITS, 12), index: Number(bits & BigInt(MAX_OFFERS - 1)) };
}

export function parsePurchaseId(text: string): OfferReference | undefined {
  const [, first, second, third] = PURCHASE_ID.exec(text) ?? [];
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const reference = { requestId: first + second, index: Number.parseInt(third, 16) };
  return purchaseId(reference.requestId, reference.index) === text ? reference : undefined;
}

function hex(bits: bigint, digits: number): string {
  return bits.toString(16).padStart(digits, '0');
}
