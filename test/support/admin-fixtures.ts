import { issueApiKey } from '#commands/api-key/issue-api-key.ts';
import { createEnvironment } from '#commands/environment/create-environment.ts';
import { registerMerchant } from '#commands/merchant/register-merchant.ts';
import { addProduct } from '#commands/product/add-product.ts';
import { registerProvider } from '#commands/provider/register-provider.ts';
import type { CommandHarness } from './command-harness.ts';

export const MERCHANT_INPUT = { name: 'Acme Bank', business_email: 'hello@acme.example' };
export const PROVIDER_INPUT = {
  name: 'Leadway',
  support_email: 'help@leadway.example',
  support_phone: '+234 1 270 0700',
};
export const PRODUCT_INPUT = {
  name: 'Motor Comprehensive',
  description: 'Covers the car.',
  product_type: 'Auto',
  base_premium: '5000',
};

/** Registers a merchant. */
export async function setUpMerchant(h: CommandHarness, changes: object = {}) {
  const { result } = await h.run(registerMerchant, { ...MERCHANT_INPUT, ...changes });
  return { shortCode: String(result.short_code), tenantId: String(result.tenant_id), id: Number(result.merchant_id) };
}

/** Creates an environment and returns its id. */
export async function setUpEnvironment(h: CommandHarness, shortCode: string, testMode = false): Promise<number> {
  const input = { short_code: shortCode, environment_name: 'Production', test_mode: testMode };
  return Number((await h.run(createEnvironment, input)).result.environment_id);
}

/** Issues an auditor's key and returns its public id. */
export async function setUpPlatformKey(h: CommandHarness): Promise<string> {
  return String((await h.run(issueApiKey, { role: 'auditor', label: 'audit' })).result.key_id);
}

/** Registers a provider and returns its id. */
export async function setUpProvider(h: CommandHarness, changes: object = {}): Promise<string> {
  return String((await h.run(registerProvider, { ...PROVIDER_INPUT, ...changes })).result.provider_id);
}

/** Adds a product and returns its id. */
export async function setUpProduct(h: CommandHarness, providerId: string, changes: object = {}): Promise<string> {
  const input = { provider_id: providerId, ...PRODUCT_INPUT, ...changes };
  return String((await h.run(addProduct, input)).result.product_id);
}
