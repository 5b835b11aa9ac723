import { z } from 'zod';
import { day } from '#event-sourcing/time.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { modeOf } from '#domain/values/mode.ts';
import { pickPrice, storedPrice } from '#domain/values/price.ts';
import {
  AutoRenewalStopped,
  AutoRenewalSwitched,
  type ChangedTermData,
  type EventWithTerm,
  type FirstPolicyEvent,
  PolicyActivated,
  PolicyCancelled,
  PolicyChanged,
  PolicyChangeWithdrawn,
  PolicyDeclined,
  type PolicyEvent,
  PolicyImported,
  PolicyPurchased,
  PolicyReinstated,
  PolicyRenewed,
  PolicyTermImported,
  type Returned,
  TermWithdrawn,
} from '#domain/policy/policy-events.ts';
import { agreedTermId } from '#domain/policy/policy.ts';
import { type DayRange, daysOf } from '#domain/policy/term.ts';
import { fields, publicEventsWith, type PublicEventsOf } from './definition.ts';

const ids = {
  effective_at: fields.effectiveAt,
  policy_id: fields.policyId,
  tenant_id: fields.tenantId,
  environment_id: fields.environmentId,
  customer_id: fields.customerId,
  currency: fields.currency,
};

const { customerReference, status, renewable, autoRenew, waits } = PolicyPurchased.schema.shape;

const dates = {
  effective_from: day.describe('First day covered.'),
  effective_through: day.describe('Last day covered.'),
};

const termId = uuid.describe('Id of the term: UUID of version 5 of the policy and the event that agreed it.');
const term = { term_id: termId, ...dates, ...storedPrice.shape };

const partOfTerm = (text: string) => z.strictObject(term).describe(text);
const returned = partOfTerm('What is returned of one term.');

const changedTerms = z.array(
  z.strictObject({ ...term, difference: storedPrice.strict().describe('What the term costs more than before.') }),
);

const duration = z.int().describe('Days of the term.');

const contract = {
  policy_number: fields.policyNumber,
  customer_reference: customerReference,
  provider_id: fields.providerId,
  provider_name: z.string().describe('The name of the insurer at that time.'),
  product_id: fields.productId,
  product_name: z.string().describe('The name of the product at that time.'),
  product_type: fields.productType,
  status,
  renewable,
  auto_renew: autoRenew,
  policy_duration: duration,
  ...term,
};

const publicEvent = publicEventsWith(ids, (data: PolicyEvent['data']) => ({
  effective_at: data.effectiveAt,
  policy_id: data.policyId,
  tenant_id: data.merchantId,
  environment_id: data.environmentId,
  customer_id: data.customerId,
  currency: data.currency,
}));

const datesOf = ({ from, through }: DayRange) => ({ effective_from: from, effective_through: through });

const termOf = (event: RecordedEvent<EventWithTerm>) => ({
  term_id: agreedTermId(event),
  ...datesOf(event.data.term),
  ...pickPrice(event.data.term),
});

const partOf = (part: Returned) => ({ term_id: part.termId, ...datesOf(part), ...pickPrice(part) });

const changedTermOf = (each: ChangedTermData) => ({ ...partOf(each), difference: pickPrice(each.difference) });

const contractOf = (event: RecordedEvent<FirstPolicyEvent>) => {
  const { data } = event;
  return {
    policy_number: data.policyNumber,
    customer_reference: data.customerReference,
    provider_id: data.provider.id,
    provider_name: data.provider.name,
    product_id: data.product.id,
    product_name: data.product.name,
    product_type: data.product.type,
    status: data.status,
    renewable: data.renewable,
    auto_renew: data.autoRenew,
    policy_duration: daysOf(data.term),
    ...termOf(event),
  };
};

export const policies: PublicEventsOf<PolicyEvent> = {
  subject: 'policies',
  aggregateIdOf: ({ policyId }) => policyId,
  visibilityOf: ({ testMode }) => modeOf(testMode),
  events: {
    PolicyPurchased: publicEvent(
      'surety.policy.purchased.v1',
      PolicyPurchased.description,
      { ...contract, waits },
      (event) => ({ ...contractOf(event), waits: event.data.waits }),
    ),
    PolicyImported: publicEvent('surety.policy.imported.v1', PolicyImported.description, contract, contractOf),
    PolicyTermImported: publicEvent(
      'surety.policy.term_imported.v1',
      PolicyTermImported.description,
      { status, auto_renew: autoRenew, policy_duration: duration, ...term },
      (event) => ({
        status: event.data.status,
        auto_renew: event.data.autoRenew,
        policy_duration: daysOf(event.data.term),
        ...termOf(event),
      }),
    ),
    PolicyActivated: publicEvent(
      'surety.policy.activated.v1',
      PolicyActivated.description,
      {
        cause: PolicyActivated.schema.shape.cause,
        status: PolicyActivated.schema.shape.status,
        moved_term: z
          .strictObject(dates)
          .nullable()
          .describe('New dates of the first term; null where it did not move.'),
      },
      ({ data }) => ({
        cause: data.cause,
        status: data.status,
        moved_term: data.movedTerm && datesOf(data.movedTerm),
      }),
    ),
    PolicyRenewed: publicEvent(
      'surety.policy.renewed.v1',
      PolicyRenewed.description,
      {
        ...term,
        policy_duration: duration,
        auto_renew: autoRenew,
        coverage_change: z.enum(['additional', 'modified']).nullable().describe('Whether cover was added or changed.'),
      },
      (event) => ({
        ...termOf(event),
        policy_duration: daysOf(event.data.term),
        auto_renew: event.data.autoRenew,
        coverage_change: event.data.coverageChange?.kind ?? null,
      }),
    ),
    PolicyChanged: publicEvent(
      'surety.policy.changed.v1',
      PolicyChanged.description,
      {
        terms: changedTerms.describe('The rest of the term of the day and every later term, at their new prices.'),
      },
      ({ data }) => ({ terms: data.terms.map(changedTermOf) }),
    ),
    PolicyChangeWithdrawn: publicEvent(
      'surety.policy.change_withdrawn.v1',
      PolicyChangeWithdrawn.description,
      { terms: changedTerms.describe('Its terms, with the prices that they had before the change.') },
      ({ data }) => ({ terms: data.terms.map(changedTermOf) }),
    ),
    TermWithdrawn: publicEvent(
      'surety.policy.term_withdrawn.v1',
      TermWithdrawn.description,
      { returned },
      ({ data }) => ({ returned: partOf(data.returned) }),
    ),
    AutoRenewalSwitched: publicEvent(
      'surety.policy.auto_renewal_switched.v1',
      AutoRenewalSwitched.description,
      { auto_renew: autoRenew },
      ({ data }) => ({ auto_renew: data.autoRenew }),
    ),
    AutoRenewalStopped: publicEvent(
      'surety.policy.auto_renewal_stopped.v1',
      AutoRenewalStopped.description,
      { reason: AutoRenewalStopped.schema.shape.reason },
      ({ data }) => ({ reason: data.reason }),
    ),
    PolicyCancelled: publicEvent(
      'surety.policy.cancelled.v1',
      PolicyCancelled.description,
      {
        effective_on: day.describe('Last day of cover. Terms that begin later never do.'),
        decided_on: PolicyCancelled.schema.shape.decidedOn,
        cancelled_at: PolicyCancelled.schema.shape.cancelledAt,
        refund_rule: PolicyCancelled.schema.shape.refundRule,
        returned: z.array(returned).describe('The term of the last day and every later one; an amount may be 0.00.'),
      },
      ({ data }) => ({
        effective_on: data.effectiveAt,
        decided_on: data.decidedOn,
        cancelled_at: data.cancelledAt,
        refund_rule: data.refundRule,
        returned: data.returned.map(partOf),
      }),
    ),
    PolicyDeclined: publicEvent(
      'surety.policy.declined.v1',
      PolicyDeclined.description,
      {
        declined_at: PolicyDeclined.schema.shape.declinedAt,
        returned: z.array(returned).describe('What is returned of each term.'),
      },
      ({ data }) => ({ declined_at: data.declinedAt, returned: data.returned.map(partOf) }),
    ),
    PolicyReinstated: publicEvent(
      'surety.policy.reinstated.v1',
      PolicyReinstated.description,
      {
        auto_renew: autoRenew,
        reinstated: z
          .array(partOfTerm('What is owed again of one term.'))
          .describe('What the cancellation had returned.'),
      },
      ({ data }) => ({ auto_renew: data.autoRenew, reinstated: data.reinstated.map(partOf) }),
    ),
  },
};
