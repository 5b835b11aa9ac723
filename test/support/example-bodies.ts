import { findCommand } from '#commands/registry.ts';
import { termRow } from './merchant-fixture.ts';

/** Paths of the public POST and PUT operations, by their command. */
export const PUBLIC_PATHS: Readonly<Record<string, string>> = {
  RequestQuotes: '/api/v1/quotes',
  PurchasePolicy: '/api/v1/policies',
  RenewPolicy: '/api/v1/policies/renew',
  CancelPolicy: '/api/v1/policies/cancel',
  ChangePolicy: '/api/v1/policies/:policy_id/changes',
  SetAutoRenew: '/api/v1/policies/:policy_id/auto_renew',
  SetBeneficiaries: '/api/v1/policies/:policy_id/beneficiaries',
  SubmitClaim: '/api/v1/claims',
  AddClaimDocuments: '/api/v1/claims/:id/documents',
  AcceptClaimOffer: '/api/v1/claims/:id/offer/accept',
  RejectClaimOffer: '/api/v1/claims/:id/offer/reject',
  WithdrawClaim: '/api/v1/claims/:id/withdraw',
  AddClaimNote: '/api/v1/claims/:id/notes',
  RegisterProvider: '/api/v1/onboarding/providers/registration',
};

/** Ids that the examples refer to. */
export interface ExampleIds {
  readonly shortCode: string;
  readonly token: string;
  readonly environmentId: number;
  readonly keyId: string;
  readonly personId: string;
  readonly providerId: string;
  readonly productId: string;
  readonly quoteCode: string;
  readonly policyId: string;
  readonly policyNumber: string;
  readonly customerId: string;
  readonly claimId: string;
  readonly paymentId: string;
  readonly jobId: string;
  readonly today: string;
  /** A day after the end of the policy's last term. */
  readonly renewalDay: string;
  /** A day in a term of the policy. */
  readonly incidentDay: string;
  /** Part of every name that must be unique. */
  readonly uniqueName: string;
}

type Body = Readonly<Record<string, unknown>>;
type Example = (ids: ExampleIds) => Body;

const customer = (uniqueName: string) => ({
  first_name: 'Ada',
  last_name: 'Obi',
  email: `${uniqueName}@customers.example`,
  phone: '+234 1 000',
  residential_address: { street: 'Marina', city: 'Lagos', country: 'NG' },
  date_of_birth: '1990-05-17',
});

const claim = ({ claimId }: ExampleIds) => ({ claim_id: claimId });
const provider = ({ providerId }: ExampleIds) => ({ provider_id: providerId });
const product = ({ productId }: ExampleIds) => ({ product_id: productId });
const merchant = ({ shortCode }: ExampleIds) => ({ short_code: shortCode });

/**
 * A valid body of every command, with as many fields as are allowed together, without `environment_id` (see
 * `platformExampleBody`).
 */
export const EXAMPLE_BODIES: Readonly<Record<string, Example>> = {
  RegisterMerchant: ({ uniqueName }) => ({
    name: `Bank ${uniqueName}`,
    business_email: 'office@bank.example',
    support_email: null,
    address: '1 Marina, Lagos',
    tax_identification_number: 'TIN-1',
  }),
  UpdateMerchant: (ids) => ({ ...merchant(ids), address: `Street of ${ids.uniqueName}`, registration_number: 'RC-1' }),
  ConfirmKyc: merchant,
  ResendVerification: merchant,
  VerifyMerchant: (ids) => ({ ...merchant(ids), token: ids.token }),
  CreateEnvironment: (ids) => ({ ...merchant(ids), environment_name: `Place ${ids.uniqueName}`, test_mode: false }),
  IssueApiKey: ({ environmentId, uniqueName }) => ({ environment_id: environmentId, label: `Key ${uniqueName}` }),
  RevokeApiKey: ({ keyId }) => ({ key_id: keyId }),
  AddPerson: ({ providerId, uniqueName }) => ({
    name: 'Ada Obi',
    email: `${uniqueName}@surety.example`,
    role: 'insurer',
    provider_id: providerId,
    authority: { currency: 'NGN', approve_up_to: '500000.00', pay_up_to: '400000.00', reserve_up_to: '600000.00' },
    access: 'full',
  }),
  UpdatePerson: ({ personId, shortCode }) => ({
    person_id: personId,
    name: 'Ada N. Obi',
    role: 'merchant',
    short_code: shortCode,
    authority: null,
    access: 'read',
  }),
  EndSessions: ({ personId }) => ({ person_id: personId }),
  IssueTicket: ({ personId }) => ({ person_id: personId }),
  RemovePerson: ({ personId }) => ({ person_id: personId, reason: 'Left the company' }),
  RegisterProvider: ({ uniqueName }) => ({
    name: `Insurer ${uniqueName}`,
    support_email: 'help@insurer.example',
    support_phone: '+234 1 111',
    address: null,
  }),
  UpdateProvider: ({ providerId, uniqueName }) => ({ provider_id: providerId, support_phone: uniqueName.slice(0, 20) }),
  ConfirmProvider: provider,
  WithdrawProvider: provider,
  AddProduct: ({ providerId, uniqueName }) => ({
    provider_id: providerId,
    name: `Motor ${uniqueName}`,
    description: 'Cover for private cars',
    product_type: 'Auto',
    base_premium: '5000.00',
    product_plan: null,
    rating: {
      rate: { field: 'vehicle_value', percent: '1.5' },
      loadings: [{ field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'Commercial use' }],
      tax_percent: '7.5',
    },
    coverages: [
      { coverage_name: 'Third party', coverage_type: 'Comprehensive', coverage_limit: '3000000.00', deductible: null },
    ],
    tiers: [{ tier_name: 'Gold', base_premium: '9000.00' }],
    additional_information: { options: { vehicle_make: ['Toyota', 'Kia'] }, min_age: 18 },
    cancellation: { cooling_off_days: 14, minimum_retained: '10.00' },
    renewable: true,
  }),
  UpdateProduct: (ids) => ({ ...product(ids), description: `Better than before: ${ids.uniqueName}`, is_live: true }),
  WithdrawProduct: product,
  RestoreProduct: product,
  RequestQuotes: ({ uniqueName }) => ({
    customer_metadata: customer(uniqueName),
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
    policy_duration: 30,
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
    coverage_details: { coverage_type: 'Glass', additional_amount: '10.00', what: { more: ['glass'] } },
  }),
  ChangePolicy: ({ policyId, uniqueName }) => ({
    policy_id: policyId,
    changes: [
      {
        action: 'add',
        coverage_name: `Cover ${uniqueName}`,
        coverage_type: 'Extra',
        coverage_limit: '500.00',
        deductible: '50.00',
        covered_items: ['glass'],
        additional_amount: '10.00',
      },
    ],
    reason: 'As asked',
  }),
  CancelPolicy: ({ policyId }) => ({
    policy_id: policyId,
    cancellation_reason: 'The car was sold',
    merchant_feedback: 'None',
    alternative_offerings: { offers: ['another'] },
  }),
  UpdateCustomer: ({ customerId }) => ({
    customer_id: customerId,
    full_name: 'Ada Okafor',
    customer_phone: null,
    address: '12 Marina Road, Lagos',
    date_of_birth: '1990-04-12',
  }),
  SetAutoRenew: ({ policyId }) => ({ policy_id: policyId, auto_renew: true }),
  SetBeneficiaries: ({ policyId }) => ({
    policy_id: policyId,
    beneficiaries: [{ beneficiary_name: 'Chidi Okafor', relationship: 'brother', share_percent: '100.00' }],
  }),
  ActivatePolicy: ({ policyId }) => ({ policy_id: policyId }),
  DeclinePolicy: ({ policyId }) => ({ policy_id: policyId, reason: 'The car is too old' }),
  ReinstatePolicy: ({ policyId }) => ({ policy_id: policyId, reason: 'A mistake' }),
  WithdrawTerm: ({ policyId, renewalDay }) => ({ policy_id: policyId, from: renewalDay, reason: 'A typing error' }),
  SubmitClaim: ({ policyId, incidentDay }) => ({
    policy_id: policyId,
    claim_details: {
      claim_type: 'Collision',
      incident_date: incidentDay,
      incident_description: 'Hit from behind',
      claim_amount: '1200.50',
      coverage_name: 'Third party',
    },
    claimant_metadata: { first_name: 'Ada', last_name: 'Obi', birth_date: '1990-05-17', email: 'ada@obi.example' },
    documents: [{ document_name: 'Report', evidence_type: 'pdf', blob: 'JVBERg==' }],
  }),
  ReviewClaim: (ids) => ({ ...claim(ids), note: 'Looked at' }),
  SendClaimForApproval: (ids) => ({ ...claim(ids), note: 'In order' }),
  ApproveClaim: (ids) => ({ ...claim(ids), approved_amount: '1000.00', coverage_name: 'Third party' }),
  SendClaimOffer: (ids) => ({ ...claim(ids), offer_amount: '900.00' }),
  AddClaimDocuments: (ids) => ({
    ...claim(ids),
    documents: [{ document_name: 'Invoice', evidence_type: 'pdf', blob: 'JVBERg==' }],
  }),
  AcceptClaimOffer: claim,
  RejectClaimOffer: (ids) => ({ ...claim(ids), reason: 'Too low' }),
  PayClaim: (ids) => ({ ...claim(ids), paid_amount: '900.00', paid_on: ids.today, reference: 'TR-1', final: true }),
  ReversePayment: (ids) => ({ ...claim(ids), payment_id: ids.paymentId, reason: 'Paid twice' }),
  DenyClaim: (ids) => ({ ...claim(ids), reason: 'Not covered' }),
  WithdrawClaim: (ids) => ({ ...claim(ids), reason: 'Filed twice' }),
  ReopenClaim: (ids) => ({ ...claim(ids), reason: 'New papers' }),
  ReviseClaim: (ids) => ({
    ...claim(ids),
    claim_amount: '1100.00',
    incident_date: ids.incidentDay,
    incident_description: 'Hit from the side',
    coverage_name: 'Third party',
    reason: 'As the report says',
  }),
  AddClaimNote: (ids) => ({ ...claim(ids), text: 'Called the garage' }),
  AssignClaim: (ids) => ({ ...claim(ids), assignee: ids.keyId }),
  ImportPolicyTerm: ({ uniqueName }) => ({ ...termRow(`OLD-${uniqueName}`), risk_power: '7', premium_glass: '12.00' }),
  ImportClaim: ({ policyNumber, incidentDay, uniqueName }) => ({
    claim_reference_number: `OLDCLAIM-${uniqueName}`,
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

/** Returns the example of a command. @throws {Error} when there is none: every command must have one */
export function exampleBody(command: string, ids: ExampleIds): Body {
  const example = EXAMPLE_BODIES[command];
  if (example === undefined) throw new Error(`test/support/example-bodies.ts has no body of ${command}`);
  return example(ids);
}

/** Returns path and body of the example for a public operation: what the path names is not in the body. */
export function publicExample(command: string, ids: ExampleIds): { readonly path: string; readonly body: Body } {
  const template = PUBLIC_PATHS[command] ?? '';
  const example = exampleBody(command, ids);
  const memberOf = (parameter: string): string => (parameter === 'id' ? 'claim_id' : parameter);
  const inPath = [...template.matchAll(/:(\w+)/g)].map(([, parameter]) => memberOf(String(parameter)));
  return {
    path: template.replace(/:(\w+)/g, (_, parameter: string) => String(example[memberOf(parameter)])),
    body: Object.fromEntries(Object.entries(example).filter(([member]) => !inPath.includes(member))),
  };
}

/** Returns the example for the admin endpoint, with `environment_id` where the command needs it. */
export function platformExampleBody(command: string, ids: ExampleIds): Body {
  const body = exampleBody(command, ids);
  return findCommand(command)?.inEnvironment ? { environment_id: ids.environmentId, ...body } : body;
}
