import type { OperationPages } from '../page.ts';

export const POLICY_PAGES: OperationPages = {
  PurchasePolicy: {
    tag: 'Policies',
    description: `Purchases a quote, identified by \`quote_code\`, \`purchase_id\` or both. A quote can be purchased once, within 30 days.

The price is premium × \`policy_duration\` / 365. The policy begins on \`effective_from\` (default today, never in the past);
\`effective_through\`, \`policy_duration\` days later, is the last day covered. The status is \`accepted\` until the start day, or until the platform activates a policy that requires inspection or certification, and then
\`active\` until the policy is cancelled, also after its last day. With \`auto_renew\` the policy is renewed automatically for the same duration.

\`customer_metadata\` is required if the quote was requested without it, and refused otherwise. The customer is found by e-mail or created.`,
    request: {
      body: {
        quote_code: '{RequestQuotes.results.0.0.quote_code}',
        policy_duration: 365,
        auto_renew: false,
        beneficiaries: [{ beneficiary_name: 'Chidi Okafor' }],
      },
    },
    codes: ['quote_not_found', 'quote_expired', 'quote_already_purchased'],
  },
  ListPolicies: {
    tag: 'Policies',
    description:
      'All policies of all merchants: live policies, or test policies with `test_mode=true`. Requires a platform key; merchants can read single policies.',
  },
  GetPolicy: {
    tag: 'Policies',
    description:
      'Dates and premium are those of the last term; earlier terms are in the history. `renewal_date` is the first moment after the last day covered, null when the policy cannot be renewed.',
    request: { path: { policy_id: '{PurchasePolicy.policy_id}' } },
    codes: ['policy_not_found', 'not_known_yet'],
  },
  GetPolicyHistory: {
    tag: 'Policies',
    description: historyOf('policy'),
    request: { path: { policy_id: '{PurchasePolicy.policy_id}' } },
    codes: ['policy_not_found', 'document_parked'],
  },
  RenewPolicy: {
    tag: 'Policies',
    description: `Adds a term. The policy is identified by \`policy_id\`, \`policy_number\` or both. It must be renewable and not cancelled; the new term begins today or later, and after the
last day of all existing terms: a refusal contains \`earliest_start\`. The last day covered is start + \`policy_duration\` days, \`renewal_date\` the day after.

The price is the annual premium × \`policy_duration\` / 365. \`include_additional_coverage\` adds \`coverage_details.additional_amount\` to this term and to the annual premium from then on;
\`modify_exisitng_coverage\` stores \`coverage_details\` with the term. Both exclude each other; \`coverage_details\` without one of them has no effect, and added coverage without \`additional_amount\` is free. \`auto_renew\` sets whether the policy is renewed automatically.

Every problem of this operation has the member \`renewal_status: "failed"\`.`,
    request: {
      body: {
        policy_id: '{PurchasePolicy.policy_id}',
        preferred_policy_start_date: '2027-03-15',
        policy_duration: 180,
        include_additional_coverage: true,
        coverage_details: {
          coverage_type: 'Damages',
          additional_amount: 1500,
          covered_items: ['Windscreen', 'Side mirrors'],
        },
        auto_renew: true,
      },
    },
    ifMatch: true,
    codes: ['policy_not_found', 'policy_not_renewable', 'renewal_overlaps_current_term'],
  },
  CancelPolicy: {
    tag: 'Policies',
    description: `Cancels an active policy with immediate effect. It is identified by \`policy_id\` or \`policy_number\`, in the body or as query parameters; all of them must identify the same policy.
\`cancellation_initiator\` is the merchant's name, or \`admin\` when the platform cancels.`,
    request: {
      body: {
        policy_number: '{PurchasePolicy.policy_number}',
        cancellation_reason: 'The vehicle was sold',
        merchant_feedback: 'The customer asked for a transfer first',
        alternative_offerings: [{ product: 'Third Party Motor', note: 'for the next vehicle' }],
      },
    },
    ifMatch: true,
    codes: ['policy_not_found', 'policy_already_cancelled', 'policy_not_active'],
  },
};

/** Describes the history of a resource. */
export function historyOf(resource: string): string {
  return `Every change of the ${resource}, oldest first: the actor and the command, the time of recording and the business day, a
summary, and the changed fields of the ${resource} in this API. \`path\` is a JSON Pointer; \`before\` or \`after\` is omitted if there was no value.
The changes of all entries, applied in order, give the current ${resource}. Documents appear as their SHA-256.`;
}
