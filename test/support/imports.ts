import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import { importPolicyTerm } from '#commands/policy/import-policy-term.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { type ActingEnvironment, environmentStream } from '#domain/environment/environment.ts';
import { merchantStream } from '#domain/merchant/merchant.ts';
import { policyStream } from '#domain/policy/policy.ts';
import { type CommandHarness, type CommandOptions, LIVE, TEST } from './command-harness.ts';

/** An environment of another merchant than that of LIVE and TEST. */
export const OTHER_MERCHANT = { environmentId: 3, merchantId: derivedId('test', 'other merchant'), testMode: false };

/** Registers the merchant that owns LIVE and TEST, and the owner of OTHER_MERCHANT, with these environments in UTC. */
export async function givenMerchants(harness: CommandHarness): Promise<void> {
  for (const [merchantId, tenantId, name] of [
    [1, LIVE.merchantId, 'Acme Bank'],
    [2, OTHER_MERCHANT.merchantId, 'Other Bank'],
  ] as const) {
    const data = {
      tenantId,
      merchantId,
      shortCode: `ACM-000${merchantId}`,
      name,
      businessEmail: `office${merchantId}@bank.example`,
      supportEmail: null,
      address: null,
      taxIdentificationNumber: null,
      registrationNumber: null,
    };
    await harness.given(merchantStream(tenantId), { type: 'MerchantRegistered', data });
  }
  for (const environment of [LIVE, TEST, OTHER_MERCHANT]) await givenEnvironment(harness, environment);
}

/** Creates an environment in a time zone. */
export async function givenEnvironment(
  harness: CommandHarness,
  environment: ActingEnvironment,
  timeZone = 'UTC',
): Promise<void> {
  const { environmentId } = environment;
  const clientId = derivedId('test', 'client', String(environmentId));
  const data = { ...environment, environmentName: `Environment ${environmentId}`, clientId, timeZone };
  await harness.given(environmentStream(environmentId), { type: 'EnvironmentCreated', data });
}

/** Returns a row of a policies file with the values shared by the file; the term has begun. */
export function policyRow(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    policy_number: 'POL-1',
    product_name: 'Private Motor',
    customer_reference: 'C-1',
    customer_name: 'Ada Obi',
    customer_email: 'ada@customers.example',
    term_from: '2026-01-01',
    term_through: '2026-12-31',
    premium: '365.00',
    payment_frequency: 'annual',
    risk_driver_age: '44',
    premium_fire: '15.00',
    premium_theft: '0.00',
    premium_third_party: '350',
    provider_name: 'Assurance',
    product_type: 'Auto',
    currency: 'EUR',
    ...changes,
  };
}

export async function importRow(
  harness: CommandHarness,
  changes: Readonly<Record<string, string>> = {},
  sent: CommandOptions = {},
): Promise<CommandOutcome> {
  return await harness.run(importPolicyTerm, policyRow(changes), sent);
}

/** Imports a row and returns its policy id and stream. */
export async function importPolicy(
  harness: CommandHarness,
  changes: Readonly<Record<string, string>> = {},
  sent: CommandOptions = {},
): Promise<{ readonly policyId: string; readonly stream: string }> {
  const policyId = (await importRow(harness, changes, sent)).result.policy_id as string;
  return { policyId, stream: policyStream(policyId) };
}
