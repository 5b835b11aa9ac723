import { findCommand } from '../../commands/registry.ts';
import { termRow } from './api-scene.ts';

/** Paths of the public operations that take a body, by the command they run. */
export const PUBLIC_PATHS: Readonly<Record<string, string>> = {
  RequestQuotes: '/api/v1/quotes',
  PurchasePolicy: '/api/v1/policies',
  RenewPolicy: '/api/v1/policies/renew',
  CancelPolicy: '/api/v1/policies/cancel',
  SubmitClaim: '/api/v1/claims',
  RegisterProvider: '/api/v1/onboarding/providers/registration',
};

/** What the examples refer to. */
export interface ExampleIds {
  readonly shortCode: string;
  readonly token: string;
  readonly environmentId: number;
  readonly keyId: string;
  readonly providerId: string;
  readonly productId: string;
  readonly quoteCode: string;
  readonly policyId: string;
  readonly policyNumber: string;
  readonly claimId: string;
  readonly jobId: string;
  /** A day on which the policy's last term is over, and one in a term of it. */
  readonly renewalDay: string;
  readonly incidentDay: string;
  /** For names that must be new. */
  readonly word: string;
}

type Body = Readonly<Record<string, unknown>>;
type Example = (ids: ExampleIds) => Body;

const customer = (word: string) => ({
  first_name: 'Ada',
  last_name: 'Obi',
  email: `${word}@customers.example`,
  phone: '+234 1 000',
  residential_address: { street: 'Marina', city: 'Lagos', country: 'NG' },
  date_of_birth: '1990-05-17',
});

const claim = ({ claimId }: ExampleIds) => ({ claim_id: claimId });
const product = ({ productId }: ExampleIds) => ({ product_id: productId });
const merchant = ({ shortCode }: ExampleIds) => ({ short_code: shortCode });

/**
 * A right body of every command, with as many of its fields as go together. Without `environment_id`, which only the back office
 * adds (`backOfficeExample`).
 */
export const EXAMPLE_BODIES: Readonly<Record<string, Example>> = {
  RegisterMerchant: ({ word }) => ({
    name: `Bank ${word}`,
    business_email: 'office@bank.example',
    support_email: null,
    address: '1 Marina, Lagos',
    tax_identification_number: 'TIN-1',
  }),
  UpdateMerchant: (ids) => ({ ...merchant(ids), address: `Street of ${ids.word}`, registration_number: 'RC-1' }),
  ConfirmKyc: merchant,
  ResendVerification: merchant,
  VerifyMerchant: (ids) => ({ ...merchant(ids), token: ids.token }),
  CreateEnvironment: (ids) => ({ ...merchant(ids), environment_name: `Place ${ids.word}`, test_mode: false }),
  IssueApiKey: ({ environmentId, word }) => ({ environment_id: environmentId, label: `Key ${word}` }),
  RevokeApiKey: ({ keyId }) => ({ key_id: keyId }),
  RegisterProvider: ({ word }) => ({
    name: `Insurer ${word}`,
    support_email: 'help@insurer.example',
    support_phone: '+234 1 111',
    address: null,
  }),
  UpdateProvider: ({ providerId, word }) => ({ provider_id: providerId, support_phone: word.slice(0, 20) }),
  AddProduct: ({ providerId, word }) => ({
    provider_id: providerId,
    name: `Motor ${word}`,
    description: 'Cover for private cars',
    product_type: 'Auto',
    base_premium: '5000.00',
    product_plan: null,
    rating: {
      rate: { field: 'vehicle_value', percent: '1.5' },
      loadings: [{ field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'Commercial use' }],
      tax_percent: '7.5',
    },
    coverages: [{ coverage_name: 'Third party', coverage_type: 'Comprehensive', coverage_limit: '3000000.00' }],
    tiers: [{ tier_name: 'Gold', base_premium: '9000.00' }],
    additional_information: { options: { vehicle_make: ['Toyota', 'Kia'] } },
    renewable: true,
  }),
  UpdateProduct: (ids) => ({ ...product(ids), description: `Better than before: ${ids.word}`, is_live: true }),
  WithdrawProduct: product,
  RestoreProduct: product,
  RequestQuotes: ({ word }) => ({
    customer_metadata: customer(word),
    insurance_details: {
      product_type: 'Auto',
      additional_information: {
        vehicle_type: 'Car',
        vehicle_make: 'Toyota',
        vehicle_year: '2019',
        vehicle_value: '2000000.00',
        vehicle_usage: 'Private',
        insurance_options: 'Comprehensive',
      },
    },
    coverage_preferences: { coverage_type: ['Comprehensive'], coverage_amount: '1.00' },
  }),
  PurchasePolicy: ({ quoteCode }) => ({
    quote_code: quoteCode,
    policy_duration: 30,
    auto_renew: false,
    beneficiaries: [{ beneficiary_name: 'Ben Obi' }],
  }),
  RenewPolicy: ({ policyId, renewalDay }) => ({
    policy_id: policyId,
    preferred_policy_start_date: renewalDay,
    policy_duration: 90,
    include_additional_coverage: true,
    coverage_details: { additional_amount: '10.00', what: { more: ['glass'] } },
  }),
  CancelPolicy: ({ policyId }) => ({
    policy_id: policyId,
    cancellation_reason: 'The car was sold',
    merchant_feedback: 'None',
    alternative_offerings: { offers: ['another'] },
  }),
  ActivatePolicy: ({ policyId }) => ({ policy_id: policyId }),
  SubmitClaim: ({ policyId, incidentDay }) => ({
    policy_id: policyId,
    claim_details: { claim_type: 'Collision', incident_date: incidentDay, claim_amount: '1200.50' },
    claimant_metadata: { first_name: 'Ada', last_name: 'Obi', birth_date: '1990-05-17', email: 'ada@obi.example' },
    documents: [{ document_name: 'Report', evidence_type: 'pdf', blob: 'JVBERg==' }],
  }),
  ReviewClaim: (ids) => ({ ...claim(ids), note: 'Looked at' }),
  SendClaimForApproval: (ids) => ({ ...claim(ids), note: 'In order' }),
  ApproveClaim: (ids) => ({ ...claim(ids), approved_amount: '1000.00' }),
  SendClaimOffer: (ids) => ({ ...claim(ids), offer_amount: '900.00' }),
  AcceptClaimOffer: claim,
  PayClaim: (ids) => ({ ...claim(ids), paid_amount: '900.00' }),
  DenyClaim: (ids) => ({ ...claim(ids), reason: 'Not covered' }),
  ImportPolicyTerm: ({ word }) => ({ ...termRow(`OLD-${word}`), risk_power: '7', premium_glass: '12.00' }),
  ImportClaim: ({ policyNumber, incidentDay, word }) => ({
    claim_reference_number: `OLDCLAIM-${word}`,
    policy_number: policyNumber,
    claim_type: 'Collision',
    incident_date: incidentDay,
    filed_on: incidentDay,
    claim_amount: '100.00',
    claim_status: 'paid',
  }),
  RetryParked: ({ policyId }) => ({ collection: 'policies', key: policyId }),
  ResendMail: ({ jobId }) => ({ job_id: jobId }),
};

/** The example of a command. @throws {Error} when there is none: every command must have one */
export function exampleBody(command: string, ids: ExampleIds): Body {
  const example = EXAMPLE_BODIES[command];
  if (example === undefined) throw new Error(`test/support/example-bodies.ts has no body of ${command}`);
  return example(ids);
}

/** The example as the back office takes it. */
export function backOfficeExample(command: string, ids: ExampleIds): Body {
  const body = exampleBody(command, ids);
  return findCommand(command)?.inEnvironment ? { environment_id: ids.environmentId, ...body } : body;
}
