import { z } from 'zod';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, personal, type Recorded } from '../../event-sourcing/event.ts';
import { type Moment, moment } from '../../event-sourcing/time.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';

/** Stream of a merchant, by tenant id. */
export const merchantStream = (tenantId: string): string => `merchant-${tenantId}`;

/** What a merchant tells about itself; every field may later be changed. */
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

export const MerchantRegistered = defineEvent('MerchantRegistered.v1', {
  tenantId: uuid,
  /** The small number the interface shows as `id`. */
  merchantId: z.int(),
  shortCode: z.string(),
  ...details,
});
/** Only what changes is there. */
export const MerchantUpdated = defineEvent('MerchantUpdated.v1', {
  tenantId: uuid,
  changes: detailsSchema.partial(),
});
export const MerchantKycConfirmed = defineEvent('MerchantKycConfirmed.v1', { tenantId: uuid });

/**
 * A mail with a link is to be sent, by which the merchant shows that the e-mail is its own. Ends every earlier link. The
 * token is made of tenant id and serial when the mail is sent, so it stands nowhere (`decisions`: Merchants).
 */
export const MerchantVerificationRequested = defineEvent('MerchantVerificationRequested.v1', {
  tenantId: uuid,
  /** From 1, one more with every request. */
  serial: z.int(),
  /** The link is good until then. */
  expiresAt: moment,
});

/** The merchant has shown that its e-mail is its own; an onboarding mail is to be sent. */
export const MerchantVerified = defineEvent('MerchantVerified.v1', { tenantId: uuid, serial: z.int() });

export type MerchantEvent =
  | EventOf<typeof MerchantRegistered>
  | EventOf<typeof MerchantUpdated>
  | EventOf<typeof MerchantKycConfirmed>
  | EventOf<typeof MerchantVerificationRequested>
  | EventOf<typeof MerchantVerified>;

export interface MerchantState extends MerchantDetails {
  readonly tenantId: string;
  readonly merchantId: number;
  readonly shortCode: string;
  readonly kycVerified: boolean;
  /** The newest request; undefined when none was ever made. */
  readonly verification: { readonly serial: number; readonly expiresAt: Moment } | undefined;
  /** Shown as `is_active`. */
  readonly verified: boolean;
}

function evolve(state: MerchantState | undefined, event: Recorded<MerchantEvent>): MerchantState {
  if (event.type === 'MerchantRegistered') {
    const { effectiveAt: _, ...facts } = event.data;
    return { ...facts, kycVerified: false, verification: undefined, verified: false };
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
  events: [MerchantRegistered, MerchantUpdated, MerchantKycConfirmed, MerchantVerificationRequested, MerchantVerified],
  evolve,
};
