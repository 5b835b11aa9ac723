import { z } from 'zod';
import { storedMoney } from './money.ts';

/** The rules of a product for a cancellation, as a policy records them at its purchase (docs/insurance.md#end). */
export const storedCancellationRules = z.object({
  /** A cancellation through this many days after the purchase returns everything; 0: none does. */
  coolingOffDays: z.int(),
  /** Whether a cancellation returns anything of a term in which an incident was paid for. */
  refundAfterClaim: z.boolean(),
  /** The part of the net price of a term that is never returned. */
  minimumRetained: storedMoney,
});
export type CancellationRules = z.infer<typeof storedCancellationRules>;

/** The rules of imported policies, and of products without any. */
export const NO_CANCELLATION_RULES: CancellationRules = {
  coolingOffDays: 0,
  refundAfterClaim: true,
  minimumRetained: '0.00',
};
