import type { CommandServices } from '#commands/services.ts';
import type { PlatformCommands } from '../platform-commands.ts';
import { addDays } from '#domain/values/dates.ts';
import type { Day } from '#event-sourcing/time.ts';
import { Refusal } from '#domain/refusals.ts';
import { BOOK, BOOK_CLAIMS } from './book.ts';
import { buyPolicies, type Run } from './buy-policies.ts';
import { CLAIMS, IMPORTED_CLAIM, type ImportedClaim } from './claims.ts';
import { customerColumns } from './people.ts';
import { numberIn, POLICIES, type SamplePolicy, termDays } from './policies.ts';
import { PRODUCTS, PROVIDERS } from './products.ts';
import { PURCHASES } from './purchases.ts';
import { STAFF, type StaffMember } from './staff.ts';

export type TokenOf = CommandServices['verificationToken'];

export interface Sample {
  readonly shortCode: string;
  readonly live: SampleOfMode;
  readonly test: SampleOfMode;
}

/** What the sample consists of, in both modes together. */
export const SAMPLE_CONTENT = {
  products: PRODUCTS.length,
  policies: 2 * (POLICIES.length + PURCHASES.filter(({ isQuoteOnly }) => isQuoteOnly !== true).length) + BOOK.length,
  claims: 2 * (CLAIMS.length + [IMPORTED_CLAIM].length + claimsOfPurchases().length) + BOOK_CLAIMS.length,
} as const;

function claimsOfPurchases() {
  return PURCHASES.flatMap(({ afterwards = [] }) => afterwards.filter(({ command }) => command === 'SubmitClaim'));
}

interface SampleOfMode {
  readonly environmentId: number;
  readonly policyId: string;
}

/**
 * Creates the sample through commands: one merchant with a live and a test environment, providers, products of all
 * types, and in each mode customers, bought and imported policies of all products, and claims, both in every state; in
 * live mode also a book of 14 months. A repeated call with the same day completes what is missing and changes nothing
 * else.
 */
export async function createSample(commands: PlatformCommands, today: Day, tokenOf: TokenOf): Promise<Sample> {
  const run: Run = async (step, name, body) => (await commands.run(name, body, `sample ${step}`)).result;
  const { short_code: shortCode, tenant_id: tenantId } = await run('merchant', 'RegisterMerchant', {
    name: 'Acme Microfinance Bank',
    business_email: 'insurance@acme-bank.example',
    support_email: 'support@acme-bank.example',
    address: '1 Broad Street, Lagos',
    tax_identification_number: '00000000-0001',
    registration_number: 'RC-000001',
  });
  await verify(run, String(shortCode), tokenOf(String(tenantId), 1));
  await run('kyc', 'ConfirmKyc', { short_code: shortCode });
  const providerIds = await makeProducts(run);
  const live = await makeSampleOfMode(run, String(shortCode), false, today);
  const test = await makeSampleOfMode(run, String(shortCode), true, today);
  for (const member of STAFF) await addPerson(run, member, String(shortCode), providerIds);
  return { shortCode: String(shortCode), live, test };
}

/** Adds a person; the claims handler gets a key too, which is shown nowhere. */
async function addPerson(
  run: Run,
  { provider, ...body }: StaffMember,
  shortCode: string,
  providerIds: ReadonlyMap<string, unknown>,
): Promise<void> {
  const { person_id: personId } = await run(`person ${body.email}`, 'AddPerson', {
    ...body,
    ...(body.role === 'merchant' ? { short_code: shortCode } : {}),
    ...(provider === undefined ? {} : { provider_id: providerIds.get(provider) }),
  });
  if (body.role === 'claims') await run(`key ${body.email}`, 'IssueApiKey', { person_id: personId, label: 'laptop' });
}

/**
 * Verifies the merchant. If the sample is completed a day later, the link has expired and the merchant stays
 * unverified.
 */
async function verify(run: Run, shortCode: string, token: string): Promise<void> {
  try {
    await run('verification', 'VerifyMerchant', { short_code: shortCode, token });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid_verification_token') throw error;
  }
}

async function makeProducts(run: Run): Promise<ReadonlyMap<string, unknown>> {
  const ids = new Map<string, unknown>();
  for (const provider of PROVIDERS) {
    const { provider_id: id } = await run(`provider ${provider.name}`, 'RegisterProvider', provider);
    ids.set(provider.name, id);
  }
  for (const { provider, ...product } of PRODUCTS) {
    await run(`product ${product.name}`, 'AddProduct', { provider_id: ids.get(provider), ...product });
  }
  return ids;
}

async function makeSampleOfMode(run: Run, shortCode: string, testMode: boolean, today: Day): Promise<SampleOfMode> {
  const mode = testMode ? 'test' : 'live';
  const inMode: Run = async (step, name, body) => await run(`${mode} ${step}`, name, body);
  const { environment_id: environmentId } = await inMode('environment', 'CreateEnvironment', {
    short_code: shortCode,
    environment_name: testMode ? 'Sandbox' : 'Production',
    test_mode: testMode,
  });
  const inEnvironment: Run = async (step, name, body) =>
    await inMode(step, name, { environment_id: environmentId, ...body });
  const withOwnNumber = (policy: SamplePolicy): SamplePolicy => ({
    ...policy,
    number: numberIn(testMode, policy.number),
  });
  const policyIds: unknown[] = [];
  for (const policy of POLICIES) policyIds.push(await makePolicy(inEnvironment, withOwnNumber(policy), today));
  await makeClaims(inMode, inEnvironment, today, testMode);
  await buyPolicies(inMode, inEnvironment, today);
  if (!testMode) await importBook(inEnvironment, today);
  return { environmentId: Number(environmentId), policyId: String(policyIds[0]) };
}

async function importBook(run: Run, today: Day): Promise<void> {
  for (const policy of BOOK) await makePolicy(run, policy, today);
  for (const claim of BOOK_CLAIMS) await importClaim(run, claim, today);
}

async function makePolicy(run: Run, policy: SamplePolicy, today: Day): Promise<unknown> {
  const { number, product, holder, risk, renewal, change, autoRenew, cancellation } = policy;
  const productDetails = PRODUCTS.find(({ name }) => name === product);
  const terms = termDays(policy, today);
  let policyId: unknown;
  for (const [index, { from, through, amounts }] of terms.entries()) {
    const isLast = index === terms.length - 1;
    const imported = await run(`term ${number} ${from}`, 'ImportPolicyTerm', {
      policy_number: number,
      product_name: product,
      product_type: productDetails?.product_type,
      provider_name: productDetails?.provider,
      currency: 'NGN',
      ...customerColumns(holder),
      term_from: from,
      term_through: through,
      ...amounts,
      payment_frequency: 'annual',
      ...(isLast && autoRenew ? { auto_renew: 'true' } : {}),
      ...(isLast && cancellation !== undefined
        ? { cancelled_on: addDays(today, cancellation.day), cancellation_reason: cancellation.reason }
        : {}),
      ...Object.fromEntries(Object.entries(risk).map(([feature, value]) => [`risk_${feature}`, value])),
    });
    policyId = imported.policy_id;
  }
  const last = terms.at(-1);
  if (renewal !== undefined && last !== undefined) {
    await run(`renew ${number}`, 'RenewPolicy', {
      policy_number: number,
      preferred_policy_start_date: addDays(last.through, 1),
      policy_duration: 365,
      ...renewal,
    });
  }
  if (change !== undefined) await run(`change ${number}`, 'ChangePolicy', { policy_id: policyId, ...change });
  return policyId;
}

async function makeClaims(run: Run, inEnvironment: Run, today: Day, testMode: boolean): Promise<void> {
  for (const [index, claim] of CLAIMS.entries()) {
    const { claim_id: claimId } = await inEnvironment(`claim ${index}`, 'SubmitClaim', {
      policy_number: numberIn(testMode, claim.policy),
      claim_details: {
        claim_type: claim.type,
        incident_date: addDays(today, -claim.daysAgo),
        incident_description: claim.description,
        claim_amount: claim.amount,
        ...(claim.coverage === undefined ? {} : { coverage_name: claim.coverage }),
      },
    });
    let lastPayment: unknown;
    for (const [step, [name, members]] of claim.moves.entries()) {
      const payment = name === 'ReversePayment' ? { payment_id: lastPayment } : {};
      const { payment_id: paymentId = lastPayment } = await run(`claim ${index} ${step} ${name}`, name, {
        claim_id: claimId,
        ...payment,
        ...members,
      });
      lastPayment = paymentId;
    }
  }
  await importClaim(inEnvironment, { ...IMPORTED_CLAIM, policy: numberIn(testMode, IMPORTED_CLAIM.policy) }, today);
}

async function importClaim(run: Run, claim: ImportedClaim, today: Day): Promise<void> {
  const { policy, reference, type, amount, status, incident, filed, resolved, approved } = claim;
  await run(`claim ${reference}`, 'ImportClaim', {
    claim_reference_number: reference,
    policy_number: policy,
    claim_type: type,
    incident_date: addDays(today, -incident),
    filed_on: addDays(today, -filed),
    claim_amount: amount,
    claim_status: status,
    ...(approved === undefined ? {} : { approved_amount: approved }),
    ...(resolved === undefined ? {} : { resolved_on: addDays(today, -resolved) }),
  });
}
