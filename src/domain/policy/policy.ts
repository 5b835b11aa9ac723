import { z } from 'zod';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { addDays } from '../values/dates.ts';
import { type Day, day, dayOf, type Moment, moment } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf, personal, type Recorded } from '../../event-sourcing/event.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { storedMoney } from '../values/money.ts';

/** Stream of a policy. */
export const policyStream = (policyId: string): string => `policy-${policyId}`;

/** The ids by which readers find a policy's events. */
const ids = {
  policyId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  customerId: uuid,
};

/** One period of cover with its price. `from` and `through` are both covered. */
const term = z.object({
  from: day,
  through: day,
  /** What this term costs. */
  premium: storedMoney,
  /** What 365 days of it cost; the next renewal starts from it. */
  annualPremium: storedMoney,
  paymentFrequency: z.string().nullable(),
  /** Features of the risk, as they were told (`risk_*` of an import). */
  risk: personal(z.record(z.string(), z.string()), 'customer'),
  /** The premium by guarantee (`premium_*` of an import). */
  premiumParts: z.record(z.string(), storedMoney),
});
export type Term = z.infer<typeof term>;

const holder = z.object({
  name: personal(z.string(), 'customer'),
  email: personal(z.string(), 'customer'),
  phone: personal(z.string().nullable(), 'customer'),
  address: personal(z.string().nullable(), 'customer'),
});

/** A policy taken over from another book, with its first term. */
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

/** A further term of a policy that was taken over. */
export const PolicyTermImported = defineEvent('PolicyTermImported.v1', {
  ...ids,
  /** The policy's status with this term: it may be the first that has begun. */
  status: z.enum(['accepted', 'active']),
  term,
});

/** A policy bought with a quote, with its first term. */
export const PolicyPurchased = defineEvent('PolicyPurchased.v1', {
  ...ids,
  policyNumber: z.string(),
  quoteCode: z.string(),
  status: z.enum(['accepted', 'active']),
  merchantName: z.string(),
  holder,
  provider: z.object({ id: uuid, name: z.string(), email: z.string().nullable() }),
  product: z.object({ id: uuid, name: z.string(), type: z.string() }),
  /** What was chosen of the product, as the offer named it. */
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

/** An accepted policy is active from now on: its start day has come, or the back office has activated it. */
export const PolicyActivated = defineEvent('PolicyActivated.v1', {
  ...ids,
  cause: z.enum(['start_day', 'back_office']),
});

/** A new term begins after the last one. */
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

/** What is true of a policy in every situation. */
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
  /** An inspection or a certification comes before cover: never activated by itself (`decisions`: Policies, Renewal). */
  readonly needsActivation: boolean;
  readonly autoRenew: boolean;
  /** By start day; they never overlap. Never empty. */
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

/** The terms with one more, by start day. */
function withTerm(terms: readonly Term[], added: Term): readonly Term[] {
  return [...terms, added].sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** What is cancelled stays cancelled. */
function withStatus(state: PolicyState, status: 'accepted' | 'active'): PolicyState {
  return state.status === 'cancelled' ? state : { ...state, status };
}

function evolve(state: PolicyState | undefined, event: Recorded<PolicyEvent>): PolicyState {
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

/** The term that ends last: what the interface shows as the policy's period and premium. */
export function lastTerm(terms: readonly Term[]): Term {
  const last = terms.at(-1);
  if (last === undefined) throw new Error('a policy always has a term');
  return last;
}

/** Whether two periods share a day. */
export function overlap(a: { from: Day; through: Day }, b: { from: Day; through: Day }): boolean {
  return a.from <= b.through && b.from <= a.through;
}

/** Whether the policy covers what happened on a day: a term holds it, and the policy was not cancelled on an earlier day. */
export function covers(state: PolicyState, day: Day): boolean {
  if (state.status === 'cancelled' && day > dayOf(state.cancelledAt)) return false;
  return state.terms.some((term) => term.from <= day && day <= term.through);
}

const LAST_DAY: Day = '9999-12-31';

/** The day after; null after the last day that can be written, by which books mean "for ever". */
export function dayAfter(day: Day): Day | null {
  return day >= LAST_DAY ? null : addDays(day, 1);
}
