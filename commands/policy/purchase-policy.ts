import { addDays } from '../../src/domain/values/dates.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { merchantTags } from '../../src/domain/tags.ts';
import type { NewEvent, Recorded } from '../../src/event-sourcing/event.ts';
import { base32Of, threeLetters } from '../../src/domain/values/codes.ts';
import { wrongFields } from '../../src/domain/refusals.ts';
import { merchant, merchantStream } from '../../src/domain/merchant/merchant.ts';
import { formatMoney, parseMoney, proRata } from '../../src/domain/values/money.ts';
import { type PolicyEvent, PolicyPurchased, policy, policyStream } from '../../src/domain/policy/policy.ts';
import { type PolicyResource, foldPolicyResource } from '../../src/domain/policy/policy-resource.ts';
import {
  hasExpired,
  type Offer,
  type QuoteRequestState,
  quoteRequest,
  quoteRequestStream,
} from '../../src/domain/quote/quote.ts';
import { quoteCode } from '../../src/domain/quote/quote-code.ts';
import { type FieldError, Refusal } from '../../src/domain/refusals.ts';
import { merchantScope } from '../../src/domain/reservations.ts';
import {
  type ExecutedCommand,
  type CommandContext,
  defineCommand,
  type Reservation,
} from '../../src/command-handling/command.ts';
import { type CustomerDetails, customerByEmail } from '../customer/customer-by-email.ts';
import { reserveFirstFree } from '../../src/command-handling/reserve-first-free.ts';
import { policyNumberReservation } from './find-policy.ts';
import { tagsOf, type PolicyIds } from './policy-ids.ts';
import { holderOf } from './policy-holder.ts';
import { offerNamed, purchasePolicyInput, type PurchaseRequest } from './purchase-request.ts';
import { endsInTime } from './renewal-term.ts';
import { riskFeatures } from './risk-features.ts';

/** An offer that was found, with the request it was made for. */
interface FoundQuote {
  readonly code: string;
  readonly request: QuoteRequestState;
  readonly offer: Offer;
}

interface PurchaseFacts {
  readonly quote: FoundQuote;
  readonly purchase: PurchaseRequest;
  readonly ids: PolicyIds;
  readonly policyNumber: string;
  readonly merchantName: string;
  readonly beneficiaryId: (place: number) => string;
  readonly holder: CustomerDetails;
  readonly today: Day;
}

/**
 * A policy is bought with an offer (`decisions`: Policies): the offer's premium by days; accepted until it starts, or until
 * the back office activates it where inspection or certification is needed.
 */
export function decidePurchase(facts: PurchaseFacts): readonly NewEvent<PolicyEvent>[] {
  const { quote, purchase, ids, policyNumber, merchantName, beneficiaryId, holder, today } = facts;
  const { offer, request } = quote;
  const { policy_duration: days, auto_renew: autoRenew } = purchase;
  const from = purchase.effective_from ?? today;
  const waits = offer.inspectionRequired || offer.certificationRequired;
  const status = waits || from > today ? ('accepted' as const) : ('active' as const);
  const data = {
    ...ids,
    policyNumber,
    quoteCode: quote.code,
    status,
    merchantName,
    holder: { name: holder.fullName, email: holder.email, phone: holder.phone, address: holder.address },
    provider: offer.provider,
    product: { id: offer.productId, name: offer.productName, type: request.productType },
    productPlan: offer.productPlan,
    tierName: offer.tierName,
    coverage: offer.coverages.map(({ name }) => name).join(', '),
    currency: offer.currency,
    renewable: offer.renewable,
    inspectionRequired: offer.inspectionRequired,
    certificationRequired: offer.certificationRequired,
    beneficiaries: purchase.beneficiaries.map(({ beneficiary_name: name }, place) => ({
      beneficiaryId: beneficiaryId(place),
      name,
    })),
    term: {
      from,
      through: addDays(from, days),
      premium: formatMoney(proRata(parseMoney(offer.premium), days)),
      annualPremium: offer.premium,
      paymentFrequency: null,
      risk: riskFeatures(request.additionalInformation),
      premiumParts: {},
    },
    days,
    autoRenew,
    effectiveAt: from,
  };
  return [{ type: PolicyPurchased.type, data }];
}

/** Goes on only with a purchase that the offer allows. @throws {Refusal} `invalid_request`, naming every wrong field */
export function checkPurchase(purchase: PurchaseRequest, { request, offer }: FoundQuote, today: Day): void {
  const wrong: FieldError[] = [];
  const { customer_metadata: customer, effective_from: from = today, policy_duration: days, auto_renew } = purchase;
  if (request.customer === null && customer === undefined) {
    wrong.push({ field: 'customer_metadata', message: 'must be given: the quote was requested without it' });
  }
  if (request.customer !== null && customer !== undefined) {
    wrong.push({ field: 'customer_metadata', message: 'must be left out: the quote was requested with it' });
  }
  if ((customer?.date_of_birth ?? today) > today) {
    wrong.push({ field: 'customer_metadata.date_of_birth', message: 'must not be in the future' });
  }
  if (from < today) wrong.push({ field: 'effective_from', message: 'must not be in the past' });
  else if (!endsInTime(from, days)) {
    wrong.push({ field: 'effective_from', message: 'must let the term end before the year 9999 does' });
  }
  if (auto_renew && !offer.renewable) {
    wrong.push({ field: 'auto_renew', message: 'must be false: the product is not renewable' });
  }
  if (wrong.length > 0) throw wrongFields(wrong);
}

/** The policy numbers a policy may get, in order: letters of the insurer and ten characters (`decisions`: Policies). */
export function policyNumberCandidate(insurer: string, commandId: string, place: number): string {
  return `${threeLetters(insurer)}-${base32Of(`${commandId} ${place}`, 10)}`;
}

/** The offer, if it is the acting merchant's in its world. @throws {Refusal} `quote_not_found` */
async function findQuote(context: CommandContext, purchase: PurchaseRequest): Promise<FoundQuote> {
  const { merchantId, testMode } = context.environment;
  const named = offerNamed(purchase);
  if (named === undefined) throw quoteNotFound();
  const { state } = await context.load(quoteRequest, quoteRequestStream(named.requestId));
  if (state?.merchantId !== merchantId || state.testMode !== testMode) throw quoteNotFound();
  const offer = state.offers[named.index];
  if (offer === undefined) throw quoteNotFound();
  return { code: quoteCode(named.requestId, named.index), request: state, offer };
}

function quoteNotFound(): Refusal {
  return new Refusal('quote_not_found', 'There is no such quote');
}

function alreadyPurchased(code: string): Refusal {
  return new Refusal('quote_already_purchased', `The quote ${code} was bought already; a quote can be bought once`);
}

/** The reservation that holds the one purchase of a quote. */
function purchaseReservation(context: CommandContext, code: string): Reservation {
  const scope = merchantScope(context.environment.merchantId, context.world);
  return { kind: 'quotePurchase', scope, value: code };
}

/** @throws {Refusal} `quote_already_purchased` when another command's reservation stands, `quote_expired` */
async function checkForSale(context: CommandContext, { code, request }: FoundQuote): Promise<void> {
  const reserved = await context.findReservation(purchaseReservation(context, code));
  if (reserved !== undefined && reserved.metadata.command.id !== context.commandId) throw alreadyPurchased(code);
  if (hasExpired(request, context.now))
    throw new Refusal('quote_expired', `The quote could be bought until ${request.expiresAt}; request a new one`);
}

/** A policy as its stored events tell it. */
function viewOf(history: readonly Recorded<PolicyEvent>[]): PolicyResource {
  const view = history.reduce<PolicyResource | undefined>(foldPolicyResource, undefined);
  if (view === undefined) throw new Error('a purchase is answered from its events');
  return view;
}

export const purchasePolicy = defineCommand({
  name: 'PurchasePolicy',
  summary: 'Buys a policy with a quote, once per quote.',
  input: purchasePolicyInput,
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  creates: true,
  handle: async (purchase, context) => {
    const { merchantId, environmentId, testMode } = context.environment;
    const policyId = context.derive('policy');
    const stream = policyStream(policyId);
    if (context.mayBeRepeated) await context.loadTarget(policy, stream);
    const quote = await findQuote(context, purchase);
    await checkForSale(context, quote);
    checkPurchase(purchase, quote, context.today);
    const told = quote.request.customer ?? purchase.customer_metadata;
    const { state: owner } = await context.load(merchant, merchantStream(merchantId));
    if (told === undefined || owner === undefined) throw new Error('a purchase has a customer and a merchant');

    await context.commitTo(stream);
    const reservation = purchaseReservation(context, quote.code);
    const tags = { ...merchantTags(context.environment), policy: policyId };
    const { kind } = await context.reserve({ ...reservation, target: stream, tags });
    if (kind === 'taken') throw alreadyPurchased(quote.code);
    const numberAt = (place: number) =>
      policyNumberReservation(context, policyNumberCandidate(quote.offer.provider.name, context.commandId, place));
    const policyNumber = await reserveFirstFree(context, numberAt, {
      target: stream,
      tags: merchantTags(context.environment),
      noneFree: 'No policy number is free for this insurer at the moment; try again',
    });
    const holder = holderOf(told);
    const { customerId } = await customerByEmail(context, holder);
    const ids = { policyId, merchantId, environmentId, testMode, customerId };
    const events = decidePurchase({
      quote,
      purchase,
      ids,
      policyNumber,
      merchantName: owner.name,
      beneficiaryId: (place) => context.derive('beneficiary', String(place)),
      holder,
      today: context.today,
    });
    await context.create(stream, events, tagsOf(ids));
    return { stream };
  },
  result: ({ history }: ExecutedCommand<PolicyEvent>) => ({ ...viewOf(history) }),
});
