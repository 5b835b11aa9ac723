import { z } from 'zod';
import type { OperationPage, OperationPages } from '../page.ts';
import { CUSTOMER_AND_CLAIM_PAGES } from './customers-and-claims.ts';
import { POLICY_PAGES } from './policies.ts';
import { QUOTE_PAGES } from './quotes.ts';

const environment_id = '{admin/CreateEnvironment.result.environment_id}';
const claim_id = '{SubmitClaim.claim_id}';
const claimStatus = z.strictObject({ claim_status: z.string() });

/** What a public operation does, carried out by the platform in an environment of a merchant. */
function forMerchant(
  page: OperationPage | undefined,
  body: Readonly<Record<string, string | number | object>>,
): OperationPage {
  const { description = '', codes = [], ifMatch } = page ?? {};
  return {
    tag: 'Back office',
    description: `As the public operation, for the environment that \`environment_id\` names.\n\n${description}`,
    request: { body: { ...body, environment_id } },
    codes,
    ...(ifMatch === true ? { ifMatch } : {}),
  };
}

/** A move of the claim of the examples. */
function move(description: string, told: object = {}): OperationPage {
  return {
    tag: 'Back office',
    description: `${description} A claim that is elsewhere is refused with what it can become.`,
    request: { body: { claim_id, ...told } },
    codes: ['claim_not_found', 'claim_move_not_allowed'],
    ifMatch: true,
    result: claimStatus,
  };
}

/** Commands about quotes, policies and claims, imports, and what needs an operator. */
export const ADMIN_BUSINESS_PAGES: OperationPages = {
  'admin/RequestQuotes': forMerchant(QUOTE_PAGES['RequestQuotes'], {
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
  'admin/PurchasePolicy': forMerchant(POLICY_PAGES['PurchasePolicy'], {
    quote_code: '{admin/RequestQuotes.result.quotes.0.quote_code}',
    policy_duration: 90,
  }),
  'admin/ActivatePolicy': {
    tag: 'Back office',
    description: `Makes an accepted policy active whose product wants an inspection or a certification first: nothing else does. One that only waits for its start day becomes active by itself
and is refused (\`policy_not_begun\`).`,
    request: { body: { policy_id: '{admin/PurchasePolicy.result.policy_id}' } },
    codes: ['policy_not_found', 'policy_already_active', 'policy_not_begun', 'policy_already_cancelled'],
    ifMatch: true,
  },
  'admin/RenewPolicy': forMerchant(POLICY_PAGES['RenewPolicy'], {
    policy_id: '{admin/ImportPolicyTerm.result.policy_id}',
    preferred_policy_start_date: '2027-01-01',
    policy_duration: 365,
  }),
  'admin/CancelPolicy': forMerchant(POLICY_PAGES['CancelPolicy'], {
    policy_number: 'MOT-2026-001',
    cancellation_reason: 'Double insurance',
  }),
  'admin/SubmitClaim': forMerchant(CUSTOMER_AND_CLAIM_PAGES['SubmitClaim'], {
    policy_number: 'MOT-2026-001',
    claim_details: { claim_type: 'Glass', incident_date: '2026-03-01', claim_amount: '45000.00' },
  }),
  'admin/ReviewClaim': move('Begins the review. A `note` joins the notes of the claim.', { note: 'Report requested' }),
  'admin/SendClaimForApproval': move('Ends the review.', { note: 'Report received' }),
  'admin/ApproveClaim': move('Approves the claim; `claim_amount` stays what was claimed.', {
    approved_amount: '170000.00',
  }),
  'admin/SendClaimOffer': move('Offers less or other than was approved.', { offer_amount: '165000.00' }),
  'admin/AcceptClaimOffer': move('The claimant takes the offer.'),
  'admin/PayClaim': move('Ends the claim as paid.', { paid_amount: '165000.00' }),
  'admin/DenyClaim': {
    ...move('Ends the claim as denied: before it is approved, or after an offer. The `reason` joins the notes.'),
    request: { body: { claim_id: '{admin/SubmitClaim.result.claim_id}', reason: 'Glass is not covered' } },
  },
  'admin/ImportPolicyTerm': {
    tag: 'Back office',
    description: `Takes over one term of a policy of another book: rows of one number are successive terms. Members \`risk_…\` and \`premium_…\` stay with the term. The id derives from the row, so the same row
again changes nothing. Provider, product and customer are made when they are absent.`,
    request: {
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
    },
    codes: ['term_overlaps', 'policy_already_cancelled'],
    result: z.strictObject({ policy_id: z.uuid() }),
  },
  'admin/ImportClaim': {
    tag: 'Back office',
    description:
      'Takes over one settled claim of another book, with its filing and its final move. The same row again changes nothing.',
    request: {
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
    },
    codes: ['policy_not_found', 'claim_reference_taken', 'incident_outside_every_term'],
    result: z.strictObject({ claim_id: z.uuid() }),
  },
  'admin/RetryParked': {
    tag: 'Back office',
    description:
      'Asks that a document be folded again from its events; for one that is not parked, nothing happens. The list of parked documents tells both values.',
    request: { body: { collection: 'policies', key: '{PurchasePolicy.policy_id}' } },
    result: z.strictObject({}),
  },
  'admin/ResendMail': {
    tag: 'Back office',
    description:
      'Sends a parked mail again: one that was refused to the last try, or one whose end nobody knows, so that it may have arrived.',
    request: { body: { job_id: '{scene.parkedMail.job_id}' } },
    codes: ['mail_job_not_found', 'mail_job_not_parked'],
    result: z.strictObject({}),
  },
  ListParked: {
    tag: 'Back office',
    description:
      'Documents that stand still because an event could not be folded. Single views of them answer 503, lists show their last good state; after a repair, RetryParked.',
  },
  ListMailJobs: {
    tag: 'Back office',
    description: 'Mails with the attempts to send them. One that is parked needs a decision: ResendMail, or leave it.',
  },
  ListCommands: {
    tag: 'Back office',
    description:
      'Every command with the JSON Schema of its body, as programs read it. A name that is not in this list answers 404 `command_not_found`.',
  },
};
