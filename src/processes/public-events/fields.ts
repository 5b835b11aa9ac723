import { z } from 'zod';
import { day } from '../../event-sourcing/time.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { visibility } from '../../domain/values/mode.ts';
import { storedMoney, storedSum } from '../../domain/values/money.ts';

export const fields = {
  effectiveAt: day.describe('Business day on which the event takes effect.'),
  tenantId: uuid.describe('The merchant.'),
  environmentId: z.int().describe("The merchant's environment in which it happened."),
  customerId: uuid.describe('The customer.'),
  policyId: uuid.describe('The policy.'),
  claimId: uuid.describe('The claim.'),
  providerId: uuid.describe('The insurer.'),
  productId: uuid.describe('The product.'),
  currency: z.string().describe('ISO 4217 code of the amounts.'),
  visibility: visibility.describe('Where it is visible: live, test or both.'),
  changed: z.array(z.string()).describe('Names of the fields that changed; their values are read over the API.'),
};

/** Creates the schema of an amount: a decimal string with two decimals. */
export function amount(description: string) {
  return storedMoney.describe(`${description} Decimal string with two decimals.`);
}

/** As `amount`, for sums and annual amounts, which may have more than 8 integer digits. */
export function sum(description: string) {
  return storedSum.describe(`${description} Decimal string with two decimals.`);
}
