import { dayIn, type TimeZone } from '#domain/values/dates.ts';
import { type Day, type Instant, day } from '#event-sourcing/time.ts';
import { merchantTags } from '#domain/tags.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { base32Of, threeLetters } from '#domain/values/codes.ts';
import { merchant, type MerchantState, merchantStream } from '#domain/merchant/merchant.ts';
import { statusAtStart } from '#domain/policy/cover.ts';
import { policy, type PolicyIds, policyStream, policyTags } from '#domain/policy/policy.ts';
import { type PolicyEvent, PolicyPurchased } from '#domain/policy/policy-events.ts';
import { copiedCoverage, type DayRange, isStorable, termDays } from '#domain/policy/term.ts';
import { pricedTerm } from '#domain/policy/timeline.ts';
import { ageRange, isEligible } from '#domain/values/eligibility.ts';
import { parseFraction } from '#domain/values/fraction.ts';
import { premiumErrors, YEAR_DAYS } from '#domain/values/price.ts';
import { product, productStream } from '#domain/product/product.ts';
import {
  hasExpired,
  type Offer,
  type QuotedCustomer,
  type QuoteRequestState,
  quoteRequest,
  quoteRequestStream,
} from '#domain/quote/quote.ts';
import { quoteCode, type OfferReference, parsePurchaseId, parseQuoteCode } from '#domain/quote/quote-code.ts';
import { type FieldError, type Refusal, refusalsOf, wrongFields } from '#domain/refusals.ts';
import { merchantScope } from '#domain/reservations.ts';
import type { Decision, InputReservation, Reservation } from '#event-sourcing/executor/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { type CustomerDetails, customerOfPolicy, customerOfPolicyErrors } from '../customer/customer-of-policy.ts';
import { type PolicyHolder, policyHolder } from './policy-holder.ts';
import type { CustomerState } from '#domain/customer/customer.ts';
import { reserveFirstFree } from '#event-sourcing/executor/reserve-first-free.ts';
import { isOwn, notFound, timeZoneOf } from '../shared/acting-environment.ts';
import { beneficiariesOf, beneficiariesInput } from './beneficiaries.ts';
import { policyNumberReservation } from './find-policy.ts';
import { isProviderWithdrawn, latestStart } from './renewal.ts';
import { z } from 'zod';
import { customerMetadata } from '../quote/customer-metadata.ts';
import { withCrossFieldCheck, type AddIssue } from '../shared/checks.ts';
import { customerReference, line, policyDuration } from '../shared/fields.ts';

const refuse = refusalsOf(
  'quote_not_found',
  'quote_expired',
  'quote_already_purchased',
  'product_withdrawn',
  'provider_withdrawn',
  'policy_not_renewable',
  'not_eligible',
);

/** The body of `POST /api/v1/policies`. */
const purchasePolicyInput = withCrossFieldCheck(
  z.strictObject({
    quote_code: line(64).optional(),
    purchase_id: line(64).optional(),
    customer_metadata: customerMetadata
      .optional()
      .meta({ description: 'The policy holder: needed when the quote was requested without one, and only then taken' }),
    customer_reference: customerReference
      .nullable()
      .optional()
      .meta({ description: "The merchant's number of the customer, who is found by it, or gets it" }),
    effective_from: day.optional().meta({ description: 'First day of cover; today when left out, never in the past' }),
    policy_duration: policyDuration
      .optional()
      .meta({ description: 'Days; 365 are a year; that of the quote when left out' }),
    auto_renew: z.boolean().default(false),
    beneficiaries: beneficiariesInput.default([]),
  }),
  checkQuoteReference,
);

type PurchaseRequest = z.output<typeof purchasePolicyInput>;

/** At least one name of the quote is required; two names must name the same quote. */
function checkQuoteReference(values: Readonly<Record<string, unknown>>, addIssue: AddIssue): void {
  const { quote_code: code, purchase_id: id } = values;
  if (code === undefined && id === undefined) addIssue(['quote_code'], 'must be given, or purchase_id instead');
  if (typeof code !== 'string' || typeof id !== 'string') return;
  const [byCode, byId] = [parseQuoteCode(code), parsePurchaseId(id)];
  if (byCode?.requestId === byId?.requestId && byCode?.index === byId?.index) return;
  for (const field of ['quote_code', 'purchase_id']) {
    addIssue([field], 'quote_code and purchase_id must name the same quote');
  }
}

/** Returns the offer that the purchase names; undefined when neither name is well-formed. */
function offerReferenceOf({ quote_code: code, purchase_id: id }: PurchaseRequest): OfferReference | undefined {
  return parseQuoteCode(code ?? '') ?? parsePurchaseId(id ?? '');
}

interface FoundQuote {
  readonly code: string;
  readonly request: QuoteRequestState;
  readonly offer: Offer;
  /** When the quotes were requested. */
  readonly requestedAt: Instant;
}

interface PurchaseCommand {
  readonly quote: FoundQuote;
  readonly purchase: PurchaseRequest;
  readonly ids: PolicyIds;
  readonly policyNumber: string;
  readonly timeZone: TimeZone;
  readonly merchant: Pick<MerchantState, 'name' | 'shortCode'>;
  readonly beneficiaryId: (index: number) => string;
  readonly holder: PolicyHolder;
  /** In the time zone. */
  readonly today: Day;
}

/** Returns the days of the first term: for the asked duration, else for that of the quote, else for a year. */
function firstDays({ purchase, quote, today }: Pick<PurchaseCommand, 'purchase' | 'quote' | 'today'>): DayRange {
  const from = purchase.effective_from ?? today;
  const days = purchase.policy_duration ?? quote.request.days;
  return termDays(from, days ?? YEAR_DAYS);
}

/**
 * Issues a policy for an offer, priced for the days of its term. The policy is accepted until it starts, or while it
 * waits for inspection or certification; otherwise it is active.
 * @throws {Refusal} when the premium is out of range
 */
function decidePurchase(_state: undefined, details: PurchaseCommand): readonly NewEvent<PolicyEvent>[] {
  const { quote, purchase, ids, policyNumber, timeZone, merchant: seller, beneficiaryId, holder, today } = details;
  const { offer, request } = quote;
  const days = firstDays(details);
  const waits = offer.inspectionRequired || offer.certificationRequired;
  const coverages = offer.coverages.map(copiedCoverage);
  const data = {
    ...ids,
    policyNumber,
    timeZone,
    boughtOn: today,
    quoteCode: quote.code,
    status: waits ? ('accepted' as const) : statusAtStart(days.from, today),
    waits,
    merchantName: seller.name,
    merchantShortCode: seller.shortCode,
    ...holder,
    provider: offer.provider,
    product: { id: offer.productId, name: offer.productName, type: request.productType },
    productPlan: offer.productPlan,
    tierName: offer.tierName,
    renewable: offer.renewable,
    inspectionRequired: offer.inspectionRequired,
    certificationRequired: offer.certificationRequired,
    cancellation: offer.cancellation,
    beneficiaries: beneficiariesOf(purchase.beneficiaries, beneficiaryId),
    term: pricedTerm(days, { coverages, annualNet: parseFraction(offer.annualNet) }, offer.rates),
    risk: request.additionalInformation,
    autoRenew: purchase.auto_renew,
    effectiveAt: days.from,
  };
  return [{ type: PolicyPurchased.type, data }];
}

/** Checks a purchase against its offer. @throws {Refusal} naming every wrong field */
function checkPurchase(purchase: PurchaseRequest, quote: FoundQuote, today: Day): void {
  const { request, offer } = quote;
  const wrong: FieldError[] = [];
  const { customer_metadata: customer, effective_from: from = today, auto_renew } = purchase;
  if (request.customer === null && customer === undefined) {
    wrong.push({ field: 'customer_metadata', message: 'must be given: the quote was requested without it' });
  }
  if (request.customer !== null && customer !== undefined) {
    wrong.push({ field: 'customer_metadata', message: 'must be left out: the quote was requested with it' });
  }
  if ((customer?.date_of_birth ?? today) > today) {
    wrong.push({ field: 'customer_metadata.date_of_birth', message: 'must not be in the future' });
  }
  const latest = latestStart(today);
  if (from < today) wrong.push({ field: 'effective_from', message: 'must not be in the past' });
  else if (from > latest) wrong.push({ field: 'effective_from', message: `must not be later than ${latest}` });
  else if (!isStorable(firstDays({ purchase, quote, today }))) {
    wrong.push({ field: 'effective_from', message: 'must let the term end before the year 9999 does' });
  }
  if (wrong.length > 0) throw wrongFields(wrong);
  if (auto_renew && !offer.renewable) {
    const fields = [{ field: 'auto_renew', message: 'must be false: the product is not renewable' }];
    throw refuse('policy_not_renewable', 'The product is not renewable', { fields });
  }
}

/** Checks the age of the customer on the first day. @throws {Refusal} */
function checkEligible({ offer }: FoundQuote, birth: Day | null, firstDay: Day): void {
  if (isEligible(offer.eligibility, birth, firstDay) === true) return;
  const accepted = `the product accepts the ages ${ageRange(offer.eligibility)} on ${firstDay}`;
  const [message, problem] =
    birth === null
      ? [`must be given: ${accepted}`, 'The date of birth of the customer is missing']
      : [`is of an age that is not accepted: ${accepted}`, 'The customer is of an age that is not accepted'];
  const fields = [{ field: 'customer_metadata.date_of_birth', message }];
  throw refuse('not_eligible', `${problem}: ${accepted}`, { fields });
}

/**
 * Returns the n-th possible policy number: three letters of the insurer and ten characters derived from the
 * command id.
 */
export function derivePolicyNumber(insurer: string, commandId: string, candidate: number): string {
  return `${threeLetters(insurer)}-${base32Of(`${commandId} ${candidate}`, 10)}`;
}

/** Finds a quote of the merchant in its mode. @throws {Refusal} */
async function findQuote(context: CommandContext, purchase: PurchaseRequest): Promise<FoundQuote> {
  const reference = offerReferenceOf(purchase);
  if (reference === undefined) throw refuse('quote_not_found');
  const { state, recordedAt: requestedAt = context.now } = await context.load(
    quoteRequest,
    quoteRequestStream(reference.requestId),
  );
  const offer = state?.offers[reference.index];
  if (state === undefined || offer === undefined) throw refuse('quote_not_found');
  if (!isOwn(context, state)) throw notFound('quote_not_found', context, state);
  return { code: quoteCode(reference.requestId, reference.index), request: state, offer, requestedAt };
}

function quoteAlreadyPurchased(code: string): Refusal {
  return refuse('quote_already_purchased', `The quote ${code} was bought already; a quote can be bought once`);
}

function purchaseReservation(context: CommandContext, code: string): Reservation {
  const scope = merchantScope(context.environment);
  return { kind: 'quotePurchase', scope, value: code };
}

/**
 * Checks that a quote can be bought, and returns it: it is renewable as its product is now.
 * @throws {Refusal} also when another command has reserved the quote
 */
async function requireForSale(context: CommandContext, quote: FoundQuote): Promise<FoundQuote> {
  const { code, request, offer } = quote;
  const reserved = await context.findReservation(purchaseReservation(context, code));
  if (reserved !== undefined && reserved.metadata.command.id !== context.commandId) throw quoteAlreadyPurchased(code);
  if (hasExpired(request, context.now))
    throw refuse('quote_expired', `The quote could be bought until ${request.expiresAt}; request a new one`);
  const { state } = await context.load(product, productStream(offer.productId));
  if (state?.status === 'withdrawn') throw refuse('product_withdrawn', 'The product of the quote is withdrawn');
  if (await isProviderWithdrawn(offer.provider.id, context))
    throw refuse('provider_withdrawn', 'The insurer of the quote is withdrawn');
  return { ...quote, offer: { ...offer, renewable: state?.renewable ?? offer.renewable } };
}

/** Returns the policy holder as `customer_metadata` describes them. */
export function holderOf(customer: QuotedCustomer, reference: string | null = null): CustomerDetails {
  return {
    reference,
    fullName: [customer.first_name, customer.last_name].filter(Boolean).join(' '),
    email: customer.email,
    phone: customer.phone ?? null,
    dateOfBirth: customer.date_of_birth ?? null,
    address: addressOf(customer.residential_address),
  };
}

/** Returns for example `12 Marina Road, Lagos, LA, 101241, NG`; null without any part of an address. */
function addressOf(address: QuotedCustomer['residential_address']): string | null {
  const { house_number: house, street, city, state, postal_code: postalCode, country } = address ?? {};
  const houseAndStreet = [house, street].filter(Boolean).join(' ');
  return [houseAndStreet, city, state, postalCode, country].filter(Boolean).join(', ') || null;
}

export const purchasePolicy = defineCommand({
  name: 'PurchasePolicy',
  summary: 'Buys a policy with a quote, once per quote.',
  description: `Purchases a quote, identified by \`quote_code\`, \`purchase_id\` or both. A quote can be purchased once, within 30 days.

\`effective_from\` is the first day (default today, never in the past), \`policy_duration\` the number of days (default that of the quote; 365 days, or none, are a year, through the day before the
same date of the next year). Another duration than the quote's has another price: the annual net price × days ÷ 365, at least the minimum of the product, with the whole fee and the tax. A term of 365 or 366 days is a year and costs the annual net price.

The status is \`accepted\` until cover begins: on the first day, or with ActivatePolicy of the platform where the product requires inspection or certification. Then it is
\`active\` until the policy ends, also after its last day. With \`auto_renew\` the policy is renewed automatically. A product with limits of age needs the customer's date of birth: an age outside them on the first day, and a missing date of birth, are \`not_eligible\`.

\`customer_metadata\` is required if the quote was requested without it, and refused otherwise. With \`customer_reference\`, the merchant's number of the customer, the customer is the one that has it; else the first
one with this e-mail and name and without a reference, which gets it; else a new one. Without it, the customer is the first one with this e-mail and name, else a new one. E-mail, name and reference are compared without case. A reference of a customer with another name and another
e-mail is \`customer_reference_taken\`. The policy keeps its holder as bought; its \`customer_reference\` is always the one that the customer has now.`,
  input: purchasePolicyInput,
  example: {
    quote_code: 'Quo_3q8ok_05d6f000',
    policy_duration: 365,
    customer_reference: 'C-0020',
    auto_renew: false,
    beneficiaries: [{ beneficiary_name: 'Chidi Okafor' }],
  },
  resource: 'policyResourceOf',
  errors: [...refuse.codes, ...premiumErrors, ...customerOfPolicyErrors],
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  creates: true,
  aggregate: policy,
  decide: decidePurchase,
  handle: async (purchase, context) => {
    const { merchantId, environmentId, testMode } = context.environment;
    const policyId = context.derive('policy');
    const stream = policyStream(policyId);
    if (context.mayBeRepeated) await context.loadTarget(policy, stream);
    const quote = await requireForSale(context, await findQuote(context, purchase));
    const timeZone = await timeZoneOf(context);
    const today = dayIn(timeZone, context.now);
    checkPurchase(purchase, quote, today);
    const quotedCustomer = quote.request.customer ?? purchase.customer_metadata;
    const { state: owner } = await context.load(merchant, merchantStream(merchantId));
    if (quotedCustomer === undefined || owner === undefined)
      throw new Error('a purchase has a customer and a merchant');

    const holder = holderOf(quotedCustomer, purchase.customer_reference);
    const givenAt = quote.request.customer === null ? context.now : quote.requestedAt;
    const customer = await customerOfPolicy(context, {
      details: holder,
      merchantShortCode: owner.shortCode,
      today,
      givenAt,
    });
    // As the quote judges: by the date given for this risk.
    const birth = holder.dateOfBirth ?? customer.details.dateOfBirth;
    checkEligible(quote, birth, purchase.effective_from ?? today);
    const decide = (policyNumber: string, { customerId, reference }: CustomerState): Decision => {
      const ids = { policyId, merchantId, environmentId, testMode, customerId, currency: quote.offer.currency };
      const details = { quote, purchase, ids, policyNumber, timeZone, merchant: owner, today };
      const beneficiaryId = (index: number) => context.derive('beneficiary', String(index));
      return {
        target: stream,
        events: decidePurchase(undefined, { ...details, holder: policyHolder(holder, reference), beneficiaryId }),
        tags: policyTags(ids),
      };
    };
    const tags = merchantTags(context.environment);
    const quoteReservation = {
      ...purchaseReservation(context, quote.code),
      target: stream,
      tags: { ...tags, policy: policyId },
    };
    const numberAt = (candidate: number): InputReservation => {
      const value = derivePolicyNumber(quote.offer.provider.name, context.commandId, candidate);
      return { ...policyNumberReservation(context.environment, value), target: stream, tags };
    };

    const writes = context.commit({
      ...decide(numberAt(0).value, customer.details),
      reservations: [quoteReservation, numberAt(0), ...customer.reservations],
      referenced: customer.appends,
    });
    // First: it may refuse, and a quote that is reserved is bought by this command or its completion.
    const reservedCustomer = await customer.reserve(writes);
    const { kind } = await writes.reserve(quoteReservation);
    if (kind === 'taken') throw quoteAlreadyPurchased(quote.code);
    const busyDetail = 'No policy number is free for this insurer at the moment; try again';
    const policyNumber = await reserveFirstFree(writes, numberAt, busyDetail);
    return decide(policyNumber, await reservedCustomer.register(writes));
  },
  result: ({ state, recordedAt = '' }, { resources }) => ({ ...resources.policyResourceOf(state, recordedAt) }),
});
