import { pagesOf } from '../page.ts';

/** @param status the member that says `preview` @param amount what `expected_amount` is compared with */
function previewed(status: string, amount: string): string {
  return `\`?preview=true\` responds what the same request would do now, with \`${status}: "preview"\`, and changes nothing; it takes no notice of an \`Idempotency-Key\`. With \`expected_amount\` the request is refused (\`amount_changed\`) if ${amount} is another one now.`;
}

export const POLICY_PAGES = pagesOf('Policies', {
  PurchasePolicy: {
    description: `Purchases a quote, identified by \`quote_code\`, \`purchase_id\` or both. A quote can be purchased once, within 30 days.

\`effective_from\` is the first day (default today, never in the past), \`policy_duration\` the number of days (default that of the quote; 365 days, or none, are a year, through the day before the
same date of the next year). Another duration than the quote's has another price: the annual net price × days ÷ 365, at least the minimum of the product, with the whole fee and the tax. A term of 365 or 366 days is a year and costs the annual net price.

The status is \`accepted\` until cover begins: on the first day, or with ActivatePolicy of the platform where the product requires inspection or certification. Then it is
\`active\` until the policy ends, also after its last day. With \`auto_renew\` the policy is renewed automatically. A product with limits of age needs the customer's date of birth: an age outside them on the first day, and a missing date of birth, are \`not_eligible\`.

\`customer_metadata\` is required if the quote was requested without it, and refused otherwise. With \`customer_reference\`, the merchant's number of the customer, the customer is the one that has it; else the first
one with this e-mail and name and without a reference, which gets it; else a new one. Without it, the customer is the first one with this e-mail and name, else a new one. E-mail, name and reference are compared without case. A reference of a customer with another name and another
e-mail is \`customer_reference_taken\`. The policy keeps its holder as bought; its \`customer_reference\` is always the one that the customer has now.`,
    request: {
      body: {
        quote_code: '{scene.sample.quote_code}',
        policy_duration: 365,
        customer_reference: 'C-0020',
        auto_renew: false,
        beneficiaries: [{ beneficiary_name: 'Chidi Okafor' }],
      },
    },
    codes: [
      'quote_not_found',
      'quote_expired',
      'quote_already_purchased',
      'product_withdrawn',
      'provider_withdrawn',
      'policy_not_renewable',
      'not_eligible',
      'premium_out_of_range',
      'customer_reference_taken',
    ],
  },
  SetBeneficiaries: {
    description:
      'Replaces the beneficiaries of a policy, each under a new id; an empty list removes them. It is possible while the policy waits and after its last term, and not once an end is recorded. All have a `share_percent`, and the shares add up to 100.00, or none has one. The same beneficiaries again record nothing.',
    request: {
      body: {
        beneficiaries: [
          { beneficiary_name: 'Chidi Okafor', relationship: 'brother', share_percent: '60.00' },
          { beneficiary_name: 'Ngozi Okafor', share_percent: '40.00' },
        ],
      },
    },
    codes: ['policy_already_cancelled'],
  },
  SetAutoRenew: {
    description:
      'Switches automatic renewal on or off. The value that the policy already has records nothing. A policy whose last term is over cannot be switched on (`policy_expired`).',
    request: { body: { auto_renew: false } },
    codes: ['policy_already_cancelled', 'policy_not_renewable', 'policy_expired'],
  },
  RenewPolicy: {
    description: `Adds a term of \`policy_duration\` days; 365 days are a year, which ends on the day before the same date of the next year. The policy is identified by \`policy_id\`, \`policy_number\` or both. It must be renewable, not cancelled and not waiting for
activation. The new term begins today or later, after the last day of all agreed terms (a refusal contains \`earliest_start\`), and at most 366 days after the later of today and that day.

The term has the coverages and the annual net price of the last one; fee, minimum and percentages of tax and commission are those that the product has now. \`include_additional_coverage\` adds the coverage that
\`coverage_details\` describes; \`modify_exisitng_coverage\` (the name is spelt so) changes the one that \`coverage_details.coverage_type\` names, or of that type if exactly one has it. \`additional_amount\` is for a year and contains tax. Both
flags cannot be true together, and \`coverage_details\` without one of them is refused. \`coverage_details\` is free: its other members are stored and have no effect, so a misspelt name is not refused.
\`auto_renew\` sets whether the policy is renewed automatically from then on: left out, it switches automatic renewal off.

${previewed('renewal_status', 'the premium')}

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
    codes: [
      'policy_not_found',
      'policy_not_renewable',
      'provider_withdrawn',
      'renewal_overlaps_current_term',
      'premium_out_of_range',
      'amount_changed',
    ],
  },
  ChangePolicy: {
    description: `Adds, modifies or removes coverages from tomorrow on, or from the first day of a policy that begins later (\`effective_on\`): what happened today is covered as it was this morning. The days before keep what they have earned: the net price of a period is earned day by day. The rest of the term, and every later term, get a new price; fee, minimum and rates of each term stay.
\`coverage_name\` finds a coverage by its name; without it \`coverage_type\` is looked for among the names, then among the types. \`add\` needs a new name. Given members replace, null clears, absent ones stay. \`additional_amount\` is for a
year, contains tax, and may be negative. The changes apply in turn; one that does not fit refuses the request whole. A cancellation for an earlier day takes the change back.

${previewed('change_status', '`premium_difference`')}`,
    request: {
      body: {
        changes: [
          { action: 'add', coverage_name: 'Boarding', coverage_limit: '50000.00', additional_amount: '730.00' },
        ],
        reason: 'The customer travels',
      },
    },
    codes: ['policy_not_found', 'policy_not_changeable', 'premium_out_of_range', 'amount_changed'],
  },
  CancelPolicy: {
    description: `Ends cover with the end of \`effective_on\`, in the time zone of the environment: today (the default) through the last day of the term in force; of a policy that has not begun, waits or is in a gap, today alone. The back office may
also name earlier days of the term, and the day before it, but no day before the last change that has begun; a change that would begin after \`effective_on\` is taken back, which \`refund_amount\` contains. All of a term that has not begun is returned (\`not_begun\`, also while the policy waits). For the term that contains the day, \`refund_rule\` decides. \`cooling_off\` returns everything: decision and \`effective_on\` are at most
\`cooling_off_days\` after the day of purchase, and the term is the first and has at least 30 days; from the decision on, no claim for an incident in it is accepted, not even for earlier days. \`pro_rata\` returns the net price less the larger of what is earned and what the product
retains (\`minimum_retained\`), and the tax on it, but no fee. The net price is earned day by day, the fee on the first day. \`renewable\` and \`auto_renew\` are false at once; status and cover stay until a later \`effective_on\` is over. The policy is identified by \`policy_id\` or \`policy_number\`, in the body or as query parameters; all of them must identify the same policy.
\`cancellation_initiator\` is the merchant's name, or \`admin\` when the platform cancels.

${previewed('cancellation_status', '`refund_amount`')}`,
    request: {
      body: {
        policy_number: '{scene.sample.policy_number}',
        cancellation_reason: 'The pet was given away',
        merchant_feedback: 'The customer asked for a transfer first',
        alternative_offerings: [{ product: 'Happy Paws', note: 'for the next pet' }],
      },
    },
    codes: ['policy_not_found', 'policy_already_cancelled', 'policy_expired', 'changed_after_day', 'amount_changed'],
  },
});
