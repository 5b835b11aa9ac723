import type { OperationPages } from '../page.ts';

export const POLICY_PAGES: OperationPages = {
  PurchasePolicy: {
    tag: 'Policies',
    description: `Buys one quote: named by its \`quote_code\` or its \`purchase_id\`, or by both when they are of the same quote. A quote can be bought once, within 30 days.

The policy costs premium × \`policy_duration\` / 365. It begins on \`effective_from\` (today when not given, never in the past);
\`effective_through\`, that many days later, is the last day covered. Until it begins, or until the platform activates it where inspection or certification is needed, it is
\`accepted\`, then \`active\`, also after it has run out, until it is cancelled. With \`auto_renew\` it renews itself for the same duration, term after term.

\`customer_metadata\` is needed when the quote was requested without, and refused when it was requested with it. A customer is found by e-mail or made.`,
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
      'All policies of all merchants, live ones unless `test_mode=true` asks for the test world. For the platform: merchants read single policies.',
  },
  GetPolicy: {
    tag: 'Policies',
    description:
      'Dates and premium are those of the term that ends last; earlier terms are in the history. `renewal_date` is the first moment after the last day covered, null when the policy cannot be renewed.',
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
    description: `Adds a term. The policy is named by \`policy_id\`, \`policy_number\` or both. It must be renewable and not cancelled; the new term begins today or later, and after the
last day of the last term, begun or not: a refusal tells \`earliest_start\`. The last day covered is start + \`policy_duration\` days, \`renewal_date\` the day after.

It costs the annual premium × \`policy_duration\` / 365. \`include_additional_coverage\` adds \`coverage_details.additional_amount\` to this term and to the annual premium from then on;
\`modify_exisitng_coverage\` keeps \`coverage_details\` with the term. They exclude each other; \`coverage_details\` without one of them changes nothing, and without \`additional_amount\` added coverage costs nothing. \`auto_renew\` decides anew whether the policy renews itself.

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
    description: `Ends an active policy at once. It is named by \`policy_id\` or \`policy_number\`, in the body or as query parameters; wherever they stand, they must name the same policy.
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

/** What the histories of all resources have in common. */
export function historyOf(resource: string): string {
  return `Every change of the ${resource}, oldest first, folded from the log when asked: who did it by which command, when it was recorded and for which day it counts, one
sentence about it, and what it changed in the ${resource} as this API shows it. \`path\` is a JSON Pointer; \`before\` or \`after\` is left out where there was nothing.
The changes of all entries, applied in order, give the present ${resource}. Documents appear as their SHA-256.`;
}
