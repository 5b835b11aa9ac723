import { decode, encode } from '#domain/events.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Tags } from '#domain/tags.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { importedTerm } from '#domain/policy/timeline.ts';
import { derivedId, namedId } from '#event-sourcing/identifiers.ts';
import {
  appendTo,
  type EventStore,
  type EventToAppend,
  type Position,
  type StoredEvent,
} from '#stores/event-log/event-log.ts';

/** An event before it is appended to a log. */
export interface SampleEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: object;
  readonly tags: Tags;
}

export const MERCHANT_ID = derivedId('happening', 'merchant');
export const RECORDED_AT: Instant = '2026-03-01T10:00:00.000Z';

/** Derives an id from a kind and a number. */
export const sampleId = (kind: string, number: number): string => derivedId('happening', kind, String(number));

/** Returns the event to append. @throws {Error} when the data violates the storage contract */
export function toEventToAppend({ stream, type, data, tags }: SampleEvent, revision: number, recordedAt = RECORDED_AT) {
  const stored = encode({ type, data: { effectiveAt: recordedAt.slice(0, 10), ...data } });
  const id = derivedId('happening', stream, String(revision));
  const command = { name: 'Happen', id };
  const actor = { role: 'system', keyId: null };
  const metadata = { recordedAt, $correlationId: id, $causationId: id, actor, ...tags, command };
  return { id, ...stored, metadata } satisfies EventToAppend;
}

/** Appends the events in their order and returns the position of the last. */
export async function appendSamples(store: EventStore, ...samples: readonly SampleEvent[]): Promise<Position> {
  let position = 0n;
  for (const sample of samples) {
    const last = await store.readLast(sample.stream);
    const event = toEventToAppend(sample, (last?.revision ?? -1) + 1);
    ({ position } = await appendTo(store, sample.stream, last?.revision ?? 'no_stream', [event]));
  }
  return position;
}

/** Returns the events as folds read them, recorded one hour apart. */
export function toRecorded(...samples: readonly SampleEvent[]): readonly RecordedEvent[] {
  return toStored(...samples).map((event) => decode(event));
}

/** Returns the events as a store reads them, recorded one hour apart. */
export function toStored(...samples: readonly SampleEvent[]): readonly StoredEvent[] {
  const revisions = new Map<string, number>();
  return samples.map((sample, index) => {
    const revision = (revisions.get(sample.stream) ?? -1) + 1;
    revisions.set(sample.stream, revision);
    const recordedAt = new Date(Date.parse(RECORDED_AT) + index * 3_600_000).toISOString();
    const event = toEventToAppend(sample, revision, recordedAt);
    return { ...event, stream: sample.stream, revision, position: BigInt(index + 1) };
  });
}

/** A term whose net price is its premium: without fee, and its tax is not known. */
export const term = (from: string, through: string, premium = '100.00') => {
  const coverages = [
    { name: 'all of it', type: null as string | null, limit: null as string | null, deductible: null as string | null },
  ];
  return importedTerm({ from, through }, { premium, tax: null, commission: null }, coverages);
};

/** Id of the term that the event of this revision agrees. */
export function sampleTermId(policy: number, revision: number): string {
  const policyId = sampleId('policy', policy);
  return namedId(policyId, derivedId('happening', `policy-${policyId}`, String(revision)));
}

const ownerFields = (customer: number) => ({
  merchantId: MERCHANT_ID,
  environmentId: 1,
  testMode: false,
  customerId: sampleId('customer', customer),
});
const IMPORTED = { risk: {}, paymentFrequency: null, premiumParts: {} };
const tagsFor = (customer: number): Tags => ({
  merchant: MERCHANT_ID,
  testMode: false,
  customer: sampleId('customer', customer),
});

export function customerRegistered(customer: number): SampleEvent {
  const data = {
    ...ownerFields(customer),
    merchantShortCode: 'ABA-0001',
    reference: null,
    fullName: `Customer ${customer}`,
    email: `Customer.${customer}@Example.com`,
    phone: null,
    dateOfBirth: '1980-02-29',
    address: null,
  };
  const stream = `customer-${sampleId('customer', customer)}`;
  return { stream, type: 'CustomerRegistered', data, tags: tagsFor(customer) };
}

export function customerUpdated(customer: number, changes: object): SampleEvent {
  const stream = `customer-${sampleId('customer', customer)}`;
  return { stream, type: 'CustomerUpdated', data: { ...ownerFields(customer), changes }, tags: tagsFor(customer) };
}

function policyEvent(customer: number, policy: number, type: string, data: object): SampleEvent {
  const policyId = sampleId('policy', policy);
  const tags = { ...tagsFor(customer), policy: policyId };
  return {
    stream: `policy-${policyId}`,
    type,
    data: { policyId, ...ownerFields(customer), currency: 'NGN', ...data },
    tags,
  };
}

const contractFields = (customer: number, policy: number, first: ReturnType<typeof term>) => ({
  policyNumber: `POL-${policy}`,
  status: 'active',
  merchantName: 'A bank',
  merchantShortCode: 'ABA-0001',
  holder: { name: `Customer ${customer}`, email: `customer.${customer}@example.com`, phone: null, address: null },
  customerReference: null,
  provider: { id: sampleId('provider', 1), name: 'An insurer', email: null },
  product: { id: sampleId('product', 1), name: 'A product', type: 'Auto' },
  timeZone: 'UTC',
  renewable: true,
  inspectionRequired: false,
  certificationRequired: false,
  autoRenew: false,
  term: first,
});

export function policyImported(
  customer: number,
  policy: number,
  first = term('2025-01-01', '2025-12-31'),
): SampleEvent {
  return policyEvent(customer, policy, 'PolicyImported', { ...contractFields(customer, policy, first), ...IMPORTED });
}

/** Bought on its first day, with one beneficiary; `changes` override the event's data. */
export function policyPurchased(
  customer: number,
  policy: number,
  first = term('2025-01-01', '2025-12-31'),
  changes: object = {},
): SampleEvent {
  return policyEvent(customer, policy, 'PolicyPurchased', {
    ...contractFields(customer, policy, first),
    boughtOn: first.from,
    quoteCode: 'Quo_00000_00000000',
    productPlan: null,
    tierName: null,
    beneficiaries: [
      { beneficiaryId: sampleId('beneficiary', policy), name: 'Next of kin', relationship: null, sharePercent: null },
    ],
    waits: false,
    cancellation: null,
    risk: {},
    ...changes,
  });
}

export const policyActivated = (customer: number, policy: number): SampleEvent =>
  policyEvent(customer, policy, 'PolicyActivated', { cause: 'start_day', status: 'active', movedTerm: null });

export const policyTermImported = (customer: number, policy: number, added: ReturnType<typeof term>): SampleEvent =>
  policyEvent(customer, policy, 'PolicyTermImported', { status: 'active', term: added, autoRenew: false, ...IMPORTED });

export const policyRenewed = (customer: number, policy: number, next: ReturnType<typeof term>): SampleEvent =>
  policyEvent(customer, policy, 'PolicyRenewed', { term: next, autoRenew: false, coverageChange: null });

export const policyCancelled = (customer: number, policy: number, changed: object = {}): SampleEvent =>
  policyEvent(customer, policy, 'PolicyCancelled', {
    cancelledAt: RECORDED_AT,
    decidedOn: RECORDED_AT.slice(0, 10),
    refundRule: 'pro_rata',
    reason: 'moved away',
    initiator: 'A bank',
    merchantFeedback: null,
    alternativeOfferings: null,
    returned: [],
    ...changed,
  });

export const policyReinstated = (customer: number, policy: number, reinstated: readonly object[] = []): SampleEvent =>
  policyEvent(customer, policy, 'PolicyReinstated', { reason: 'sale fell through', autoRenew: false, reinstated });

/**
 * The coverages of one term change.
 * @param changed the term with its new price
 * @param revision of the event that agreed the term
 * @param difference what it costs more than before
 */
export const policyChanged = (
  customer: number,
  policy: number,
  { minimum: _, taxRate: __, commissionRate: ___, ...changed }: ReturnType<typeof term>,
  revision = 0,
  difference = '0.00',
): SampleEvent => {
  const price = { premium: difference, net: difference, fee: '0.00', tax: null, commission: null };
  const terms = [{ termId: sampleTermId(policy, revision), ...changed, difference: price }];
  return policyEvent(customer, policy, 'PolicyChanged', { reason: null, changes: [{ action: 'modify' }], terms });
};

export const policyDeclined = (customer: number, policy: number, declinedAt = RECORDED_AT): SampleEvent =>
  policyEvent(customer, policy, 'PolicyDeclined', { declinedAt, reason: 'too old', returned: [] });

/** @param revision of the event that agreed the term */
export const termWithdrawn = (
  customer: number,
  policy: number,
  { from, through, premium, net, fee, tax, commission }: ReturnType<typeof term>,
  revision = 1,
): SampleEvent =>
  policyEvent(customer, policy, 'TermWithdrawn', {
    reason: 'typing error',
    returned: { termId: sampleTermId(policy, revision), from, through, premium, net, fee, tax, commission },
  });

function claimEvent(customer: number, policy: number, claim: number, type: string, data: object): SampleEvent {
  const ids = {
    claimId: sampleId('claim', claim),
    ...ownerFields(customer),
    policyId: sampleId('policy', policy),
    currency: 'NGN',
  };
  const tags = { ...tagsFor(customer), policy: ids.policyId };
  return { stream: `claim-${ids.claimId}`, type, data: { ...ids, ...data }, tags };
}

export const claimImported = (customer: number, policy: number, claim: number): SampleEvent =>
  claimEvent(customer, policy, claim, 'ClaimImported', {
    merchantShortCode: 'ABA-0001',
    reference: `CLM-${claim}`,
    filedOn: '2025-03-02',
    claimant: { name: `Customer ${customer}`, email: `customer.${customer}@example.com`, phone: null },
    policyNumber: `POL-${policy}`,
    details: { claimType: 'theft', incidentDate: '2025-03-01', incidentDescription: null, amount: '50.00' },
    coverage: null,
    insurer: { id: sampleId('provider', 1), name: 'An insurer' },
    product: { name: 'A product', type: 'Auto' },
    timeZone: 'UTC',
  });

export const claimReviewStarted = (customer: number, policy: number, claim: number): SampleEvent =>
  claimEvent(customer, policy, claim, 'ClaimReviewStarted', { note: 'looked at' });

export const claimSettled = (customer: number, policy: number, claim: number): SampleEvent =>
  claimEvent(customer, policy, claim, 'ClaimSettlementImported', {
    effectiveAt: '2025-04-01',
    stage: 'paid',
    approvedAmount: null,
    offerAmount: null,
    payment: samplePayment(claim),
  });

const samplePayment = (claim: number) => ({
  paymentId: sampleId('payment', claim),
  amount: '50.00',
  paidOn: '2025-04-01',
  reference: null,
});

export const claimPaymentStarted = (customer: number, policy: number, claim: number): SampleEvent =>
  claimEvent(customer, policy, claim, 'ClaimPaymentStarted', {
    payment: samplePayment(claim),
    coverageName: null,
    incidentDate: '2025-03-01',
    isFinal: true,
  });

export const claimPaid = (customer: number, policy: number, claim: number, changed: object = {}): SampleEvent =>
  claimEvent(customer, policy, claim, 'ClaimPaid', {
    effectiveAt: '2025-04-01',
    payment: samplePayment(claim),
    isFinal: true,
    outstanding: '0.00',
    ...changed,
  });

export const claimPaymentReversed = (customer: number, policy: number, claim: number): SampleEvent =>
  claimEvent(customer, policy, claim, 'ClaimPaymentReversed', {
    effectiveAt: '2025-05-01',
    paymentId: sampleId('payment', claim),
    amount: '50.00',
    reason: 'wrong account',
    stage: 'approved',
    outstanding: '50.00',
  });

/** An event that no projection handles. */
export const valueReserved = (number: number): SampleEvent => ({
  stream: `policyNumber-happening-live-${number}`,
  type: 'ValueReserved',
  data: {
    kind: 'policyNumber',
    scope: 'happening-live',
    value: String(number),
    target: `policy-${sampleId('policy', number)}`,
    decidedAt: RECORDED_AT,
    actor: { role: 'system', keyId: null },
    environment: null,
    input: {},
  },
  tags: {},
});

export const retryRequested = (collection: string, key: string): SampleEvent => ({
  stream: `parked-${collection}-${derivedId(key)}`,
  type: 'ParkedRetryRequested',
  data: { collection, key },
  tags: {},
});

export const rebuildRequested = (number: number): SampleEvent => ({
  stream: 'rebuilds',
  type: 'RebuildRequested',
  data: { rebuildId: sampleId('rebuild', number) },
  tags: {},
});

/** A request for quotes with one offer; `changes` override the event's data. */
export function quotesOffered(request: number, changes: object = {}): SampleEvent {
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
    days: null,
    expiresAt: '2026-03-31T10:00:00.000Z',
    offers: [offer()],
    notOffered: [],
    ...changes,
  };
  const tags = { merchant: MERCHANT_ID, testMode: false };
  return { stream: `quoteRequest-${requestId}`, type: 'QuotesOffered', data, tags };
}

/** One offer of `quotesOffered`. */
export const offer = (changes: object = {}) => ({
  productId: sampleId('product', 1),
  productName: 'A product',
  productDescription: 'Covers a car',
  productPlan: null,
  tierName: null,
  provider: { id: sampleId('provider', 1), name: 'An insurer', email: null },
  coverages: [{ name: 'Collision', description: null, type: 'Collision', limit: '1000000.00', deductible: null }],
  currency: 'NGN',
  basePrice: '35000.00',
  annualNet: '39900.00',
  rates: { fee: '500.00', minimum: '0.00', taxRate: '7.5/100', commissionRate: '10/100' },
  premium: '43430.00',
  price: {
    amount: '42000.00',
    discount: '2100.00',
    surcharges: '500.00',
    commission: '3990.00',
    tax: '3030.00',
  },
  cancellation: null,
  eligibility: { minAge: null, maxAge: null },
  renewable: true,
  inspectionRequired: false,
  certificationRequired: false,
  ...changes,
});
