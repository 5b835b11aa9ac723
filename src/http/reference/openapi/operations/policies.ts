import { pagesOf } from '../page.ts';

export const AS_DOWNLOAD =
  '`Accept: text/csv` or `application/x-ndjson` downloads it whole, without `limit` and `offset`.';

export function atPointInTime(resource: string): string {
  return `Every event has a business day (\`effective_at\`) and a time of recording (\`recorded_at\`). \`as_of\` gives the ${resource} as of a business day: made by its first event and every other event whose \`effective_at\` is not after the day, in the order of the log. \`known_at\` takes only what was recorded by an instant, which is refused when it lies in the future: later than now and than everything that was recorded. Both together give what was known then about that day. The \`ETag\` is then a hash of the body, which \`If-Match\` never accepts.`;
}

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
  ListPolicies: {
    description:
      'All policies of all merchants: live policies, or test policies with `test_mode=true`. Requires a platform key; merchants can read single policies.',
  },
  GetPolicy: {
    description: `Dates, premium and coverage are those of the term of the day, in the time zone of the environment: of the begun term that contains it, in a gap of the last that has begun, before the first begins of the first. \`GET …/terms/\` has all of them. \`renewal_date\` is the first instant after the last agreed term, null when the policy cannot be renewed. A cancellation changes no term: the term that it cuts short keeps its days and its premium, and the transactions have what is returned. A cancellation for a later day shows in \`cancellation_date\` at once (with \`as_of\` only from that day on); status and cover stay until that day is over. On the last day of cover the status is \`cancelled\` if the cancellation was made on this day or later, else \`active\`. The \`ETag\` also contains the last day on which the calendar alone changed the view, and a hash of the reference.

${atPointInTime('policy')} As of a day, terms that begin later are left out with the events about them, \`renewal_date\` follows from the terms that are left, and the policy is \`active\` from the day on which cover begins, also before its activation is recorded.`,
    codes: ['not_known_yet', 'not_in_force_yet'],
  },
  GetPolicyHistory: {
    description: historyOf('policy'),
    codes: ['document_parked'],
  },
  ListPolicyTerms: {
    description:
      'The response is not paged. `state` is that of the day, in the time zone of the environment: `upcoming` also while the policy waits for activation; `cancelled` when the policy ended before the first day. A cancellation changes no term: the one that it cuts short keeps its days and amounts and is `past` from the day after `effective_on`; the transactions have what is returned. `as_of` and `known_at` give the terms of a day or as they were known at an instant.',
    codes: ['not_known_yet', 'not_in_force_yet'],
  },
  GetCertificate: {
    description: `Makes a PDF from the view of the policy with the same parameters: insurer, distributor and holder, the term of the day, coverages with limits and deductibles, the premium with its parts, and beneficiaries. There is none while the policy waits for its activation (\`not_in_force_yet\`). A cancellation is shown with the last day of cover. In test mode every page has the word TEST across it. A character that the font lacks, such as those of Arabic, Hebrew and Chinese, is shown by its code point (\`\\u{627}\`).

The same policy, day and knowledge have the same bytes and the same \`ETag\`; without \`as_of\` the day is today, in the time zone of the policy. As of a day, what takes effect on later days is not shown, also a cancellation that is recorded already: for a paper of today leave \`as_of\` out. Certificates are made one after another, one of a merchant at a time; beyond 31 that wait, the response is 503 \`busy\`. Covered items over 2,000 characters are cut.`,
    mediaType: 'application/pdf',
    codes: ['not_known_yet', 'not_in_force_yet', 'certificate_too_large'],
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
  ListPolicyTransactions: {
    description: transactionsOf('the policy'),
    codes: ['document_parked'],
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

export function transactionsOf(owner: string): string {
  return `What is owed under ${owner} by the contract, in the order of the log; Surety moves no money. Each term has one \`premium\`. A change of coverages is a
\`premium_change\` of each term that it touches, what a cancellation, a decline or a withdrawn term returns a \`return_premium\`, what a reinstatement owes again a \`premium_reinstated\`, a payment of a claim a \`claim_payment\`, and its reversal one of the positive amount. There is no entry for 0.00. Id, \`date\` and \`term\` are those
of the event: the activation of a policy changes no entry.`;
}

export function historyOf(resource: string): string {
  return `Every change of the ${resource}, oldest first: the actor and the command, the time of recording and the business day, a
summary, and the changed fields of the ${resource} in this API. \`path\` is a JSON Pointer; \`before\` or \`after\` is omitted if there was no value.
The changes of all entries, applied in order, give the ${resource} of the day of the last event; what the day alone changes, such as the shown term of a policy, has no entry. Documents appear as their SHA-256. ${AS_DOWNLOAD}`;
}
