import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import { defineEvent, type EventOf, personal, type Recorded } from './event.ts';
import { uuid } from './identifiers.ts';

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
const detailsSchema = z.strictObject(details);
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

export type MerchantEvent =
  | EventOf<typeof MerchantRegistered>
  | EventOf<typeof MerchantUpdated>
  | EventOf<typeof MerchantKycConfirmed>;

export interface MerchantState extends MerchantDetails {
  readonly tenantId: string;
  readonly merchantId: number;
  readonly shortCode: string;
  readonly kycVerified: boolean;
}

function evolve(state: MerchantState | undefined, event: Recorded<MerchantEvent>): MerchantState {
  if (event.type === 'MerchantRegistered.v1') {
    const { effectiveAt: _, ...facts } = event.data;
    return { ...facts, kycVerified: false };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the merchant exists`);
  switch (event.type) {
    case 'MerchantUpdated.v1':
      return { ...state, ...(event.data.changes as Partial<MerchantDetails>) };
    case 'MerchantKycConfirmed.v1':
      return { ...state, kycVerified: true };
    default:
      return event satisfies never;
  }
}

export const merchant: Aggregate<MerchantState, MerchantEvent> = {
  category: 'merchant',
  events: [MerchantRegistered, MerchantUpdated, MerchantKycConfirmed],
  upcasters: {},
  evolve,
};
