import { pagesOf } from '../page.ts';

export const AS_DOWNLOAD =
  '`Accept: text/csv` or `application/x-ndjson` downloads it whole, without `limit` and `offset`.';

export function atPointInTime(resource: string): string {
  return `\`as_of\` gives the ${resource} as of a business day: made by its first event and every other event whose \`effective_at\` is not after the day, in the order of the log. \`known_at\` takes only what was recorded by a moment, which is refused when it lies in the future: later than now and than everything that was recorded. Both together give what was known then about that day. The \`ETag\` is then a hash of the body, which \`If-Match\` never accepts.`;
}

export const POLICY_PAGES = pagesOf('Policies', {
  PurchasePolicy: {
    description: `Purchases a quote, identified by \`quote_code\`, \`purchase_id\` or both. A quote can be purchased once, within 30 days.

The price is premium × \`policy_duration\` / 365. The policy begins on \`effective_from\` (default today, never in the past);
\`effective_through\`, \`policy_duration\` days later, is the last day covered. The status is \`accepted\` until the start day, or until the platform activates a policy that requires inspection or certification, and then
\`active\` until the policy is cancelled, also after its last day. With \`auto_renew\` the policy is renewed automatically for the same duration.

\`customer_metadata\` is required if the quote was requested without it, and refused otherwise. The customer is found by e-mail or created.`,
    request: {
      body: {
        quote_code: '{scene.sample.quote_code}',
        policy_duration: 365,
        auto_renew: false,
        beneficiaries: [{ beneficiary_name: 'Chidi Okafor' }],
      },
    },
    codes: ['quote_not_found', 'quote_expired', 'quote_already_purchased'],
  },
  ListPolicies: {
    description:
      'All policies of all merchants: live policies, or test policies with `test_mode=true`. Requires a platform key; merchants can read single policies.',
  },
  GetPolicy: {
    description: `Dates, premium and coverage are those of the term of the day, in the time zone of the environment: of the begun term that contains it, in a gap of the last that has begun, before the first begins of the first. \`GET …/terms/\` has all of them. \`renewal_date\` is the first moment after the last agreed term, null when the policy cannot be renewed. The \`ETag\` also contains the first day of the shown term.

${atPointInTime('policy')} As of a day, terms that begin later are left out with the events about them, \`renewal_date\` follows from the terms that are left, and the policy is \`active\` from the day on which cover begins, also before its activation is recorded.`,
    codes: ['not_known_yet', 'not_in_force_yet'],
  },
  GetPolicyHistory: {
    description: historyOf('policy'),
    codes: ['document_parked'],
  },
  ListPolicyTerms: {
    description:
      'The response is not paged. `state` is that of the day, in the time zone of the environment: `upcoming` also while the policy waits for activation; `cancelled` when the policy was cancelled or declined before the first day.',
  },
  SetAutoRenew: {
    description:
      'Switches automatic renewal on or off. The value that the policy already has records nothing. A policy whose last term is over cannot be switched on (`policy_expired`).',
    request: { body: { auto_renew: false } },
    codes: ['policy_already_cancelled', 'policy_not_renewable', 'policy_expired'],
  },
  ListPolicyTransactions: {
    description: transactionsOf('the policy'),
    codes: ['document_parked'],
  },
  RenewPolicy: {
    description: `Adds a term of exactly \`policy_duration\` days. The policy is identified by \`policy_id\`, \`policy_number\` or both. It must be renewable, not cancelled and not waiting for
activation. The new term begins today or later, after the last day of all agreed terms (a refusal contains \`earliest_start\`), and at most 366 days after the later of today and that day.

The term costs the annual premium × \`policy_duration\` / 365. The annual premium is that of the last term plus \`coverage_details.additional_amount\`. \`include_additional_coverage\` adds the coverage that
\`coverage_details.coverage_type\` names, with its \`covered_items\` and \`coverage_limit\`; \`modify_exisitng_coverage\` (spelt so in the contract) changes them in the coverage of that name, or of that type if exactly one matches. Both
exclude each other; without one of them \`coverage_details\`, \`additional_amount\` too, has no effect. \`coverage_details\` is free: its other members are stored and have no effect, so a misspelt name is not refused.
\`auto_renew\` sets whether the policy is renewed automatically from then on: left out, it switches automatic renewal off.

Every problem of this operation has the member \`renewal_status: "failed"\`.`,
    request: {
      body: {
        policy_id: '{scene.sample.policy_id}',
        preferred_policy_start_date: '2027-12-01',
        policy_duration: 180,
        include_additional_coverage: true,
        coverage_details: {
          coverage_type: 'Liability',
          additional_amount: 1500,
          covered_items: ['Damage done by the pet'],
        },
        auto_renew: true,
      },
    },
    codes: ['policy_not_found', 'policy_not_renewable', 'renewal_overlaps_current_term', 'premium_out_of_range'],
  },
  CancelPolicy: {
    description: `Cancels an active policy: cover ends with the day of the cancellation, in the time zone of the environment. \`refund_amount\` is the sum of the return premiums: of each term premium × days
after that day / days of the term, of terms that have not begun the whole premium. The policy is identified by \`policy_id\` or \`policy_number\`, in the body or as query parameters; all of them must identify the same policy.
\`cancellation_initiator\` is the merchant's name, or \`admin\` when the platform cancels.`,
    request: {
      body: {
        policy_number: '{scene.sample.policy_number}',
        cancellation_reason: 'The pet was given away',
        merchant_feedback: 'The customer asked for a transfer first',
        alternative_offerings: [{ product: 'Happy Paws', note: 'for the next pet' }],
      },
    },
    codes: ['policy_not_found', 'policy_already_cancelled', 'policy_not_active', 'policy_expired'],
  },
});

export function transactionsOf(owner: string): string {
  return `What is owed under ${owner} by the contract, in the order of the log; Surety moves no money. Each term has one \`premium\`. What a cancellation, a decline or a withdrawn term returns is a
\`return_premium\` of each term, and a paid claim is a \`claim_payment\`; both are negative. There is no entry for 0.00. \`term\` and \`date\` are those of the event: the activation of a policy changes no entry.
A term that was kept from beginning by a cancellation that was recorded before return premiums existed has no entry.`;
}

export function historyOf(resource: string): string {
  return `Every change of the ${resource}, oldest first: the actor and the command, the time of recording and the business day, a
summary, and the changed fields of the ${resource} in this API. \`path\` is a JSON Pointer; \`before\` or \`after\` is omitted if there was no value.
The changes of all entries, applied in order, give the ${resource} of the day of the last event; what the day alone changes, such as the shown term of a policy, has no entry. Documents appear as their SHA-256. ${AS_DOWNLOAD}`;
}
