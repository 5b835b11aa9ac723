import { decode, encode } from '../../src/domain/events.ts';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { Tags } from '../../src/domain/tags.ts';
import type { Recorded } from '../../src/event-sourcing/event.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import type { EventStore, EventToAppend, Position, StoredEvent } from '../../src/event-store/event-store.ts';

/** An event that happened, before it has a place in a log. */
export interface Happening {
  readonly stream: string;
  readonly type: string;
  readonly data: object;
  readonly tags: Tags;
}

export const MERCHANT_ID = derivedId('happening', 'merchant');
export const RECORDED_AT: Moment = '2026-03-01T10:00:00.000Z';

/** An id that is always the same for the same words. */
export const idFor = (kind: string, number: number): string => derivedId('happening', kind, String(number));

/** The event as it is handed to a store. @throws {Error} when the happening breaks its storage contract */
export function toAppend({ stream, type, data, tags }: Happening, revision: number, recordedAt = RECORDED_AT) {
  const stored = encode({ type, data: { effectiveAt: recordedAt.slice(0, 10), ...data } });
  const id = derivedId('happening', stream, String(revision));
  const command = { name: 'Happen', id };
  const actor = { role: 'system', keyId: null };
  const metadata = { recordedAt, $correlationId: id, $causationId: id, actor, ...tags, command };
  return { id, ...stored, metadata } satisfies EventToAppend;
}

/** Appends happenings in their order; resolves to the position of the last. */
export async function happen(store: EventStore, ...happenings: readonly Happening[]): Promise<Position> {
  let position = 0n;
  for (const happening of happenings) {
    const last = await store.readLast(happening.stream);
    const event = toAppend(happening, (last?.revision ?? -1) + 1);
    ({ position } = await store.append(happening.stream, last?.revision ?? 'no_stream', [event]));
  }
  return position;
}

/** The happenings as folds read them, an hour after each other. */
export function recordedOf(...happenings: readonly Happening[]): readonly Recorded[] {
  return storedOf(...happenings).map((event) => decode(event));
}

/** The happenings as a store returns them, an hour after each other. */
export function storedOf(...happenings: readonly Happening[]): readonly StoredEvent[] {
  const revisions = new Map<string, number>();
  return happenings.map((happening, index) => {
    const revision = (revisions.get(happening.stream) ?? -1) + 1;
    revisions.set(happening.stream, revision);
    const recordedAt = new Date(Date.parse(RECORDED_AT) + index * 3_600_000).toISOString();
    const event = toAppend(happening, revision, recordedAt);
    return { ...event, stream: happening.stream, revision, position: BigInt(index + 1) };
  });
}

export const term = (from: string, through: string, premium = '100.00') => ({
  from,
  through,
  premium,
  annualPremium: premium,
  paymentFrequency: null,
  risk: {},
  premiumParts: {},
});

const whose = (customer: number) => ({
  merchantId: MERCHANT_ID,
  environmentId: 1,
  testMode: false,
  customerId: idFor('customer', customer),
});
const tagsFor = (customer: number): Tags => ({
  merchant: MERCHANT_ID,
  testMode: false,
  customer: idFor('customer', customer),
});

export function customerRegistered(customer: number): Happening {
  const data = {
    ...whose(customer),
    reference: null,
    fullName: `Customer ${customer}`,
    email: `Customer.${customer}@Example.com`,
    phone: null,
    dateOfBirth: '1980-02-29',
    address: null,
  };
  const stream = `customer-${idFor('customer', customer)}`;
  return { stream, type: 'CustomerRegistered', data, tags: tagsFor(customer) };
}

function ofPolicy(customer: number, policy: number, type: string, data: object): Happening {
  const policyId = idFor('policy', policy);
  const tags = { ...tagsFor(customer), policy: policyId };
  return { stream: `policy-${policyId}`, type, data: { policyId, ...whose(customer), ...data }, tags };
}

const contract = (customer: number, policy: number, first: ReturnType<typeof term>) => ({
  policyNumber: `POL-${policy}`,
  status: 'active',
  merchantName: 'A bank',
  holder: { name: `Customer ${customer}`, email: `customer.${customer}@example.com`, phone: null, address: null },
  provider: { id: idFor('provider', 1), name: 'An insurer', email: null },
  product: { id: idFor('product', 1), name: 'A product', type: 'Auto' },
  coverage: 'all of it',
  currency: 'NGN',
  renewable: true,
  inspectionRequired: false,
  certificationRequired: false,
  term: first,
});

export function policyImported(customer: number, policy: number, first = term('2025-01-01', '2025-12-31')): Happening {
  return ofPolicy(customer, policy, 'PolicyImported', contract(customer, policy, first));
}

/** Bought for 365 days with one beneficiary; `changes` are of the event's data. */
export function policyPurchased(
  customer: number,
  policy: number,
  first = term('2025-01-01', '2026-01-01'),
  changes: object = {},
): Happening {
  return ofPolicy(customer, policy, 'PolicyPurchased', {
    ...contract(customer, policy, first),
    quoteCode: 'Quo_00000_00000000',
    productPlan: null,
    tierName: null,
    beneficiaries: [{ beneficiaryId: idFor('beneficiary', policy), name: 'Next of kin' }],
    days: 365,
    autoRenew: false,
    ...changes,
  });
}

export const policyActivated = (customer: number, policy: number): Happening =>
  ofPolicy(customer, policy, 'PolicyActivated', { cause: 'start_day' });

export const policyTermImported = (customer: number, policy: number, further: ReturnType<typeof term>): Happening =>
  ofPolicy(customer, policy, 'PolicyTermImported', { status: 'active', term: further });

export const policyRenewed = (customer: number, policy: number, next: ReturnType<typeof term>): Happening =>
  ofPolicy(customer, policy, 'PolicyRenewed', { term: next, days: 365, autoRenew: false, coverageChange: null });

export const policyCancelled = (customer: number, policy: number): Happening =>
  ofPolicy(customer, policy, 'PolicyCancelled', {
    cancelledAt: RECORDED_AT,
    reason: 'moved away',
    initiator: 'A bank',
    merchantFeedback: null,
    alternativeOfferings: null,
  });

function ofClaim(customer: number, policy: number, claim: number, type: string, data: object): Happening {
  const ids = { claimId: idFor('claim', claim), ...whose(customer), policyId: idFor('policy', policy) };
  const tags = { ...tagsFor(customer), policy: ids.policyId };
  return { stream: `claim-${ids.claimId}`, type, data: { ...ids, ...data }, tags };
}

export const claimImported = (customer: number, policy: number, claim: number): Happening =>
  ofClaim(customer, policy, claim, 'ClaimImported', {
    reference: `CLM-${claim}`,
    filedOn: '2025-03-02',
    claimant: { name: `Customer ${customer}`, email: `customer.${customer}@example.com`, phone: null },
    claimType: 'theft',
    incidentDate: '2025-03-01',
    amount: '50.00',
    insurer: 'An insurer',
    product: { name: 'A product', type: 'Auto' },
  });

export const claimReviewStarted = (customer: number, policy: number, claim: number): Happening =>
  ofClaim(customer, policy, claim, 'ClaimReviewStarted', { note: 'looked at' });

export const claimSettled = (customer: number, policy: number, claim: number): Happening =>
  ofClaim(customer, policy, claim, 'ClaimSettlementImported', {
    effectiveAt: '2025-04-01',
    status: 'paid',
    resolvedOn: '2025-04-01',
  });

/** An event that no projection wants. */
export const valueReserved = (number: number): Happening => ({
  stream: `policyNumber-happening-live-${number}`,
  type: 'ValueReserved',
  data: {
    kind: 'policyNumber',
    scope: 'happening-live',
    value: String(number),
    target: `policy-${idFor('policy', number)}`,
    decidedAt: RECORDED_AT,
    actor: { role: 'system', keyId: null },
    environment: null,
    input: {},
  },
  tags: {},
});

export const retryRequested = (collection: string, key: string): Happening => ({
  stream: `parked-${collection}-${derivedId(key)}`,
  type: 'ParkedRetryRequested',
  data: { collection, key },
  tags: {},
});

/** A request for quotes with one offer, or as `changes` of the event's data say. */
export function quotesOffered(request: number, changes: object = {}): Happening {
  const requestId = request.toString(16).padStart(12, '0');
  const data = {
    requestId,
    merchantId: MERCHANT_ID,
    environmentId: 1,
    testMode: false,
    customer: null,
    productType: 'Auto',
    additionalInformation: { vehicle_type: 'Car', vehicle_value: '2000000' },
    coveragePreferences: null,
    expiresAt: '2026-03-31T10:00:00.000Z',
    offers: [offer()],
    ...changes,
  };
  const tags = { merchant: MERCHANT_ID, testMode: false };
  return { stream: `quoteRequest-${requestId}`, type: 'QuotesOffered', data, tags };
}

/** One offer of `quotesOffered`. */
export const offer = (changes: object = {}) => ({
  productId: idFor('product', 1),
  productName: 'A product',
  productDescription: 'Covers a car',
  productPlan: null,
  tierName: null,
  provider: { id: idFor('provider', 1), name: 'An insurer', email: null },
  coverages: [{ name: 'Collision', description: null, type: 'Collision', limit: '1000000.00' }],
  currency: 'NGN',
  basePrice: '35000.00',
  premium: '43430.00',
  price: {
    amount: '42000.00',
    discount: '2100.00',
    surcharges: '500.00',
    commission: '3990.00',
    tax: '3030.00',
  },
  renewable: true,
  inspectionRequired: false,
  certificationRequired: false,
  ...changes,
});
