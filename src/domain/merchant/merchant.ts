import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { personal } from '../values/fields.ts';
import { type Instant, instant } from '#event-sourcing/time.ts';
import { uuid } from '#event-sourcing/identifiers.ts';

export const merchantStream = (tenantId: string): string => `merchant-${tenantId}`;

const details = {
  name: z.string(),
  businessEmail: personal(z.string(), 'merchant'),
  supportEmail: personal(z.string().nullable(), 'merchant'),
  address: personal(z.string().nullable(), 'merchant'),
  taxIdentificationNumber: personal(z.string().nullable(), 'merchant'),
  registrationNumber: z.string().nullable(),
};
const detailsSchema = z.object(details);
export type MerchantDetails = z.infer<typeof detailsSchema>;

export const MerchantRegistered = defineEvent('MerchantRegistered.v1', 'A merchant was registered.', {
  tenantId: uuid,
  merchantId: z.int().describe('The number that the API shows as `id`.'),
  shortCode: z.string().describe('The code of the merchant in paths of the API.'),
  ...details,
});
export const MerchantUpdated = defineEvent('MerchantUpdated.v1', 'Details of a merchant were changed.', {
  tenantId: uuid,
  changes: detailsSchema.partial().describe('The new values only.'),
});
export const MerchantKycConfirmed = defineEvent('MerchantKycConfirmed.v1', 'The platform has verified the merchant.', {
  tenantId: uuid,
});

/** The token in the link is computed from tenant id and serial when the mail is sent, and is stored nowhere. */
export const MerchantVerificationRequested = defineEvent(
  'MerchantVerificationRequested.v1',
  'A mail with a verification link was requested; earlier links are no longer valid.',
  { tenantId: uuid, serial: z.int().describe('Number of the link.'), expiresAt: instant },
);

/** An onboarding mail follows. */
export const MerchantVerified = defineEvent('MerchantVerified.v1', 'A merchant verified its e-mail (`is_active`).', {
  tenantId: uuid,
  serial: z.int().describe('Number of the link that was used.'),
});

const EVENTS = [
  MerchantRegistered,
  MerchantUpdated,
  MerchantKycConfirmed,
  MerchantVerificationRequested,
  MerchantVerified,
] as const;
export type MerchantEvent = EventOf<(typeof EVENTS)[number]>;

export interface MerchantState extends MerchantDetails {
  readonly tenantId: string;
  readonly merchantId: number;
  readonly shortCode: string;
  readonly kycVerified: boolean;
  readonly verification: { readonly serial: number; readonly expiresAt: Instant } | undefined;
  /** Shown as `is_active`. */
  readonly verified: boolean;
}

function evolve(state: MerchantState | undefined, event: RecordedEvent<MerchantEvent>): MerchantState {
  if (event.type === 'MerchantRegistered') {
    const { effectiveAt: _, ...details } = event.data;
    return { ...details, kycVerified: false, verification: undefined, verified: false };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the merchant exists`);
  switch (event.type) {
    case 'MerchantUpdated':
      return { ...state, ...(event.data.changes as Partial<MerchantDetails>) };
    case 'MerchantKycConfirmed':
      return { ...state, kycVerified: true };
    case 'MerchantVerificationRequested': {
      const { serial, expiresAt } = event.data;
      return { ...state, verification: { serial, expiresAt } };
    }
    case 'MerchantVerified':
      return { ...state, verified: true };
    default:
      return event satisfies never;
  }
}

export const merchant: Aggregate<MerchantState, MerchantEvent> = {
  category: 'merchant',
  events: EVENTS,
  evolve,
};
