import { type Moment, momentAfter } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import type { MerchantEvent } from '../../src/domain/merchant/merchant.ts';

const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Returns the event that requests a verification mail; its link expires after 24 hours. */
export function verificationRequest(tenantId: string, serial: number, now: Moment): NewEvent<MerchantEvent> {
  return {
    type: 'MerchantVerificationRequested',
    data: { tenantId, serial, expiresAt: momentAfter(now, LINK_LIFETIME_MS) },
  };
}
