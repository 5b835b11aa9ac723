import { z } from 'zod';
import { day, instant } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf } from '../../event-sourcing/event.ts';
import { personal } from '../values/personal.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { returned, term } from './term.ts';

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
  /** IANA name of the environment's time zone. */
  timeZone: z.string(),
  term,
};

/** A policy was imported, with its first term. */
export const PolicyImported = defineEvent('PolicyImported.v1', contract);

/** Another term of an imported policy. */
export const PolicyTermImported = defineEvent('PolicyTermImported.v1', {
  ...ids,
  /** Status of the policy with this term, which may be the first that has begun. */
  status: z.enum(['accepted', 'active']),
  term,
});

/** A policy was purchased with a quote, with its first term. */
export const PolicyPurchased = defineEvent('PolicyPurchased.v1', {
  ...contract,
  quoteCode: z.string(),
  /** Plan and tier as the offer named them. */
  productPlan: z.string().nullable(),
  tierName: z.string().nullable(),
  beneficiaries: z.array(z.object({ beneficiaryId: uuid, name: personal(z.string(), 'beneficiary') })),
  days: z.int(),
  autoRenew: z.boolean(),
});

/** An accepted policy became active: on its start day, or by the back office. */
export const PolicyActivated = defineEvent('PolicyActivated.v1', {
  ...ids,
  cause: z.enum(['start_day', 'back_office']),
  /** The new dates of the first term, which begins on the day of a later activation; null where it did not move. */
  movedTerm: z.object({ from: day, through: day }).nullable(),
});

/** A policy was renewed: a new term follows the last one. */
export const PolicyRenewed = defineEvent('PolicyRenewed.v1', {
  ...ids,
  days: z.int(),
  autoRenew: z.boolean(),
  term,
  /** As the merchant sent it. */
  coverageChange: z
    .object({
      kind: z.enum(['additional', 'modified']),
      details: personal(z.record(z.string(), z.json()), 'customer'),
    })
    .nullable(),
});

/** The last term was taken back before it began. */
export const TermWithdrawn = defineEvent('TermWithdrawn.v1', {
  ...ids,
  reason: personal(z.string(), 'customer'),
  returned,
});

export const AutoRenewalSwitched = defineEvent('AutoRenewalSwitched.v1', { ...ids, autoRenew: z.boolean() });

/** A due renewal cannot succeed: automatic renewal is switched off. */
export const AutoRenewalStopped = defineEvent('AutoRenewalStopped.v1', { ...ids, reason: z.string() });

/** A policy was cancelled. */
export const PolicyCancelled = defineEvent('PolicyCancelled.v1', {
  ...ids,
  cancelledAt: instant,
  initiator: z.string(),
  /** Null where an import does not know it. */
  reason: personal(z.string().nullable(), 'customer'),
  merchantFeedback: personal(z.string().nullable(), 'customer'),
  alternativeOfferings: personal(z.json().nullable(), 'customer'),
  /** Terms of which something is returned. */
  returned: z.array(returned),
});

/** The insurer declined an accepted policy: it ends without cover, and every premium is returned. */
export const PolicyDeclined = defineEvent('PolicyDeclined.v1', {
  ...ids,
  declinedAt: instant,
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

/** Every event of a policy. */
export const POLICY_EVENTS = [
  PolicyImported,
  PolicyTermImported,
  PolicyPurchased,
  PolicyActivated,
  PolicyRenewed,
  TermWithdrawn,
  AutoRenewalSwitched,
  AutoRenewalStopped,
  PolicyCancelled,
  PolicyDeclined,
];
