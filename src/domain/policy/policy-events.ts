import { z } from 'zod';
import { day, moment } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf } from '../../event-sourcing/event.ts';
import { personal } from '../values/personal.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { UTC } from '../values/dates.ts';
import { returned, term } from './term.ts';
import { fromTermV1, termV1 } from './term-v1.ts';

/** The ids by which readers route a policy's events. */
const ids = {
  policyId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  customerId: uuid,
};

const holder = z.object({
  name: personal(z.string(), 'customer'),
  email: personal(z.string(), 'customer'),
  phone: personal(z.string().nullable(), 'customer'),
  address: personal(z.string().nullable(), 'customer'),
});

const contract = {
  ...ids,
  policyNumber: z.string(),
  status: z.enum(['accepted', 'active']),
  merchantName: z.string(),
  holder,
  provider: z.object({ id: uuid, name: z.string(), email: z.string().nullable() }),
  product: z.object({ id: uuid, name: z.string(), type: z.string() }),
  currency: z.string(),
  renewable: z.boolean(),
  inspectionRequired: z.boolean(),
  certificationRequired: z.boolean(),
};

/** A policy was imported, with its first term. */
export const PolicyImported = defineEvent('PolicyImported.v2', {
  ...contract,
  /** IANA name of the environment's time zone. */
  timeZone: z.string(),
  term,
});

export const PolicyImportedV1 = defineEvent(
  'PolicyImported.v1',
  { ...contract, coverage: z.string(), term: termV1 },
  ({ coverage: text, term: old, ...data }) => ({
    ...data,
    timeZone: UTC,
    term: fromTermV1(old, { isImported: true, coverage: text }),
  }),
);

const importedTerm = {
  ...ids,
  /** Status of the policy with this term, which may be the first that has begun. */
  status: z.enum(['accepted', 'active']),
};

/** Another term of an imported policy. */
export const PolicyTermImported = defineEvent('PolicyTermImported.v2', { ...importedTerm, term });

export const PolicyTermImportedV1 = defineEvent(
  'PolicyTermImported.v1',
  { ...importedTerm, term: termV1 },
  ({ term: old, ...data }) => ({ ...data, term: fromTermV1(old, { isImported: true }) }),
);

const purchase = {
  ...contract,
  quoteCode: z.string(),
  /** Plan and tier as the offer named them. */
  productPlan: z.string().nullable(),
  tierName: z.string().nullable(),
  beneficiaries: z.array(z.object({ beneficiaryId: uuid, name: personal(z.string(), 'beneficiary') })),
  days: z.int(),
  autoRenew: z.boolean(),
};

/** A policy was purchased with a quote, with its first term. */
export const PolicyPurchased = defineEvent('PolicyPurchased.v2', {
  ...purchase,
  /** IANA name of the environment's time zone. */
  timeZone: z.string(),
  term,
});

/** Its term has one day more than `days`. */
export const PolicyPurchasedV1 = defineEvent(
  'PolicyPurchased.v1',
  { ...purchase, coverage: z.string(), term: termV1 },
  ({ coverage: text, term: old, ...data }) => ({
    ...data,
    timeZone: UTC,
    term: fromTermV1(old, { isImported: false, coverage: text }),
  }),
);

const activation = { ...ids, cause: z.enum(['start_day', 'back_office']) };

/** An accepted policy became active: on its start day, or by the back office. */
export const PolicyActivated = defineEvent('PolicyActivated.v2', {
  ...activation,
  /** The new dates of the first term, which begins on the day of a later activation; null where it did not move. */
  movedTerm: z.object({ from: day, through: day }).nullable(),
});

export const PolicyActivatedV1 = defineEvent('PolicyActivated.v1', activation, (data) => ({
  ...data,
  movedTerm: null,
}));

const renewal = { ...ids, days: z.int(), autoRenew: z.boolean() };
const coverageChangeKind = z.enum(['additional', 'modified']);

/** A policy was renewed: a new term follows the last one. */
export const PolicyRenewed = defineEvent('PolicyRenewed.v2', {
  ...renewal,
  term,
  /** As the merchant sent it. */
  coverageChange: z
    .object({ kind: coverageChangeKind, details: personal(z.record(z.string(), z.json()), 'customer') })
    .nullable(),
});

/** Its change of coverage had no effect on the coverages, and its term has one day more than `days`. */
export const PolicyRenewedV1 = defineEvent(
  'PolicyRenewed.v1',
  {
    ...renewal,
    term: termV1,
    coverageChange: z.object({ kind: coverageChangeKind, details: z.record(z.string(), z.json()) }).nullable(),
  },
  ({ term: old, ...data }) => ({ ...data, term: fromTermV1(old, { isImported: false }) }),
);

/** The last term was taken back before it began. */
export const TermWithdrawn = defineEvent('TermWithdrawn.v1', {
  ...ids,
  reason: personal(z.string(), 'customer'),
  returned,
});

export const AutoRenewalSwitched = defineEvent('AutoRenewalSwitched.v1', { ...ids, autoRenew: z.boolean() });

/** A due renewal cannot succeed: automatic renewal is switched off. */
export const AutoRenewalStopped = defineEvent('AutoRenewalStopped.v1', { ...ids, reason: z.string() });

const cancellation = { ...ids, cancelledAt: moment, initiator: z.string() };

const cancellationV2 = {
  ...cancellation,
  reason: personal(z.string(), 'customer'),
  merchantFeedback: personal(z.string().nullable(), 'customer'),
  alternativeOfferings: personal(z.json().nullable(), 'customer'),
  /** Terms of which something is returned. Null in old events: nothing was returned. */
  returned: z.array(returned).nullable(),
};

export const PolicyCancelled = defineEvent('PolicyCancelled.v3', {
  ...cancellationV2,
  /** Null where an import does not know it. */
  reason: personal(z.string().nullable(), 'customer'),
});

export const PolicyCancelledV2 = defineEvent('PolicyCancelled.v2', cancellationV2, (data) => data);

export const PolicyCancelledV1 = defineEvent(
  'PolicyCancelled.v1',
  {
    ...cancellation,
    reason: personal(z.string(), 'customer'),
    merchantFeedback: personal(z.string().nullable(), 'customer'),
    alternativeOfferings: z.json().nullable(),
  },
  (data) => ({ ...data, returned: null }),
);

/** The insurer declined an accepted policy: it ends without cover, and every premium is returned. */
export const PolicyDeclined = defineEvent('PolicyDeclined.v1', {
  ...ids,
  declinedAt: moment,
  reason: personal(z.string(), 'customer'),
  returned: z.array(returned),
});

export type PolicyEvent =
  | EventOf<typeof PolicyImported>
  | EventOf<typeof PolicyTermImported>
  | EventOf<typeof PolicyPurchased>
  | EventOf<typeof PolicyActivated>
  | EventOf<typeof PolicyRenewed>
  | EventOf<typeof TermWithdrawn>
  | EventOf<typeof AutoRenewalSwitched>
  | EventOf<typeof AutoRenewalStopped>
  | EventOf<typeof PolicyCancelled>
  | EventOf<typeof PolicyDeclined>;

/** Every version of every event of a policy. */
export const POLICY_EVENTS = [
  PolicyImportedV1,
  PolicyImported,
  PolicyTermImportedV1,
  PolicyTermImported,
  PolicyPurchasedV1,
  PolicyPurchased,
  PolicyActivatedV1,
  PolicyActivated,
  PolicyRenewedV1,
  PolicyRenewed,
  TermWithdrawn,
  AutoRenewalSwitched,
  AutoRenewalStopped,
  PolicyCancelledV1,
  PolicyCancelledV2,
  PolicyCancelled,
  PolicyDeclined,
];
