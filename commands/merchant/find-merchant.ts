import { type MerchantEvent, type MerchantState, merchant } from '../../src/domain/merchant/merchant.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { targetOf } from '../../src/domain/reservations.ts';
import type { CommandContext, Reservation } from '../../src/command-handling/command.ts';
import { type Existing, existing } from '../../src/command-handling/existing.ts';

/** Short codes are unique on the whole platform. */
export function shortCodeReservation(shortCode: string): Reservation {
  return { kind: 'shortCode', scope: 'platform', value: shortCode };
}

/** Finds a merchant by its short code. @throws {Refusal} `merchant_not_found` */
export async function findMerchant(
  context: CommandContext,
  shortCode: string,
): Promise<Existing<MerchantState, MerchantEvent>> {
  const stream = await streamOf(context, shortCode);
  return existing(await context.load(merchant, stream), 'merchant_not_found', unknown(shortCode));
}

/** As `findMerchant`, for a command whose own event will stand in the merchant's stream. */
export async function findTargetMerchant(
  context: CommandContext,
  shortCode: string,
): Promise<Existing<MerchantState, MerchantEvent>> {
  const stream = await streamOf(context, shortCode);
  const found = existing(await context.loadTarget(merchant, stream), 'merchant_not_found', unknown(shortCode));
  context.checkIfMatch(found);
  return found;
}

async function streamOf(context: CommandContext, shortCode: string): Promise<string> {
  const reserved = await context.findReservation(shortCodeReservation(shortCode));
  if (reserved === undefined) throw new Refusal('merchant_not_found', unknown(shortCode));
  return targetOf(reserved);
}

function unknown(shortCode: string): string {
  return `There is no merchant with the short code ${shortCode}`;
}
