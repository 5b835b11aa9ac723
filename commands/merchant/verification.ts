import { type Moment, momentAfter } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import type { MerchantEvent } from '../../src/domain/merchant/merchant.ts';

/** How long the link of a verification mail is good (specification, Merchants: 24 hours). */
const GOOD_FOR_MS = 24 * 60 * 60 * 1000;

/** The request for a verification mail; its link is good for 24 hours from `now`. */
export function verificationRequest(tenantId: string, serial: number, now: Moment): NewEvent<MerchantEvent> {
  return {
    type: 'MerchantVerificationRequested',
    data: { tenantId, serial, expiresAt: momentAfter(now, GOOD_FOR_MS) },
  };
}
