import { z } from 'zod';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { sha256 } from '../../src/event-sourcing/identifiers.ts';
import { threeLetters } from '../../src/domain/values/codes.ts';
import { type MerchantEvent, merchant, merchantStream } from '../../src/domain/merchant/merchant.ts';
import { type ExecutedCommand, defineCommand, stateOf } from '../../src/command-handling/command.ts';
import { reserveFirstFree } from '../../src/command-handling/reserve-first-free.ts';
import { shortCodeReservation } from './find-merchant.ts';
import { merchantDetails, merchantFields } from './merchant-fields.ts';
import { verificationRequest } from './verification.ts';

const input = z.strictObject(merchantFields);

/** A merchant is registered under the identifiers it was given, and asked to show that its e-mail is its own. */
export function decideRegisterMerchant(
  registration: z.output<typeof input>,
  given: { readonly tenantId: string; readonly merchantId: number; readonly shortCode: string },
  now: Moment,
): NewEvent<MerchantEvent>[] {
  const { name, business_email: businessEmail } = registration;
  const { supportEmail, address, taxIdentificationNumber, registrationNumber } = merchantDetails(registration);
  const data = {
    ...given,
    name,
    businessEmail,
    supportEmail: supportEmail ?? null,
    address: address ?? null,
    taxIdentificationNumber: taxIdentificationNumber ?? null,
    registrationNumber: registrationNumber ?? null,
  };
  return [{ type: 'MerchantRegistered', data }, verificationRequest(given.tenantId, 1, now)];
}

/** The short codes a merchant may get, in order: letters of its name and four hexadecimal digits (`decisions`: Merchants). */
export function shortCodeCandidate(name: string, commandId: string, place: number): string {
  const digits = sha256(`${commandId} ${place}`).slice(0, 4).toUpperCase();
  return `${threeLetters(name)}-${digits}`;
}

/** Registers a merchant (`decisions`: Merchants, Back office). */
export const registerMerchant = defineCommand({
  name: 'RegisterMerchant',
  summary: 'Registers a merchant, gives it its tenant id and short code, and mails it a link to verify its e-mail.',
  input,
  roles: ['admin'],
  inEnvironment: false,
  creates: true,
  handle: async (registration, context) => {
    const tenantId = context.derive('merchant');
    const stream = merchantStream(tenantId);
    await context.commitTo(stream);
    const merchantId = await context.takeNumber('merchant');
    const codeAt = (place: number) =>
      shortCodeReservation(shortCodeCandidate(registration.name, context.commandId, place));
    const shortCode = await reserveFirstFree(context, codeAt, {
      target: stream,
      tags: { merchant: tenantId },
      noneFree: 'No short code is free for this name at the moment; try again',
    });
    const events = decideRegisterMerchant(registration, { tenantId, merchantId, shortCode }, context.now);
    await context.create(stream, events, { merchant: tenantId });
    return { stream };
  },
  result: ({ history }: ExecutedCommand<MerchantEvent>) => {
    const { merchantId, tenantId, shortCode } = stateOf(merchant, history);
    return { merchant_id: merchantId, tenant_id: tenantId, short_code: shortCode };
  },
});
