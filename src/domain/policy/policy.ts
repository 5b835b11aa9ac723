import { z } from 'zod';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { addDays } from '../values/dates.ts';
import { type Day, day, dayOf, type Moment, moment } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf, personal, type RecordedEvent } from '../../event-sourcing/event.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { type Tags, merchantTags } from '../tags.ts';
import { storedMoney } from '../values/money.ts';

/** Returns the stream of a policy. */
export const policyStream = (policyId: string): string => `policy-${policyId}`;

/** The ids by which readers route a policy's events. */
const ids = {
  policyId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  customerId: uuid,
};

/** One period of cover with its price. It includes the days `from` and `through`. */
const term = z.object({
  from: day,
  through: day,
  /** Price of this term. */
  premium: storedMoney,
  /** Price of 365 days, on which the next renewal is based. */
  annualPremium: storedMoney,
  paymentFrequency: z.string().nullable(),
  /** Features of the risk (columns `risk_*` of an import). */
  risk: personal(z.record(z.string(), z.string()), 'customer'),
  /** Premium of each guarantee (columns `premium_*` of an import). */
  premiumParts: z.record(z.string(), storedMoney),
});
export type Term = z.infer<typeof term>;

const holder = z.object({
  name: personal(z.string(), 'customer'),
  email: personal(z.string(), 'customer'),
  phone: personal(z.string().nullable(), 'customer'),
  address: personal(z.string().nullable(), 'customer'),
});

/** A policy was imported, with its first term. */
export const PolicyImported = defineEvent('PolicyImported.v1', {
  ...ids,
  policyNumber: z.string(),
  status: z.enum(['accepted', 'active']),
  merchantName: z.string(),
  holder,
  provider: z.object({ id: uuid, name: z.string(), email: z.string().nullable() }),
  product: z.object({ id: uuid, name: z.string(), type: z.string() }),
  coverage: z.string(),
  currency: z.string(),
  renewable: z.boolean(),
  inspectionRequired: z.boolean(),
  certificationRequired: z.boolean(),
  term,
});

/** A further term of an imported policy. */
export const PolicyTermImported = defineEvent('PolicyTermImported.v1', {
  ...ids,
  /** Status of the policy with this term, which may be the first that has begun. */
  status: z.enum(['accepted', 'active']),
  term,
});

/** A policy was purchased with a quote, with its first term. */
export const PolicyPurchased = defineEvent('PolicyPurchased.v1', {
  ...ids,
  policyNumber: z.string(),
  quoteCode: z.string(),
  status: z.enum(['accepted', 'active']),
  merchantName: z.string(),
  holder,
  provider: z.object({ id: uuid, name: z.string(), email: z.string().nullable() }),
  product: z.object({ id: uuid, name: z.string(), type: z.string() }),
  /** Plan and tier as the offer named them. */
  productPlan: z.string().nullable(),
  tierName: z.string().nullable(),
  coverage: z.string(),
  currency: z.string(),
  renewable: z.boolean(),
  inspectionRequired: z.boolean(),
  certificationRequired: z.boolean(),
  beneficiaries: z.array(z.object({ beneficiaryId: uuid, name: personal(z.string(), 'beneficiary') })),
  term,
  days: z.int(),
  autoRenew: z.boolean(),
});

/** An accepted policy became active: on its start day, or by the back office. */
export const PolicyActivated = defineEvent('PolicyActivated.v1', {
  ...ids,
  cause: z.enum(['start_day', 'back_office']),
});

/** A policy was renewed: a new term follows the last one. */
export const PolicyRenewed = defineEvent('PolicyRenewed.v1', {
  ...ids,
  term,
  days: z.int(),
  autoRenew: z.boolean(),
  coverageChange: z
    .object({ kind: z.enum(['additional', 'modified']), details: z.record(z.string(), z.json()) })
    .nullable(),
});

export const PolicyCancelled = defineEvent('PolicyCancelled.v1', {
  ...ids,
  cancelledAt: moment,
  reason: personal(z.string(), 'customer'),
  initiator: z.string(),
  merchantFeedback: personal(z.string().nullable(), 'customer'),
  alternativeOfferings: z.json().nullable(),
});

export type PolicyEvent =
  | EventOf<typeof PolicyImported>
  | EventOf<typeof PolicyTermImported>
  | EventOf<typeof PolicyPurchased>
  | EventOf<typeof PolicyActivated>
  | EventOf<typeof PolicyRenewed>
  | EventOf<typeof PolicyCancelled>;

/** The ids that every event of a policy carries, so that projections route by the event alone. */
export type PolicyIds = Pick<
  PolicyEvent['data'],
  'policyId' | 'merchantId' | 'environmentId' | 'testMode' | 'customerId'
>;

/** Picks the ids of a policy from its state or from the data of its events. */
export function policyIds({ policyId, merchantId, environmentId, testMode, customerId }: PolicyIds): PolicyIds {
  return { policyId, merchantId, environmentId, testMode, customerId };
}

/** Returns the tags of the events of a policy. */
export function policyTags({ policyId, merchantId, testMode, customerId }: PolicyIds): Tags {
  return { ...merchantTags({ merchantId, testMode }), customer: customerId, policy: policyId };
}

/** The fields of a policy in every status. */
interface PolicyFacts {
  readonly policyId: string;
  readonly policyNumber: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly environmentId: number;
  readonly testMode: boolean;
  readonly customerId: string;
  readonly holder: z.infer<typeof holder>;
  readonly provider: { readonly id: string; readonly name: string; readonly email: string | null };
  readonly product: { readonly id: string; readonly name: string; readonly type: string };
  readonly coverage: string;
  readonly currency: string;
  readonly renewable: boolean;
  /**
   * Needs an inspection or a certification, so only a person activates it
   * (`docs/decisions/0011-a-policy-that-waits-for-a-person-does-not-renew.md`).
   */
  readonly needsActivation: boolean;
  readonly autoRenew: boolean;
  /** Sorted by start day, without overlaps. Never empty. */
  readonly terms: readonly Term[];
}

export type PolicyState =
  | (PolicyFacts & { readonly status: 'accepted' })
  | (PolicyFacts & { readonly status: 'active' })
  | (PolicyFacts & {
      readonly status: 'cancelled';
      readonly cancelledAt: Moment;
      readonly reason: string;
      readonly initiator: string;
    });

function withTerm(terms: readonly Term[], added: Term): readonly Term[] {
  return [...terms, added].sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** A cancellation is final. */
function withStatus(state: PolicyState, status: 'accepted' | 'active'): PolicyState {
  return state.status === 'cancelled' ? state : { ...state, status };
}

function evolve(state: PolicyState | undefined, event: RecordedEvent<PolicyEvent>): PolicyState {
  if (event.type === 'PolicyImported') {
    const { term: first, effectiveAt: _, inspectionRequired, certificationRequired, ...facts } = event.data;
    const needsActivation = inspectionRequired || certificationRequired;
    return { ...facts, needsActivation, autoRenew: false, terms: [first] };
  }
  if (event.type === 'PolicyPurchased') {
    const { term: first, effectiveAt: _, inspectionRequired, certificationRequired, ...bought } = event.data;
    const { quoteCode: _q, productPlan: _p, tierName: _t, beneficiaries: _b, days: _d, ...facts } = bought;
    return { ...facts, needsActivation: inspectionRequired || certificationRequired, terms: [first] };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the policy exists`);
  switch (event.type) {
    case 'PolicyTermImported':
      return withStatus({ ...state, terms: withTerm(state.terms, event.data.term) }, event.data.status);
    case 'PolicyActivated':
      return withStatus(state, 'active');
    case 'PolicyRenewed':
      return { ...state, terms: withTerm(state.terms, event.data.term), autoRenew: event.data.autoRenew };
    case 'PolicyCancelled': {
      const { cancelledAt, reason, initiator } = event.data;
      return { ...state, status: 'cancelled', cancelledAt, reason, initiator };
    }
    default:
      return event satisfies never;
  }
}

export const policy: Aggregate<PolicyState, PolicyEvent> = {
  category: 'policy',
  events: [PolicyImported, PolicyTermImported, PolicyPurchased, PolicyActivated, PolicyRenewed, PolicyCancelled],
  evolve,
};

/** Returns the term that ends last. The API shows its period and premium as those of the policy. */
export function lastTerm(terms: readonly Term[]): Term {
  const last = terms.at(-1);
  if (last === undefined) throw new Error('a policy always has a term');
  return last;
}

/** Returns whether two periods share a day. */
export function overlap(a: { from: Day; through: Day }, b: { from: Day; through: Day }): boolean {
  return a.from <= b.through && b.from <= a.through;
}

/** Returns whether the policy covers a day: it is in a term and not after the day of the cancellation. */
export function covers(state: PolicyState, day: Day): boolean {
  if (state.status === 'cancelled' && day > dayOf(state.cancelledAt)) return false;
  return state.terms.some((term) => term.from <= day && day <= term.through);
}

const LAST_DAY: Day = '9999-12-31';

/** Returns the next day; null after 9999-12-31, which imported books use for "no end". */
export function dayAfter(day: Day): Day | null {
  return day >= LAST_DAY ? null : addDays(day, 1);
}

/** Checks whether a term of that many days ends before 9999-12-31, so that the day after it can be stored too. */
export function isStorableTerm(start: Day, days: number): boolean {
  const through = addDays(start, days);
  return through >= start && through < LAST_DAY;
}
