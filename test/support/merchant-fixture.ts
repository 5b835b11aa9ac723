import type { ApiService } from './api-service.ts';
import { givenQuote } from './quotes.ts';

/** An environment with one of everything that a merchant can have in it. */
export interface EnvironmentFixture {
  readonly environmentId: number;
  readonly clientId: string;
  readonly key: string;
  readonly policyId: string;
  readonly policyNumber: string;
  readonly customerId: string;
  readonly claimId: string;
  readonly claimReference: string;
  /** Code of a quote that is not bought. */
  readonly quoteCode: string;
}

export interface MerchantFixture {
  readonly name: string;
  readonly tenantId: string;
  readonly shortCode: string;
  readonly live: EnvironmentFixture;
  readonly test: EnvironmentFixture;
}

/**
 * Returns a row of an import: one term of a policy. The customer has the same reference as in other rows with its
 * e-mail.
 */
export function termRow(number: string, changes: Readonly<Record<string, unknown>> = {}) {
  const { customer_email = `${number.toLowerCase()}@customers.example` } = changes;
  return {
    policy_number: number,
    product_name: 'Motor Basic',
    customer_reference: `ref-${String(customer_email).split('@', 1).join('')}`,
    customer_name: `Holder of ${number}`,
    customer_email,
    customer_phone: '+234 1 000',
    customer_date_of_birth: '1980-05-17',
    customer_address: '1 Marina, Lagos',
    term_from: '2026-01-01',
    term_through: '2026-12-31',
    premium: '365.00',
    payment_frequency: 'yearly',
    provider_name: 'Imported Insurance',
    product_type: 'Auto',
    currency: 'NGN',
    ...changes,
  };
}

/** Amounts of the policy and the claim in each environment. A suite that asserts on them states them. */
interface FixtureAmounts {
  readonly premium?: string;
  readonly claim_amount?: string;
}

/**
 * Registers a merchant with a live and a test environment, each with a key, a customer, a policy and a claim of the
 * same names.
 */
export async function createMerchant(
  service: ApiService,
  name: string,
  amounts: FixtureAmounts = {},
): Promise<MerchantFixture> {
  const registered = await service.admin('RegisterMerchant', {
    name,
    business_email: `office@${name.toLowerCase()}.example`,
    address: `Street of ${name}`,
    tax_identification_number: `TIN-${name}`,
    registration_number: `RC-${name}`,
  });
  const shortCode: string = registered.short_code;
  const live = await createEnvironment(service, registered, { ...amounts, testMode: false });
  const test = await createEnvironment(service, registered, { ...amounts, testMode: true });
  return { name, tenantId: registered.tenant_id, shortCode, live, test };
}

async function createEnvironment(
  service: ApiService,
  { tenant_id: merchantId, short_code: shortCode }: { readonly tenant_id: string; readonly short_code: string },
  { testMode, premium = '365.00', claim_amount = '1200.50' }: FixtureAmounts & { readonly testMode: boolean },
): Promise<EnvironmentFixture> {
  const created = await service.admin('CreateEnvironment', {
    short_code: shortCode,
    environment_name: testMode ? 'Sandbox' : 'Production',
    test_mode: testMode,
  });
  const environmentId: number = created.environment_id;
  const { api_key: key } = await service.admin('IssueApiKey', { environment_id: environmentId, label: 'till' });
  const policyNumber = 'MOT-1';
  const { policy_id: policyId } = await importTerm(
    service,
    environmentId,
    termRow(policyNumber, { coverages: 'Third party', premium }),
  );
  const claim = await service.send('POST', '/api/v1/claims', {
    key,
    body: {
      policy_id: policyId,
      claim_details: { claim_type: 'Collision', incident_date: '2026-02-01', claim_amount },
      documents: [{ document_name: 'a', evidence_type: 'b', blob: 'YQ==' }],
    },
  });
  if (claim.status !== 201) throw new Error(`SubmitClaim: ${claim.text}`);
  const quote = await givenQuote(service.eventStore, { merchantId, environmentId, testMode });
  return {
    environmentId,
    clientId: created.client_id,
    key,
    policyId,
    policyNumber,
    customerId: claim.json.claimant.customer_id,
    claimId: claim.json.claim_id,
    claimReference: claim.json.claim_reference_number,
    quoteCode: quote.quote_code,
  };
}

/** Imports a claim on the policy of an environment. */
export async function importClaim(
  service: ApiService,
  { environmentId, policyNumber }: EnvironmentFixture,
  reference: string,
): Promise<{ readonly claim_id: string }> {
  return await service.admin('ImportClaim', {
    environment_id: environmentId,
    claim_reference_number: reference,
    policy_number: policyNumber,
    claim_type: 'Glass',
    incident_date: '2026-03-01',
    filed_on: '2026-03-02',
    claim_amount: '10.00',
    claim_status: 'pending',
  });
}

export async function importTerm(
  service: ApiService,
  environmentId: number,
  row: ReturnType<typeof termRow>,
): Promise<{ readonly policy_id: string }> {
  return await service.admin('ImportPolicyTerm', { ...row, environment_id: environmentId });
}
