import { z } from 'zod';
import { storedMoney } from './money.ts';

/** The rules of a product for a cancellation, as a policy records them at its purchase (docs/insurance.md#end). */
export const storedCancellationRules = z.object({
  coolingOffDays: z.int().describe('A cancellation through this many days after the purchase returns all; 0: none.'),
  refundAfterClaim: z.boolean().describe('Whether anything of a term is returned in which an incident was paid for.'),
  minimumRetained: storedMoney.describe('The part of the net price of a term that is never returned.'),
});
export type CancellationRules = z.infer<typeof storedCancellationRules>;

/** The rules of imported policies, and of products without any. */
export const NO_CANCELLATION_RULES: CancellationRules = {
  coolingOffDays: 0,
  refundAfterClaim: true,
  minimumRetained: '0.00',
};
