import { z } from 'zod';
import { type AdminPage, adminPagesOf, type OperationPage, type OperationPages } from '../page.ts';
import { QUOTE_PAGES } from './catalogue.ts';
import { CLAIM_PAGES, CUSTOMER_PAGES } from './customers-and-claims.ts';
import { POLICY_PAGES } from './policies.ts';
import { customerDetailsSchema } from '#projections/customers/customer-resource.ts';

const environment_id = '{scene.sample.environment_id}';
const claimStatus = z.strictObject({ claim_status: z.string() });

function forMerchant({ description, codes = [] }: OperationPage, body: Readonly<Record<string, unknown>>): AdminPage {
  return {
    description: `Same as the public operation, for the environment that \`environment_id\` names.\n\n${description}`,
    body: { ...body, environment_id },
    codes,
  };
}

/** @param claim the member of the sample with a claim at the stage before the move */
function move(claim: string, description: string, fields: object = {}): AdminPage {
  return {
    description: `${description} A claim at another stage is refused; the refusal lists the possible stages.`,
    body: { claim_id: `{scene.sample.${claim}}`, ...fields },
    codes: ['claim_not_found', 'claim_move_not_allowed'],
    result: claimStatus,
  };
}

function amountMove(claim: string, description: string, fields: object): AdminPage {
  const page = move(claim, description, fields);
  return { ...page, codes: [...(page.codes ?? []), 'amount_too_high'] };
}

export const ADMIN_BUSINESS_PAGES: OperationPages = adminPagesOf({
  RequestQuotes: forMerchant(QUOTE_PAGES.RequestQuotes, {
    customer_metadata: { first_name: 'Bola', last_name: 'Adeyemi', email: 'bola.adeyemi@customers.example' },
    insurance_details: {
      product_type: 'Cargo',
      additional_information: {
        shipment_type: 'international',
        shipment_value: 1000000,
        shipment_origin: 'Lagos',
        shipment_destination: 'Accra',
        shipment_carrier: 'Gulf Lines',
      },
    },
  }),
  PurchasePolicy: forMerchant(POLICY_PAGES.PurchasePolicy, {
    quote_code: '{admin/RequestQuotes.result.quotes.0.quote_code}',
    policy_duration: 90,
  }),
  ActivatePolicy: {
    description: `Activates a policy that waits, because its product requires an inspection or a certification. When that is after its first day, its term moves: it begins on the day of the activation and keeps
length and amounts. A policy that needs neither becomes active on its first day automatically and is refused (\`policy_not_begun\`).`,
    body: { policy_id: '{scene.sample.waiting_policy_id}' },
    codes: ['policy_not_found', 'policy_already_active', 'policy_not_begun', 'policy_already_cancelled'],
  },
  DeclinePolicy: {
    description:
      'Ends an accepted policy before cover begins: it is `cancelled`, with the initiator `admin`, and every premium is returned in full. ReinstatePolicy does not undo it.',
    body: { policy_id: '{scene.sample.accepted_policy_id}', reason: 'The vehicle is too old' },
    codes: ['policy_not_found', 'policy_already_active', 'policy_already_cancelled'],
  },
  ReinstatePolicy: {
    description:
      'Undoes a cancellation while the last term has not run out, or the policy waits: terms and automatic renewal are as before it, cover goes on without a gap, and every returned amount is owed again. A declined policy is `cancelled` too, but cannot be reinstated (`policy_not_cancelled`).',
    body: { policy_id: '{scene.sample.cancelled_policy_id}', reason: 'The house was not sold after all' },
    codes: ['policy_not_found', 'policy_not_cancelled', 'policy_expired'],
  },
  WithdrawTerm: {
    description: `Takes back the last term before it begins, as after a mistaken renewal: its premium is returned in full, it counts as never agreed, and automatic renewal is switched off. \`from\` names
the term of that day.`,
    body: { policy_id: '{admin/ImportPolicyTerm.result.policy_id}', from: '2027-01-01', reason: 'Typing error' },
    codes: [
      'policy_not_found',
      'policy_already_cancelled',
      'term_not_found',
      'term_already_withdrawn',
      'term_already_begun',
      'term_not_last',
      'term_is_only_one',
    ],
  },
  SetBeneficiaries: forMerchant(POLICY_PAGES.SetBeneficiaries, {
    policy_id: '{scene.sample.policy_id}',
    beneficiaries: [{ beneficiary_name: 'Ngozi Okafor', relationship: 'sister', share_percent: '100.00' }],
  }),
  SetAutoRenew: {
    description: 'As the public operation.',
    body: { policy_id: '{admin/ImportPolicyTerm.result.policy_id}', auto_renew: true },
    codes: ['policy_not_found', 'policy_already_cancelled', 'policy_not_renewable', 'policy_expired'],
  },
  RenewPolicy: forMerchant(POLICY_PAGES.RenewPolicy, {
    policy_id: '{admin/ImportPolicyTerm.result.policy_id}',
    preferred_policy_start_date: '2027-01-01',
    policy_duration: 365,
  }),
  ChangePolicy: forMerchant(POLICY_PAGES.ChangePolicy, {
    policy_id: '{admin/ImportPolicyTerm.result.policy_id}',
    changes: [{ action: 'add', coverage_name: 'Glass', additional_amount: '100.00' }],
  }),
  CancelPolicy: forMerchant(POLICY_PAGES.CancelPolicy, {
    policy_number: 'MOT-2026-001',
    cancellation_reason: 'Double insurance',
  }),
  UpdateCustomer: {
    description: `Same as the public operation, for any customer; the business day is the UTC day.\n\n${CUSTOMER_PAGES.UpdateCustomer.description}`,
    body: { customer_id: '{scene.sample.customer_id}', address: '4 Allen Avenue, Ikeja' },
    codes: ['customer_not_found'],
    result: customerDetailsSchema,
  },
  SubmitClaim: forMerchant(CLAIM_PAGES.SubmitClaim, {
    policy_number: 'MOT-2026-001',
    claim_details: { claim_type: 'Glass', incident_date: '2026-03-01', claim_amount: '45000.00' },
  }),
  ReviewClaim: move('submitted_claim_id', 'Starts the review. A `note` is added to the notes of the claim.', {
    note: 'Report requested',
  }),
  SendClaimForApproval: move('reviewed_claim_id', 'Ends the review. A `note` is added to the notes of the claim.', {
    note: 'Report received',
  }),
  ApproveClaim: amountMove(
    'pending_claim_id',
    'Approves a total after the deductible: by default and at most the smaller of the claimed amount less the deductible, and what payments of other claims have left of the limit of the coverage in this term (`amount_too_high`). `approved_amount` is required where no amount was claimed, `coverage_name` where it is not known and a coverage of the day has a limit or a deductible.',
    { approved_amount: '170000.00', coverage_name: 'Own damage' },
  ),
  SendClaimOffer: amountMove(
    'approved_claim_id',
    'Sends the claimant an offer, by default of the approved amount, which is also the limit (`amount_too_high`).',
    { offer_amount: '115000.00' },
  ),
  AcceptClaimOffer: move('test_offered_claim_id', 'Records that the claimant accepts the offer.'),
  RejectClaimOffer: move(
    'test_offered_claim_id',
    'Records that the claimant rejects the offer. The `reason` is added to the notes; the claim is `approved` again and takes another offer, a denial or a withdrawal, but no payment.',
    { reason: 'The repair costs more' },
  ),
  AddClaimDocuments: {
    ...move('claim_id', 'Adds documents to a claim that is not withdrawn.', {
      documents: [{ document_name: 'photo.txt', evidence_type: 'photo', blob: 'UmVhciBidW1wZXI=' }],
    }),
    description:
      'Adds documents to a claim that is not withdrawn; the same as the public operation. The claim is named by its id.',
    codes: ['claim_not_found', 'claim_withdrawn'],
  },
  PayClaim: {
    ...amountMove(
      'accepted_claim_id',
      'Records a payment: by default of what is left of the accepted offer, else of the approved amount, which is also the limit (`amount_too_high`), as is what is left of the limit of the coverage. The claim is paid when nothing is left, or with `final: true`.',
      { paid_amount: '110000.00', reference: 'TR-2026-0815' },
    ),
    result: claimStatus.extend({ payment_id: z.uuid().nullable() }),
  },
  ReversePayment: {
    ...move(
      'paid_claim_id',
      'Takes back a payment: from today on it counts nowhere, and a paid claim is open again. The `reason` is added to the notes.',
      { payment_id: '{scene.sample.payment_id}', reason: 'Paid to the wrong account' },
    ),
    codes: ['claim_not_found', 'payment_already_reversed'],
  },
  DenyClaim: move(
    'deniable_claim_id',
    'Denies a claim of which nothing was paid. The `reason` is added to the notes.',
    { reason: 'Wear is not covered' },
  ),
  WithdrawClaim: move(
    'submitted_claim_id',
    'Takes back a claim of which nothing was paid. The `reason` is added to the notes.',
    { reason: 'Filed twice' },
  ),
  ReopenClaim: move(
    'deniable_claim_id',
    'Takes a paid, denied or withdrawn claim under review again: approval and offer are void, payments stay. The `reason` is added to the notes.',
    { reason: 'A new report came' },
  ),
  ReviseClaim: {
    ...move(
      'deniable_claim_id',
      'Corrects what is claimed, judged as a filing. An approval and an offer are void then, and the claim is under review again. After a payment amount and description alone can be corrected.',
      { claim_amount: '48000.00', reason: 'The invoice is higher' },
    ),
    codes: ['claim_not_found', 'claim_move_not_allowed', 'incident_not_covered'],
  },
  AddClaimNote: {
    ...move('deniable_claim_id', 'Adds a note to the claim, with the label of the key.', { text: 'Called the garage' }),
    description: 'Adds a note to the claim; `note_entries` show the label of the key.',
    codes: ['claim_not_found'],
  },
  ImportPolicyTerm: {
    description: `Imports one term of a policy from another system: rows with the same number are successive terms. Members \`risk_…\` and \`premium_…\` are stored with the term. \`cancelled_on\` records a cancellation with the term. The command id is derived from the row, so
repeating a row changes nothing. Missing providers, products and customers are created.`,
    body: {
      environment_id,
      provider_name: 'Baobab General Insurance',
      product_type: 'Auto',
      currency: 'NGN',
      policy_number: 'MOT-2026-001',
      product_name: 'Fleet Motor',
      customer_reference: 'C-1001',
      customer_name: 'Emeka Nwosu',
      customer_email: 'emeka.nwosu@customers.example',
      term_from: '2026-01-01',
      term_through: '2026-12-31',
      premium: '36500.00',
      risk_vehicle_make: 'Honda',
    },
    codes: ['number_differs_by_case', 'term_overlaps', 'policy_already_cancelled'],
    result: z.strictObject({ policy_id: z.uuid() }),
  },
  ImportClaim: {
    description:
      'Imports one claim from another system, open or settled. An open claim goes on from its status by the ordinary commands. Repeating a row changes nothing.',
    body: {
      environment_id,
      claim_reference_number: 'OLD-0007',
      policy_number: 'MOT-2026-001',
      claim_type: 'Collision',
      incident_date: '2026-02-03',
      filed_on: '2026-02-04',
      claim_amount: '80000.00',
      claim_status: 'paid',
      resolved_on: '2026-02-20',
    },
    codes: ['policy_not_found', 'claim_reference_taken', 'number_differs_by_case', 'incident_outside_every_term'],
    result: z.strictObject({ claim_id: z.uuid() }),
  },
  RetryParked: {
    description:
      'Requests that a parked document be folded again from its events. Both values are in the list of parked documents.',
    body: { collection: 'policies', key: '{scene.sample.policy_id}' },
    result: z.strictObject({}),
    codes: ['parked_document_not_found'],
  },
  ResendMail: {
    description:
      'Sends a parked mail again: after the last attempt was refused, or after an attempt with unknown outcome, when the mail may arrive twice.',
    body: { job_id: '{scene.parkedMail.job_id}' },
    codes: ['mail_job_not_found', 'mail_job_not_parked'],
    result: z.strictObject({}),
  },
});
