import { type MerchantState, merchant } from '#domain/merchant/merchant.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import { targetOf } from '#domain/reservations.ts';
import type { Reservation } from '#event-sourcing/executor/command.ts';
import type { CommandContext } from '../command.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';

const refuse = refusalsOf('merchant_not_found');
export const findMerchantErrors = refuse.codes;

/** Returns the reservation of a short code, which is unique on the whole platform. */
export function shortCodeReservation(shortCode: string): Reservation {
  return { kind: 'shortCode', scope: 'platform', value: shortCode };
}

export async function findMerchant(context: CommandContext, shortCode: string): Promise<ExistingStream<MerchantState>> {
  const stream = await streamOf(context, shortCode);
  return requireExisting(await context.load(merchant, stream), () => merchantNotFound(shortCode));
}

/** What the commands that change a merchant have in common. */
export const changeOfMerchant = {
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: merchant,
  find: async ({ short_code: shortCode }: { readonly short_code: string }, context: CommandContext) => {
    const loaded = await context.loadTarget(merchant, await streamOf(context, shortCode));
    return requireExisting(loaded, () => merchantNotFound(shortCode));
  },
  tags: ({ tenantId }: MerchantState) => ({ merchant: tenantId }),
} as const;

async function streamOf(context: CommandContext, shortCode: string): Promise<string> {
  const reserved = await context.findReservation(shortCodeReservation(shortCode));
  if (reserved === undefined) throw merchantNotFound(shortCode);
  return targetOf(reserved);
}

function merchantNotFound(shortCode: string): Refusal {
  return refuse('merchant_not_found', `There is no merchant with the short code ${shortCode}`);
}
