import { z } from 'zod';
import { day, instant } from '#event-sourcing/time.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { modeOf } from '#domain/values/mode.ts';
import { pickPrice } from '#domain/values/price.ts';
import {
  type ChangedTermData,
  type EventWithTerm,
  type FirstPolicyEvent,
  type PolicyEvent,
  REFUND_RULES,
  type Returned,
} from '#domain/policy/policy-events.ts';
import { agreedTermId } from '#domain/policy/policy.ts';
import { type DayRange, daysOf } from '#domain/policy/term.ts';
import { fields, publicEvent, type PublicEventsOf, sum } from './definition.ts';

const ids = {
  effective_at: fields.effectiveAt,
  policy_id: fields.policyId,
  tenant_id: fields.tenantId,
  environment_id: fields.environmentId,
  customer_id: fields.customerId,
  currency: fields.currency,
};

const status = z.enum(['accepted', 'active']).describe('accepted until cover begins, then active.');

const dates = {
  effective_from: day.describe('First day covered.'),
  effective_through: day.describe('Last day covered.'),
};

const price = {
  premium: sum('What the customer pays: net price, fee and tax.'),
  net: sum('Net price; it contains the commission.'),
  fee: sum('Fee.'),
  tax: sum('Tax on net price and fee. Null where it is not known.').nullable(),
  commission: sum('Commission on the net price. Null where it is not known.').nullable(),
};

const termId = uuid.describe('Id of the term: UUID of version 5 of the policy and the event that agreed it.');
const term = { term_id: termId, ...dates, ...price };

const partOfTerm = (text: string) => z.strictObject({ term_id: termId, ...dates, ...price }).describe(text);
const returned = partOfTerm('What is returned of one term.');

const changedTerms = z.array(
  z.strictObject({ ...term, difference: z.strictObject(price).describe('What the term costs more than before.') }),
);

const autoRenew = z.boolean().describe('Whether the policy renews automatically.');

const duration = z.int().describe('Days of the term.');

const contract = {
  policy_number: fields.policyNumber,
  customer_reference: z.string().nullable().describe("The merchant's number of the customer at that time."),
  provider_id: fields.providerId,
  provider_name: z.string().describe('The name of the insurer at that time.'),
  product_id: fields.productId,
  product_name: z.string().describe('The name of the product at that time.'),
  product_type: fields.productType,
  status,
  renewable: fields.renewable,
  auto_renew: autoRenew,
  policy_duration: duration,
  ...term,
};

const idsOf = ({ effectiveAt, policyId, merchantId, environmentId, customerId, currency }: PolicyEvent['data']) => ({
  effective_at: effectiveAt,
  policy_id: policyId,
  tenant_id: merchantId,
  environment_id: environmentId,
  customer_id: customerId,
  currency,
});

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
      'A policy was bought with a quote.',
      {
        ...ids,
        ...contract,
        waits: z.boolean().describe('Whether it is not on risk before it is activated by the back office.'),
      },
      (event) => ({ ...idsOf(event.data), ...contractOf(event), waits: event.data.waits }),
    ),
    PolicyImported: publicEvent(
      'surety.policy.imported.v1',
      'A policy was imported from another book, with its first term.',
      { ...ids, ...contract },
      (event) => ({ ...idsOf(event.data), ...contractOf(event) }),
    ),
    PolicyTermImported: publicEvent(
      'surety.policy.term_imported.v1',
      'Another term of an imported policy; its dates may be before those of terms published earlier.',
      { ...ids, status, auto_renew: autoRenew, policy_duration: duration, ...term },
      (event) => ({
        ...idsOf(event.data),
        status: event.data.status,
        auto_renew: event.data.autoRenew,
        policy_duration: daysOf(event.data.term),
        ...termOf(event),
      }),
    ),
    PolicyActivated: publicEvent(
      'surety.policy.activated.v1',
      'An accepted policy became active, or the back office let the cover of a policy that waited begin.',
      {
        ...ids,
        cause: z
          .enum(['start_day', 'back_office'])
          .describe('The first day was reached, or the back office activated a policy that waited.'),
        status,
        moved_term: z
          .strictObject(dates)
          .nullable()
          .describe(
            'New dates of the first term, which begins on the day of a later activation; null where it did not move.',
          ),
      },
      ({ data }) => ({
        ...idsOf(data),
        cause: data.cause,
        status: data.status,
        moved_term: data.movedTerm && datesOf(data.movedTerm),
      }),
    ),
    PolicyRenewed: publicEvent(
      'surety.policy.renewed.v1',
      'A term was added to a policy.',
      {
        ...ids,
        ...term,
        policy_duration: duration,
        auto_renew: autoRenew,
        coverage_change: z.enum(['additional', 'modified']).nullable().describe('Whether cover was added or changed.'),
      },
      (event) => ({
        ...idsOf(event.data),
        ...termOf(event),
        policy_duration: daysOf(event.data.term),
        auto_renew: event.data.autoRenew,
        coverage_change: event.data.coverageChange?.kind ?? null,
      }),
    ),
    PolicyChanged: publicEvent(
      'surety.policy.changed.v1',
      'The coverages of a policy were changed from the day `effective_at` on, which is still to come.',
      {
        ...ids,
        terms: changedTerms.describe(
          'The term of the day, whose rest has another price, and every later one, with their new prices.',
        ),
      },
      ({ data }) => ({ ...idsOf(data), terms: data.terms.map(changedTermOf) }),
    ),
    PolicyChangeWithdrawn: publicEvent(
      'surety.policy.change_withdrawn.v1',
      'A change of coverages was taken back before the day `effective_at` on which it was to begin, because cover ends earlier.',
      { ...ids, terms: changedTerms.describe('Its terms, with the prices that they had before the change.') },
      ({ data }) => ({ ...idsOf(data), terms: data.terms.map(changedTermOf) }),
    ),
    TermWithdrawn: publicEvent(
      'surety.policy.term_withdrawn.v1',
      'The last term of a policy was taken back before it began; the policy no longer renews automatically.',
      { ...ids, returned },
      ({ data }) => ({ ...idsOf(data), returned: partOf(data.returned) }),
    ),
    AutoRenewalSwitched: publicEvent(
      'surety.policy.auto_renewal_switched.v1',
      'Automatic renewal was switched on or off.',
      { ...ids, auto_renew: autoRenew },
      ({ data }) => ({ ...idsOf(data), auto_renew: data.autoRenew }),
    ),
    AutoRenewalStopped: publicEvent(
      'surety.policy.auto_renewal_stopped.v1',
      'A due renewal cannot succeed: the policy no longer renews automatically.',
      { ...ids, reason: z.string().describe('`provider_withdrawn`, `product_withdrawn` or `premium_out_of_range`.') },
      ({ data }) => ({ ...idsOf(data), reason: data.reason }),
    ),
    PolicyCancelled: publicEvent(
      'surety.policy.cancelled.v1',
      'A policy was cancelled; its cover ends with the day `effective_on`, which may be still to come.',
      {
        ...ids,
        effective_on: day.describe('Last day of cover. Terms that begin later never do.'),
        decided_on: day.describe('Day on which it was decided.'),
        cancelled_at: instant.describe('When cover ends, in UTC.'),
        refund_rule: z
          .enum(REFUND_RULES)
          .nullable()
          .describe('Rule of the term that contains the day; null where an import gave the amount.'),
        returned: z
          .array(returned)
          .describe('The term of the last day of cover and every later one; what is returned of it may be 0.00.'),
      },
      ({ data }) => ({
        ...idsOf(data),
        effective_on: data.effectiveAt,
        decided_on: data.decidedOn,
        cancelled_at: data.cancelledAt,
        refund_rule: data.refundRule,
        returned: data.returned.map(partOf),
      }),
    ),
    PolicyDeclined: publicEvent(
      'surety.policy.declined.v1',
      'The insurer declined an accepted policy; it never covers anything.',
      {
        ...ids,
        declined_at: instant.describe('When it was declined, in UTC.'),
        returned: z.array(returned).describe('What is returned of each term.'),
      },
      ({ data }) => ({ ...idsOf(data), declined_at: data.declinedAt, returned: data.returned.map(partOf) }),
    ),
    PolicyReinstated: publicEvent(
      'surety.policy.reinstated.v1',
      'A cancellation was undone: the terms are as before it, and cover goes on without a gap.',
      {
        ...ids,
        auto_renew: autoRenew,
        reinstated: z
          .array(partOfTerm('What is owed again of one term.'))
          .describe('What the cancellation had returned.'),
      },
      ({ data }) => ({ ...idsOf(data), auto_renew: data.autoRenew, reinstated: data.reinstated.map(partOf) }),
    ),
  },
};
