import { z } from 'zod';
import type { Instant } from '#event-sourcing/time.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { sha256 } from '#event-sourcing/identifiers.ts';
import { threeLetters } from '#domain/values/codes.ts';
import { type MerchantEvent, type MerchantState, merchant, merchantStream } from '#domain/merchant/merchant.ts';
import type { Decision } from '#event-sourcing/executor/command.ts';
import { defineCommand } from '../command.ts';
import { reserveFirstFree } from '#event-sourcing/executor/reserve-first-free.ts';
import { shortCodeReservation } from './find-merchant.ts';
import { merchantDetails, merchantFields } from './merchant-fields.ts';
import { verificationRequest } from './resend-verification.ts';

const input = z.strictObject(merchantFields);

interface MerchantRegistration extends Pick<MerchantState, 'tenantId' | 'merchantId' | 'shortCode'> {
  readonly registration: z.output<typeof input>;
  readonly now: Instant;
}

function decideRegisterMerchant(
  _state: undefined,
  { registration, now, ...ids }: MerchantRegistration,
): NewEvent<MerchantEvent>[] {
  const { name, business_email: businessEmail } = registration;
  const { supportEmail, address, taxIdentificationNumber, registrationNumber } = merchantDetails(registration);
  const data = {
    ...ids,
    name,
    businessEmail,
    supportEmail: supportEmail ?? null,
    address: address ?? null,
    taxIdentificationNumber: taxIdentificationNumber ?? null,
    registrationNumber: registrationNumber ?? null,
  };
  return [{ type: 'MerchantRegistered', data }, verificationRequest(ids.tenantId, 1, now)];
}

/** Returns the n-th possible short code: three letters of the name and four hexadecimal digits. */
export function deriveShortCode(name: string, commandId: string, candidate: number): string {
  const digits = sha256(`${commandId} ${candidate}`).slice(0, 4).toUpperCase();
  return `${threeLetters(name)}-${digits}`;
}

export const registerMerchant = defineCommand({
  name: 'RegisterMerchant',
  summary: 'Registers a merchant, gives it its tenant id and short code, and mails it a link to verify its e-mail.',
  description: `Registers a merchant under a new short code: three letters of its name and four of \`[0-9A-F]\`. Several merchants may have the same e-mail. A verification mail is sent
with a link that is valid for 24 hours.`,
  input,
  example: {
    name: 'Harmony Microfinance',
    business_email: 'office@harmony.example',
    support_email: 'help@harmony.example',
    address: '1 Marina Road, Lagos',
    registration_number: 'RC-123456',
  },
  response: z.strictObject({ merchant_id: z.int(), tenant_id: z.uuid(), short_code: z.string() }),
  errors: [],
  roles: ['admin'],
  creates: true,
  aggregate: merchant,
  decide: decideRegisterMerchant,
  handle: async (registration, context) => {
    const tenantId = context.derive('merchant');
    const stream = merchantStream(tenantId);
    const tags = { merchant: tenantId };
    const decide = (merchantId: number, shortCode: string): Decision => ({
      target: stream,
      events: decideRegisterMerchant(undefined, { registration, tenantId, merchantId, shortCode, now: context.now }),
      tags,
    });
    const candidateAt = (candidate: number) => ({
      ...shortCodeReservation(deriveShortCode(registration.name, context.commandId, candidate)),
      target: stream,
      tags,
    });
    const writes = context.commit({ ...decide(1, candidateAt(0).value), reservations: [candidateAt(0)] });
    const merchantId = await writes.takeNumber('merchant');
    const busyDetail = 'No short code is free for this name at the moment; try again';
    return decide(merchantId, await reserveFirstFree(writes, candidateAt, busyDetail));
  },
  result: ({ state }) => ({
    merchant_id: state.merchantId,
    tenant_id: state.tenantId,
    short_code: state.shortCode,
  }),
});
